"""Split text into blocks: headings, list items, table cells, paragraphs.

Both functions return a text of the same length, so that offsets stay valid. A form feed, which always ends a sentence,
replaces the line end (or the bar of a table) between two blocks. Markdown's markup becomes spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

BREAK = "\f"

_ITEM = re.compile(r"\s*(?:[-*+•·‣◦▪–—]|\(?\d{1,3}[.)]|\(?[A-Za-z][.)])[ \t]+(?=\S)")
_RULE = re.compile(r"\s*[=*_#~+-][\s=*_#~+|-]{2,}")
_ROW = re.compile(r"\s*\|.*\|\s*|[^\t]*(?:\t[^\t]*){2,}")
_PAIR = re.compile(r"\s*\S[^\t]*\t\s*\S|[A-Z][\w-]*:[ \t]+\S")
"""Two cells with a tab between them, or a field (``Subject: lunch``): a row if the line beside it is one too."""
_BULLETS = frozenset("*•·‣◦▪")
"""Marks that only list items begin with."""
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(?=\S)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ENDS = (".", "!", "?", ":", ";", "…", "”", '"', ")", "。")
_OPEN = frozenset(
    "a an the of to in on at by for with from and or but that which who as than is are was were".split()  # noqa: SIM905
)
"""A line that ends in one of these words continues in the next."""
_HEADING_SHARE = 0.5
"""A line shorter than this share of the longest line of its paragraph may be a heading."""


def mark_blocks(text: str) -> str:
    """Plain text with a form feed between its blocks.

    A list item, a table row, a ruled line, a heading and a line of fenced code are each a block.
    """
    lines = text.split("\n")
    begins = [False] * len(lines)
    start = 0
    for end in range(len(lines) + 1):
        if end == len(lines) or not lines[end].strip():
            if end - start > 1:
                begins[start + 1 : end] = _block_starts(lines[start:end])
            start = end + 1
    for opened, closed in _fences(lines):
        if closed is not None:
            after = min(closed + 2, len(lines))
            begins[opened:after] = [True] * (after - opened)
    return _joined(lines, begins)


def _joined(lines: Sequence[str], begins: Sequence[bool]) -> str:
    """The lines as one text; ``begins`` says for each whether it begins a block."""
    parts = [lines[0]]
    for own, line in zip(begins[1:], lines[1:], strict=True):
        parts += [BREAK if own else "\n", line]
    return "".join(parts)


def _block_starts(lines: list[str]) -> list[bool]:
    """For each line of a paragraph but the first, whether it begins a block; others continue the line before."""
    longest = max(map(len, lines))
    cells = [bool(_PAIR.match(line)) for line in lines]
    pairs = [False, *map(all, pairwise(cells)), False]
    apart = [
        bool(before or after or _RULE.fullmatch(line) or _ROW.fullmatch(line) or _HEADING.match(line))
        for line, (before, after) in zip(lines, pairwise(pairs), strict=True)
    ]
    markers = [_marker(line) for line in lines]
    return [
        apart[at - 1]
        or apart[at]
        or (
            _begins_item(lines[at - 1], lines[at], markers[at - 1 : at + 2])
            if markers[at]
            else _is_heading(lines[at - 1], lines[at], longest)
        )
        for at in range(1, len(lines))
    ]


def _fences(lines: list[str]) -> Iterator[tuple[int, int | None]]:
    """The first and the last line of each block of fenced code; None for the last if it is not closed."""
    fence, opened = "", 0
    for at, line in enumerate(lines):
        found = _FENCE.match(line)
        if found and not fence:
            fence, opened = found.group(1), at
        elif found and found.group(1).startswith(fence) and not line[found.end() :].strip():
            yield opened, at
            fence = ""
    if fence:
        yield opened, None


def _marker(line: str) -> str:
    """The kind of mark that begins a list item: the bullet itself, or 1 for all numbers and a for all letters."""
    item = _ITEM.match(line)
    return re.sub(r"[A-Za-z]", "a", re.sub(r"\d+", "1", item.group().strip())) if item else ""


def _begins_item(before: str, line: str, markers: list[str]) -> bool:
    """Whether a line with the mark of an item is one: a dash may also continue a sentence, and so may *a*.

    It is one if it has a bullet, if the line before ends a sentence or is an item, if the next line is an item of the
    same kind, or if it begins with a capital or a digit.
    """
    previous, own, *following = markers
    continues = _ITEM.sub("", line, count=1)[0].islower() and not before.rstrip().endswith(_ENDS)
    return own in _BULLETS or bool(previous) or own in following or not continues


def _is_heading(line: str, following: str, longest: int) -> bool:
    """A short line without a full stop, after which the next line begins with a capital although its first word would
    have fitted, so the line break is intended."""
    text, begins = line.strip(), following.strip()
    if not begins[0].isupper() or text.endswith((",", *_ENDS)) or text.split()[-1].lower() in _OPEN:
        return False
    fits = len(line) + 1 + len(begins.split()[0]) <= longest
    return fits and len(line) < _HEADING_SHARE * longest and (text[0].isupper() or text[0].isdigit())


_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:[^\n]*\n)*?---[ \t]*(?:\n|$)")
_QUOTE = re.compile(r" {0,3}(?:>[ \t]?)+")
_MARKDOWN_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+|$)")
_CLOSING_HASHES = re.compile(r"[ \t]+#+[ \t]*$")
_UNDERLINE = re.compile(r"[ \t]*(?:(?:=+|-+)[ \t]*|(?:[-*_][ \t]*){3,})")
_LIST = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_TABLE_RULE = re.compile(r"[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?")
_TABLE_ROW = re.compile(r"[ \t]*\|.*")
_DEFINITION = re.compile(r" {0,3}\[[^\]]+\]:[ \t]+\S.*")
_INLINE = (
    re.compile(r"(!?\[)[^\[\]]*(\]\([^()\s]*(?:[ \t]+\"[^\"]*\")?\))"),  # [text](address "title")
    re.compile(r"(!?\[)[^\[\]]*(\]\[[^\[\]]*\])"),  # [text][reference]
    re.compile(r"(<)(?:https?|mailto):[^<>\s]+(>)"),
    re.compile(r"(</?[A-Za-z][^<>]{0,300}>|<!--(?:(?!<!--).)*?-->)"),
    re.compile(r"(`+)"),
    re.compile(r"(?<![\w*\\])(\*{1,3})(?=\S)"),
    re.compile(r"(?<=[^\s\\])(\*{1,3})(?![\w*])"),
    re.compile(r"(?<!\w)(_{1,3})(?=\w)"),
    re.compile(r"(?<=[\w.,!?])(_{1,3})(?!\w)"),
    re.compile(r"(~~)"),
    re.compile(r"(\\)(?=[\\`*_{}\[\]()#+.!|>~-])"),
)


def mask_markdown(text: str) -> str:
    """Markdown as plain text: without code blocks, addresses and markup, with breaks between blocks."""
    front = _FRONT_MATTER.match(text)
    start = front.end() if front and ":" in front.group() else 0
    head = re.sub(r"[^\n]", " ", text[:start])
    lines = text[start:].split("\n")
    code: set[int] = set()
    for opened, closed in _fences(lines):
        code.update(range(opened, len(lines) if closed is None else closed + 1))
    masked = [_blank(line) if at in code else _mask_line(line) for at, line in enumerate(lines)]
    begins = [False, *(before.ends or line.begins for before, line in pairwise(masked))]
    return head + _joined([line.text for line in masked], begins)


class _Line(NamedTuple):
    """A line without its markup, and whether a block begins or ends with it."""

    text: str
    begins: bool
    ends: bool


def _blank(line: str) -> _Line:
    return _Line(" " * len(line), begins=True, ends=True)


def _mask_line(line: str) -> _Line:
    if quote := _QUOTE.match(line):
        inner = _mask_line(line[quote.end() :])
        return inner._replace(text=" " * quote.end() + inner.text)
    is_rule = (line.strip() and _UNDERLINE.fullmatch(line)) or ("|" in line and _TABLE_RULE.fullmatch(line))
    if is_rule or _DEFINITION.fullmatch(line):
        return _blank(line)
    if _TABLE_ROW.fullmatch(line):
        return _Line(_mask_inline(line).replace("|", BREAK), begins=True, ends=True)
    if heading := _MARKDOWN_HEADING.match(line):
        closing = _CLOSING_HASHES.search(line, heading.end())
        end = closing.start() if closing else len(line)
        body = _mask_inline(line[heading.end() : end])
        return _Line(f"{' ' * heading.end()}{body}{' ' * (len(line) - end)}", begins=True, ends=True)
    if item := _LIST.match(line):
        return _Line(" " * item.end() + _mask_inline(line[item.end() :]), begins=True, ends=False)
    return _Line(_mask_inline(line), begins=False, ends=False)


def _mask_inline(text: str) -> str:
    for pattern in _INLINE:
        text = pattern.sub(_blank_groups, text)
    return text


def _blank_groups(match: re.Match[str]) -> str:
    """The match with its groups replaced by spaces."""
    text, start = match.group(), match.start()
    for group in range(1, len(match.groups()) + 1):
        begin, end = (place - start for place in match.span(group))
        text = text[:begin] + " " * (end - begin) + text[end:]
    return text
