"""What the converters of UD and Penn trees share: the outcome of a conversion, and files of converted sentences."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from starccg.ccg.derivation import Derivation, Sentence
from starccg.ccg.grammar import Grammar
from starccg.formats.errors import FormatWarning, Source
from starccg.treebanks.joining import Unconvertible


@dataclass(frozen=True, slots=True)
class Conversion:
    """A derivation, or the reason why there is none."""

    id: str
    derivation: Derivation | None
    reason: str = ""


def with_first(name: str, grammars: Iterable[Grammar], derive: Callable[[Grammar], Derivation]) -> Conversion:
    """The derivation with the first grammar that has one; the reason why not is that of the last grammar."""
    reason = ""
    for grammar in grammars:
        try:
            return Conversion(name, derive(grammar))
        except Unconvertible as error:
            reason = error.reason
        except RecursionError:
            reason = "the phrases are nested too deeply"
    return Conversion(name, None, reason)


def converted(
    conversions: Iterable[Conversion], parser: str, failures: list[Conversion] | None = None
) -> Iterator[Sentence]:
    """The converted sentences in order; what could not be converted goes to ``failures``."""
    for result in conversions:
        if result.derivation is not None:
            yield Sentence(result.id, result.derivation, (("PARSER", parser), ("NUMPARSE", "1")), conj_suffix=True)
        elif failures is not None:
            failures.append(result)


def read_converted(conversions: Iterable[Conversion], parser: str, source: Source) -> Iterator[Sentence]:
    """The converted sentences of a file; a :class:`FormatWarning` at the end says how many have no derivation."""
    failures: list[Conversion] = []
    count = 0
    for sentence in converted(conversions, parser, failures):
        count += 1
        yield sentence
    if failures:
        reasons = Counter(failure.reason for failure in failures)
        why = ", ".join(f"{reason} ({number})" for reason, number in reasons.most_common(3))
        name = str(source) if isinstance(source, (str, Path)) else "<lines>"
        warnings.warn(
            f"{name}: {len(failures)} of {len(failures) + count} sentences have no derivation and are left out; "
            f"most often: {why}",
            FormatWarning,
            stacklevel=2,
        )
