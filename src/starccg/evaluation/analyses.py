"""The analysis of a sentence that is scored: words, dependencies and, where they are known, supertags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation, Sentence
from starccg.dependencies import Dependency, extract
from starccg.formats.errors import FormatError
from starccg.formats.files import reading_format
from starccg.formats.parg import PargSentence


@dataclass(frozen=True, slots=True)
class Analysis:
    """One sentence as analysed by a treebank or a parser."""

    id: str
    words: tuple[str | None, ...]
    """None for words that no dependency of a PARG file mentions."""
    dependencies: tuple[Dependency, ...]
    supertags: tuple[Category, ...] | None = None
    """None where they are not known, as in PARG files."""
    from_parg: bool = False
    """Whether the dependencies are those of a PARG file, and not extracted from a derivation."""

    @classmethod
    def of(cls, item: Sentence | PargSentence) -> Analysis:
        """The analysis of an item of a file; the dependencies of a derivation are extracted."""
        if isinstance(item, PargSentence):
            return cls(item.id, item.words, item.dependencies, from_parg=True)
        return cls.of_derivation(item.derivation, item.id)

    @classmethod
    def of_derivation(cls, derivation: Derivation, name: str = "") -> Analysis:
        """The analysis of a derivation."""
        return cls(name, tuple(derivation.words), extract(derivation), tuple(derivation.supertags))


def read_analyses(
    path: str | Path, form: str | None = None, bad: list[FormatError] | None = None
) -> Iterator[Analysis]:
    """The analyses of a file in any format that can be read; malformed sentences raise, or go to ``bad``."""
    return (Analysis.of(item) for item in reading_format(path, form).read(path, bad))
