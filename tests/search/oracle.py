"""Every derivation of a small sentence, written down and scored by definition: searches are held against it.

Nothing here shares code with the searches. Scores are whole numbers of grid steps (2^-20): equal means equal.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from starccg.ccg.rules import Rule
from starccg.ccg.table import RuleTable
from starccg.search.options import Decoder, Options
from starccg.search.types import Node, TaggedSentence

GRID = 2**20
State = Any
Unit = Callable[[int, int, State | None, State], tuple[State, float]]
"""(rule, category, left, right) -> (state, score); no left state for a unary node."""


class TooMany(Exception):  # noqa: N818
    """The sentence has more subtrees than a test has time for."""


@dataclass(eq=False, slots=True)
class Tree:
    """A subtree. Two trees are the same derivation if their keys are equal."""

    rule: int
    category: int
    start: int
    end: int
    children: tuple[Tree, ...]
    head: int
    chain: int
    """How many unary rules end in this node, one directly over the other."""
    local: int
    key: tuple[Any, ...] = field(init=False)

    def __post_init__(self) -> None:
        below = tuple(child.key for child in self.children)
        self.key = (self.rule, self.category, self.start, self.end, *below)

    def nodes(self) -> Iterator[Tree]:
        """Children before parents."""
        for child in self.children:
            yield from child.nodes()
        yield self


def grid(value: float) -> int:
    """The nearest multiple of 2^-20, as a number of steps."""
    return round(float(value) * GRID)


def subtrees(
    table: RuleTable, sentence: TaggedSentence, options: Options, most: int = 2000
) -> dict[tuple[int, int], list[Tree]]:
    """All licensed subtrees of every span."""
    words = sentence.words
    spans: dict[tuple[int, int], list[Tree]] = {}
    count = 0
    for length in range(1, words + 1):
        for start in range(words - length + 1):
            end = start + length
            trees = leaves(sentence, start) if length == 1 else []
            for middle in range(start + 1, end):
                for left, right in itertools.product(spans[start, middle], spans[middle, end]):
                    trees.extend(joined(table, left, right, options))
            fresh = trees
            while fresh:  # one more link of every unary chain
                fresh = [above for tree in fresh for above in raised(table, tree, options)]
                trees = trees + fresh
                if count + len(trees) > most:
                    raise TooMany
            spans[start, end] = trees
            count += len(trees)
    return spans


def derivations(table: RuleTable, sentence: TaggedSentence, options: Options, most: int = 2000) -> list[Tree]:
    """All complete parses; the local score of each one's root includes the score of having such a root."""
    if sentence.words == 0:
        return []
    whole = subtrees(table, sentence, options, most)[0, sentence.words]
    return [as_parse(table, tree) for tree in whole if is_root(table, tree)]


def as_parse(table: RuleTable, tree: Tree) -> Tree:
    """The same tree, counted as a complete parse and not as part of a larger one."""
    scores = dict(zip(table.roots, table.root_scores, strict=True)) if table.root_scores else {}
    return replace(tree, local=tree.local + grid(scores.get(tree.category, 0.0)))


def is_root(table: RuleTable, tree: Tree) -> bool:
    """Whether a tree over the whole sentence is a parse."""
    return tree.category in table.roots and (table.unary_at_root or tree.chain == 0)


def leaves(sentence: TaggedSentence, word: int) -> list[Tree]:
    first, last = int(sentence.offsets[word]), int(sentence.offsets[word + 1])
    return [
        Tree(int(Rule.LEXICON), int(tag), word, word + 1, (), word, 0, grid(score))
        for tag, score in zip(sentence.tags[first:last], sentence.log_probabilities[first:last], strict=True)
        if score > -math.inf
    ]


def joined(table: RuleTable, left: Tree, right: Tree, options: Options) -> Iterator[Tree]:
    distance = abs(left.head - right.head)
    for rule in table.binary:
        if (rule.left, rule.right) != (left.category, right.category):
            continue
        if not table.allowed[left.rule][right.rule] >> rule.rule & 1:
            continue
        if table.start_only >> rule.rule & 1 and left.start != 0:
            continue
        head = (left.head, right.head)[rule.head]
        cost = distance * grid(options.distance_cost)
        yield Tree(rule.rule, rule.result, left.start, right.end, (left, right), head, 0, -cost)


def raised(table: RuleTable, child: Tree, options: Options) -> Iterator[Tree]:
    if table.max_unary_chain and child.chain == table.max_unary_chain:
        return
    for rule in table.unary:
        if rule.child != child.category or not table.unary_allowed[child.rule] >> rule.rule & 1:
            continue
        if table.start_only >> rule.rule & 1 and child.start != 0:
            continue
        cost = grid(options.unary_cost)
        span = child.start, child.end
        yield Tree(rule.rule, rule.result, *span, (child,), child.head, child.chain + 1, -cost)


class Scorer:
    """The score of a tree under one of the models: local scores, and what the recursive unit adds."""

    def __init__(self, decoder: Decoder, sentence: TaggedSentence, unit: Unit | None = None) -> None:
        self.decoder, self.sentence, self.unit = decoder, sentence, unit
        self._states: dict[int, tuple[State, int]] = {}
        self._kept: list[Tree] = []  # keeps the trees alive whose ids are keys above

    def __call__(self, tree: Tree) -> int:
        """The path score g: the sum of the local and global scores of all nodes."""
        return sum(node.local + self.global_score(node) for node in tree.nodes())

    def global_score(self, tree: Tree) -> int:
        """What the recursive unit says of one node."""
        if self.decoder in (Decoder.SUPERTAG, Decoder.SUPERTAG_FOREST):
            return 0
        return self._scored(tree)[1]

    def _scored(self, tree: Tree) -> tuple[State, int]:
        if id(tree) not in self._states:
            assert self.unit is not None
            left, right = self._inputs(tree)
            state, score = self.unit(tree.rule, tree.category, left, right)
            self._states[id(tree)] = state, min(grid(score), 0)
            self._kept.append(tree)
        return self._states[id(tree)]

    def _inputs(self, tree: Tree) -> tuple[State | None, State]:
        states = self.sentence.states
        assert states is not None
        if self.decoder in (Decoder.SPAN, Decoder.SPAN_FOREST):
            first, last = states[tree.start], states[tree.end - 1]
            return last[0:2], first[2:4]
        if not tree.children:
            word = states[tree.start]
            return word[0:2], word[2:4]
        if len(tree.children) == 1:
            return None, self._scored(tree.children[0])[0]
        return self._scored(tree.children[0])[0], self._scored(tree.children[1])[0]


def outside(sentence: TaggedSentence, start: int, end: int) -> int:
    """The heuristic of the supertag-factored model: the best tag of every word outside the span."""
    best = 0
    for word in itertools.chain(range(start), range(end, sentence.words)):
        first, last = int(sentence.offsets[word]), int(sentence.offsets[word + 1])
        best += max(grid(value) for value in sentence.log_probabilities[first:last] if value > -math.inf)
    return best


def key_of(nodes: Sequence[Node]) -> tuple[Any, ...]:
    """The key of a derivation that a search gave back; refuses a wrong order and nodes without a parent."""
    keys: list[tuple[Any, ...]] = []
    used: set[int] = set()
    for position, node in enumerate(nodes):
        below = [child for child in (node.left, node.right) if child >= 0]
        assert all(child < position for child in below), "a parent came before its child"
        assert not used.intersection(below), "a node has two parents"
        used.update(below)
        keys.append((node.rule, node.category, node.start, node.end, *(keys[child] for child in below)))
    assert used == set(range(len(nodes) - 1)), "the last node is not the root of all"
    return keys[-1]


def nodes_of(tree: Tree) -> list[Node]:
    """The derivation as a search is given it: no scores, children before parents."""
    order = list(tree.nodes())
    place = {id(node): position for position, node in enumerate(order)}
    nodes = []
    for node in order:
        below = [place[id(child)] for child in node.children] + [-1, -1]
        nodes.append(Node(node.rule, node.category, node.start, node.end, below[0], below[1]))
    return nodes


def by_key(trees: Iterable[Tree]) -> dict[tuple[Any, ...], Tree]:
    """Look-up by key; two trees with one key would be a fault of the enumeration."""
    found = {}
    for tree in trees:
        assert tree.key not in found
        found[tree.key] = tree
    return found
