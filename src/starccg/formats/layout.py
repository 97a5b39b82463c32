"""The layout of a drawn derivation: positions of words, categories and lines, shared by text, SVG and LaTeX.

Every word is a column; a step is a line under the columns it spans, one level below the lowest of its children. Widths
are whole numbers in the units of a :class:`Measure`: the cells of a terminal, or the pixels of a picture.

A derivation wider than the page is drawn in parts: a constituent is drawn first, under a number, and the rest shows
that number with its category. So every part can be read by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation, Leaf

NO_RULE = "?"
"""The label of a node that no rule of the grammar licenses."""


@dataclass(frozen=True, slots=True)
class Measure:
    """How much space texts take."""

    word: Callable[[str], int]
    category: Callable[[Category], int]
    label: Callable[[str], int]
    """The shortest line that has this label beside it."""
    gap: int
    """The distance between two columns."""


@dataclass(slots=True)
class Column:
    """A word, or the number of a part drawn elsewhere, above its category."""

    start: int
    end: int
    word: str
    category: Category
    width: int
    part: int = 0
    """The number of the part that it refers to, from 1; 0 for a word."""


@dataclass(slots=True)
class Step:
    """A line with its rule, and the category under it."""

    start: int
    end: int
    level: int
    """1 for a line right under the words' categories."""
    category: Category
    label: str


@dataclass(slots=True)
class Part:
    """A drawing of the words from ``start`` to ``end``."""

    measure: Measure
    start: int
    end: int
    category: Category
    columns: list[Column]
    steps: list[Step] = field(default_factory=list)
    level: int = 0
    """The number of lines below each other."""

    @property
    def width(self) -> int:
        """From the left edge of its first column to the right edge of its last."""
        return sum(column.width for column in self.columns) + self.measure.gap * (len(self.columns) - 1)

    def edges(self) -> tuple[dict[int, int], dict[int, int]]:
        """The left edge of the column that starts at a word, and the right edge of the one that ends before one."""
        left: dict[int, int] = {}
        right: dict[int, int] = {}
        position = 0
        for column in self.columns:
            left[column.start] = position
            right[column.end] = position + column.width
            position += column.width + self.measure.gap
        return left, right

    def levels(self) -> list[list[Step]]:
        """The steps by level, from the top; on each from left to right."""
        levels: list[list[Step]] = [[] for _ in range(self.level)]
        for step in self.steps:
            levels[step.level - 1].append(step)
        return levels

    def reference(self, number: int) -> Part:
        """The column that refers to this part in the rest of the drawing."""
        return _column(self.measure, self.start, self.end, f"[{number}]", self.category, number)

    def widen(self, wanted: int) -> None:
        """Distribute the missing width evenly over the columns."""
        missing = wanted - self.width
        for index, column in enumerate(self.columns):
            share = (missing + index) // len(self.columns)
            column.width += max(share, 0)


def lay_out(derivation: Derivation, measure: Measure, limit: int = 0) -> list[Part]:
    """The parts in the order of their numbers, the root part last; without a limit there is only one part.

    No part is wider than ``limit`` unless one category, or two adjacent ones, are.
    """
    parts: list[Part] = []
    stack: list[Part] = []
    for start, end, node in derivation.spans():
        if isinstance(node, Leaf):
            stack.append(_column(measure, start, end, node.word, node.category))
            continue
        children = stack[-len(node.children) :]
        del stack[-len(node.children) :]
        while limit and len(children) == 2 and children[0].width + measure.gap + children[1].width > limit:
            references = [child.reference(len(parts) + 1) for child in children]
            goes = max(range(2), key=lambda index: children[index].width - references[index].width)
            if children[goes].width <= references[goes].width:
                break  # two categories that are themselves too wide
            parts.append(children[goes])
            children[goes] = references[goes]
        label = node.rule.label if node.rule is not None else NO_RULE
        stack.append(_join(children, start, end, node.category, label))
    return [*parts, stack.pop()]


def _column(measure: Measure, start: int, end: int, word: str, category: Category, part: int = 0) -> Part:
    width = max(measure.word(word), measure.category(category))
    return Part(measure, start, end, category, [Column(start, end, word, category, width, part)])


def _join(children: list[Part], start: int, end: int, category: Category, label: str) -> Part:
    """The children side by side with one more line under them. Reuses the first child, whose lists may be long."""
    first, level = children[0], max(child.level for child in children) + 1
    for other in children[1:]:
        first.columns += other.columns
        first.steps += other.steps
    first.steps.append(Step(start, end, level, category, label))
    first.end, first.category, first.level = end, category, level
    first.widen(max(first.measure.category(category), first.measure.label(label)))
    return first
