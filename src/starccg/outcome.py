"""The outcome of parsing a sentence: parsed, backed off, or failed, each with its own type.

Parsing a sentence never raises an exception and never returns a made-up tree::

    match parser.parse("Fruit flies like bananas."):
        case BackedOff(reason=why): ...
        case Parsed(parses=(best, *_)): print(best.draw())
        case Failed(reason=why): ...

A failure is false and everything else is true, so ``if outcome:`` is enough where the reason does not matter. Every
outcome can be iterated over; a failure has no parses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, ClassVar, Literal

from starccg.ccg.derivation import shorten
from starccg.hooks import call
from starccg.parsed_derivation import ParsedDerivation
from starccg.search.types import Certificate


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure the parser is of the best parse; :mod:`starccg.confidence` says how it is computed."""

    posterior: float
    """The probability of the best parse under the model, among the parses in the list with other dependencies."""
    margin: float
    """How much higher it scores than the first parse with other dependencies; infinite if the list has none."""
    score: float
    """Its log-score without the cost of the root category."""
    probability: float | None = None
    """The calibrated probability that all its dependencies are right; None if the model has no calibration."""


Offsets = tuple[tuple[int, int], ...]
"""For each word, where it starts and ends in the text, in characters from 0."""


@dataclass(frozen=True, slots=True, repr=False)
class Parsed:
    """The requested search found the best parse.

    An exact decoder proves it (``certificate.optimal``); a decoder that is not exact, such as ``beam``, may not. Where
    several parses were asked for, ``proved`` says how many are proved, and ``reason`` why there are no more.
    """

    words: tuple[str, ...]
    parses: tuple[ParsedDerivation, ...]
    """Best first; at least one."""
    certificate: Certificate
    """What is proved of the best parse, and what the search cost."""
    reason: str = ""
    """Which limit stopped the search before it had all parses that were asked for; empty if none did."""
    nbest: int = 1
    """How many parses were asked for. There are fewer if the sentence has no more, or if ``reason`` names a limit."""
    offsets: Offsets | None = None
    """Where the words stand in the text; None if the words were given as a list."""
    confidence: Confidence | None = None
    """How sure the parser is of the best parse; None unless ``parse`` was called with ``confidence=True``."""

    @property
    def best(self) -> ParsedDerivation:
        """The best parse."""
        return self.parses[0]

    @property
    def proved(self) -> int:
        """How many of the parses are proved: the first ``proved`` parses are the best there are, in order."""
        return sum(1 for _ in takewhile(lambda parse: parse.certificate.optimal, self.parses))

    def to_dict(self) -> dict[str, Any]:
        """The outcome as the format ``jsonl`` writes it and the server answers."""
        return call("outcome_to_json", self)

    def __iter__(self) -> Iterator[ParsedDerivation]:
        return iter(self.parses)

    def __len__(self) -> int:
        return len(self.parses)

    def __bool__(self) -> Literal[True]:
        return True

    def __repr__(self) -> str:
        several = f"{len(self.parses)} parses, " if len(self.parses) > 1 else ""
        why = f"; {self.reason}" if self.reason else ""
        return f"{type(self).__name__}({_quoted(self.words)}, {several}{self.best.category}, {self.best.proof}{why})"

    def __str__(self) -> str:
        drawn = "\n\n".join(f"{parse.draw()}\n{parse.proof}" for parse in self.parses)
        return f"{drawn}\n{self.remark}" if self.reason else drawn

    @property
    def remark(self) -> str:
        """Which limit was reached, in words; empty if none."""
        if not self.reason:
            return ""
        return f"{len(self.parses)} of {self.nbest} parses: {self.reason}"

    def _repr_html_(self) -> str:
        """What a notebook shows: all parses, one below the other."""
        shown = "\n".join(parse._repr_html_() for parse in self.parses)
        return f"{shown}\n{call('note', self.remark)}" if self.reason else shown


@dataclass(frozen=True, slots=True, repr=False)
class BackedOff(Parsed):
    """A limit stopped the search before it had proved any parse: the best parse is that of the back-off.

    ``certificate.decoder`` names the search that found it, and ``certificate.gap`` bounds how much better the best
    parse can be.
    """

    @property
    def remark(self) -> str:
        """The limit that was reached."""
        return f"backed off: {self.reason}"


@dataclass(frozen=True, slots=True, repr=False)
class Failed:
    """No parse, and the reason."""

    words: tuple[str, ...]
    reason: str
    """Why there is no parse, in words."""
    certificate: Certificate | None = None
    """Of the search, if there was one."""
    nbest: int = 1
    """How many parses were asked for."""
    offsets: Offsets | None = None
    """Where the words stand in the text; None if the words were given as a list."""

    confidence: ClassVar[None] = None
    parses: ClassVar[tuple[ParsedDerivation, ...]] = ()
    proved: ClassVar[int] = 0

    def to_dict(self) -> dict[str, Any]:
        """The outcome as the format ``jsonl`` writes it and the server answers."""
        return call("outcome_to_json", self)

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
        return call("note", f"No parse of {_quoted(self.words)}: {self.reason}")


ParseOutcome = Parsed | BackedOff | Failed


def _quoted(words: tuple[str, ...]) -> str:
    return repr(shorten(words))
