"""The bound that knows the grammar, in plain Python: Viterbi inside and outside scores over spans and categories."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from starccg.ccg.table import RuleTable

Node = tuple[int, int, int]
"""Start, end, category."""
Scores = dict[Node, float]


def outside_scores(
    table: RuleTable, tags: Sequence[Sequence[tuple[int, float]]], roots: Mapping[int, float], unary_cost: float
) -> Scores:
    """For each node that some complete parse has, the best local score of all else in such a parse.

    Only spans and categories count: normal form, distance cost and bounds on unary chains could only take away.
    """
    words = len(tags)
    inside: Scores = defaultdict(lambda: -math.inf)
    for word, own in enumerate(tags):
        for category, score in own:
            inside[word, word + 1, category] = max(inside[word, word + 1, category], score)
    spans = [(start, start + length) for length in range(1, words + 1) for start in range(words - length + 1)]
    for start, end in spans:
        for left, right, result in _binary(table, inside, start, end):
            inside[result] = max(inside[result], inside[left] + inside[right])
        for child, result in _unary(table, words, start, end):
            inside[result] = max(inside[result], inside[child] - unary_cost)
    outside: Scores = defaultdict(lambda: -math.inf)
    outside.update({(0, words, root): score for root, score in roots.items() if inside[0, words, root] > -math.inf})
    for start, end in reversed(spans):
        for child, result in _unary(table, words, start, end):
            if inside[child] > -math.inf:
                outside[child] = max(outside[child], outside[result] - unary_cost)
        for left, right, result in _binary(table, inside, start, end):
            outside[left] = max(outside[left], outside[result] + inside[right])
            outside[right] = max(outside[right], outside[result] + inside[left])
    return outside


def _binary(table: RuleTable, inside: Scores, start: int, end: int) -> Iterator[tuple[Node, Node, Node]]:
    """Every way to build a node over the span of two that exist."""
    for middle in range(start + 1, end):
        for rule in table.binary:
            left, right = (start, middle, rule.left), (middle, end, rule.right)
            if min(inside[left], inside[right]) > -math.inf and (start == 0 or not table.start_only >> rule.rule & 1):
                yield left, right, (start, end, rule.result)


def _unary(table: RuleTable, words: int, start: int, end: int) -> Iterator[tuple[Node, Node]]:
    """Every unary rule over the span, as often as the longest chain could need it."""
    if end - start == words and not table.unary_at_root:
        return
    for _ in table.categories:
        for rule in table.unary:
            if start == 0 or not table.start_only >> rule.rule & 1:
                yield (start, end, rule.child), (start, end, rule.result)
