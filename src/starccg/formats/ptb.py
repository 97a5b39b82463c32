r"""PTB: the tree in the Penn Treebank's brackets, with categories as labels.

::

    (ROOT (S[dcl] (NP It) (<S[dcl]\NP>/NP needs) (NP rain)))

Brackets inside a label are written ``<`` and ``>``, because a round bracket would end it; those of words ``-LRB-``,
``-RRB-``, as in the Penn Treebank, and a space inside a word ``~``. A tree is written on one line and read from any
number of lines; labels with round brackets, which depccg writes, can be read too.

Parts of speech, heads and names are lost: when read, heads are those that CCGbank would mark, and sentences are
numbered from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, NoReturn

from starccg.ccg.category import CategoryError
from starccg.ccg.derivation import Derivation, Leaf, Sentence
from starccg.formats.auto import read_category, read_header, written_category
from starccg.formats.building import build_node
from starccg.formats.errors import FormatError, Misread, Source, WriteError, numbered_lines, report

ROOT = "ROOT"
_ESCAPES = {"(": "-LRB-", ")": "-RRB-"}
_TO_ANGLES, _TO_BRACKETS = str.maketrans("()", "<>"), str.maketrans("<>", "()")
_CHUNK = re.compile(r"\S+")
_Header = tuple[tuple[str, str], ...]
TOPS = frozenset({"", ROOT, "TOP"})
"""Labels of a bracket around the tree."""


def write_ptb(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The lines of a PTB file, one per sentence; :class:`WriteError` for an empty word."""
    for sentence in sentences:
        yield f"({ROOT} {format_ptb(sentence)})"


def format_ptb(sentence: Sentence) -> str:
    """The tree on one line."""
    parts: list[str] = []
    for _, node in sentence.derivation.brackets():
        if node is None:
            parts.append(")")
            continue
        label = written_category(node, sentence.conj_suffix).translate(_TO_ANGLES)
        word = f" {_escaped(node.word, sentence.id)})" if isinstance(node, Leaf) else ""
        parts.append(f"{' ' if parts else ''}({label}{word}")
    return "".join(parts)


def _escaped(word: str, sentence: str) -> str:
    if not word.strip():
        raise WriteError(sentence, f"PTB cannot contain the word {word!r}")
    if word.isalnum():
        return word
    for bracket, escape in _ESCAPES.items():
        word = word.replace(bracket, escape)
    end = " " if word.endswith("\\") else ""  # otherwise NLTK reads the next bracket as escaped
    return re.sub(r"\s+", "~", word) + end


class _Token(NamedTuple):
    """An opening bracket with its label, a closing bracket or a word, and its position from 1."""

    text: str
    line: int
    column: int

    def fail(self, reason: str, offset: int = 0) -> NoReturn:
        """Raise an error at this token."""
        raise Misread(self.column + offset, reason, self.line)


class _Open(NamedTuple):
    """A bracket whose contents are being read."""

    token: _Token
    children: list[Derivation]
    words: list[str]


def read_ptb(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The trees of a PTB file in order.

    A malformed tree raises :class:`FormatError`; with ``bad`` given, it is added to that list and skipped. Headers
    such as ``ID=1``, which depccg writes between trees, name the tree that follows.
    """
    for count, (name, header, tokens) in enumerate(_trees(source, bad), 1):
        try:
            derivation, conj_suffix = _tree(tokens)
        except Misread as error:
            report(error.located(name), bad)
        else:
            fields = dict(header)
            yield Sentence(fields.pop("ID", str(count)), derivation, tuple(fields.items()), conj_suffix)


def _trees(source: Source, bad: list[FormatError] | None) -> Iterator[tuple[str, _Header, list[_Token]]]:
    """The tokens of each tree with the header before it: a tree ends when its first bracket closes."""
    name, depth, header, tokens = "<lines>", 0, _Header(), list[_Token]()
    for name, number, line in numbered_lines(source, bad):
        if depth and line.startswith((f"({ROOT} ", "(TOP ")):  # the tree before was not closed
            yield name, header, tokens
            depth, header, tokens = 0, _Header(), []
        if not depth and (found := read_header(line)):
            header = found
            continue
        for token in _tokens(line, number):
            tokens.append(token)
            depth += token.text.startswith("(") - (token.text == ")")
            if depth <= 0:
                yield name, header, tokens
                depth, header, tokens = 0, _Header(), []
    if tokens:
        yield name, header, tokens


def _tokens(line: str, number: int) -> Iterator[_Token]:
    for chunk in _CHUNK.finditer(line):
        text, column = chunk[0], chunk.start() + 1
        if text.startswith("("):
            alone = max(text.count("(") - 1 - text.count(")"), 0)  # brackets inside a label are closed inside it
            for position in range(alone):
                yield _Token("(", number, column + position)
            yield _Token(text[alone:], number, column + alone)
            continue
        word = text.rstrip(")")
        if word:
            yield _Token(word, number, column)
        for position in range(len(word), len(text)):
            yield _Token(")", number, column + position)


def _tree(tokens: list[_Token]) -> tuple[Derivation, bool]:
    stack: list[_Open] = []
    conj_suffix = False
    for token in tokens:
        if token.text.startswith("("):
            stack.append(_Open(token, [], []))
        elif not stack:
            found = "a closing bracket without an opening one" if token.text == ")" else repr(token.text)
            token.fail(f"expected a tree, '(', found {found}")
        elif token.text != ")":
            stack[-1].words.append(token.text)
        else:
            node = stack.pop()
            if not stack and node.token.text[1:] in TOPS:
                if len(node.children) != 1 or node.words:
                    node.token.fail(f"the outermost bracket must contain one tree, not {len(node.children)}")
                return node.children[0], conj_suffix
            built, suffix = _built(node)
            conj_suffix |= suffix
            if not stack:
                return built, conj_suffix
            stack[-1].children.append(built)
    return stack[0].token.fail(f"{len(stack)} brackets are not closed")


def label_of(text: str) -> str:
    """A label with the round brackets of the category."""
    return text.translate(_TO_BRACKETS)


def _built(node: _Open) -> tuple[Derivation, bool]:
    label = label_of(node.token.text[1:])
    try:
        category, suffix = read_category(label)
    except CategoryError as error:
        node.token.fail(f"not a category: {label!r}: {error.reason}", 1 + error.column)
    if not node.words:
        return build_node(category, node.children, node.token.fail), suffix
    if node.children or len(node.words) > 1:
        node.token.fail(f"a bracket must contain one word or its children, not {' '.join(node.words)!r}")
    word = node.words[0]
    for bracket, escape in _ESCAPES.items():
        word = word.replace(escape, bracket)
    return Leaf(category, word), suffix
