"""CoNLL-U files, read as the derivations that they are converted to."""

from __future__ import annotations

from collections.abc import Iterator

from starccg.ccg.derivation import Sentence
from starccg.formats.errors import FormatError, Source
from starccg.treebanks.conversion import Conversion, converted, read_converted
from starccg.treebanks.ud.conllu import read_conllu
from starccg.treebanks.ud.conversion import convert


def convert_conllu(
    source: Source, *, bad: list[FormatError] | None = None, failures: list[Conversion] | None = None
) -> Iterator[Sentence]:
    """The converted sentences of a file, in order; what could not be converted goes to ``failures``."""
    return converted(map(convert, read_conllu(source, bad)), "UD", failures)


def read_ud(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file in order, converted to CCG.

    A malformed sentence raises :class:`FormatError`; with ``bad`` given, it is added to that list and skipped. A
    sound tree that the conversion has no derivation for is left out; a warning at the end says how many.
    """
    return read_converted(map(convert, read_conllu(source, bad)), "UD", source)
