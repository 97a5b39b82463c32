"""Split text into blocks: headings, list items, table cells, paragraphs.

Both functions return a text of the same length, so that offsets stay valid. A form feed, which always ends a sentence,
replaces the line end (or the bar of a table) between two blocks. Markdown's markup becomes spaces.
"""

from __future__ import annotations

import re
from itertools import pairwise

BREAK = "\f"

_ITEM = re.compile(r"\s*(?:[-*+•·‣◦▪–—]|\(?\d{1,3}[.)]|\(?[A-Za-z][.)])[ \t]+(?=\S)")
_RULE = re.compile(r"\s*(?:=|-|\*|_|#|~|\+)(?:[\s=*_#~+|-]){2,}\s*")
_ROW = re.compile(r"\s*\|.*\|\s*|[^\t]*(?:\t[^\t]*){2,}")
_ENDS = (".", "!", "?", ":", ";", "…", "”", '"', ")", "。")
_OPEN = frozenset(
    "a an the of to in on at by for with from and or but that which who as than is are was were".split()  # noqa: SIM905
)
"""A line that ends in one of these words continues in the next."""
_HEADING_SHARE = 0.5
"""A line shorter than this share of the longest line of its paragraph may be a heading."""


def mark_blocks(text: str) -> str:
    """Plain text with a form feed before each list item, table row and ruled line, and after each heading."""
    lines = text.split("\n")
    marked: list[str] = []
    paragraph: list[str] = []
    for line in lines:
        if line.strip():
            paragraph.append(line)
            continue
        marked += [*_mark_paragraph(paragraph), line] if paragraph else [line]
        paragraph = []
    marked += _mark_paragraph(paragraph) if paragraph else []
    return "\n".join(marked).replace(f"\n{_MARK}", BREAK)


_MARK = "\0block\0"
"""Marks a line that begins a block until the lines are joined."""


def _mark_paragraph(lines: list[str]) -> list[str]:
    longest = max(map(len, lines))
    marked = [lines[0]]
    for before, line in pairwise(lines):
        marked.append(f"{_MARK}{line}" if _begins_block(before, line, longest) else line)
    return marked


def _begins_block(before: str, line: str, longest: int) -> bool:
    """Whether a line begins a block of its own and does not continue the line before it."""
    if any(pattern.fullmatch(it) for pattern in (_RULE, _ROW) for it in (before, line)):
        return True
    item = _ITEM.match(line)
    if item is not None:
        begins = line[item.end()]
        return before.rstrip().endswith(_ENDS) or _ITEM.match(before) is not None or not begins.islower()
    return _is_heading(before, line, longest)


def _is_heading(line: str, following: str, longest: int) -> bool:
    """A short line without a full stop, after which the next line begins with a capital although its first word would
    have fitted, so the line break is intended."""
    text, begins = line.strip(), following.strip()
    if not begins[0].isupper() or text.endswith((",", *_ENDS)) or text.split()[-1].lower() in _OPEN:
        return False
    fits = len(line) + 1 + len(begins.split()[0]) <= longest
    return fits and len(line) < _HEADING_SHARE * longest and (text[0].isupper() or text[0].isdigit())


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:[^\n]*\n)*?---[ \t]*(?:\n|$)")
_QUOTE = re.compile(r" {0,3}(?:>[ \t]?)+")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+|$)")
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
    if heading := _HEADING.match(line):
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
