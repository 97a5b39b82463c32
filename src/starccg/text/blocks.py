"""Split text into blocks: headings, list items, table cells, paragraphs.

Both functions return a text of the same length, so that offsets stay valid. A form feed, which always ends a sentence,
replaces the line end (or the bar of a table) between two blocks. Markdown's markup becomes spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

BREAK = "\f"

_ITEM = re.compile(r"\s*(?:[-*+•·‣◦▪–—]|\(?\d{1,3}[.)]|\(?[A-Za-z][.)])[ \t]+(?=\S)")
_RULE = re.compile(r"\s*(?:=|-|\*|_|#|~|\+)(?:[\s=*_#~+|-]){2,}\s*")
_ROW = re.compile(r"\s*\|.*\|\s*|[^\t]*(?:\t[^\t]*){2,}")
_TABBED = re.compile(r"\s*\S[^\t]*\t\s*\S")
"""Two cells with a tab between them: a row if the line beside it is one too."""
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
        after = min(closed + 2, len(lines))
        begins[opened:after] = [True] * (after - opened)
    parts = [lines[0]]
    for own, line in zip(begins[1:], lines[1:], strict=True):
        parts += [BREAK if own else "\n", line]
    return "".join(parts)


def _block_starts(lines: list[str]) -> list[bool]:
    """For each line of a paragraph but the first, whether it begins a block; others continue the line before."""
    longest = max(map(len, lines))
    tabbed = [bool(_TABBED.match(line)) for line in lines]
    pairs = [False, *map(all, pairwise(tabbed)), False]
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


def _fences(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The first and the last line of each block of fenced code that is closed."""
    fence, opened = "", 0
    for at, line in enumerate(lines):
        found = _FENCE.match(line)
        if found and not fence:
            fence, opened = found.group(1), at
        elif found and found.group(1).startswith(fence) and not line[found.end() :].strip():
            yield opened, at
            fence = ""


def _marker(line: str) -> str:
    """The kind of mark that begins a list item: the bullet itself, or 1 for all numbers and a for all letters."""
    item = _ITEM.match(line)
    return re.sub(r"[A-Za-z]", "a", re.sub(r"\d+", "1", item.group().strip())) if item else ""


def _begins_item(before: str, line: str, markers: list[str]) -> bool:
    """Whether a line with the mark of an item is one: a dash may also continue a sentence, and so may *a*.

    It is one if the line before ends a sentence or is an item, if the next line is an item of the same kind, or if it
    begins with a capital or a digit.
    """
    previous, own, *following = markers
    begins = _ITEM.sub("", line, count=1)[0]
    return before.rstrip().endswith(_ENDS) or bool(previous) or own in following or not begins.islower()


def _is_heading(line: str, following: str, longest: int) -> bool:
    """A short line without a full stop, after which the next line begins with a capital although its first word would
    have fitted, so the line break is intended."""
    text, begins = line.strip(), following.strip()
    if not begins[0].isupper() or text.endswith((",", *_ENDS)) or text.split()[-1].lower() in _OPEN:
        return False
    fits = len(line) + 1 + len(begins.split()[0]) <= longest
    return fits and len(line) < _HEADING_SHARE * longest and (text[0].isupper() or text[0].isdigit())


_MARK = "\0block\0"
"""Marks a line that begins a block until the lines are joined."""
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:[^\n]*\n)*?---[ \t]*(?:\n|$)")
_QUOTE = re.compile(r" {0,3}(?:>[ \t]?)+")
_MARKDOWN_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+|$)")
_CLOSING_HASHES = re.compile(r"[ \t]+#+[ \t]*$")
_UNDERLINE = re.compile(r"[ \t]*(?:=+|-+|(?:[-*_][ \t]*){3,})[ \t]*")
_LIST = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_TABLE_ROW = re.compile(r"[ \t]*\|.*")
_DEFINITION = re.compile(r" {0,3}\[[^\]]+\]:[ \t]+\S.*")
_INLINE = (
    re.compile(r"(!?\[)[^\[\]]*(\]\([^()\s]*(?:[ \t]+\"[^\"]*\")?\))"),  # [text](address "title")
    re.compile(r"(!?\[)[^\[\]]*(\]\[[^\[\]]*\])"),  # [text][reference]
    re.compile(r"(<)(?:https?|mailto):[^<>\s]+(>)"),
    re.compile(r"(</?[A-Za-z][^<>]{0,300}>|<!--.*?-->)"),
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
    masked: list[str] = []
    fence = ""
    for line in text[start:].split("\n"):
        opened = _FENCE.match(line)
        if fence or opened:
            masked.append(f"{_MARK}{' ' * len(line)}")
            if not fence and opened:
                fence = opened.group(1)
            elif opened and opened.group(1).startswith(fence) and not line[opened.end() :].strip():
                fence = ""
            continue
        masked += _mask_line(line)
    return head + _joined(masked)


def _joined(lines: list[str]) -> str:
    """The lines joined again; ``_MARK`` before a line, or after it, makes the line end between two lines a break."""
    joined = "\n".join(lines).replace(f"{_MARK}\n{_MARK}", BREAK).replace(f"\n{_MARK}", BREAK)
    return joined.replace(f"{_MARK}\n", BREAK).replace(_MARK, "")


def _mask_line(line: str) -> list[str]:
    if quote := _QUOTE.match(line):
        return [" " * quote.end() + part for part in _mask_line(line[quote.end() :])]
    if _DEFINITION.fullmatch(line) or (line.strip() and _UNDERLINE.fullmatch(line)):
        return [f"{_MARK}{' ' * len(line)}{_MARK}"]
    if "|" in line and _TABLE_RULE.fullmatch(line):
        return [f"{_MARK}{' ' * len(line)}{_MARK}"]
    if _TABLE_ROW.fullmatch(line):
        return [f"{_MARK}{_mask_inline(line).replace('|', BREAK)}{_MARK}"]
    if heading := _MARKDOWN_HEADING.match(line):
        closing = _CLOSING_HASHES.search(line, heading.end())
        end = closing.start() if closing else len(line)
        body = _mask_inline(line[heading.end() : end])
        return [f"{_MARK}{' ' * heading.end()}{body}{' ' * (len(line) - end)}{_MARK}"]
    if item := _LIST.match(line):
        return [f"{_MARK}{' ' * item.end()}{_mask_inline(line[item.end() :])}"]
    return [_mask_inline(line)]


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
