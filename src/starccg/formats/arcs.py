"""Dependencies as arcs over the words, as in treebank browsers.

An arc goes from a head to the word that fills one of its slots, with the number of the slot as label and an arrow at
the argument. Every end of an arc has its own position over its word, so arcs do not touch; long arcs are above short
ones; labels are placed where no arc passes.
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
"""Font sizes."""
MARGIN, GAP = 8, 14
APART = 12
"""The distance between two ends over one word."""
STOREY = 21
"""The distance between two levels of arcs; a label fits in between."""
CORNER = 7
"""The radius of an arc's corners."""
FOOT = 4
"""The distance between an arc's end and the words."""
ARROW = 6
CLEAR = 2
"""The distance between a label and the arcs beside it."""

_REACH = {Reach.LOCAL: "local", Reach.BOUNDED: "bounded", Reach.UNBOUNDED: "unbounded"}
_DASHES = {Reach.LOCAL: "", Reach.BOUNDED: ' stroke-dasharray="5 3"', Reach.UNBOUNDED: ' stroke-dasharray="2 3"'}


@dataclass(slots=True)
class _Arc:
    dependency: Dependency
    label: str
    head: float = 0
    """An arc: its ends over its head and over its argument."""
    argument: float = 0
    level: int = 0

    @property
    def left(self) -> float:
        return min(self.head, self.argument)

    @property
    def right(self) -> float:
        return max(self.head, self.argument)


def arcs_picture(words: Sequence[str], dependencies: Iterable[Dependency], *, names: bool = False) -> Picture:
    """The picture. A dependency on a word outside the sentence raises :class:`ValueError`.

    ``names``: label arcs with the names of their relations (``subject``, ``object``), not with the numbers of slots.
    """
    arcs = [
        _Arc(dependency, dependency.relation.partition(" of ")[0] if names else str(dependency.slot))
        for dependency in dependencies
    ]
    for head, _, _, argument, _ in (arc.dependency for arc in arcs):
        if not (0 <= head < len(words) and 0 <= argument < len(words)):
            raise ValueError(f"a dependency between words {head} and {argument} in a sentence of {len(words)} words")
    apart = APART if names else max([APART, *(_label_width(arc) + 2 * CLEAR for arc in arcs)])
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
    """Set the position of every end; returns the centres of the words, and the right end of the last.

    Over a word, arcs to the left end left of arcs to the right, and longer arcs are nearer to the centre, so that arcs
    do not cross unnecessarily.
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
        # If the label of an arc from the left needs more space, the word moves to the right.
        places = [
            (centre + (rank - (len(own) - 1) / 2) * apart, arc, is_head) for rank, (_, arc, is_head) in enumerate(own)
        ]
        here = len(centres) - 1
        needed = [
            (arc.argument if is_head else arc.head) + _label_width(arc) + 4 * CLEAR - x
            for x, arc, is_head in places
            if min(arc.dependency.head, arc.dependency.argument) < here
        ]
        shift = max([0.0, *needed])
        centres[-1] += shift
        for x, arc, is_head in places:
            if is_head:
                arc.head = x + shift
            else:
                arc.argument = x + shift
        position += width + shift + GAP
    return centres, max(position - GAP, MARGIN)


def _stack(arcs: list[_Arc]) -> None:
    """Give every arc the lowest level that is above all arcs within it and free of overlaps."""
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
    """For each arc the label position nearest to its centre that no higher arc crosses."""
    ends = sorted((x, arc.level) for arc in arcs for x in (arc.left, arc.right))
    xs = [x for x, _ in ends]
    places = []
    for arc in arcs:
        inside = ends[bisect_right(xs, arc.left) : bisect_left(xs, arc.right)]
        walls = [arc.left, *(x for x, level in inside if level > arc.level), arc.right]
        middle, half = (arc.left + arc.right) / 2, _label_width(arc) / 2 + CLEAR
        wide = [(a, b) for a, b in pairwise(walls) if b - a >= 2 * half] or [(arc.left, arc.right)]
        free = (min(max(middle, a + half), b - half) if b - a >= 2 * half else middle for a, b in wide)
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
        f'<text class="ccg-slot" x="{number(label)}" y="{y - 4}" font-size="{SLOT}">{escape(arc.label)}</text></g>'
    )


def _label_width(arc: _Arc) -> float:
    return text_width(arc.label, SLOT)


def _say(dependency: Dependency, words: Sequence[str]) -> str:
    reach = "" if dependency.reach is Reach.LOCAL else f" ({_REACH[dependency.reach]})"
    head, argument = words[dependency.head], words[dependency.argument]
    return f"{argument} fills slot {dependency.slot} of {head}, {dependency.category}{reach}"
