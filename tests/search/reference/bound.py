"""The bound that knows the grammar, in plain Python: Viterbi inside and outside scores over spans and categories.

Only parses above a floor are looked at. The floor falls when the search does: most searches end above the first, and
its chart is a small part of the whole one. A long search refines the bound: its inside
scores then count the global scores of what is explored.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from starccg.ccg.table import RuleTable

Node = tuple[int, int, int]
"""Start, end, category."""
Scores = dict[Node, float]

FIRST_DEPTH, LAST_DEPTH = 3.0, 32.0
"""How far the first floor lies below the best tags; each is half as deep again, or a quarter once the bound is refined,
and from the last on there is none."""
DENSE = 32
"""Categories a span: after a chart that holds more, there is little left to put off, and the next holds everything."""


class GrammarBound:
    """For each node, what all else in a complete parse can score at best by the tags.

    Only spans and categories count: normal form, distance cost and bounds on unary chains could only take away. The
    truth is told of nodes that lie in a parse above the floor; the others are given what brings them to the floor
    at most. That is no less than the truth either, and never rises from a child to its parent.
    """

    def __init__(
        self,
        table: RuleTable,
        tags: Sequence[Sequence[tuple[int, float]]],
        roots: Mapping[int, float],
        unary_cost: float,
        *,
        whole: bool = False,
    ) -> None:
        """``whole``: there is to be no floor, so that the bound of an item never changes."""
        self.table, self.tags, self.roots, self.unary_cost, self.whole = table, tags, roots, unary_cost, whole
        self.best = [max((score for _, score in own), default=-math.inf) for own in tags]
        self.spans = [(i, i + length) for length in range(1, len(tags) + 1) for i in range(len(tags) - length + 1)]
        self.depth = 0.0
        self.inside: Scores = {}
        self.base: Scores | None = None
        """Once refined: all nodes above the floor, with the least that is known of their inside scores."""
        self.cap: Callable[[Node], float] = lambda node: math.inf
        self.lower_floor()

    def lower_floor(self) -> None:
        """To the next one that a parse by the chart's scores reaches; minus infinity at last."""
        filled = len(self.inside)
        if self.base is not None:
            # A node that was left out could not reach the floor with the best tags.
            known, floor, filled = self.base, self.floor, len(self.base)
            self.cap = lambda node: known.get(node, floor - self._best_tags_outside(*node[:2]))
        reached = False
        while not reached:
            dense = self.depth > 0 and filled > DENSE * len(self.spans)
            self.depth = FIRST_DEPTH if self.depth == 0 else self.depth * (1.5 if self.base is None else 1.25)
            deep = self.depth >= LAST_DEPTH or dense or self.whole
            self.floor = -math.inf if deep else sum(self.best) - self.depth
            self.inside = self._inside()
            filled = len(self.inside)
            whole = ((0, len(self.tags), root) for root in self.roots)
            reached = self.floor == -math.inf or any(
                self.inside[node] + self.roots[node[2]] > self.floor for node in whole if node in self.inside
            )
        self.above_floor = self._outside()
        if self.base is not None:
            self.base = dict(self.inside)

    def refine(self, head: float, explored: Scores) -> None:
        """Lower the inside scores to what the search has shown, and leave out what is in no parse above the floor.

        Of a node the best explored inside score is known, and no priority of what is not explored is above ``head``.
        """
        first = self.base is None
        self.base = {} if self.base is None else self.base
        kept: Scores = {}
        for node, score in self.inside.items():
            outside, best = self.outside(*node), explored.get(node, -math.inf)
            cap = score if outside == -math.inf else min(score, max(best, head - outside))
            if cap + outside > self.floor:
                kept[node] = cap
            if first or node in kept:  # other bounds may not hold for parses below the floor
                self.base[node] = cap
        self.cap = lambda node: kept.get(node, -math.inf)
        self.inside = self._inside()
        self.above_floor = self._outside()

    def most_inside(self, start: int, end: int, category: int) -> float:
        """No subtree of that category over the span that matters scores more."""
        node = start, end, category
        return self.inside.get(node, self.floor - self._best_tags_outside(start, end))

    def outside(self, start: int, end: int, category: int) -> float:
        """The bound; minus infinity if no complete parse has such a node."""
        node = start, end, category
        if node in self.inside:
            return max(self.above_floor.get(node, -math.inf), self.floor - self.inside[node])
        return self._best_tags_outside(start, end) if self.floor > -math.inf else -math.inf

    def _best_tags_outside(self, start: int, end: int) -> float:
        return sum(self.best[:start]) + sum(self.best[end:])

    def _inside(self) -> Scores:
        """The best local score of every node that its best tags outside lift to the floor."""
        inside: Scores = {}

        def offer(node: Node, score: float) -> None:
            score = min(score, self.cap(node))
            if score > -math.inf and score + self._best_tags_outside(*node[:2]) >= self.floor:
                inside[node] = max(inside.get(node, -math.inf), score)

        for word, own in enumerate(self.tags):
            for category, score in own:
                offer((word, word + 1, category), score)
        for start, end in self.spans:
            for left, right, result in self._binary(inside, start, end):
                offer(result, inside[left] + inside[right])
            for child, result in self._unary(start, end):
                if child in inside:
                    offer(result, inside[child] - self.unary_cost)
        return inside

    def _outside(self) -> Scores:
        outside: Scores = defaultdict(lambda: -math.inf)
        outside.update({(0, len(self.tags), root): score for root, score in self.roots.items()})
        for start, end in reversed(self.spans):
            for child, result in self._unary(start, end):
                if child in self.inside and result in self.inside:
                    outside[child] = max(outside[child], outside[result] - self.unary_cost)
            for left, right, result in self._binary(self.inside, start, end):
                if result in self.inside:
                    outside[left] = max(outside[left], outside[result] + self.inside[right])
                    outside[right] = max(outside[right], outside[result] + self.inside[left])
        return outside

    def _binary(self, inside: Scores, start: int, end: int) -> Iterator[tuple[Node, Node, Node]]:
        """Every way to build a node over the span of two that exist."""
        for middle in range(start + 1, end):
            for rule in self.table.binary:
                left, right = (start, middle, rule.left), (middle, end, rule.right)
                if left in inside and right in inside and self._may_build(rule.rule, start):
                    yield left, right, (start, end, rule.result)

    def _unary(self, start: int, end: int) -> Iterator[tuple[Node, Node]]:
        """Every unary rule over the span, as often as the longest chain could need it."""
        if end - start == len(self.tags) and not self.table.unary_at_root:
            return
        for _ in self.table.categories:
            for rule in self.table.unary:
                if self._may_build(rule.rule, start):
                    yield (start, end, rule.child), (start, end, rule.result)

    def _may_build(self, rule: int, start: int) -> bool:
        return start == 0 or not self.table.start_only >> rule & 1
