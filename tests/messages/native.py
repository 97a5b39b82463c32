"""The messages of the native core, read from its C++."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.messages.tokens import Token, cplusplus

CLOSING = {"(": ")", "[": "]", "{": "}"}
WORDS = re.compile(r"[a-z]{2,}[,:]? [a-z]|^ ?[a-z]{2,} | [a-z]{2,} $")
"""Two words, or one and a space, to which something is joined."""

CONVERSION = re.compile(r"(?:std ?:: ?)?(?:to_)?string\((.*)\)")
"""Of what is joined to a literal."""


def native_texts(source: str) -> Iterator[str]:
    """The messages of a file, in its order; what is joined to them stands in braces.

    A message is an expression (an argument, a value, a branch) with a literal that has WORDS.
    """
    tokens = list(cplusplus(source))
    yield from _group(tokens, 0, "")[1]


def _group(tokens: list[Token], at: int, closing: str) -> tuple[int, list[str]]:
    """The messages up to a closing bracket, and the place behind it."""
    found: list[str] = []
    pieces: list[Token] = []
    while at < len(tokens) and tokens[at] != ("mark", closing):
        kind, value = tokens[at]
        if kind == "mark" and value in CLOSING:
            end, inner = _group(tokens, at + 1, CLOSING[value])
            found += inner
            inside = "".join(f'"{v}"' if k == "text" else v for k, v in tokens[at + 1 : end - 1])
            pieces.append(Token("mark", value + inside + CLOSING[value]))
            at = end
            continue
        if kind == "mark" and value in (",", ";", "?", ":", "="):
            found += _message(pieces)
            pieces = []
        else:
            pieces.append(tokens[at])
        at += 1
    return at + 1, found + _message(pieces)


def _message(pieces: list[Token]) -> list[str]:
    if not any(kind == "text" and WORDS.search(value) for kind, value in pieces):
        return []
    text, expression = "", ""
    for kind, value in [*pieces, Token("text", "")]:
        if kind == "text":
            text += "{" + CONVERSION.sub(r"\1", expression) + "}" if expression else ""
            text, expression = text + value, ""
        elif value not in ("+", "throw", "return"):
            expression += value
    return [" ".join(text.split())]
