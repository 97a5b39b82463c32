r"""Text drawings of derivations in the usual form: words, supertags, and a line for each step with its rule.

::

    It      works
    NP    S[dcl]\NP
    --------------<
        S[dcl]

A sentence wider than the page is drawn in parts (:mod:`starccg.formats.layout`).
"""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from starccg.ccg.derivation import Derivation, Sentence
from starccg.errors import visible
from starccg.formats.layout import Measure, Part, lay_out

GAP = 2
"""Spaces between two columns."""
PAGE = 100
"""The width if there is no terminal."""


def write_deriv(sentences: Iterable[Sentence], width: int | None = None) -> Iterator[str]:
    """The lines of all drawings, each under its name and followed by an empty line."""
    for sentence in sentences:
        yield f"# {visible(sentence.id)}"
        yield from draw(sentence.derivation, width).split("\n")
        yield ""


def draw(derivation: Derivation, width: int | None = None) -> str:
    """The drawing, at most ``width`` wide if the categories fit; 0 never wraps, None is the terminal's width."""
    return "\n".join("".join(piece.text for piece in row) for row in rows(derivation, width))


class Piece(NamedTuple):
    """A text of a drawing and its kind, for colours."""

    text: str
    kind: Literal["word", "category", "line", "rule", "part", "blank"]
    """``part`` is the number of a constituent that is drawn separately."""


Row = list[Piece]


def rows(derivation: Derivation, width: int | None = None) -> list[Row]:
    """The lines of the drawing, each as its pieces from left to right; ``width`` as for :func:`draw`."""
    *parts, rest = lay_out(derivation, CELLS, page_width() if width is None else width)
    drawing: list[Row] = []
    for number, part in enumerate(parts, 1):
        drawing += [[Piece(f"[{number}]", "part"), Piece(" =", "blank")], *_render(part), []]
    return drawing + _render(rest)


def page_width() -> int:
    """The terminal's width; COLUMNS decides if it is set."""
    return shutil.get_terminal_size((PAGE, 24)).columns


def _render(part: Part) -> list[Row]:
    left, right = part.edges()
    columns = [(left[column.start], column.width, column) for column in part.columns]
    lines = [
        _row((x, width, [Piece(visible(c.word), "part" if c.part else "word")]) for x, width, c in columns),
        _row((x, width, [Piece(str(column.category), "category")]) for x, width, column in columns),
    ]
    for steps in part.levels():
        places = [(left[step.start], right[step.end] - left[step.start], step) for step in steps]
        lines.append(_row((x, width, _line(width, step.label)) for x, width, step in places))
        lines.append(_row((x, width, [Piece(str(step.category), "category")]) for x, width, step in places))
    return lines


def _line(width: int, label: str) -> Row:
    return [Piece("-" * (width - display_width(label)), "line"), Piece(label, "rule")]


def _row(places: Iterable[tuple[int, int, Row]]) -> Row:
    """A line with texts centred in the given columns (left edge and width), without trailing spaces."""
    row: Row = []
    position = 0
    for x, width, pieces in sorted(places):
        own = sum(display_width(piece.text) for piece in pieces)
        begin = x + (width - own) // 2
        row += [Piece(" " * (begin - position), "blank"), *pieces] if begin > position else pieces
        position = begin + own
    return row


@lru_cache(maxsize=1 << 14)
def display_width(text: str) -> int:
    """The number of terminal cells: two for wide characters, none for combining ones."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1


CELLS = Measure(
    word=lambda word: display_width(visible(word)),
    category=lambda category: display_width(str(category)),
    label=lambda label: display_width(label) + 1,
    gap=GAP,
)
"""The measure of a terminal; the shortest line has one dash."""
