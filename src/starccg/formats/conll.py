r"""CoNLL: one word per line with its supertag, its head and its part of the derivation, as depccg writes it.

Ten columns separated by tabs; ``#`` begins the header, an empty line ends the sentence::

    # ID=1
    1   It      it     PRP   PRP   _   2   NP          _   (<T S[dcl] 1 2> (<L NP PRP PRP It NP>)
    2   works   work   VBZ   VBZ   _   0   S[dcl]\NP   _   (<L S[dcl]\NP VBZ VBZ works S[dcl]\NP>) )

Number from 1, word, lemma (``_``: unknown), part of speech, original part of speech, ``_``, the number of the head
(0 for the root), supertag, ``_``. The pieces in the last column, joined with spaces, are the tree as AUTO has it. Heads
follow the heads of the nodes; they are not the dependencies of PARG.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence
from starccg.formats.auto import check, format_leaf, parse_tree, tree_parts, written_category
from starccg.formats.candc import without_spaces
from starccg.formats.errors import FormatError, Misread, Source, numbered_lines, report

NO_LEMMA = "_"
_COLUMNS = 10
_Line = tuple[int, str]


def write_conll(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The lines of a CoNLL file; :class:`WriteError` for a sentence that could not be read back unchanged."""
    for sentence in sentences:
        check(sentence)
        for key, value in (("ID", sentence.id), *sentence.fields):
            yield f"# {key}={value}"
        derivation = sentence.derivation
        rows = zip(derivation.leaves(), heads(derivation), _pieces(derivation, sentence.conj_suffix), strict=True)
        for number, (leaf, head, piece) in enumerate(rows, 1):
            lemma = without_spaces(leaf.lemma or "", NO_LEMMA)
            columns = (number, leaf.word, lemma, leaf.pos, leaf.original_pos, "_", head, leaf.category, "_", piece)
            yield "\t".join(map(str, columns))
        yield ""


def heads(derivation: Derivation) -> list[int]:
    """The head of each word, counting words from 1: where a node joins two, the other child's word; 0 for the root."""
    found: list[int] = []
    built: list[int] = []
    for node in derivation.postorder():
        if isinstance(node, Leaf):
            found.append(0)
            built.append(len(found))
        elif isinstance(node, Binary):
            right, left = built.pop(), built.pop()
            head, other = (right, left) if node.head else (left, right)
            found[other - 1] = head
            built.append(head)
    return found


def _pieces(derivation: Derivation, conj_suffix: bool) -> Iterator[str]:
    """The tree in AUTO format, split into pieces of one word."""
    piece: list[str] = []
    for part in tree_parts(derivation, format_leaf, lambda node: written_category(node, conj_suffix)):
        if part != ")" and piece and not piece[-1].startswith("(<T"):
            yield " ".join(piece)
            piece = []
        piece.append(part)
    yield " ".join(piece)


def read_conll(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The sentences of a CoNLL file in order.

    A malformed sentence raises :class:`FormatError`; with ``bad`` given, it is added to that list and skipped. A
    header with no words after it (a parser's failure) yields nothing.
    """
    for count, (name, header, lines) in enumerate(_blocks(source, bad), 1):
        try:
            yield _sentence(name, header, lines, count)
        except FormatError as error:
            report(error, bad)


def _blocks(source: Source, bad: list[FormatError] | None) -> Iterator[tuple[str, list[str], list[_Line]]]:
    """Header and lines of each sentence; depccg writes no empty lines between them."""
    name, header, lines = "<lines>", list[str](), list[_Line]()
    for name, number, line in numbered_lines(source, bad):
        comment = line.startswith("#")
        if lines and (comment or not line.strip() or line.startswith("1\t")):
            yield name, header, lines
            header, lines = [], []
        if comment:
            if _field(line)[0] == "ID":  # the header before it is that of a sentence without a parse
                header = []
            header.append(line)
        elif line.strip():
            lines.append((number, line))
        else:
            header = []
    if lines:
        yield name, header, lines


def _sentence(name: str, header: list[str], lines: list[_Line], count: int) -> Sentence:
    rows: list[list[str]] = []
    for number, line in lines:
        row = line.split("\t")
        if len(row) != _COLUMNS:
            raise FormatError(name, number, 1, f"expected {_COLUMNS} columns separated by tabs, found {len(row)}")
        rows.append(row)
    try:
        derivation, conj_suffix = parse_tree(" ".join(row[-1] for row in rows))
    except Misread as error:
        raise FormatError(name, *_place(lines, rows, error.column - 1), error.reason) from error
    leaves = list(derivation.leaves())
    if len(leaves) != len(rows):
        reason = f"the sentence has {len(rows)} lines and its derivation {len(leaves)} words"
        raise FormatError(name, lines[0][0], 1, reason)
    for index, (leaf, head) in enumerate(zip(leaves, heads(derivation), strict=True)):
        number, row = lines[index][0], rows[index]
        for column, wanted in ((0, str(index + 1)), (1, leaf.word), (6, str(head)), (7, str(leaf.category))):
            if row[column] != wanted:
                start = sum(len(text) + 1 for text in row[:column]) + 1
                reason = f"column {column + 1} says {row[column]!r} where the derivation says {wanted!r}"
                raise FormatError(name, number, start, reason)
    fields = [_field(line) for line in header if "=" in line]
    name_of_sentence = next((value for key, value in fields if key == "ID"), str(count))
    derivation = _with_lemmas(derivation, [None if row[2] == NO_LEMMA else row[2] or None for row in rows])
    return Sentence(name_of_sentence, derivation, tuple(pair for pair in fields if pair[0] != "ID"), conj_suffix)


def _with_lemmas(derivation: Derivation, lemmas: list[str | None]) -> Derivation:
    if not any(lemmas):
        return derivation
    rest = iter(lemmas)

    def with_lemma(node: Derivation, children: list[Derivation]) -> Derivation:
        return replace(node, lemma=next(rest)) if isinstance(node, Leaf) else node.rebuilt(children)

    return derivation.fold(with_lemma)


def _field(line: str) -> tuple[str, str]:
    """``# log probability=-1.5`` without its spaces, which most formats do not allow."""
    key, _, value = line.removeprefix("#").partition("=")
    return "_".join(key.split()), "_".join(value.split())


def _place(lines: list[_Line], rows: list[list[str]], column: int) -> tuple[int, int]:
    """Line and column of a position, from 0, in the joined pieces."""
    for (number, line), row in zip(lines, rows, strict=True):
        if column <= len(row[-1]):
            return number, len(line) - len(row[-1]) + column + 1
        column -= len(row[-1]) + 1
    return lines[-1][0], len(lines[-1][1]) + 1
