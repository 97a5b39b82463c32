"""Read and write XML with the standard library: events with their positions, and tags.

Files that declare a document type are an error, so no entity is ever expanded. Nothing here recurses, so trees may
have any depth. (Parsers based on libxml2 stop at 256 levels by default.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, NoReturn
from xml.parsers import expat

from starccg.ccg.category import Category, CategoryError
from starccg.formats.auto import read_category
from starccg.formats.errors import FormatError, Misread, Source, WriteError, name_of, numbered_lines

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that XML 1.0 forbids even when escaped."""

FED = 4096
"""Characters that are fed to expat at least where a tag goes on over many lines."""

_SPECIAL = re.compile('[&<>"\t\n\r]')
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


def tag(sentence: str, name: str, attributes: Mapping[str, str | int], *, close: bool = False) -> str:
    """``<name key="value">``, or with ``close`` an empty element; :class:`WriteError` for forbidden characters."""
    parts = [f"<{name}"]
    for key, value in attributes.items():
        text = str(value)
        if not text.isalnum():
            if wrong := _FORBIDDEN.search(text):
                reason = f"XML cannot contain the character U+{ord(wrong[0]):04X} of {text!a}"
                raise WriteError(sentence, reason)
            text = _SPECIAL.sub(lambda found: _ESCAPES[found[0]], text)
        parts.append(f'{key}="{text}"')
    return " ".join(parts) + ("/>" if close else ">")


class Element(NamedTuple):
    """A tag that was read: its name, attributes and position, from 1."""

    name: str
    attributes: dict[str, str]
    line: int
    column: int

    def fail(self, reason: str) -> NoReturn:
        """Raise an error at the position of this tag."""
        raise Misread(self.column, reason, self.line)

    def get(self, *keys: str) -> str | None:
        """The first of these attributes that exists and is not empty."""
        return next((value for key in keys if (value := self.attributes.get(key))), None)

    def need(self, *keys: str) -> str:
        """The first of these attributes that exists; one must."""
        value = self.get(*keys)
        return value if value is not None else self.fail(f"<{self.name}> has no {' or '.join(keys)}")

    def category(self, text: str) -> Category:
        """A category of one of its attributes."""
        try:
            return read_category(text)[0]
        except CategoryError as error:
            self.fail(str(error))

    def head(self) -> int | None:
        """Which child is the head, if the attribute exists."""
        return {"0": 0, "1": 1}.get(self.attributes.get("head", ""))


def events(source: Source, root: str) -> Iterator[tuple[str, Element | None]]:
    """The name of the source with each opening tag, and with None for each closing tag.

    Text that is not XML, has another root or declares a document type raises :class:`FormatError`; reading cannot
    continue after it.
    """
    name = name_of(source)
    found: list[Element | None] = []
    parser = expat.ParserCreate("utf-8")  # the text is already decoded
    parser.buffer_text = True
    opened = False

    def fail(reason: str) -> NoReturn:
        raise FormatError(name, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1, reason)

    def start(element: str, attributes: dict[str, str]) -> None:
        nonlocal opened
        if not opened and element != root:
            fail(f"expected <{root}>, found <{element}>")
        opened = True
        found.append(Element(element, attributes, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1))

    def doctype(*_: Any) -> None:
        fail("a document type declaration (DOCTYPE) is not allowed")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: found.append(None)
    parser.StartDoctypeDeclHandler = doctype

    def feed(text: str, last: bool) -> None:
        try:
            parser.Parse(text.encode(), last)
        except expat.ExpatError as error:
            reason = expat.errors.messages.get(error.code, str(error))
            raise FormatError(name, error.lineno, error.offset + 1, f"not XML: {reason}") from error
        except UnicodeEncodeError:
            fail("not XML: an unpaired surrogate")

    lines: list[str] = []
    size = wanted = place = 0
    for name, _, line in numbered_lines(source):
        lines.append(line)
        size += len(line) + 1
        if size < wanted:
            continue
        feed("\n".join([*lines, ""]), False)
        yield from ((name, element) for element in found)
        found.clear()
        # Expat before 2.6 reads an incomplete tag from its beginning each time, so it is fed twice as much each time.
        wanted = max(FED, 2 * wanted) if parser.CurrentByteIndex == place else 0
        place = parser.CurrentByteIndex
        lines, size = [], 0
    feed("\n".join([*lines, ""]), True)
    yield from ((name, element) for element in found)


def indentation(depth: int) -> str:
    """The indentation of a line, at most 20 levels, so that long sentences are not mostly spaces."""
    return "  " * min(depth, 20)
