"""Penn trees: labels with their function tags and indices, words, and empty elements; and a reader that streams them.

Two ways of writing an index are read: on the empty element, ``(NP-SBJ (-NONE- *T*-1))``, as in the Penn Treebank, and
on the phrase that holds it, ``(NP-SBJ-1 (-NONE- *T*))``, as in CRAFT.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from starccg.formats.errors import FormatError, Source, numbered_lines, report

MAX_DEPTH, MAX_TOKENS = 200, 20_000
"""The maximum depth and size of trees, far above those of any treebank: hostile input can exhaust neither the stack nor
the patience of its reader, since pairing brackets takes time that is quadratic in their number."""
EMPTY = "-NONE-"
MARKS = frozenset({",", ":", ".", "``", "''", "-LRB-", "-RRB-", '"'})
"""Tags of punctuation."""
_WRAPPERS = frozenset({"", "TOP", "ROOT", "S1"})
_TOKEN = re.compile(r"[()]|[^\s()]+")
_INDEX = "[0-9]{1,9}"
_EMPTY_ELEMENT = re.compile(rf"(\*[A-Z0?]*\*|\*|0)(?:-({_INDEX}))?$")
_ESCAPED = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


@dataclass(slots=True, eq=False)
class Node:
    """A phrase with children, a word, or an empty element (``empty`` is its kind: ``*T*``, ``*``, ``*PRO*``, ...)."""

    label: str
    tags: frozenset[str] = frozenset()
    index: int | None = None
    children: list[Node] = field(default_factory=list)
    word: str = ""
    empty: str = ""
    gapped: int | None = None
    """The index after ``=``: this phrase corresponds to one of the full clause before (gapping)."""
    parent: Node | None = field(default=None, repr=False)

    @property
    def is_leaf(self) -> bool:
        """Whether it is a word."""
        return bool(self.word)

    def leaves(self) -> Iterator[Node]:
        """The words from left to right; empty elements are left out."""
        return (node for node in self.nodes() if node.word)

    def nodes(self) -> Iterator[Node]:
        """All nodes, parents first, from left to right."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def adopt(self) -> None:
        """Set the parent of every node below."""
        for node in self.nodes():
            for child in node.children:
                child.parent = node

    def clone(self) -> Node:
        """A copy of the whole tree below, parents set."""
        copy = Node(self.label, self.tags, self.index, [], self.word, self.empty, self.gapped)
        for child in self.children:
            twin = child.clone()
            twin.parent = copy
            copy.children.append(twin)
        return copy

    def __str__(self) -> str:
        name = "-".join([self.label, *sorted(self.tags), *([str(self.index)] if self.index is not None else [])])
        if self.word or self.empty:
            return f"({name} {self.word or self.empty})"
        return f"({name} {' '.join(map(str, self.children))})"


def is_mark(node: Node) -> bool:
    """Whether it is a punctuation mark."""
    return node.is_leaf and node.label in MARKS


def is_possessive(node: Node) -> bool:
    """*the dog 's*"""
    return bool(node.children) and node.children[-1].label == "POS"


def phrase_of(label: str, parts: list[Node]) -> Node:
    """The parts as one phrase; a part alone is one already."""
    return parts[0] if len(parts) == 1 else Node(label, children=parts)


def split_edges(children: list[Node], marks: frozenset[str] = MARKS) -> tuple[list[Node], list[Node], list[Node]]:
    """The marks at the start, the rest, which is never empty, and the marks at the end."""
    start, end = 0, len(children)
    while end - start > 1 and children[start].is_leaf and children[start].label in marks:
        start += 1
    while end - start > 1 and children[end - 1].is_leaf and children[end - 1].label in marks:
        end -= 1
    return children[:start], children[start:end], children[end:]


@dataclass(frozen=True, slots=True)
class PennTree:
    """A tree, the name of its sentence, and the line where it starts."""

    id: str
    root: Node
    line: int = 0


def read_trees(source: Source, bad: list[FormatError] | None = None) -> Iterator[PennTree]:
    """The trees of a file in order.

    Lines that start with ``%`` name the document that follows. A malformed tree raises :class:`FormatError`; with
    ``bad`` given, it is added to that list and reading goes on with the next line that starts a tree.
    """
    document, count = "", 0
    name, start, depth = "<lines>", 0, 0
    tokens: list[tuple[str, int, int]] = []

    def finish() -> Iterator[PennTree]:
        nonlocal count, tokens, depth
        held, tokens, depth = tokens, [], 0
        try:
            levels = accumulate((text == "(") - (text == ")") for text, _, _ in held)
            if (deepest := max(levels, default=0)) > MAX_DEPTH:
                raise FormatError(name, start, 1, f"the tree is {deepest} levels deep; at most {MAX_DEPTH} are read")
            if len(held) > MAX_TOKENS:
                raise FormatError(name, start, 1, f"the tree has {len(held):,} tokens; at most {MAX_TOKENS:,} are read")
            root = _parse(held, name)
        except FormatError as error:
            report(error, bad)
            return
        if root is not None:
            count += 1
            yield PennTree(f"{document}.{count}" if document else str(count), root, start)

    for name, number, line in numbered_lines(source, bad):
        if depth == 0 and line.startswith("%"):
            document, count = "_".join(line[1:].split()), 0
            continue
        if depth and line.startswith("("):  # a tree starts in the first column: the one before is not complete
            report(FormatError(name, start, 1, f"the tree lacks {depth} closing bracket(s)"), bad)
            tokens, depth = [], 0
        for match in _TOKEN.finditer(line):
            text = match.group()
            if not tokens:
                start = number
                if text != "(":
                    report(FormatError(name, number, match.start() + 1, f"expected a bracket, found {text!r}"), bad)
                    break
            tokens.append((text, number, match.start() + 1))
            depth += (text == "(") - (text == ")")
            if depth == 0:
                yield from finish()
    if depth:
        report(FormatError(name, start, 1, f"the tree lacks {depth} closing bracket(s)"), bad)


def _parse(tokens: list[tuple[str, int, int]], source: str) -> Node | None:
    """The tree of balanced brackets, without the wrapper around it; None if it holds nothing."""
    top = Node("")
    stack = [top]
    position = 0
    while position < len(tokens):
        text, line, column = tokens[position]
        position += 1
        if text == ")":
            stack.pop()
            continue
        if text != "(":
            node = stack[-1]
            if node.word:
                node.word += text  # a space inside a word: the word is one
                continue
            if node.children or node.empty:
                raise FormatError(source, line, column, f"the word {text!r} is beside another node; give it a tag")
            _fill(node, text)
            continue
        label = ""
        if tokens[position][0] not in "()":
            label = tokens[position][0]
            position += 1
        if stack[-1].word or stack[-1].empty:
            raise FormatError(source, line, column, "a bracket after a word: a word must be alone under its tag")
        node = _labelled(label)
        stack[-1].children.append(node)
        stack.append(node)
    root = top.children[0]
    while root.label in _WRAPPERS and len(root.children) == 1:
        root = root.children[0]
    if root.label in _WRAPPERS and root.children:
        root.label = "FRAG"
    if not any(True for _ in root.leaves()):
        return None
    return root


def _labelled(text: str) -> Node:
    """A node from a label such as ``NP-SBJ-1``, ``PP=2`` or ``-LRB-``."""
    if text.startswith("-") or not text:
        return Node(text)
    base, *rest = re.split(r"([-=|])", text)
    tags: list[str] = []
    index = gapped = None
    for mark, part in zip(rest[::2], rest[1::2], strict=True):
        if re.fullmatch(_INDEX, part):
            if mark == "=":
                gapped = int(part)
            else:
                index = int(part)
        elif part and mark != "|":
            tags.append(part)
    return Node(base, frozenset(tags), index, gapped=gapped)


def _fill(node: Node, text: str) -> None:
    """Give a node its word or its empty element."""
    if node.label == EMPTY:
        match = _EMPTY_ELEMENT.match(text)
        node.empty = match.group(1) if match else text
        if node.empty == "*0*":
            node.empty = "0"
        if match and match.group(2):
            node.index = int(match.group(2))
        return
    node.word = _ESCAPED.get(text, text.replace(r"\/", "/").replace(r"\*", "*"))
