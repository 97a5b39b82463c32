"""The texts that the page of the server shows, read from its scripts and its HTML.

In a script every literal with a letter in it is a text, unless its place says that nobody sees it: ``hidden`` has the
rule. So a new text is found wherever it stands. At worst a literal that is not shown is listed too; its place can be
added to the rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser

from tests.messages.tokens import Token, javascript

SHOWN_ATTRIBUTES = frozenset(
    "alt aria-description aria-label aria-roledescription aria-valuetext content label placeholder title".split()  # noqa: SIM905
)
"""Attributes that are shown or read aloud. ``content`` counts in a description of the page alone."""

NAMED = {"make": (0,), "draw": (0,), "label": (3,), "setAttribute": (0,), "ServerError": (0,)}
"""Functions with arguments, by number, that name an element, a class, an attribute or an error."""

NAMING = frozenset(
    "add addEventListener ask closest createElement createElementNS byId Event CustomEvent exec get getAttribute "  # noqa: SIM905
    "getContext getElementById getItem getPropertyValue has includes join matches matchMedia onPick onSwitch onTry "
    "parseFromString querySelector querySelectorAll removeAttribute removeEventListener replaceAll send set setItem "
    "setProperty split startsWith endsWith toLocaleString toggle toggleAttribute token".split()
)
"""Functions whose texts are names: of elements, classes, properties, events, keys, views, requests."""

MEMBERS = frozenset(
    "AT_HAND FORBIDDEN KEY SANS SVG VIEWS WANTED WORTH_TRYING_AGAIN boxes code colour fillStyle font gridColumn "  # noqa: SIM905
    "gridTemplateColumns height key method names right strokeStyle textAlign textBaseline tone width".split()
)
"""Variables and fields whose texts are names or styles."""

CODE = re.compile(r"#[0-9a-f]+|(rgb|repeat)\(.*|M[\d .]+C.*|(https?:|application/|api/).*|(px|rem|%|[\W\d_])*")
"""Colours, lengths, drawn paths and addresses; and templates that add no word to what they fill in."""

GROUPING = frozenset("if for while return switch of const Set".split())  # noqa: SIM905
"""Words before a bracket that is no call and no index; a set counts as a list."""

OPENING = {"(": ")", "[": "]", "{": "}", "${": "}"}


@dataclass
class Frame:
    """An open bracket, and what is known where it stands."""

    mark: str
    callee: str = ""
    argument: int = 0
    key: str = ""
    target: str = ""
    hides: bool = False


def script_texts(source: str) -> Iterator[str]:
    """The texts of a script, in its order; what is filled in stands in braces."""
    tokens = list(javascript(source))
    frames = [Frame("")]
    for at, (kind, value) in enumerate(tokens):
        frame = frames[-1]
        before = tokens[at - 1] if at else Token("mark", ";")
        if kind == "mark" and value in OPENING:
            frames.append(_frame(value, before, frames, tokens, at))
        elif kind == "mark" and len(frames) > 1 and value == OPENING[frame.mark]:
            frames.pop()
        elif kind == "mark" and value in (",", ";"):
            frame.argument += value == ","
            frame.key, frame.target = (frame.key if frame.callee == "setAttribute" else ""), ""
        elif kind == "mark" and value == "=":
            frame.target = before.value
        elif kind == "mark" and value == "=>":
            frame.key = frame.target = ""  # what a listener says is no name
        elif kind == "mark" and value == ":" and frame.mark == "{" and tokens[at - 2].value in ("{", ","):
            frame.key = before.value
        elif kind == "text":
            if frame.callee == "setAttribute" and frame.argument == 0:
                frame.key = value
            if not hidden(tokens, at, frames):
                yield shortened(value)


def shortened(text: str) -> str:
    """A text on one line, in which expressions with texts of their own are dots: those are listed themselves."""
    text = " ".join(text.split())
    parts, depth, begin = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == "{" and depth == 1:
            parts.append(text[begin:at])
            begin = at
        elif letter == "}" and depth == 0:
            inside = text[begin : at + 1]
            parts.append("{…}" if re.search(r"[\"'`{}]", inside[1:-1]) else inside)
            begin = at + 1
    return "".join([*parts, text[begin:]])


def style_texts(source: str) -> list[str]:
    """The texts that a style sheet adds to the page."""
    return [text for text in re.findall(r"\bcontent:\s*[\"']([^\"']*)", source) if re.search(r"[^\W\d_]", text)]


def _frame(mark: str, before: Token, frames: list[Frame], tokens: list[Token], at: int) -> Frame:
    """The bracket that opens here. Groups, lists and objects are hidden where they stand; calls and bodies are not."""
    outer = frames[-1]
    if mark == "(" and before.kind == "word" and before.value not in GROUPING:
        return Frame(mark, callee=before.value)
    if mark == "{" and before.value in (")", "=>", "else", "try", "finally", "static", ";", "}"):
        return Frame(mark)
    if mark == "[" and (before.kind == "word" or before.value in (")", "]")) and before.value not in GROUPING:
        return Frame(mark, hides=True)
    attributes = mark == "{" and outer.callee in NAMED and outer.argument == 1
    return Frame(mark, callee="attributes" if attributes else "", hides=_hides(outer))


def _hides(frame: Frame) -> bool:
    """Whether what stands in a bracket now is not shown."""
    if frame.hides or frame.target in MEMBERS:
        return True
    if frame.callee == "attributes":
        return bool(frame.key) and frame.key not in SHOWN_ATTRIBUTES
    if frame.callee == "setAttribute":
        return frame.argument == 0 or frame.key not in SHOWN_ATTRIBUTES
    if frame.mark == "(":
        return frame.callee in NAMING or frame.argument in NAMED.get(frame.callee, ())
    return frame.key in MEMBERS


def hidden(tokens: list[Token], at: int, frames: list[Frame]) -> bool:
    """Whether nobody sees a literal. That is so where it

    - is imported from, compared, the label of a case, a key or an index;
    - is an argument of a function in NAMING, or one that names an element or a class (NAMED);
    - is the value of an attribute that is not in SHOWN_ATTRIBUTES;
    - is assigned to a name in MEMBERS;
    - is a colour, a length, an address or the like (CODE).
    """
    before = tokens[at - 1].value if at else ""
    after = tokens[at + 1].value if at + 1 < len(tokens) else ""
    if before in ("from", "import", "case") or {before, after} & {"===", "!==", "in"}:
        return True
    if after == ":" and before in ("{", ","):
        return True
    return _hides(frames[-1]) or bool(CODE.fullmatch(re.sub(r"\{[^{}]*\}", "", shortened(tokens[at].value))))


class PageParser(HTMLParser):
    """Collects the texts of an HTML page: what stands between tags, and the attributes that are shown."""

    INLINE = frozenset({"code", "kbd", "b", "i", "em", "strong"})
    """Elements that are part of the sentence around them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self.text = ""
        self.skipped = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in self.INLINE:
            self.flush()
        self.skipped = tag in ("script", "style")
        for name, value in attrs:
            if name in SHOWN_ATTRIBUTES and value and (name != "content" or given.get("name") == "description"):
                self.texts.append(" ".join(value.split()))

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.INLINE:
            self.flush()
        self.skipped = False

    def handle_data(self, data: str) -> None:
        self.text += "" if self.skipped else data

    def flush(self) -> None:
        """Ends the text of an element."""
        text = " ".join(self.text.split())
        if re.search(r"[^\W\d_]", text):
            self.texts.append(text)
        self.text = ""


def html_texts(source: str) -> list[str]:
    """The texts of an HTML page, in its order."""
    parser = PageParser()
    parser.feed(source)
    parser.close()
    parser.flush()
    return parser.texts
