r"""SVG: the derivation in the usual form, and its dependencies as arcs (:mod:`starccg.formats.arcs`).

A picture is self-contained, scales, and has the colour of the surrounding text. A style sheet can override colours and
sizes by class (``ccg-word``, ``ccg-category``, ``ccg-feature``, ``ccg-line``, ``ccg-rule``, ``ccg-arc``, ``ccg-slot``);
``data-start`` and ``data-end`` are the span of a step.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation, Leaf, Sentence
from starccg.dependencies.types import Dependency
from starccg.formats.arcs import arcs_picture
from starccg.formats.layout import Column, Measure, Step, lay_out
from starccg.formats.picture import Picture, escape, fitted, number, text_width

WORD, CATEGORY, FEATURE, RULE, COMBINATOR = 17, 15, 11, 13, 9
"""Font sizes; the last is for superscripts and subscripts of a combinator."""
MARGIN, GAP = 8, 18
LEXICON = 8
"""From the baseline of the words to the line under them."""
BELOW = 20
"""From a line to the baseline of the category under it."""
ABOVE = 12
"""From there to the next line."""
LEAST = 14
"""The shortest line."""
SINK = 3
"""How far features are lowered."""
_FEATURES = re.compile(r"(\[[^\]]*\])")
_COMBINATOR = re.compile(r"([<>])(B|T)(x?)(2?)")


def derivation_svg(derivation: Derivation, *, standalone: bool = False) -> str:
    """The derivation as an ``<svg>`` element for a page; with ``standalone``, as a file."""
    return derivation_picture(derivation).svg(standalone=standalone)


def arcs_svg(
    words: Sequence[str], dependencies: Iterable[Dependency], *, standalone: bool = False, names: bool = False
) -> str:
    """The dependencies as arcs over the words: from each head to its argument, with the slot that it fills.

    ``names``: with the name of the relation (``subject``, ``object``) instead of the slot.
    """
    return arcs_picture(words, dependencies, names=names).svg(standalone=standalone)


def write_svg(sentences: Iterable[Sentence]) -> Iterator[str]:
    """One file with all derivations, one below the other."""
    pictures = [derivation_picture(sentence.derivation) for sentence in sentences]
    if len(pictures) == 1:
        yield from pictures[0].svg(standalone=True).split("\n")
        return
    y, bodies = 0.0, []
    for picture in pictures:
        bodies.append(picture.svg(y=y))
        y += picture.height
    width = max((picture.width for picture in pictures), default=0)
    title = f"{len(pictures)} CCG derivations"
    whole = Picture("ccg-derivations", width, y, title, "", "\n".join(bodies), role="group")
    yield from whole.svg(standalone=True).split("\n")


def derivation_picture(derivation: Derivation) -> Picture:
    """The derivation as a :class:`Picture`."""
    (part,) = lay_out(derivation, PIXELS)
    left, right = part.edges()
    top = MARGIN + WORD
    first = top + LEXICON + BELOW
    lines = [_leaf(column, left[column.start], top) for column in part.columns]
    for step in part.steps:
        y = first + ABOVE + (step.level - 1) * (ABOVE + BELOW)
        lines.append(_step(step, left[step.start], right[step.end], y))
    height = first + part.level * (ABOVE + BELOW) + MARGIN
    title = "CCG derivation: " + " ".join(derivation.words)
    body = '<g text-anchor="middle" stroke="none">\n' + "\n".join(lines) + "\n</g>"
    return Picture("ccg-derivation", part.width + 2 * MARGIN, height, title, describe(derivation), body)


def describe(derivation: Derivation) -> str:
    """The derivation in words, for screen readers: every word with its category, then every step."""
    words = derivation.words
    said = []
    for start, end, node in derivation.spans():
        if isinstance(node, Leaf):
            said.append(f"{node.word}: {node.category}.")
            continue
        rule = "no rule of the grammar" if node.rule is None else node.rule.name.lower().replace("_", " ")
        span = words[start] if end == start + 1 else f"{words[start]} {words[end - 1]}"
        if end > start + 2:
            span = f"{words[start]} … {words[end - 1]}"
        said.append(f"{span}: {node.category} by {rule}.")
    return " ".join(said)


def category_width(category: Category) -> int:
    """The width of a category."""
    return math.ceil(sum(text_width(text, FEATURE if text[:1] == "[" else CATEGORY) for text in _pieces(category)))


def label_width(label: str) -> int:
    """The width of a rule's label."""
    match = _COMBINATOR.fullmatch(label)
    if match is None:
        return math.ceil(text_width(label, RULE))
    way, combinator, crossed, power = match.groups()
    sign, raised = text_width(way + combinator, RULE), [text_width("×", COMBINATOR)] * bool(crossed)
    return math.ceil(sign + max([0.0, *raised, text_width(power, COMBINATOR)]) + 1)


PIXELS = Measure(
    word=lambda word: math.ceil(text_width(word, WORD)),
    category=category_width,
    label=lambda label: label_width(label) + LEAST,
    gap=GAP,
)


@lru_cache(maxsize=4096)
def _pieces(category: Category) -> list[str]:
    return [piece for piece in _FEATURES.split(str(category)) if piece]


def _leaf(column: Column, left: int, top: int) -> str:
    x = number(left + MARGIN + column.width / 2)
    lexicon = top + LEXICON
    return (
        f'<g class="ccg-leaf" data-start="{column.start}" data-end="{column.end}">'
        f'<text class="ccg-word" x="{x}" y="{top}" font-size="{WORD}"{fitted(column.word, WORD)}>{escape(column.word)}'
        f"</text>{_line(left, left + column.width, lexicon)}{_category(column.category, x, lexicon + BELOW)}</g>"
    )


def _step(step: Step, left: int, right: int, y: int) -> str:
    label = label_width(step.label)
    return (
        f'<g class="ccg-step" data-start="{step.start}" data-end="{step.end}">'
        f"{_line(left, right - label - 3, y)}"
        f'<text class="ccg-rule" x="{right + MARGIN - label}" y="{y + 4}" font-size="{RULE}" text-anchor="start">'
        f"{_label(step.label)}</text>{_category(step.category, number(MARGIN + (left + right) / 2), y + BELOW)}</g>"
    )


def _line(left: int, right: int, y: int) -> str:
    return (
        f'<line class="ccg-line" x1="{left + MARGIN}" x2="{right + MARGIN}" y1="{y}" y2="{y}"'
        f' stroke="currentColor" stroke-opacity=".6"/>'
    )


def _category(category: Category, x: str, y: int) -> str:
    spans, lowered = [], False
    for piece in _pieces(category):
        if piece[0] == "[":
            spans.append(f'<tspan class="ccg-feature" font-size="{FEATURE}" dy="{SINK}">{escape(piece)}</tspan>')
        else:
            spans.append(f'<tspan dy="-{SINK}">{escape(piece)}</tspan>' if lowered else escape(piece))
        lowered = piece[0] == "["
    return f'<text class="ccg-category" x="{x}" y="{y}" font-size="{CATEGORY}">{"".join(spans)}</text>'


def _label(label: str) -> str:
    """The label of a rule; for composition a bold combinator, with × as subscript and the degree as superscript."""
    match = _COMBINATOR.fullmatch(label)
    if match is None:
        return escape(label)
    way, combinator, crossed, power = match.groups()
    text = f'{escape(way)}<tspan font-weight="bold">{combinator}</tspan>'
    back = 0
    if crossed:
        text += f'<tspan font-size="{COMBINATOR}" dy="3">×</tspan>'
        back = 3
    if power:
        over = f' dx="-{number(text_width("×", COMBINATOR))}"' if crossed else ""
        text += f'<tspan font-size="{COMBINATOR}" dy="{-5 - back}"{over}>{power}</tspan>'
    return text
