r"""The derivation as CCG people draw it on a blackboard: words, supertags, and a line for each step with its rule.

::

    It      works
    NP    S[dcl]\NP
    --------------<
        S[dcl]

A sentence wider than the page is drawn in parts: a constituent that has to go is drawn first, under a number, and
stands in the rest as ``[1]`` with its category. So every part is a derivation that reads by itself.
"""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from starccg.derivation import Derivation, Leaf, Sentence

GAP = 2
"""Blanks between two columns."""
PAGE = 100
"""The width where there is no terminal to ask."""
NO_RULE = "?"
"""Beside the line of a node that no rule of the grammar makes."""


def write_deriv(sentences: Iterable[Sentence], width: int | None = None) -> Iterator[str]:
    """The lines of all drawings, each under its name and followed by an empty line."""
    for sentence in sentences:
        yield f"# {_visible(sentence.id)}"
        yield from draw(sentence.derivation, width).split("\n")
        yield ""


def draw(derivation: Derivation, width: int | None = None) -> str:
    """The drawing, at most ``width`` wide where categories allow; 0 never wraps, None asks the terminal."""
    return "\n".join("".join(piece.text for piece in row) for row in rows(derivation, width))


class Piece(NamedTuple):
    """A text of a drawing and what it is, for those who draw in colour."""

    text: str
    kind: Literal["word", "category", "line", "rule", "part", "blank"]
    """``part`` is the number of a constituent that is drawn by itself."""


Row = list[Piece]


def rows(derivation: Derivation, width: int | None = None) -> list[Row]:
    """The lines of the drawing, each as its pieces from left to right; ``width`` as for :func:`draw`."""
    limit = page_width() if width is None else width
    parts: list[_Part] = []
    stack: list[_Part] = []
    for start, end, node in derivation.spans():
        if isinstance(node, Leaf):
            stack.append(_Part.of_leaf(start, end, _visible(node.word), str(node.category)))
            continue
        children = stack[-len(node.children) :]
        del stack[-len(node.children) :]
        text, label = str(node.category), node.rule.label if node.rule is not None else NO_RULE
        while limit and len(children) == 2 and _width(children) > limit:
            references = [child.reference(len(parts) + 1) for child in children]
            goes = max(range(2), key=lambda index: children[index].width - references[index].width)
            if children[goes].width <= references[goes].width:
                break  # two categories that are themselves too wide
            parts.append(children[goes])
            children[goes] = references[goes]
        stack.append(_join(children, start, end, text, label))
    drawing: list[Row] = []
    for number, part in enumerate(parts, 1):
        drawing += [[Piece(f"[{number}]", "part"), Piece(" =", "blank")], *part.render(), []]
    return drawing + stack.pop().render()


def page_width() -> int:
    """The terminal's width; COLUMNS decides if it is set."""
    return shutil.get_terminal_size((PAGE, 24)).columns


@dataclass(slots=True)
class _Column:
    """A word, or the number of a part drawn elsewhere, above its category."""

    start: int
    end: int
    word: str
    category: str
    width: int
    kind: Literal["word", "part"] = "word"


@dataclass(slots=True)
class _Step:
    """A line with its rule, and the category under it."""

    start: int
    end: int
    level: int
    category: str
    label: str


@dataclass(slots=True)
class _Part:
    """A drawing under construction, of the words from ``start`` to ``end``."""

    start: int
    end: int
    category: str
    columns: list[_Column]
    steps: list[_Step] = field(default_factory=list)
    level: int = 0
    """How many lines are drawn one under the other."""

    @classmethod
    def of_leaf(cls, start: int, end: int, word: str, category: str, kind: Literal["word", "part"] = "word") -> _Part:
        width = max(display_width(word), display_width(category))
        return cls(start, end, category, [_Column(start, end, word, category, width, kind)])

    @property
    def width(self) -> int:
        return sum(column.width for column in self.columns) + GAP * (len(self.columns) - 1)

    def reference(self, number: int) -> _Part:
        return _Part.of_leaf(self.start, self.end, f"[{number}]", self.category, "part")

    def widen(self, wanted: int) -> None:
        """Spread what is missing over the columns, so that none is left lopsided."""
        missing = wanted - self.width
        for index, column in enumerate(self.columns):
            share = (missing + index) // len(self.columns)
            column.width += max(share, 0)

    def render(self) -> list[Row]:
        left: dict[int, int] = {}
        right: dict[int, int] = {}
        position = 0
        for column in self.columns:
            left[column.start] = position
            right[column.end] = position + column.width
            position += column.width + GAP
        lines = [
            _row((left[column.start], column.width, [Piece(column.word, column.kind)]) for column in self.columns),
            _row((left[column.start], column.width, [Piece(column.category, "category")]) for column in self.columns),
        ]
        levels: list[list[_Step]] = [[] for _ in range(self.level)]
        for step in self.steps:
            levels[step.level - 1].append(step)
        for steps in levels:
            places = [(left[step.start], right[step.end] - left[step.start], step) for step in steps]
            lines.append(_row((x, width, _line(width, step.label)) for x, width, step in places))
            lines.append(_row((x, width, [Piece(step.category, "category")]) for x, width, step in places))
        return lines


def _width(parts: list[_Part]) -> int:
    return sum(part.width for part in parts) + GAP * (len(parts) - 1)


def _join(children: list[_Part], start: int, end: int, category: str, label: str) -> _Part:
    """The children side by side with one more line under them. Reuses the first child, whose lists may be long."""
    first, level = children[0], max(child.level for child in children) + 1
    for other in children[1:]:
        first.columns += other.columns
        first.steps += other.steps
    first.steps.append(_Step(start, end, level, category, label))
    first.end, first.category, first.level = end, category, level
    first.widen(max(display_width(category), display_width(label) + 1))
    return first


def _line(width: int, label: str) -> Row:
    return [Piece("-" * (width - display_width(label)), "line"), Piece(label, "rule")]


def _row(places: Iterable[tuple[int, int, Row]]) -> Row:
    """Texts centred in their places, given as left edge and width; nothing stands to the right of the last."""
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
    """How many cells a terminal gives it: two for wide characters, none for combining ones."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1


def _visible(text: str) -> str:
    """The same with control characters replaced: a treebank must not drive the terminal."""
    if text.isprintable():
        return text
    return "".join("\ufffd" if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") else sign for sign in text)
