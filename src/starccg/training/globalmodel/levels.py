"""From the traces of a batch to levels: every node after its children, nodes of one rule type side by side.

This computes indices in numpy. What the search calls position i of trace k becomes one place in one list for the
whole batch, ordered by height and, within a height, by rule type: each (height, rule type) is one matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from starccg.search.types import Node, Trace

Indices = npt.NDArray[np.int64]
Loss = Literal["greedy", "max", "all"]


@dataclass(frozen=True, slots=True)
class Group:
    """The nodes ``first`` to ``last`` (exclusive): one height, one rule type."""

    rule: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Levels:
    """The nodes of a batch that a loss needs, N of them, children before parents."""

    categories: Indices  # (N,)
    lefts: Indices  # (N,): place of the left child; N for a unary node, whose left state is learned; -1 at a leaf
    rights: Indices  # (N,): place of the right or only child; -1 at a leaf
    forward: Indices  # (L,): for the nodes at the bottom, the word whose forward state they read
    backward: Indices  # (L,): and the one whose backward state
    coefficients: npt.NDArray[np.float32]  # (N,)
    gold: Indices  # (G,): places of the nodes of gold derivations, where these are asked for
    heights: tuple[tuple[Group, ...], ...]

    even: bool = False
    """Whether the groups of a height are of one size, see :func:`evened`."""

    def __len__(self) -> int:
        return len(self.categories)


@dataclass(frozen=True, slots=True)
class Golds:
    """The gold derivations of a loss (``gold_weight``), with the weight of ``-s_global`` of their nodes."""

    weight: float
    derivations: Sequence[Sequence[Node] | None]
    """One per sentence; None for a sentence that is skipped."""


def build_levels(
    traces: Sequence[Trace | None],
    lengths: Sequence[int],
    loss: Loss = "all",
    *,
    golds: Golds | None = None,
    span_factored: bool = False,
) -> Levels:
    """The levels of sentences of these lengths, whose words lie one after the other.

    A sentence without a trace is skipped. Only nodes with a coefficient in this loss and what they are built from
    are kept. Gold derivations are nodes of their own, even where a trace holds the same ones. In the span-factored
    model nodes are built from words alone: all lie at the bottom.
    """
    words = np.cumsum([0, *lengths])[:-1].tolist()
    blocks = [_of_trace(trace, loss, base) for trace, base in zip(traces, words, strict=True) if trace is not None]
    from_traces = sum(len(block.rules) for block in blocks)
    if golds is not None:
        blocks += [
            _of_gold(derivation, golds.weight, base)
            for derivation, base in zip(golds.derivations, words, strict=True)
            if derivation is not None
        ]
    sizes = [len(block.rules) for block in blocks]
    node_base = np.repeat(np.cumsum([0, *sizes])[:-1], sizes).astype(np.int64)
    word_base = np.repeat([block.words for block in blocks], sizes).astype(np.int64)

    def joined(column: str) -> Indices:
        return np.concatenate([getattr(block, column) for block in blocks] + [np.zeros(0, np.int64)]).astype(np.int64)

    rules, categories = joined("rules"), joined("categories")
    starts, ends = joined("starts") + word_base, joined("ends") + word_base
    lefts, rights = joined("lefts"), joined("rights")
    coefficients = np.concatenate([block.coefficients for block in blocks] + [np.zeros(0, np.float32)])
    if span_factored:
        lefts, rights = np.full_like(lefts, -1), np.full_like(rights, -1)
    lefts, rights = (np.where(children >= 0, children + node_base, -1) for children in (lefts, rights))

    height = _heights(lefts, rights)
    needed = _needed(coefficients != 0, height, lefts, rights)
    order = np.flatnonzero(needed)
    order = order[np.lexsort((rules[order], height[order]))]
    place = np.full(len(rules) + 1, -1, np.int64)  # the last entry serves "no child"
    place[order] = np.arange(len(order))

    rules, height = rules[order], height[order]
    lefts, rights = place[lefts[order]], place[rights[order]]
    unary = (lefts >= 0) & (rights < 0)
    lefts, rights = np.where(unary, len(order), lefts), np.where(unary, lefts, rights)
    bottom = order[height == 0]
    return Levels(
        categories=categories[order],
        lefts=lefts,
        rights=rights,
        forward=ends[bottom] - 1,
        backward=starts[bottom],
        coefficients=coefficients[order].astype(np.float32),
        gold=place[from_traces:-1],
        heights=_groups(height, rules),
    )


class _Block(NamedTuple):
    """The nodes of one trace or derivation."""

    rules: npt.NDArray[Any]
    categories: npt.NDArray[Any]
    lefts: npt.NDArray[Any]
    rights: npt.NDArray[Any]
    starts: npt.NDArray[Any]
    ends: npt.NDArray[Any]
    coefficients: npt.NDArray[np.float64]
    words: int
    """Where the words of the sentence begin."""


def _of_trace(trace: Trace, loss: Loss, words: int) -> _Block:
    columns = (trace.rules, trace.categories, trace.lefts, trace.rights, trace.starts, trace.ends)
    return _Block(*columns, getattr(trace, loss).astype(np.float64), words)


def _of_gold(derivation: Sequence[Node], weight: float, words: int) -> _Block:
    nodes = np.array([node[:6] for node in derivation], np.int64).reshape(-1, 6)
    rules, categories, starts, ends, lefts, rights = nodes.T
    return _Block(rules, categories, lefts, rights, starts, ends, np.full(len(rules), -weight), words)


def _heights(lefts: Indices, rights: Indices) -> Indices:
    """0 for a leaf, else one more than the higher child. Each round settles one height."""
    height = np.where(lefts < 0, 0, -1)
    height = np.append(height, -2)  # "no child": lower than anything that is settled
    settled = height[:-1] == 0
    settled = np.append(settled, True)
    waiting = np.flatnonzero(height[:-1] < 0)
    level = 0
    while len(waiting):
        level += 1
        ready = settled[lefts[waiting]] & settled[rights[waiting]]
        now = waiting[ready]
        height[now] = level
        settled[now] = True
        waiting = waiting[~ready]
    return height[:-1].astype(np.int64)


def _needed(wanted: npt.NDArray[np.bool_], height: Indices, lefts: Indices, rights: Indices) -> npt.NDArray[np.bool_]:
    needed = np.append(wanted, False)
    by_height = np.argsort(height, kind="stable")
    bounds = np.searchsorted(height[by_height], np.arange(int(height.max(initial=0)) + 2))
    for level in range(len(bounds) - 2, 0, -1):
        nodes = by_height[bounds[level] : bounds[level + 1]]
        parents = nodes[needed[nodes]]
        needed[lefts[parents]] = True
        needed[rights[parents]] = True
    return needed[:-1]


def _groups(height: Indices, rules: Indices) -> tuple[tuple[Group, ...], ...]:
    key = height * (int(rules.max(initial=0)) + 1) + rules
    cuts = [0, *(np.flatnonzero(np.diff(key)) + 1).tolist(), len(key)] if len(key) else []
    levels: list[list[Group]] = []
    for first, last in pairwise(cuts):
        while len(levels) <= height[first]:
            levels.append([])
        levels[-1].append(Group(int(rules[first]), first, last))
    return tuple(map(tuple, levels))


def evened(levels: Levels) -> Levels:
    """The same nodes with idle ones between them, so that the groups of a height are all as long as its longest.

    On an accelerator a launch costs more than the arithmetic: a height of even groups is one batched product. Idle
    nodes read the first node or word, are read by none and have no coefficient, so their gradient is zero.
    """
    place = np.zeros(len(levels), np.int64)
    heights: list[tuple[Group, ...]] = []
    total = bottom = 0
    for groups in levels.heights:
        longest = max(group.last - group.first for group in groups)
        wider: list[Group] = []
        for group in groups:
            place[group.first : group.last] = np.arange(total, total + group.last - group.first)
            wider.append(Group(group.rule, total, total + longest))
            total += longest
        bottom = bottom or total
        heights.append(tuple(wider))

    def spread(values: Indices, size: int, where: Indices) -> Indices:
        wide = np.zeros(size, values.dtype)
        wide[where] = values
        return wide

    def children(values: Indices) -> Indices:
        moved = np.append(place, total)[values]  # the learned state of unary nodes stays the last
        return spread(np.where(values < 0, -1, moved), total, place)

    coefficients = np.zeros(total, np.float32)
    coefficients[place] = levels.coefficients
    leaves = place[: len(levels.forward)]
    return Levels(
        categories=spread(levels.categories, total, place),
        lefts=children(levels.lefts),
        rights=children(levels.rights),
        forward=spread(levels.forward, bottom, leaves),
        backward=spread(levels.backward, bottom, leaves),
        coefficients=coefficients,
        gold=place[levels.gold],
        heights=tuple(heights),
        even=True,
    )
