"""The agenda of the search for a gold derivation: uniform cost over one sentence, the cheapest of each signature."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.grammar import Combination, Grammar, UnaryChange
from starccg.ccg.normal_form import PUNCTUATED
from starccg.ccg.rules import Rule
from starccg.treebanks.head_states import Demand, Link, State, binary_step, leaf_state, unary_step
from starccg.treebanks.marks_kept import KeptMarks

WORD_COST = 1_000
"""For each word of a left child. A mark costs 1 for each word of the sentence that its phrase lacks: where it has no
place in the treebank it closes the largest phrase, and it never changes how phrases are bracketed."""
UNARY_COST = 100 * WORD_COST
"""The paper's code has 1e-3 for a unary rule and 1e-5 for a word."""


class Rules:
    """The rules of a grammar and its normal form, with the results of each pair of categories cached."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.combine: Callable[[Category, Category], tuple[Combination, ...]] = cache(grammar.combine)
        """The results of combining two categories."""
        self.change = cache(self._change)
        """The unary rules that apply to a category."""
        form = grammar.normal_form
        self._allowed = form.binary_masks()
        self._unary_allowed = form.unary_masks()
        self._start_only = form.start_only_mask()
        self._max_chain = form.max_unary_chain

    def _change(self, child: Category) -> tuple[tuple[UnaryChange, Rule], ...]:
        return tuple((change, change.rule) for change in self.grammar.change(child))

    def allows(self, rule: Rule, left: Rule, right: Rule, start: int) -> bool:
        """Whether the normal form lets ``rule`` join such children at this start."""
        return bool(self._allowed[left][right] >> rule & 1) and not (start and self._start_only >> rule & 1)

    def allows_unary(self, rule: Rule, child: Rule, chain: int) -> bool:
        """Whether the normal form lets a unary rule stand over such a child, ``chain`` unary rules above its span."""
        return bool(self._unary_allowed[child] >> rule & 1) and (not self._max_chain or chain < self._max_chain)


@dataclass(slots=True, eq=False)
class Item:
    """A partial derivation."""

    start: int
    end: int
    category: Category
    rule: Rule
    state: State
    cost: int
    left: Item | None = None
    right: Item | None = None
    head: int = 0
    chain: int = 0

    @property
    def signature(self) -> tuple[object, ...]:
        """Everything that later steps depend on: of items with the same signature only the cheapest is kept."""
        return self.start, self.end, self.category, self.rule, self.chain, self.state


class Agenda:
    """Uniform-cost search over one sentence."""

    def __init__(
        self,
        rules: Rules,
        leaves: Sequence[Leaf],
        links: frozenset[Link],
        *,
        changes: frozenset[UnaryChange] | None,
        roots: frozenset[Category],
        marks: KeptMarks,
        max_nodes: int,
    ) -> None:
        self.rules, self.leaves, self.links, self.changes = rules, leaves, links, changes
        self.roots, self.marks, self.max_nodes = roots, marks, max_nodes
        self.inside = links_inside(len(leaves), links)
        self.agenda: list[tuple[int, int, int, Item]] = []
        self.age = self.nodes = 0
        self.closed: set[tuple[object, ...]] = set()
        self.starting: defaultdict[int, dict[Category, list[Item]]] = defaultdict(dict)
        self.ending: defaultdict[int, dict[Category, list[Item]]] = defaultdict(dict)

    def run(self) -> tuple[Derivation | None, int]:
        """The cheapest derivation, if there is one within the limit, and the nodes tried."""
        words = len(self.leaves)
        for position, leaf in enumerate(self.leaves):
            category = leaf.category.bare_nb
            self.push(
                Item(position, position + 1, category, Rule.LEXICON, leaf_state(category, position, leaf.word), 0)
            )
        while self.agenda:
            item = heapq.heappop(self.agenda)[-1]
            signature = item.signature
            if signature in self.closed:
                continue
            self.closed.add(signature)
            if item.end - item.start == words and item.category in self.roots:
                return self.derivation(item), self.nodes
            if self.nodes >= self.max_nodes:
                return None, self.nodes
            self.starting[item.start].setdefault(item.category, []).append(item)
            self.ending[item.end].setdefault(item.category, []).append(item)
            self.expand_unary(item)
            for category, rights in self.starting[item.end].items():
                if self.rules.combine(item.category, category):
                    for right in rights:
                        self.expand_binary(item, right)
            for category, lefts in self.ending[item.start].items():
                if self.rules.combine(category, item.category):
                    for left in lefts:
                        self.expand_binary(left, item)
        return None, self.nodes

    def push(self, item: Item) -> None:
        """Cheapest first; among equals the larger span, then the older."""
        heapq.heappush(self.agenda, (item.cost, item.start - item.end, self.age, item))
        self.age += 1

    def expand_unary(self, item: Item) -> None:
        """What one constituent becomes by a unary rule that resolves no dependency."""
        for change, rule in self.rules.change(item.category):
            if self.changes is not None and change not in self.changes:
                continue
            if not self.rules.allows_unary(rule, item.rule, item.chain):
                continue
            self.nodes += 1
            step = unary_step(item.state, item.category, change.result)
            if not step.resolved:
                cost, chain = item.cost + UNARY_COST, item.chain + 1
                self.push(Item(item.start, item.end, change.result, rule, step.state, cost, item, chain=chain))

    def expand_binary(self, left: Item, right: Item) -> None:
        """What two neighbours make, if that resolves just the dependencies that cross them."""
        start, middle, end = left.start, right.start, right.end
        crossing = self.inside[start][end] - self.inside[start][middle] - self.inside[middle][end]
        demand = Demand(crossing, self.links)
        for made in self.rules.combine(left.category, right.category):
            category, rule, head = made
            if not self.rules.allows(rule, left.rule, right.rule, start):
                continue
            if not self.marks.allow(rule, start, middle, end, category):
                continue
            self.nodes += 1
            step = binary_step(left, right, made, demand)
            if step is not None:
                shift = len(self.leaves) - (end - start) if rule in PUNCTUATED else WORD_COST * (middle - start)
                cost = left.cost + right.cost + shift
                self.push(Item(start, end, category, rule, step.state, cost, left, right, head))

    def derivation(self, root: Item) -> Derivation:
        """The derivation of an item."""
        order: list[Item] = []
        stack = [root]
        while stack:
            item = stack.pop()
            order.append(item)
            stack.extend(child for child in (item.left, item.right) if child is not None)
        built: dict[Item, Derivation] = {}
        for item in reversed(order):
            if item.left is None:
                built[item] = self.leaves[item.start]
            elif item.right is None:
                built[item] = Unary(item.category, built[item.left], item.rule)
            else:
                built[item] = Binary(item.category, built[item.left], built[item.right], item.rule, item.head)
        return built[root]


def links_inside(words: int, links: Iterable[Link]) -> list[list[int]]:
    """``[start][end]`` -> how many dependencies lie within those words."""
    inside = [[0] * (words + 1) for _ in range(words + 1)]
    for head, _, argument in links:
        inside[min(head, argument)][max(head, argument) + 1] += 1
    for width in range(2, words + 1):
        for start in range(words - width + 1):
            end = start + width
            smaller = inside[start + 1][end - 1] if width > 2 else 0
            inside[start][end] += inside[start + 1][end] + inside[start][end - 1] - smaller
    return inside
