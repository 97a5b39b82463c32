"""Files of Penn trees, read as the derivations that they are converted to."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from starccg.ccg.derivation import Sentence
from starccg.formats.errors import FormatError, FormatWarning, Source
from starccg.treebanks.penn.conversion import Conversion, convert
from starccg.treebanks.penn.trees import read_trees


def convert_penn(
    source: Source, *, bad: list[FormatError] | None = None, failures: list[Conversion] | None = None
) -> Iterator[Sentence]:
    """The converted sentences of a file, in order; what could not be converted goes to ``failures``."""
    for tree in read_trees(source, bad):
        result = convert(tree)
        if result.derivation is None:
            if failures is not None:
                failures.append(result)
            continue
        yield Sentence(tree.id, result.derivation, (("PARSER", "PENN"), ("NUMPARSE", "1")), conj_suffix=True)


def read_penn(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The sentences of a file of Penn trees in order, converted to CCG.

    A malformed tree raises :class:`FormatError`; with ``bad`` given, it is added to that list and skipped. A sound
    tree that the conversion has no derivation for is left out; a :class:`FormatWarning` at the end says how many.
    """
    failures: list[Conversion] = []
    converted = 0
    for sentence in convert_penn(source, bad=bad, failures=failures):
        converted += 1
        yield sentence
    if failures:
        reasons = Counter(failure.reason for failure in failures)
        why = ", ".join(f"{reason} ({number})" for reason, number in reasons.most_common(3))
        name = str(source) if isinstance(source, (str, Path)) else "<lines>"
        warnings.warn(
            f"{name}: {len(failures)} of {len(failures) + converted} trees have no derivation and are left out; "
            f"most often: {why}",
            FormatWarning,
            stacklevel=2,
        )
