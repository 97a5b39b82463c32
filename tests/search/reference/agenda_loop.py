"""The agenda loop in plain Python: what the native core does, short enough to read, slow enough to trust.

One loop serves every policy of ``Decoder`` but the beam and the reranker. It pops the best hyperedge, adds
its head to the forest (or the chart), and pushes what that node can be combined into, until a complete parse is
popped (paper, section 2). The order of pushes and pops is the one promised in :mod:`starccg.search.searcher`.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from starccg.ccg.rules import Rule
from starccg.ccg.table import BinaryRule, RuleTable, UnaryRule
from starccg.search.options import Bound, Decoder, Options
from starccg.search.signature import chain_length_matters, normal_form_classes
from starccg.search.types import Event, Floats2d, TaggedSentence
from tests.search.reference.bound import GrammarBound
from tests.search.reference.recursive_unit import RecursiveUnit, on_grid

DYNAMIC_PROGRAM = frozenset({Decoder.SUPERTAG, Decoder.SPAN})
GLOBAL_SCORE = frozenset({Decoder.SPAN, Decoder.SPAN_FOREST, Decoder.GLOBAL})


@dataclass(slots=True, eq=False)
class Item:
    """A hyperedge on the agenda together with its head, the subtree it builds."""

    rule: int
    category: int
    start: int
    end: int
    left: Item | None
    """The left child or the only one."""
    right: Item | None
    head: int
    """The head word, for the distance cost."""
    chain: int
    """How many unary rules end here, one directly over the other."""
    local_score: float
    inside: float
    """g(path): the scores of all nodes of the subtree; its own global score only once that is known."""
    tag: int = 0
    """Of a leaf: which of its word's tags it is, the best being 0."""
    age: int = -1
    global_score: float | None = None
    state: Floats2d | None = None
    root_score: float = 0.0
    waits: bool = False
    """A complete parse that went back on the agenda with its root score."""

    @property
    def length(self) -> int:
        """How many words it spans."""
        return self.end - self.start

    @property
    def score(self) -> float:
        """Of a complete parse: what it is worth, its root included."""
        return self.inside + self.root_score

    def nodes(self) -> Iterator[Item]:
        """The subtree, children before parents: the path to the item."""
        for child in (self.left, self.right):
            if child is not None:
                yield from child.nodes()
        yield self


class AgendaLoop:
    """One search of one sentence: :meth:`parses` gives complete parses, best first."""

    def __init__(
        self,
        table: RuleTable,
        sentence: TaggedSentence,
        options: Options,
        unit: RecursiveUnit | None = None,
        *,
        whole_bound: bool = False,
    ) -> None:
        """``whole_bound``: the bound of the grammar has no floor, as in a recorded search."""
        options = options.resolved()
        self.table, self.sentence, self.options, self.unit = table, sentence, options, unit
        # The simplest exact way to more than one parse: no dynamic program loses any.
        self.dynamic_program = options.decoder in DYNAMIC_PROGRAM and options.nbest == 1
        self.scores_globally = options.decoder in GLOBAL_SCORE
        self.unary_cost, self.distance_cost = on_grid(options.unary_cost or 0.0), on_grid(options.distance_cost or 0.0)
        self.binary: dict[tuple[int, int], list[BinaryRule]] = defaultdict(list)
        for binary in table.binary:
            self.binary[binary.left, binary.right].append(binary)
        self.unary: dict[int, list[UnaryRule]] = defaultdict(list)
        for unary in table.unary:
            self.unary[unary.child].append(unary)
        self.classes = normal_form_classes(table.binary, table.unary, table.allowed, table.unary_allowed)
        self.chains = chain_length_matters(table.unary, table.unary_allowed, table.max_unary_chain)
        self.roots = dict(zip(table.roots, map(on_grid, table.root_scores or [0.0] * len(table.roots)), strict=True))

        self.tags = [self._tags(word) for word in range(sentence.words)]
        best = [tags[0].inside if tags else -math.inf for tags in self.tags]
        # What the best tags of all words before each position, and from it on, add up to.
        self.before = list(itertools.accumulate(best, initial=0.0))
        self.after = list(itertools.accumulate(reversed(best), initial=0.0))[::-1]

        self.bound = None
        if options.bound == Bound.GRAMMAR and options.heuristic:
            tags = self.tags_of_words()
            self.bound = GrammarBound(table, tags, self.roots, self.unary_cost, whole=whole_bound)

        self.next_refinement = math.inf
        if (
            self.bound is not None
            and self.scores_globally
            and options.decoder not in DYNAMIC_PROGRAM
            and not whole_bound
        ):
            self.next_refinement = math.inf if options.refine_after is None else options.refine_after

        # A tag with a global score to be found out, or a bound of its own, may be better than the one before it.
        self.tags_wait = not self.scores_globally and self.bound is None

        self.agenda: list[tuple[float, int, int, Item]] = []
        self.places: dict[tuple[int, ...], Item] = {}
        self.ending_at: dict[int, list[Item]] = defaultdict(list)  # explored items, the newest first
        self.starting_at: dict[int, list[Item]] = defaultdict(list)
        self.memo: dict[tuple[int, int, int, int], float] = {}  # span-factored: scores of spans known already
        self.pushed = self.explored = self.recursive_units = self.accepted = 0
        self.upper_bound = math.inf
        self.stopped: Literal["", "forest", "agenda", "recursive_units"] = ""
        self.events: list[Event] = []

    def _tags(self, word: int) -> list[Item]:
        first, last = self.sentence.offsets[word], self.sentence.offsets[word + 1]
        pairs = zip(self.sentence.tags[first:last], self.sentence.log_probabilities[first:last], strict=True)
        kept = [(int(tag), on_grid(score)) for tag, score in pairs if score > -math.inf]
        kept.sort(key=lambda pair: -pair[1])
        return [
            Item(int(Rule.LEXICON), tag, word, word + 1, None, None, word, 0, score, score, tag=rank)
            for rank, (tag, score) in enumerate(kept)
        ]

    def tags_of_words(self) -> list[list[tuple[int, float]]]:
        """The category and score of each tag of each word."""
        return [[(leaf.category, leaf.inside) for leaf in tags] for tags in self.tags]

    # --- scores: section 3 and 4 ---

    def outside(self, item: Item) -> float:
        """The heuristic h: no parse gives the words outside the span more than their best tags."""
        if self.bound is not None:
            return self.bound.outside(item.start, item.end, item.category)
        return self.before[item.start] + self.after[item.end] if self.options.heuristic else 0.0

    def priority(self, item: Item) -> float:
        """No parse that the item is part of scores more."""
        if item.waits:
            return item.score
        if self.bound is None:
            return item.inside + self.outside(item)
        most = self.bound.most_inside(item.start, item.end, item.category)
        return min(item.inside, most) + self.outside(item)

    def score_globally(self, item: Item) -> None:
        """Run the recursive unit: the second half of a hyperedge that lazy scoring has split."""
        assert self.unit is not None
        label = item.rule, item.category, item.start, item.end
        if label in self.memo:
            item.global_score = self.memo[label]
        else:
            item.state, item.global_score = self.unit.unit(item.rule, item.category, *self._inputs(item))
            self.recursive_units += 1
            if self.options.decoder is not Decoder.GLOBAL:
                self.memo[label] = item.global_score
        item.inside += item.global_score

    def _inputs(self, item: Item) -> tuple[Floats2d | None, Floats2d]:
        states = self.sentence.states
        assert states is not None
        if item.left is None or self.options.decoder is not Decoder.GLOBAL:
            # A leaf: the forward and backward states of its word. Span-factored: those that have read the span.
            return states[item.end - 1, :2], states[item.start, 2:]
        if item.right is None:
            assert item.left.state is not None
            return None, item.left.state
        assert item.left.state is not None and item.right.state is not None
        return item.left.state, item.right.state

    # --- the loop: section 2 ---

    def parses(self) -> Iterator[Item]:
        """Complete parses, best first, until the agenda is empty or a limit is hit."""
        self.push_leaves()
        while self.agenda:
            self.upper_bound = -self.agenda[0][0]
            if self.bound is not None and self.upper_bound <= self.bound.floor:
                self.bound.lower_floor()
                self.change_priorities()
                continue
            if self.bound is not None and self.explored >= self.next_refinement:
                self.refine_bound()
                continue
            self.stopped = self.limit_hit()
            if self.stopped:
                self.refine_at_end()
                return
            item = self.pop()
            if item is None:
                continue
            if item.waits:
                self.accepted += 1
                yield item
                continue
            if self.is_parse(item) and not self.goes_back(item):
                self.accepted += 1
                yield item
            self.expand(item)
        self.upper_bound = -math.inf

    def pop(self) -> Item | None:
        """Take the head off the agenda into the forest; None if it was dominated, or went back rescored."""
        *_, item = heapq.heappop(self.agenda)
        if item.waits:
            self._record("goal", item)
            return item
        if item.left is None and self.tags_wait:
            self.push_tag(item.start, item.tag + 1)
        if self.dominated(item):
            return None
        if self.scores_globally and item.global_score is None:
            self.score_globally(item)
            self._record("rescored", item)
            if not self.dominated(item):
                self._enqueue(item)
            return None
        self.explored += 1
        self.starting_at[item.start].insert(0, item)
        self.ending_at[item.end].insert(0, item)
        self._record("pop", item)
        return item

    def refine_at_end(self) -> None:
        """A search that a limit stopped before its first parse says the closest bound that it can."""
        if self.next_refinement < math.inf and not self.accepted:
            self.refine_bound()
            self.upper_bound = max(-self.agenda[0][0], self.bound.floor) if self.agenda and self.bound else -math.inf

    def refine_bound(self) -> None:
        """Make the bound closer by what is explored, and again when that has grown by half."""
        assert self.bound is not None
        self.next_refinement = self.explored + self.explored // 2 + 1
        best: dict[tuple[int, int, int], float] = {}
        for item in itertools.chain.from_iterable(self.starting_at.values()):
            node = item.start, item.end, item.category
            best[node] = max(best.get(node, -math.inf), item.inside)
        self.bound.refine(max(self.upper_bound, self.bound.floor), best)
        self.change_priorities()

    def change_priorities(self) -> None:
        """Order what waits on the agenda by the new bound; what fits into no parse is dropped."""
        waiting, self.agenda = self.agenda, []
        for *_, item in waiting:
            priority = self.priority(item)
            if priority > -math.inf:
                heapq.heappush(self.agenda, (-priority, -item.length, item.age, item))

    def limit_hit(self) -> Literal["", "forest", "agenda", "recursive_units"]:
        """The limit that ends the search here, if any."""
        limits = self.options.limits
        if self.explored >= limits.forest:
            return "forest"
        if self.pushed >= limits.agenda:
            return "agenda"
        spent = self.scores_globally and self.recursive_units >= limits.recursive_units
        return "recursive_units" if spent else ""

    def is_parse(self, item: Item) -> bool:
        """Whether the item is a complete parse."""
        return item.length == self.sentence.words and item.category in self.roots

    def goes_back(self, parse: Item) -> bool:
        """A parse whose root costs something must come to the head once more, with that counted."""
        parse.root_score = self.roots[parse.category]
        parse.waits = parse.root_score != 0
        if parse.waits:
            heapq.heappush(self.agenda, (-parse.score, -parse.length, parse.age, parse))
        return parse.waits

    # --- pushes ---

    def push(self, item: Item) -> bool:
        """Put a new item on the agenda, unless its place is held by something at least as good or no parse has such."""
        if self.outside(item) == -math.inf:
            return False
        held = self.places.get(self.signature(item))
        if held is not None and held.inside >= item.inside:
            return False
        if self.scores_globally and not self.options.lazy:
            self.score_globally(item)
            if held is not None and held.inside >= item.inside:
                return False
        item.age = self.pushed
        self.pushed += 1
        self._enqueue(item)
        self._record("push", item)
        return True

    def _enqueue(self, item: Item) -> None:
        """Best priority first; among equals the larger span, then the older item."""
        if self.dynamic_program and (item.global_score is not None or not self.scores_globally):
            self.places[self.signature(item)] = item
        heapq.heappush(self.agenda, (-self.priority(item), -item.length, item.age, item))

    def signature(self, item: Item) -> tuple[int, ...]:
        """All that the rest of a parse can see of an item: of those that share it only the best counts."""
        chain = item.chain if self.chains else 0
        head = item.head if self.distance_cost else 0
        return item.start, item.end, item.category, self.classes[item.rule], chain, head

    def dominated(self, item: Item) -> bool:
        """Whether another item holds its place: one with a better inside score, or the same and older."""
        held = self.places.get(self.signature(item))
        return held is not None and held is not item and (-held.inside, held.age) < (-item.inside, item.age)

    def push_leaves(self) -> None:
        """Each word's best tag; all of them where their order is not known beforehand."""
        for word, tags in enumerate(self.tags):
            if self.tags_wait:
                self.push_tag(word, 0)
            else:
                for leaf in tags:
                    self.push(leaf)

    def push_tag(self, word: int, rank: int) -> None:
        """Push a word's tag of that rank, or the first after it that is not dominated."""
        while rank < len(self.tags[word]) and not self.push(self.tags[word][rank]):
            rank += 1

    def expand(self, item: Item) -> None:
        """Push what the rules make of an explored item: over it, with its right and with its left neighbours."""
        if self.table.unary_at_root or item.length < self.sentence.words:
            for rule in self.unary[item.category]:
                self._join_unary(rule, item)
        for right in _in_order(self.starting_at[item.end]):
            self._join(item, right)
        for left in _in_order(self.ending_at[item.start]):
            self._join(left, item)

    def _join_unary(self, rule: UnaryRule, child: Item) -> None:
        allowed = self.table.unary_allowed[child.rule] >> rule.rule & 1
        room = not self.table.max_unary_chain or child.chain < self.table.max_unary_chain
        if allowed and room and self._may_start(rule.rule, child.start):
            built = rule.rule, rule.result, child.start, child.end, child, None, child.head, child.chain + 1
            self.push(Item(*built, -self.unary_cost, child.inside - self.unary_cost))

    def _join(self, left: Item, right: Item) -> None:
        cost = self.distance_cost * abs(left.head - right.head)
        for rule in self.binary[left.category, right.category]:
            allowed = self.table.allowed[left.rule][right.rule] >> rule.rule & 1
            if allowed and self._may_start(rule.rule, left.start):
                head = right.head if rule.head else left.head
                built = rule.rule, rule.result, left.start, right.end, left, right, head, 0
                self.push(Item(*built, -cost, left.inside + right.inside - cost))

    def _may_start(self, rule: int, start: int) -> bool:
        return start == 0 or not self.table.start_only >> rule & 1

    def _record(self, kind: Literal["push", "rescored", "pop", "goal"], item: Item) -> None:
        left, right = (-1 if child is None else child.age for child in (item.left, item.right))
        node = item.rule, item.category, item.start, item.end, left, right
        outside = 0.0 if kind == "goal" else self.outside(item)
        scores = item.score, outside, item.local_score + item.root_score, item.global_score or 0.0
        self.events.append(Event(kind, item.age, *node, *scores))


def _in_order(partners: list[Item]) -> list[Item]:
    """By number of their category, the newest first among those of one."""
    return sorted(partners, key=lambda item: item.category)
