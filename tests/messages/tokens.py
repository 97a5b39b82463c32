"""The tokens of JavaScript and C++, as far as one needs them to find the texts in a source: literals, names, marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["word", "number", "text", "mark", "regex"]

SKIPPED = re.compile(r"\s+|//[^\n]*|/\*.*?\*/", re.DOTALL)
WORD = re.compile(r"[A-Za-z_$#][\w$]*")
NUMBER = re.compile(r"\.?\d(?:[\w.']|[eE][+-])*")
QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)
RAW = re.compile(r'R"(\w*)\((.*?)\)\1"', re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.MULTILINE | re.DOTALL)
REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
MARK = re.compile(r"===|!==|=>|==|!=|<=|>=|\?\?|\?\.|&&|\|\||\.\.\.|::|->|\+=|-=|[^\w\s]")
PLAIN: tuple[tuple[Kind, re.Pattern[str]], ...] = (("word", WORD), ("number", NUMBER), ("text", QUOTED), ("mark", MARK))
ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r?\n|.)", re.DOTALL)
ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
BEFORE_A_VALUE = frozenset("return typeof case in of do else void delete await yield new throw instanceof".split())  # noqa: SIM905
"""After these words a slash begins a regular expression."""


class Token(NamedTuple):
    """A text has what it says as its value; what a template fills in stands in braces, and follows as tokens of its own
    between the marks ``${`` and ``}``."""

    kind: Kind
    value: str


def javascript(source: str) -> Iterator[Token]:
    """The tokens of a script, without its comments."""
    tokens, end = _javascript(source, 0, nested=False)
    assert end == len(source), f"a bracket is missing: {source[end : end + 40]!r}"
    yield from tokens


def cplusplus(source: str) -> Iterator[Token]:
    """The tokens of a C++ file, without its comments and preprocessor directives."""
    source = DIRECTIVE.sub("", source)
    at = 0
    while at < len(source):
        if skipped := SKIPPED.match(source, at):
            at = skipped.end()
        elif raw := RAW.match(source, at):
            yield Token("text", raw[2])
            at = raw.end()
        else:
            token, at = _plain(source, at)
            yield token


def _javascript(source: str, at: int, *, nested: bool) -> tuple[list[Token], int]:
    """The tokens from a place on; in a template as far as the brace that ends what is filled in."""
    found: list[Token] = []
    depth = 0
    while at < len(source):
        if skipped := SKIPPED.match(source, at):
            at = skipped.end()
        elif source[at] == "`":
            tokens, at = _template(source, at + 1)
            found += tokens
        elif source[at] == "/" and _begins_a_value(found) and (regex := REGEX.match(source, at)):
            found.append(Token("regex", regex[0]))
            at = regex.end()
        else:
            token, end = _plain(source, at)
            if token.kind == "mark":
                depth += (token.value == "{") - (token.value == "}")
                if depth < 0 and nested:
                    return found, at
            found.append(token)
            at = end
    assert not nested, "a template is not closed"
    return found, at


def _template(source: str, at: int) -> tuple[list[Token], int]:
    """A template literal from behind its first quote: its text, and then the tokens that it fills in."""
    text, inside = "", []
    while source[at] != "`":
        if source.startswith("${", at):
            tokens, end = _javascript(source, at + 2, nested=True)
            text += "{" + " ".join(source[at + 2 : end].split()) + "}"
            inside += [Token("mark", "${"), *tokens, Token("mark", "}")]
            at = end + 1
        else:
            end = at + 2 if source[at] == "\\" else at + 1
            text += _unescaped(source[at:end])
            at = end
    return [Token("text", text), *inside], at + 1


def _plain(source: str, at: int) -> tuple[Token, int]:
    for kind, pattern in PLAIN:
        if found := pattern.match(source, at):
            value = _unescaped(found[0][1:-1]) if kind == "text" else found[0]
            return Token(kind, value), found.end()
    raise AssertionError(f"not a token: {source[at : at + 40]!r}")


def _begins_a_value(before: list[Token]) -> bool:
    """Whether a value may begin after these tokens, so that a slash is no division."""
    if not before:
        return True
    kind, value = before[-1]
    return value not in (")", "]", "}") if kind == "mark" else kind == "word" and value in BEFORE_A_VALUE


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] in "ux" and len(code) > 1:
            return chr(int(code.strip("ux{}"), 16))
        return "" if code.endswith("\n") else ESCAPED.get(code, code)

    return ESCAPE.sub(one, text)
