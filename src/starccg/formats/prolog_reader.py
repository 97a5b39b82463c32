r"""Reader of Prolog facts ``ccg(name, tree)`` as starccg, C&C's Boxer printer, EasyCCG, depccg and LangPro write them.

It reads only the part of Prolog that these files use. Everything else in them (directives, ``id/2``) is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple, NoReturn

from starccg.ccg.category import Category, CategoryError
from starccg.ccg.derivation import UNKNOWN_POS, Derivation, Leaf, Sentence
from starccg.formats.building import build_node
from starccg.formats.candc import known_lemma
from starccg.formats.errors import FormatError, Misread, Source, numbered_lines, report
from starccg.formats.nbest import names_of_parses

_ESCAPED = r"\\x[0-9a-fA-F]+\\|\\[0-7]+\\|\\."
_TOKEN = re.compile(
    r"(?P<blank>\s+|%.*|/\*.*?\*/)|(?P<comment>/\*.*)"
    rf"""|(?P<quoted>'(?:[^'\\]++|{_ESCAPED}|'')*+'|"(?:[^"\\]++|{_ESCAPED}|"")*+")"""
    r"|(?P<name>[a-z]\w*)|(?P<number>\d+)|(?P<variable>[A-Z_]\w*)|(?P<end>\.(?=\s|%|$))|(?P<sign>:-|.)"
)
_ESCAPES = {
    quote: re.compile(rf"\\x(?P<hex>[0-9a-fA-F]{{1,6}})\\?|\\(?P<octal>[0-7]{{1,7}})\\?|\\(?P<one>.)|{quote}{quote}")
    for quote in "'\""
}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "s": " "}
_MARKS = {"period": ".", "comma": ",", "colon": ":", "semicolon": ";", "conj": "conj"}
_WORDS_ARGUMENTS = 6


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    column: int

    def fail(self, reason: str) -> NoReturn:
        raise Misread(self.column, reason, self.line)


def read_prolog(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The derivations of a Prolog file in order.

    A malformed fact raises :class:`FormatError`; with ``bad`` given, it is added to that list and skipped. Facts
    in a row that have the same name are parses of one sentence.
    """
    for name, facts in groupby(_facts(source, bad), key=lambda fact: fact[0]):
        trees = [tree for _, tree in facts]
        names = names_of_parses(name, range(1, len(trees) + 1))
        yield from map(Sentence, names, trees)


def _facts(source: Source, bad: list[FormatError] | None) -> Iterator[tuple[str, Derivation]]:
    for name, clause in _clauses(source, bad):
        if [token.text for token in clause[:2]] != ["ccg", "("]:
            continue
        try:
            yield _Fact(clause).read()
        except Misread as error:
            report(error.located(name), bad)


def _clauses(source: Source, bad: list[FormatError] | None) -> Iterator[tuple[str, list[_Token]]]:
    name, clause, comment = "<lines>", list[_Token](), False
    for name, number, line in numbered_lines(source, bad):
        end = line.find("*/")
        if comment and end < 0:
            continue
        for found in _TOKEN.finditer(line, end + 2 if comment else 0):
            kind = found.lastgroup or ""
            comment = kind == "comment"
            if kind in ("blank", "comment"):
                continue
            token = _Token(kind, found[0], number, found.start() + 1)
            open_quote = kind == "sign" and token.text in ("'", '"', "`")
            if open_quote or len(clause) == MAX_TOKENS:
                reason = (
                    f"{token.text} is not closed" if open_quote else f"the term has more than {MAX_TOKENS:,} tokens"
                )
                report(FormatError(name, number, token.column, reason), bad)
                clause = []
                break  # the rest of the line is skipped
            clause.append(token)
            if kind == "end":
                yield name, clause
                clause = []
    if clause:
        yield name, clause


@dataclass(slots=True)
class _Open:
    """A term whose arguments are being read."""

    functor: _Token
    category: Category
    children: list[Derivation] = field(default_factory=list)


MAX_TOKENS = 400_000
"""The maximum number of tokens of a term, so that a file without full stops does not fill the memory."""


class _Fact:
    """One clause, read from left to right."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.position = 2

    def read(self) -> tuple[str, Derivation]:
        """``ccg(name, tree).``; other arguments between the two, as in LangPro's files, are skipped."""
        name = _text(self.next("a name"))
        self.expect(",")
        while not self.at_term():
            self.skip_argument()
            self.expect(",")
        tree = self.tree()
        self.expect(")")
        self.expect(".")
        return name, tree

    def tree(self) -> Derivation:
        """A tree of any depth."""
        stack: list[_Open] = []
        while True:
            if self.at_term():
                functor = self.next("a term")
                self.expect("(")
                category = self.category()
                if functor.text != "t":
                    stack.append(_Open(functor, category))
                    self.expect(",")
                    continue
                done: Derivation = self.leaf(functor, category)
            else:
                self.skip_argument()  # a category that conj and lx name, or the degree of a composition
                self.expect(",")
                continue
            while True:
                if not stack:
                    return done
                stack[-1].children.append(done)
                separator = self.next("',' or ')'")
                if separator.text == ",":
                    break
                if separator.text != ")":
                    separator.fail(f"expected ',' or ')', found {separator.text!r}")
                node = stack.pop()
                done = build_node(node.category, node.children, node.functor.fail)

    def leaf(self, functor: _Token, category: Category) -> Leaf:
        """The rest of ``t(category, word, lemma, pos, chunk, entity)``; only the word must be there."""
        arguments: list[list[_Token]] = []
        while (separator := self.next("',' or ')'")).text == ",":
            start = self.position
            self.skip_argument()
            if start == self.position:
                separator.fail("an argument is missing after this comma")
            arguments.append(self.tokens[start : self.position])
        if separator.text != ")":
            separator.fail(f"expected ',' or ')', found {separator.text!r}")
        word = _text(*arguments[0]) if arguments else ""
        if not word:
            functor.fail("t(...) has no word")
        if len(arguments) < _WORDS_ARGUMENTS - 1:
            return Leaf(category, word)
        lemma, pos = _text(*arguments[1]), _text(*arguments[2]) or UNKNOWN_POS
        return Leaf(category, word, pos, pos, lemma=None if lemma == word.lower() else known_lemma(lemma))

    def category(self) -> Category:
        """``(s:dcl\\np)/np`` in CCGbank's notation; a variable feature is X."""
        start, depth, parts = self.position, 0, list[str]()
        while (token := self.peek()).text not in (",", ")") or depth:
            self.position += 1
            if token.kind == "sign" and token.text in "()/\\":
                depth += (token.text == "(") - (token.text == ")")
                parts.append(token.text)
            elif token.text == ":" and token.kind == "sign":
                feature = self.next("a feature")
                parts.append(f"[{'X' if feature.kind == 'variable' else _text(feature)}]")
            elif token.kind in ("name", "quoted"):
                name = _text(token)
                parts.append(_MARKS.get(name) or name.upper())
            else:
                token.fail(f"expected a category, found {token.text!r}")
        try:
            return Category.parse("".join(parts))
        except CategoryError as error:
            self.tokens[start].fail(str(error))

    def at_term(self) -> bool:
        """Whether a tree begins here."""
        following = self.tokens[self.position : self.position + 2]
        return len(following) == 2 and following[0].kind == "name" and following[1].text == "("

    def skip_argument(self) -> None:
        """Skip to the comma or bracket that ends an argument."""
        depth = 0
        while (token := self.peek()).kind != "sign" or depth or token.text not in (",", ")"):
            depth += (token.kind == "sign") * ((token.text in "([") - (token.text in ")]"))
            self.position += 1

    def peek(self) -> _Token:
        """The next token, without consuming it."""
        if self.position >= len(self.tokens) or self.tokens[self.position].kind == "end":
            self.tokens[min(self.position, len(self.tokens) - 1)].fail("the term ends too early")
        return self.tokens[self.position]

    def next(self, wanted: str) -> _Token:
        """The next token."""
        if self.position >= len(self.tokens):
            self.tokens[-1].fail(f"the file ends too early: expected {wanted}")
        self.position += 1
        return self.tokens[self.position - 1]

    def expect(self, sign: str) -> None:
        """Consume this token; any other is an error."""
        token = self.next(repr(sign))
        if token.text != sign:
            token.fail(f"expected {sign!r}, found {token.text!r}")


def _text(token: _Token, *more: _Token) -> str:
    """The text of an atom, a string or a number."""
    if more:
        more[0].fail(f"expected ',' or ')', found {more[0].text!r}")
    if token.kind in ("name", "number"):
        return token.text
    if token.kind != "quoted":
        token.fail(f"expected an atom, found {token.text!r}")
    try:
        return _ESCAPES[token.text[0]].sub(_unescaped, token.text[1:-1])
    except (ValueError, OverflowError):
        token.fail(f"{token.text!r} has an escape that is not a character")


def _unescaped(found: re.Match[str]) -> str:
    if found["hex"] or found["octal"]:
        character = chr(int(found["hex"], 16) if found["hex"] else int(found["octal"], 8))
        character.encode()  # raises for an unpaired surrogate
        return character
    return _CONTROLS.get(found["one"], found["one"]) if found["one"] else found[0][0]
