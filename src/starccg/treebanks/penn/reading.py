"""Files of Penn trees, read as the derivations that they are converted to."""

from __future__ import annotations

from collections.abc import Iterator

from starccg.ccg.derivation import Sentence
from starccg.formats.errors import FormatError, Source
from starccg.treebanks.conversion import Conversion, converted, read_converted
from starccg.treebanks.penn.conversion import convert
from starccg.treebanks.penn.trees import read_trees


def convert_penn(
    source: Source, *, bad: list[FormatError] | None = None, failures: list[Conversion] | None = None
) -> Iterator[Sentence]:
    """The converted sentences of a file, in order; what could not be converted goes to ``failures``."""
    return converted(map(convert, read_trees(source, bad)), "PENN", failures)


def read_penn(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The sentences of a file of Penn trees in order, converted to CCG.

    A malformed tree raises :class:`FormatError`; with ``bad`` given, it is added to that list and skipped. A sound
    tree that the conversion has no derivation for is left out; a warning at the end says how many.
    """
    return read_converted(map(convert, read_trees(source, bad)), "PENN", source)
