"""What is compared: a sentence's words, dependencies and, where they are known, its supertags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from starccg.ccg.category import Category
from starccg.dependencies import Dependency, extract
from starccg.derivation import Derivation, Sentence
from starccg.formats.errors import FormatError
from starccg.formats.files import reading_format
from starccg.formats.parg import PargSentence


@dataclass(frozen=True, slots=True)
class Analysis:
    """One sentence as a treebank or a parser analyses it."""

    id: str
    words: tuple[str | None, ...]
    """None where a PARG file does not say the word."""
    dependencies: tuple[Dependency, ...]
    supertags: tuple[Category, ...] | None = None
    """None where they are not known, as in PARG files."""

    @classmethod
    def of(cls, item: Sentence | PargSentence) -> Analysis:
        """The analysis a file holds; the dependencies of a derivation are extracted."""
        if isinstance(item, PargSentence):
            return cls(item.id, item.words, item.dependencies)
        return cls.of_derivation(item.derivation, item.id)

    @classmethod
    def of_derivation(cls, derivation: Derivation, name: str = "") -> Analysis:
        """The analysis that a derivation is."""
        return cls(name, tuple(derivation.words), extract(derivation), tuple(derivation.supertags))


def read_analyses(
    path: str | Path, form: str | None = None, bad: list[FormatError] | None = None
) -> Iterator[Analysis]:
    """The analyses of a file in any format that can be read; malformed sentences raise, or go to ``bad``."""
    return (Analysis.of(item) for item in reading_format(path, form).read(path, bad))
