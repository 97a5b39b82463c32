"""What the parser says of a sentence: parsed, backed off, or failed, each a type of its own.

A sentence never raises an exception and never yields a made-up tree::

    match parser.parse("Fruit flies like bananas."):
        case Parsed(parses=(best, *_)): print(best.draw())
        case BackedOff(reason=why): ...
        case Failed(reason=why): ...
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from starccg.ccg.category import Category
from starccg.dependencies import extract
from starccg.dependencies.types import Dependency
from starccg.derivation import Derivation, Sentence
from starccg.formats.deriv import draw
from starccg.search.types import Certificate


@dataclass(frozen=True)
class ParsedDerivation:
    """A derivation with what is proved about it."""

    derivation: Derivation
    certificate: Certificate

    @cached_property
    def dependencies(self) -> tuple[Dependency, ...]:
        """Who fills which slot of whom."""
        return extract(self.derivation)

    @property
    def words(self) -> list[str]:
        """The words from left to right."""
        return self.derivation.words

    @property
    def supertags(self) -> list[Category]:
        """The lexical categories from left to right."""
        return self.derivation.supertags

    @property
    def category(self) -> Category:
        """The category of the whole sentence."""
        return self.derivation.category

    @property
    def score(self) -> float:
        """The log-score under the model that was asked for."""
        return self.certificate.score

    def draw(self, width: int | None = None) -> str:
        """The derivation as CCG people draw it."""
        return draw(self.derivation, width)

    def to(self, name: str) -> str:
        """The text of this derivation in a format of the registry: ``auto``, ``parg``, ``json``, ``deriv``."""
        from starccg.formats.registry import format_named  # noqa: PLC0415 - formats are loaded when used

        return "\n".join(format_named(name).write([Sentence("1", self.derivation)]))


@dataclass(frozen=True, slots=True)
class Parsed:
    """The search ran to its end: ``parses`` are the best there are, in order."""

    words: tuple[str, ...]
    parses: tuple[ParsedDerivation, ...]
    certificate: Certificate

    @property
    def best(self) -> ParsedDerivation:
        """The best parse."""
        return self.parses[0]

    def __iter__(self) -> Iterator[ParsedDerivation]:
        return iter(self.parses)


@dataclass(frozen=True, slots=True)
class BackedOff(Parsed):
    """A limit was hit: the parses are the supertag-factored parser's, with a bound on what they may miss."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """No parse, and why."""

    words: tuple[str, ...]
    reason: str
    certificate: Certificate | None = None


ParseOutcome = Parsed | BackedOff | Failed
