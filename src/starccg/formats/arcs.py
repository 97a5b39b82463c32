"""Dependencies as arcs over the words, after the manner of treebank browsers.

An arc leads from a head to the word that fills one of its slots, with the number of the slot over it and an arrow at
the argument. Every end of an arc has a place of its own over its word, so no two arcs run into each other; a long arc
passes over the short ones; and a label stands where no arc passes.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from starccg.dependencies.types import Dependency, Reach
from starccg.formats.picture import Picture, escape, fitted, number, text_width

WORD, SLOT = 17, 12
"""Sizes of the type."""
MARGIN, GAP = 8, 14
APART = 12
"""Between two ends over one word."""
STOREY = 21
"""From one level of arcs to the next: a label fits in between."""
CORNER = 7
"""The radius of an arc's corners."""
FOOT = 4
"""Between an arc's end and the words."""
ARROW = 6
CLEAR = 2
"""Between a label and the arcs that pass it."""

_REACH = {Reach.LOCAL: "local", Reach.BOUNDED: "bounded", Reach.UNBOUNDED: "unbounded"}
_DASHES = {Reach.LOCAL: "", Reach.BOUNDED: ' stroke-dasharray="5 3"', Reach.UNBOUNDED: ' stroke-dasharray="2 3"'}


@dataclass(slots=True)
class _Arc:
    dependency: Dependency
    head: float = 0
    """Where it ends over its head, and over its argument."""
    argument: float = 0
    level: int = 0

    @property
    def left(self) -> float:
        return min(self.head, self.argument)

    @property
    def right(self) -> float:
        return max(self.head, self.argument)


def arcs_picture(words: Sequence[str], dependencies: Iterable[Dependency]) -> Picture:
    """The picture; a dependency on a word that is not there is a :class:`ValueError`."""
    arcs = [_Arc(dependency) for dependency in dependencies]
    for head, _, _, argument, _ in (arc.dependency for arc in arcs):
        if not (0 <= head < len(words) and 0 <= argument < len(words)):
            raise ValueError(f"a dependency between the words {head} and {argument}, and there are {len(words)} words")
    apart = max([APART, *(_label_width(arc) + 2 * CLEAR for arc in arcs)])
    centres, right = _place_ends(words, arcs, apart)
    _stack(arcs)
    floor = MARGIN + SLOT + max((arc.level for arc in arcs), default=0) * STOREY
    drawn = [_draw(arc, label, floor, words) for arc, label in zip(arcs, _label_places(arcs), strict=True)]
    baseline = floor + FOOT + WORD
    for word, x in zip(words, centres, strict=True):
        fit = fitted(word, WORD)
        drawn.append(
            f'<text class="ccg-word" x="{number(x)}" y="{baseline}" font-size="{WORD}"{fit}>{escape(word)}</text>'
        )
    title = "Dependencies: " + " ".join(words)
    said = " ".join(f"{_say(arc.dependency, words)}." for arc in arcs)
    body = '<g text-anchor="middle" stroke="none">\n' + "\n".join(drawn) + "\n</g>"
    return Picture("ccg-dependencies", right + MARGIN, baseline + math.ceil(WORD / 3) + MARGIN, title, said, body)


def _place_ends(words: Sequence[str], arcs: list[_Arc], apart: float) -> tuple[list[float], float]:
    """Give every end its place; the middles of the words, and where the last of them ends.

    Over a word, arcs to the left end left of arcs to the right, and the longer of either nearer to the middle: so an
    arc never crosses one that it could pass over.
    """
    ends: list[list[tuple[tuple[int, int, int], _Arc, bool]]] = [[] for _ in words]
    for index, arc in enumerate(arcs):
        head, argument = arc.dependency.head, arc.dependency.argument
        for here, there, is_head in ((head, argument, True), (argument, head, False)):
            away = abs(there - here)
            if there < here:
                key = (-1, away, -index)
            elif there > here:
                key = (1, -away, index)
            else:
                key = (0, index, is_head)
            ends[here].append((key, arc, is_head))
    centres: list[float] = []
    position = float(MARGIN)
    for word, own in zip(words, ends, strict=True):
        width = max(text_width(word, WORD), len(own) * apart)
        centre = position + width / 2
        centres.append(centre)
        own.sort(key=lambda end: end[0])
        for rank, (_, arc, is_head) in enumerate(own):
            x = centre + (rank - (len(own) - 1) / 2) * apart
            if is_head:
                arc.head = x
            else:
                arc.argument = x
        position += width + GAP
    return centres, max(position - GAP, MARGIN)


def _stack(arcs: list[_Arc]) -> None:
    """Give every arc the lowest level that is over all arcs within it and has none that it would run into."""
    placed: list[_Arc] = []
    for arc in sorted(arcs, key=lambda arc: arc.right - arc.left):
        left, right = arc.left, arc.right
        met = [other for other in placed if other.left < right and other.right > left]
        level = 1 + max((other.level for other in met if left < other.left and other.right < right), default=0)
        taken = {other.level for other in met}
        while level in taken:
            level += 1
        arc.level = level
        placed.append(arc)


def _label_places(arcs: list[_Arc]) -> list[float]:
    """For each arc the place nearest to its middle where no higher arc comes down through its label."""
    ends = sorted((x, arc.level) for arc in arcs for x in (arc.left, arc.right))
    xs = [x for x, _ in ends]
    places = []
    for arc in arcs:
        inside = ends[bisect_right(xs, arc.left) : bisect_left(xs, arc.right)]
        walls = [arc.left, *(x for x, level in inside if level > arc.level), arc.right]
        middle, half = (arc.left + arc.right) / 2, _label_width(arc) / 2 + CLEAR
        free = (min(max(middle, a + half), b - half) for a, b in pairwise(walls))
        places.append(min(free, key=lambda x: abs(x - middle)))
    return places


def _draw(arc: _Arc, label: float, floor: int, words: Sequence[str]) -> str:
    dependency, y = arc.dependency, floor - arc.level * STOREY
    corner = min(CORNER, (arc.right - arc.left) / 2)
    turn = corner if arc.argument > arc.head else -corner
    x, tip = number(arc.argument), floor
    return (
        f'<g class="ccg-dependency ccg-{_REACH[dependency.reach]}" data-head="{dependency.head}"'
        f' data-argument="{dependency.argument}" data-slot="{dependency.slot}">'
        f"<title>{escape(_say(dependency, words))}</title>"
        f'<path class="ccg-arc" fill="none" stroke="currentColor" stroke-opacity=".7"{_DASHES[dependency.reach]}'
        f' d="M{number(arc.head)} {floor}V{number(y + corner)}'
        f"q0 {number(-corner)} {number(turn)} {number(-corner)}H{number(arc.argument - turn)}"
        f'q{number(turn)} 0 {number(turn)} {number(corner)}V{tip - ARROW}"/>'
        f'<path class="ccg-arrow" d="M{x} {tip}l-{ARROW / 2} -{ARROW}h{ARROW}z"/>'
        f'<text class="ccg-slot" x="{number(label)}" y="{y - 4}" font-size="{SLOT}">{dependency.slot}</text></g>'
    )


def _label_width(arc: _Arc) -> float:
    return text_width(str(arc.dependency.slot), SLOT)


def _say(dependency: Dependency, words: Sequence[str]) -> str:
    reach = "" if dependency.reach is Reach.LOCAL else f" ({_REACH[dependency.reach]})"
    head, argument = words[dependency.head], words[dependency.argument]
    return f"{argument} fills slot {dependency.slot} of {head}, {dependency.category}{reach}"
