"""CoNLL-U: reading dependency trees, and saying where and why a file is not one.

Only basic trees and enhanced edges between written words are kept: empty nodes (``8.1``) exist for ellipsis, which
CCG has no leaf for.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from starccg.formats.errors import FormatError, Source, numbered_lines, report

COLUMNS = 10
MAX_DEPTH = 100
"""The maximum depth of trees, far above that of any treebank, so that hostile input cannot exhaust the stack."""


@dataclass(slots=True)
class Word:
    """One row. ``index`` and ``head`` count from 0; the root's head is -1."""

    index: int
    form: str
    lemma: str
    upos: str
    xpos: str
    features: dict[str, str]
    head: int
    relation: str
    enhanced: tuple[tuple[int, str], ...] = ()
    space_after: bool = True

    @property
    def universal(self) -> str:
        """The relation without its subtype: ``acl`` of ``acl:relcl``."""
        return self.relation.partition(":")[0]

    @property
    def lower(self) -> str:
        """The form in lower case, with the typographic apostrophe made plain."""
        return self.form.lower().replace("’", "'")


@dataclass(slots=True)
class Tree:
    """The words of a sentence in order, with its name and where it stood."""

    id: str
    words: list[Word]
    line: int = 0
    children: list[list[int]] = field(default_factory=list)
    """For each word, its dependents in order; kept by :meth:`index_children`."""

    def index_children(self) -> None:
        """Bring ``children`` up to date with the words' heads."""
        self.children = [[] for _ in self.words]
        for word in self.words:
            if word.head >= 0:
                self.children[word.head].append(word.index)

    def below(self, word: Word) -> list[Word]:
        """The dependents of a word, in order."""
        return [self.words[child] for child in self.children[word.index]]

    def relations(self, word: Word) -> set[str]:
        """The relations of its dependents, without subtypes."""
        return {child.universal for child in self.below(word)}

    def above(self, word: Word) -> Word:
        """The governor of a word; the word itself if it depends on none."""
        return self.words[word.head] if word.head >= 0 else word

    def put_in_place(self, word: Word, old: Word, relation: str, *, keep: Container[int] = ()) -> None:
        """Give a word the place of its governor, which becomes its dependent and keeps some dependents of its own."""
        for child in self.below(old):
            if child is not word and child.index not in keep:
                child.head = word.index
        word.head, word.relation, word.enhanced = old.head, old.relation, old.enhanced
        old.head, old.relation = word.index, relation
        self.index_children()

    def governs(self, head: int, index: int) -> bool:
        """Whether ``index`` lies in the phrase of ``head``."""
        return head in self.way_up(index)

    def way_up(self, index: int) -> Iterator[int]:
        """A word, its governor, and so on to the root."""
        while index >= 0:
            yield index
            index = self.words[index].head

    @property
    def root(self) -> int:
        """The word that depends on none."""
        return next(word.index for word in self.words if word.head < 0)


def read_conllu(source: Source, bad: list[FormatError] | None = None) -> Iterator[Tree]:
    """The trees of a file, in order; one without a name is named by its number.

    A malformed sentence raises :class:`FormatError`; with ``bad`` given, it is added to that list and skipped.
    """
    count = 0
    for name, start, block in _blocks(source, bad):
        try:
            tree = read_sentence(block, start, name)
        except FormatError as error:
            report(error, bad)
            continue
        count += 1
        tree.id = "_".join(tree.id.split()) or str(count)  # most formats do not allow spaces in a name
        yield tree


def _blocks(source: Source, bad: list[FormatError] | None) -> Iterator[tuple[str, int, list[str]]]:
    """The source and, between empty lines, the lines of a sentence with the number of the first."""
    lines = numbered_lines(source, bad)
    for empty, group in groupby(lines, key=lambda line: not line[2].strip()):
        if not empty:
            (name, start, first), *rest = group
            yield name, start, [first, *(line for _, _, line in rest)]


def read_sentence(lines: list[str], start: int = 1, path: str = "<text>") -> Tree:
    """One sentence from its lines, checked to be a tree."""
    identity = written = ""
    surface: list[str] = []
    covered = 0  # the last word of a token of several words
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines, start):
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            if key.strip() == "sent_id":
                identity = value.strip()
            elif key.strip() == "text":
                written = value
            continue
        columns = line.split("\t")
        if len(columns) != COLUMNS:
            raise FormatError(path, number, 1, f"expected {COLUMNS} columns separated by tabs, found {len(columns)}")
        first, _, last = columns[0].partition("-")
        if "." not in first and (last or not _is_number(first) or int(first) > covered):
            surface.append(columns[1])  # a word, or a token of several words
            covered = int(last) if _is_number(last) else covered
        if last or "." in first:
            continue
        rows.append((number, columns))
    if not rows:
        raise FormatError(path, start, 1, "the sentence has no words")
    if written and _cut_off(written, surface):
        raise FormatError(path, start + len(lines) - 1, 1, "the sentence ends before its text: the file may be cut off")
    words = [_word(columns, expected, len(rows), number, path) for expected, (number, columns) in enumerate(rows, 1)]
    tree = Tree(identity, words, start)
    _check(tree, [number for number, _ in rows], path)
    tree.index_children()
    return tree


def _cut_off(text: str, surface: list[str]) -> bool:
    """Whether the tokens are a true beginning of the text, white space aside."""
    whole, found = "".join(text.split()), "".join("".join(surface).split())
    return len(found) < len(whole) and whole.startswith(found)


def _word(columns: list[str], expected: int, size: int, number: int, path: str) -> Word:
    identity, form, lemma, upos, xpos, features, head, relation, enhanced, misc = columns
    if identity != str(expected):
        raise FormatError(path, number, 1, f"expected word {expected}, found {identity[:40]!r}")
    if not form.strip() or any(mark.isspace() for mark in form.strip()):
        form = "_".join(form.split()) or "_"
    if not _is_number(head) or int(head) > size:
        raise FormatError(path, number, 1, f"the head {head[:40]!r} is not a word of this sentence")
    if relation in {"_", ""}:
        raise FormatError(path, number, 1, "the relation is missing")
    return Word(
        index=expected - 1,
        form=form,
        lemma=lemma if lemma != "_" else form.lower(),
        upos=upos,
        xpos="" if xpos == "_" else xpos,
        features=dict(part.partition("=")[::2] for part in features.split("|") if "=" in part),
        head=int(head) - 1,
        relation=relation,
        enhanced=_enhanced(enhanced, size),
        space_after="SpaceAfter=No" not in misc.split("|"),
    )


def _is_number(text: str) -> bool:
    """Whether a text is a number of reasonable length: Python refuses to read one with thousands of digits."""
    return text.isascii() and text.isdigit() and len(text) < 10


def _enhanced(text: str, size: int) -> tuple[tuple[int, str], ...]:
    edges = []
    for edge in text.split("|") if text != "_" else ():
        head, _, relation = edge.partition(":")
        if _is_number(head) and 0 < int(head) <= size:
            edges.append((int(head) - 1, relation))
    return tuple(edges)


def _check(tree: Tree, numbers: list[int], path: str) -> None:
    """Check that there is one root, no cycle, and not too many levels."""
    roots = [word.index for word in tree.words if word.head < 0]
    if not roots:
        raise FormatError(path, numbers[0], 1, "the sentence has no root: no word has head 0")
    if len(roots) > 1:
        raise FormatError(
            path, numbers[roots[1]], 1, f"a second root: words {roots[0] + 1} and {roots[1] + 1} have head 0"
        )
    depth = {-1: 0}
    for word in tree.words:
        path_up: list[int] = []
        at = word.index
        while at not in depth:
            path_up.append(at)
            if len(path_up) > len(tree.words):
                raise FormatError(path, numbers[word.index], 1, f"a cycle: word {word.index + 1} is its own ancestor")
            at = tree.words[at].head
        for back in reversed(path_up):
            depth[back] = depth[tree.words[back].head] + 1
    deepest = max(depth.values())
    if deepest > MAX_DEPTH:
        raise FormatError(path, numbers[0], 1, f"the tree is {deepest} words deep; at most {MAX_DEPTH} are read")
