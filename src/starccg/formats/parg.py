r"""PARG: the format of CCGbank's dependencies.

A header with the sentence's name and the index of its last word, a line for each dependency, a footer::

    <s id="wsj_0001.2"> 12
    1 	 0 	 N/N 	 1 	 Vinken Mr.
    3 	 2 	 (S[dcl]\NP)/NP 	 2 	 chairman is
    <\s>

A line says: word ``i`` fills slot ``k`` of word ``j``, which has this category; then the two words, and ``<XB>`` or
``<XU>`` if the dependency reaches further than its clause. Words count from 0, slots from 1. Lines between sentences
that begin with ``#`` are comments; the parser marks a back-off in one: ``# OUTCOME=BackedOff``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from starccg.ccg.category import Category, CategoryError
from starccg.ccg.derivation import Sentence
from starccg.dependencies.types import Dependency, Reach
from starccg.formats.errors import FormatError, Misread, Source, WriteError, numbered_lines, report
from starccg.formats.nbest import outcome_comments

_HEADER = re.compile(r'<s id="(?P<id>[^"]*)">[ \t]*(?P<last>-?[0-9]{1,4})\Z')  # one word takes memory for all
_FOOTER = frozenset({"<\\s>", "</s>"})
_FIELD = re.compile(r"[^ \t]+")  # not \S: a no-break space belongs to its word
_COLUMNS = "word, head, category, slot, the two words, and perhaps <XB> or <XU>"


@dataclass(frozen=True, slots=True)
class PargSentence:
    """The dependencies of a sentence, and the words that they mention."""

    id: str
    words: tuple[str | None, ...]
    """One entry per word; None for words that no dependency mentions."""
    dependencies: tuple[Dependency, ...]

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(cls, sentence: Sentence) -> PargSentence:
        """The dependencies of a derivation, by the word that fills them, then by head and slot."""
        from starccg.dependencies import extract  # noqa: PLC0415 - reading PARG needs no co-indexation

        found = sorted(extract(sentence.derivation), key=lambda d: (d.argument, d.head, d.slot, str(d.category)))
        return cls(sentence.id, tuple(sentence.derivation.words), tuple(found))


def read_parg(source: Source, bad: list[FormatError] | None = None) -> Iterator[PargSentence]:
    """The sentences of a PARG file in order.

    A malformed line raises :class:`FormatError`; with ``bad`` given, it is added to that list and its whole sentence
    is skipped, because an incomplete set of dependencies would be counted as complete.
    """
    name, number, before = "<lines>", 0, 0
    name_of_sentence: str | None = None
    words: list[str | None] = []
    dependencies: list[Dependency] = []
    spoilt = False

    def fail(column: int, reason: str) -> None:
        nonlocal spoilt
        if not spoilt:
            report(FormatError(name, number, column, reason), bad)
        spoilt = True

    for name, number, line in numbered_lines(source, bad):  # noqa: B007 - read by fail
        spoilt |= number > before + 1  # a line between them could not be decoded
        before = number
        stripped = line.strip(" \t")
        if not stripped or (name_of_sentence is None and stripped.startswith("#")):
            continue
        if stripped.startswith("<s "):
            if name_of_sentence is not None:
                fail(1, f"sentence {name_of_sentence} has no <\\s> before the next begins")
            header = _HEADER.fullmatch(stripped)
            name_of_sentence, words, dependencies, spoilt = "", [], [], False
            if header is None:
                fail(1, 'expected <s id="NAME"> and the index of the last word')
                continue
            name_of_sentence = header["id"]
            words = [None] * (int(header["last"]) + 1)
        elif stripped in _FOOTER:
            if name_of_sentence is None:
                fail(1, "<\\s> without a <s> before it")
            elif not spoilt:
                yield PargSentence(name_of_sentence, tuple(words), tuple(dependencies))
            name_of_sentence, spoilt = None, False
        elif name_of_sentence is None:
            fail(1, 'expected <s id="NAME"> and the index of the last word')
            spoilt = False
        elif not spoilt:
            try:
                dependencies.append(_read_line(line, words))
            except Misread as error:
                fail(error.column, error.reason)
    if name_of_sentence is not None:
        fail(1, f"the file ends before the <\\s> of sentence {name_of_sentence}")


def write_parg(sentences: Iterable[Sentence | PargSentence]) -> Iterator[str]:
    """The lines of a PARG file; for derivations, of the dependencies extracted from them.

    A space inside a word is written ``~``, as in the Parallel Meaning Bank, because spaces separate the columns.
    """
    for sentence in sentences:
        parg = sentence if isinstance(sentence, PargSentence) else PargSentence.of(sentence)
        if '"' in parg.id or "\n" in parg.id:
            raise WriteError(parg.id, "PARG cannot contain a name with a quotation mark or a line break")
        if isinstance(sentence, Sentence):
            yield from outcome_comments(sentence, "#")
        yield f'<s id="{parg.id}"> {len(parg) - 1}'
        for head, category, slot, argument, reach in parg.dependencies:
            pair = f"{_word(parg, argument)} {_word(parg, head)}"
            yield f"{argument} \t {head} \t {category} \t {slot} \t {pair}{f' {reach}' if reach else ''}"
        yield "<\\s>"


def _word(parg: PargSentence, index: int) -> str:
    word = parg.words[index] if 0 <= index < len(parg) else None
    if word is None:
        raise WriteError(parg.id, f"a dependency names word {index}, which the sentence does not have")
    return re.sub(r"[ \t\r\n]+", "~", word)


def _read_line(line: str, words: list[str | None]) -> Dependency:
    """Read one dependency and store its two words."""
    fields = [(field.start() + 1, field.group()) for field in _FIELD.finditer(line)]
    if len(fields) not in (6, 7):
        raise Misread(1, f"expected 6 or 7 columns ({_COLUMNS}), found {len(fields)}")
    argument = _index(*fields[0], len(words))
    head = _index(*fields[1], len(words))
    column, text = fields[2]
    try:
        category = Category.parse(text)
    except CategoryError as error:
        raise Misread(column + error.column, f"not a category: {text!r}: {error.reason}") from error
    column, text = fields[3]
    slot = _number(column, text)
    if not 1 <= slot <= category.arity:
        raise Misread(column, f"{category} has {category.arity} slots, not a slot {slot}")
    reach = Reach.LOCAL
    if len(fields) == 7:
        column, text = fields[6]
        try:
            reach = Reach(text)
        except ValueError:
            raise Misread(column, f"expected <XB> or <XU>, found {text!r}") from None
    for index, (column, word) in ((argument, fields[4]), (head, fields[5])):
        known = words[index]
        if known is not None and known != word:
            raise Misread(column, f"word {index} is {word!r} here and {known!r} above")
        words[index] = word
    return Dependency(head, category, slot, argument, reach)


def _number(column: int, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise Misread(column, f"expected a number, found {text!r}")
    return int(text)


def _index(column: int, text: str, length: int) -> int:
    index = _number(column, text)
    if index >= length:
        raise Misread(column, f"word {index} is outside the sentence, which has {length} words")
    return index
