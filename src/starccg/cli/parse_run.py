"""One run of ``parse``: a stream of outcomes, counted and reported on standard error."""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import typer

from starccg.cli.interrupts import raise_if_interrupted
from starccg.cli.reading import Input, batches
from starccg.errors import counted, shortened
from starccg.formats.errors import FormatError
from starccg.outcome import BackedOff, Failed, ParseOutcome
from starccg.text import language_of
from starccg.text.language import LANGUAGES, SAMPLE

if TYPE_CHECKING:
    from starccg.cli.progress import ProgressBar
    from starccg.cli.writing import Numbered
    from starccg.parser import Parser
    from starccg.sentence_input import Text
    from starccg.text import TextSentence


PROVED, UNPROVED, BACKED_OFF, FAILED = "proved", "parsed without a proof", "backed off", "failed"
"""The kinds of outcomes. Without a proof are those of decoders that are not exact."""


class Counts(Counter[str]):
    """How many sentences had which kind of outcome, and how fast they were parsed."""

    def __init__(self) -> None:
        super().__init__({PROVED: 0, UNPROVED: 0, BACKED_OFF: 0, FAILED: 0})
        self.began = time.perf_counter()

    def add(self, outcome: ParseOutcome) -> None:
        """Count an outcome."""
        if isinstance(outcome, Failed):
            self[FAILED] += 1
        elif isinstance(outcome, BackedOff):
            self[BACKED_OFF] += 1
        else:
            self[PROVED if outcome.certificate.optimal else UNPROVED] += 1

    def speed(self) -> float:
        """Sentences per second so far."""
        return self.total() / max(time.perf_counter() - self.began, 1e-9)

    def summary(self, output: str | None) -> str:
        """One line: the counts, the speed, and the file that was written."""
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in self.items() if count or kind != UNPROVED)
        where = f"; written to {output}" if output else ""
        return f"{counted(self.total(), 'sentence')}: {kinds}; {self.speed():,.3g} sentences/s{where}"


class Run:
    """A stream of numbered outcomes. Sentences without a parse, and back-offs, are reported unless ``quiet``."""

    def __init__(
        self, parser: Parser, given: Input, batch_size: int, bar: ProgressBar, settings: dict[str, Any]
    ) -> None:
        self.parser, self.given, self.settings = parser, given, settings
        self.batch_size, self.bar = batch_size, bar
        self.counts = Counts()
        self.under_way: deque[list[TextSentence | FormatError]] = deque()
        """Batches that are being parsed."""
        self.error: FormatError | None = None
        """Why the input could not be read to its end."""
        self.sample: list[str] = []
        self.language_checked = False

    def outcomes(self, *, quiet: bool) -> Iterator[Numbered]:
        """The outcomes in order, each with its number from 1."""
        ahead_from = max(2, self.batch_size)  # a batch that is still growing, or of one line, is answered at once
        for parsed in self.parser.pipe_batches(self._sentences(), ahead_from=ahead_from, **self.settings):
            for outcome in _with_unreadable(self.under_way.popleft(), parsed):
                self.counts.add(outcome)
                number = self.counts.total()
                if not quiet:
                    if isinstance(outcome, Failed):
                        words = shortened(" ".join(outcome.words))
                        _say(f"sentence {number}: no parse: {outcome.reason}{': ' if words else ''}{words}")
                    elif outcome.remark:
                        _say(f"sentence {number}: {outcome.remark}")
                yield number, outcome
            text = f"{self.counts.total()} sentences, {self.counts.speed():.0f}/s"
            self.bar.show(text, self.given.read, self.given.size)
        if self.error is not None:
            raise self.error
        self._check_language([], last=True)

    def _sentences(self) -> Iterator[list[Text]]:
        """The sentences of each batch, which is remembered until it is parsed."""
        for batch in batches(self._items(), self.batch_size, _before_reading):
            self._check_language(batch)
            self.under_way.append(batch)
            yield [item for item in batch if not isinstance(item, FormatError)]

    def _items(self) -> Iterator[TextSentence | FormatError]:
        """The input up to where it cannot be read any further: what came before is parsed first."""
        try:
            yield from self.given.items()
        except FormatError as error:
            self.error = error

    def _check_language(self, batch: list[TextSentence | FormatError], *, last: bool = False) -> None:
        """Warn once if the text seems to be in another language than the model's."""
        if self.language_checked:
            return
        self.sample += chain.from_iterable(item.words for item in batch if not isinstance(item, FormatError))
        if not last and len(self.sample) < SAMPLE:
            return
        self.language_checked = True
        found, own = language_of(self.sample), LANGUAGES.get(self.parser.language, self.parser.language)
        if found not in (None, own):
            _say(f"warning: the text seems to be {found}; the model {self.parser.name} parses {own}")


def _with_unreadable(batch: list[TextSentence | FormatError], parsed: list[ParseOutcome]) -> Iterator[ParseOutcome]:
    """An outcome for each item of a batch; a line that could not be read has failed."""
    outcomes = iter(parsed)
    for item in batch:
        yield Failed((), str(item)) if isinstance(item, FormatError) else next(outcomes)


def _before_reading() -> None:
    """Flush the output and check for Ctrl-C before waiting for input."""
    sys.stdout.flush()
    raise_if_interrupted()


def _say(text: str) -> None:
    typer.echo(text, err=True)
