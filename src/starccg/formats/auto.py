r"""AUTO: the format of CCGbank's derivations.

A header line ``ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1``, then the tree on one line::

    (<T S[dcl] 1 2> (<L NP PRP PRP It NP>) (<L S[dcl]\NP VBZ VBZ works S[dcl]\NP>) )

``<T category head children>`` opens a node; ``<L category pos original-pos word indexed-category>`` is a leaf.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from starccg.ccg.category import Category, CategoryError, Functor
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence, Unary
from starccg.ccg.licensing import annotate
from starccg.ccg.rules import Rule
from starccg.formats.errors import FormatError, Misread, Source, WriteError, no_sentences, numbered_lines, report

CONJ = "[conj]"
_LINE_BLANKS = frozenset("\t\r\n")
_BLANKS = _LINE_BLANKS | {" "}
_SCORED = re.compile(r"ID=(?P<id>\S+), log probability=(?P<score>\S+)")
"""The header that depccg writes."""


def read_auto(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The sentences of an AUTO file in order, every node with its rule type.

    A malformed line raises :class:`FormatError`; with ``bad`` given, it is added to that list and skipped. A
    header with no tree after it (a parser's failure) yields nothing.
    """
    return read_trees(source, bad, Tokens)


def read_treebank(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """As :func:`read_auto`; a file without any sentence is an error."""
    empty = True
    for sentence in read_auto(source, bad):
        empty = False
        yield sentence
    if empty:
        raise no_sentences(source)


def read_trees(source: Source, bad: list[FormatError] | None, dialect: type[Tokens]) -> Iterator[Sentence]:
    """Headers and trees in a dialect of AUTO."""
    header: tuple[tuple[str, str], ...] = ()
    count = 0
    for name, number, line in numbered_lines(source, bad):
        if not line.strip():
            continue
        if not line.lstrip().startswith("("):
            header = read_header(line)
            if header:
                continue
            mistake = FormatError(name, number, 1, "expected a header such as ID=1 or a tree that starts with '(<'")
        else:
            count += 1
            fields = dict(header)
            try:
                derivation, conj_suffix = parse_tree(line, dialect)
            except Misread as error:
                mistake = error.located(name, number)
                header = ()
            else:
                rest = tuple(pair for pair in header if pair[0] != "ID")
                header = ()
                yield Sentence(fields.get("ID", str(count)), derivation, rest, conj_suffix)
                continue
        report(mistake, bad)


def write_auto(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The lines of an AUTO file, two a sentence.

    A name with spaces, or a word whose spaces would be lost, raises :class:`WriteError`.
    """
    for sentence in sentences:
        check(sentence)
        yield format_header(sentence)
        yield format_tree(sentence.derivation, conj_suffix=sentence.conj_suffix)


def check(sentence: Sentence) -> None:
    """Raise :class:`WriteError` for a sentence that could not be read back unchanged."""
    for text in (sentence.id, *(part for pair in sentence.fields for part in pair)):
        if len(text.split()) > 1 or text != text.strip():
            raise WriteError(sentence.id, f"an AUTO header cannot contain spaces: {text!r}")
    for key, _ in sentence.fields:
        if not key or "=" in key or key == "ID":
            raise WriteError(sentence.id, f"an AUTO header cannot contain the key {key!r}")
    for leaf in sentence.derivation.leaves():
        for text in (leaf.pos, leaf.original_pos, leaf.indexed or "X"):
            if not text or not _BLANKS.isdisjoint(text):
                raise WriteError(sentence.id, f"AUTO cannot contain the part of speech or category {text!r}")
        if leaf.word.isalnum():
            continue
        first, *rest = leaf.word.split(" ")
        if not (first and all(rest)) or not _LINE_BLANKS.isdisjoint(leaf.word):
            raise WriteError(sentence.id, f"AUTO cannot contain the spaces of the word {leaf.word!r}")
        if any(part.startswith("(<") or part.endswith(">)") for part in rest):
            raise WriteError(
                sentence.id, f"AUTO cannot contain the word {leaf.word!r}: it would be read as the end of a leaf"
            )


@dataclass(slots=True)
class OpenNode:
    """A node whose children are being read."""

    category: Category
    head: int
    arity: int
    children: list[Derivation] = field(default_factory=list)


def parse_tree(line: str, dialect: type[Tokens] | None = None) -> tuple[Derivation, bool]:
    r"""One tree, and whether it writes conjunctions as ``X[conj]``. In the derivation they are always ``X\X``."""
    reader = (dialect or Tokens)(line)
    stack: list[OpenNode] = []
    conj_suffix = False
    done: Derivation | None = None
    while not reader.at_end:
        token = reader.next("a node")
        if done is not None:
            raise Misread(reader.column, f"unexpected {token!r} after the end of the tree")
        closed: Derivation
        if token == "(<T":
            node, suffix = reader.node()
            conj_suffix |= suffix
            stack.append(node)
            continue
        if token == "(<L":
            closed = reader.leaf()
        elif token == ")":
            if not stack:
                raise Misread(reader.column, "a closing bracket without an opening one")
            closed = _close(stack.pop(), reader)
        else:
            raise Misread(reader.column, f"expected '(<T', '(<L' or ')', found {token!r}")
        if stack:
            stack[-1].children.append(closed)
        else:
            done = closed
    if stack:
        raise Misread(len(line) + 1, f"{len(stack)} nodes are not closed")
    if done is None:
        raise Misread(1, "the line has no tree")
    return annotate(done), conj_suffix


def _close(node: OpenNode, reader: Tokens) -> Derivation:
    if len(node.children) != node.arity:
        raise Misread(reader.column, f"the node should have {node.arity} children, but has {len(node.children)}")
    if node.arity == 1:
        return Unary(node.category, node.children[0])
    if node.arity == 2 and node.head in (0, 1):
        return Binary(node.category, node.children[0], node.children[1], head=node.head)
    if node.arity == 2:
        raise Misread(reader.column, f"the head of a node with two children must be 0 or 1, not {node.head}")
    raise Misread(reader.column, f"a node must have one or two children, not {node.arity}")


class Tokens:
    """Tokens separated by spaces (no-break spaces belong to words); columns are only computed for errors."""

    with_rules = False
    """Whether nodes name their rules."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.tokens = [token for token in line.replace("\t", " ").split(" ") if token]
        self.position = 0

    @property
    def at_end(self) -> bool:
        """Whether all tokens have been read."""
        return self.position >= len(self.tokens)

    @property
    def column(self) -> int:
        """The column of the last token that was read, from 1."""
        column = 0
        for token in self.tokens[: self.position - 1]:
            column = self.line.index(token, column) + len(token)
        return self.line.index(self.tokens[self.position - 1], column) + 1 if self.position else 1

    def next(self, wanted: str) -> str:
        """The next token; ``wanted`` is named in the error if there is none."""
        if self.at_end:
            raise Misread(len(self.line) + 1, f"the line ends too early: expected {wanted}")
        self.position += 1
        return self.tokens[self.position - 1]

    def number(self, end: str = "") -> int:
        """A number followed by ``end``."""
        token = self.next("a number")
        digits = token.removesuffix(end) if end else token
        if not digits.isdecimal() or not token.endswith(end) or len(digits) > 3:
            raise Misread(self.column, f"expected a number{f' and {end!r}' if end else ''}, found {token!r}")
        return int(digits)

    def category(self) -> tuple[Category, bool]:
        """A category, and whether it was written ``X[conj]``."""
        text = self.next("a category")
        try:
            return read_category(text)
        except CategoryError as error:
            raise Misread(self.column + error.column, f"not a category: {text!r}: {error.reason}") from error

    def node(self) -> tuple[OpenNode, bool]:
        """Read a node after ``(<T``; also whether its category was written ``X[conj]``."""
        category, suffix = self.category()
        if self.with_rules:
            self.next("a rule")
        return OpenNode(category, self.number(), self.number(end=">")), suffix

    def leaf(self) -> Leaf:
        """What follows ``(<L``."""
        category, _ = self.category()
        pos, original_pos, *word, indexed = self.columns("a part of speech", "a part of speech", "a word")
        return Leaf(category, " ".join(word), pos, original_pos, None if indexed == str(category) else indexed)

    def columns(self, *names: str) -> list[str]:
        """The columns of a leaf: those of these names, then all up to its end.

        Their number may differ: a word may contain spaces, as "1 : 0" in the Parallel Meaning Bank.
        """
        found = [self.next(name) for name in names]
        while not (last := self.next("the end of a leaf, '>)'")).endswith(">)"):
            if last.startswith("(<"):
                raise Misread(self.column, f"expected the end of a leaf, '>)', before {last!r}")
            found.append(last)
        return [*found, last.removesuffix(">)")]


def read_category(text: str) -> tuple[Category, bool]:
    r"""A category, and whether it was written as CCGbank writes conjunctions: ``X[conj]`` for ``X\X``."""
    suffix = text.endswith(CONJ)
    category = Category.parse(text.removesuffix(CONJ))
    return (Functor.of(category, "\\", category) if suffix else category), suffix


def written_category(node: Derivation, conj_suffix: bool) -> str:
    """The category in file notation; conjunctions with CCGbank's suffix if ``conj_suffix``."""
    if conj_suffix and node.rule is Rule.CONJUNCTION and isinstance(node.category, Functor):
        return f"{node.category.argument}{CONJ}"
    return str(node.category)


def format_tree(derivation: Derivation, *, conj_suffix: bool = False) -> str:
    """The tree on one line, with CCGbank's spacing."""
    return " ".join(tree_parts(derivation, format_leaf, lambda node: written_category(node, conj_suffix)))


def format_leaf(leaf: Leaf) -> str:
    """A word with its annotation."""
    indexed = leaf.indexed if leaf.indexed is not None else leaf.category
    return f"(<L {leaf.category} {leaf.pos} {leaf.original_pos} {leaf.word} {indexed}>)"


def tree_parts(
    derivation: Derivation, leaf: Callable[[Leaf], str], label: Callable[[Derivation], str]
) -> Iterator[str]:
    """The tokens of a tree: opening nodes with ``label`` between ``<T`` and the head, leaves, closing brackets."""
    for _, node in derivation.brackets():
        if node is None:
            yield ")"
        elif isinstance(node, Leaf):
            yield leaf(node)
        else:
            head = node.head if isinstance(node, Binary) else 0
            yield f"(<T {label(node)} {head} {len(node.children)}>"


def format_header(sentence: Sentence) -> str:
    """``ID=1 PARSER=GOLD``."""
    return " ".join(f"{key}={value}" for key, value in (("ID", sentence.id), *sentence.fields))


def read_header(line: str) -> tuple[tuple[str, str], ...]:
    """``KEY=value`` pairs; nothing if a word is not one, or the line does not begin with an ID."""
    if scored := _SCORED.fullmatch(line.strip()):
        return (("ID", scored["id"]), ("log_probability", scored["score"]))
    pairs = tuple((key, value) for key, mark, value in (word.partition("=") for word in line.split()) if mark)
    return pairs if pairs and len(pairs) == len(line.split()) and pairs[0][0] == "ID" else ()
