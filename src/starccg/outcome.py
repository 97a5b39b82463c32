"""What the parser says of a sentence: parsed, backed off, or failed, each a type of its own.

A sentence never raises an exception and never yields a made-up tree::

    match parser.parse("Fruit flies like bananas."):
        case BackedOff(reason=why): ...
        case Parsed(parses=(best, *_)): print(best.draw())
        case Failed(reason=why): ...

A failure is false and everything else is true, so ``if outcome:`` is enough where the reason does not matter; and
every outcome can be iterated over, a failure having no parses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from starccg.ccg.category import Category
from starccg.ccg.rules import Rule
from starccg.dependencies import extract
from starccg.dependencies.types import Dependency
from starccg.derivation import Derivation, Leaf, shorten
from starccg.search.types import Certificate


@dataclass(frozen=True, repr=False)
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
    def rule(self) -> Rule | None:
        """The rule of the last step."""
        return self.derivation.rule

    @property
    def children(self) -> tuple[Derivation, ...]:
        """What the last step was made of."""
        return self.derivation.children

    @property
    def score(self) -> float:
        """The log-score under the model that was asked for."""
        return self.certificate.score

    @property
    def proof(self) -> str:
        """The certificate in words."""
        certificate = self.certificate
        if certificate.optimal:
            return f"score {certificate.score:.3f}, proved"
        return f"score {certificate.score:.3f}, not proved: at most {certificate.gap:.3f} below the best"

    def leaves(self) -> Iterator[Leaf]:
        """The leaves from left to right."""
        return self.derivation.leaves()

    def draw(self, width: int | None = None) -> str:
        """The derivation as CCG people draw it, at most so wide; 0 never wraps, None asks the terminal."""
        return self.derivation.draw(width)

    def to(self, name: str, **options: Any) -> str:
        """The text of this derivation in any format that can be written: ``auto``, ``json``, ``svg``, ``latex``, ..."""
        return self.derivation.to(name, **options)

    def __iter__(self) -> Iterator[Derivation]:
        return iter(self.derivation)

    def __len__(self) -> int:
        return len(self.derivation)

    def __repr__(self) -> str:
        return f"ParsedDerivation({self.category}, {_quoted(self.words)}, {self.proof})"

    def __str__(self) -> str:
        return self.draw()

    def _repr_html_(self) -> str:
        """What a notebook shows: the picture, and under it what is proved."""
        from starccg.formats.html import captioned  # noqa: PLC0415 - formats are loaded when used

        return captioned(self.derivation, self.proof)

    def _repr_svg_(self) -> str:
        """What a notebook exports."""
        return self.derivation._repr_svg_()


@dataclass(frozen=True, slots=True, repr=False)
class Parsed:
    """The search ran to its end: ``parses`` are the best there are, in order."""

    words: tuple[str, ...]
    parses: tuple[ParsedDerivation, ...]
    """Best first; at least one."""
    certificate: Certificate
    """What is proved of the best parse, and what the search cost."""

    @property
    def best(self) -> ParsedDerivation:
        """The best parse."""
        return self.parses[0]

    def __iter__(self) -> Iterator[ParsedDerivation]:
        return iter(self.parses)

    def __len__(self) -> int:
        return len(self.parses)

    def __bool__(self) -> Literal[True]:
        return True

    def __repr__(self) -> str:
        several = f"{len(self.parses)} parses, " if len(self.parses) > 1 else ""
        return f"{type(self).__name__}({_quoted(self.words)}, {several}{self.best.category}, {self.best.proof})"

    def __str__(self) -> str:
        return "\n\n".join(f"{parse.draw()}\n{parse.proof}" for parse in self.parses)

    def _repr_html_(self) -> str:
        """What a notebook shows: all parses, one under the other."""
        return "\n".join(parse._repr_html_() for parse in self.parses)


@dataclass(frozen=True, slots=True, repr=False)
class BackedOff(Parsed):
    """A limit was hit: the parses are the supertag-factored parser's, with a bound on what they may miss."""

    reason: str = ""
    """The limit that was hit, in words."""

    def __repr__(self) -> str:
        return f"{Parsed.__repr__(self)[:-1]}; {self.reason})"

    def __str__(self) -> str:
        return f"{Parsed.__str__(self)}\nbacked off: {self.reason}"

    def _repr_html_(self) -> str:
        """What a notebook shows: the parse, and why it is not the one that was asked for."""
        from starccg.formats.html import note  # noqa: PLC0415 - formats are loaded when used

        return f"{Parsed._repr_html_(self)}\n{note(f'Backed off: {self.reason}')}"


@dataclass(frozen=True, slots=True, repr=False)
class Failed:
    """No parse, and why."""

    words: tuple[str, ...]
    reason: str
    """Why, in words."""
    certificate: Certificate | None = None
    """Of the search, if there was one."""

    @property
    def parses(self) -> tuple[ParsedDerivation, ...]:
        """None."""
        return ()

    def __iter__(self) -> Iterator[ParsedDerivation]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return f"Failed({_quoted(self.words)}, {self.reason})"

    def __str__(self) -> str:
        return f"no parse of {_quoted(self.words)}: {self.reason}"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from starccg.formats.html import note  # noqa: PLC0415 - formats are loaded when used

        return note(f"No parse of {_quoted(self.words)}: {self.reason}")


ParseOutcome = Parsed | BackedOff | Failed


def _quoted(words: tuple[str, ...] | list[str]) -> str:
    return repr(shorten(words))
