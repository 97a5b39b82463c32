"""A system (a decoder with its options, a model or none) measured over a bench, sentence by sentence."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from starccg.evaluation import Analysis, Scores, Tally, evaluate
from starccg.evaluation.resampling import bootstrap
from starccg.evaluation.scores import Interval, Row, figures
from starccg.experiments.bench import Bench, with_states
from starccg.experiments.report import Workbench
from starccg.globalmodel import GlobalModel
from starccg.search import core
from starccg.search.types import Decoder, Options, Outcome
from starccg.training.trees import Bridge

BEST_OF, ENOUGH_SECONDS = 3, 20.0
"""A search is timed three times and the fastest counts, unless once takes so long that noise does not matter."""

TAGS_ALONE = Options(decoder=Decoder.SUPERTAG)
TAGS_ALONE_AT_BEST = replace(TAGS_ALONE, unary_cost=0.1, distance_cost=1e-5)
"""As the authors' back-off parser has it: what decides among the many derivations that the tags alone call equal."""


@dataclass(frozen=True)
class System:
    """A row of a table."""

    name: str
    options: Options
    uses_model: bool = True


@dataclass(frozen=True)
class Measured:
    """What a system did with every sentence; columns of one length."""

    name: str
    rows: tuple[Row, ...]
    own: tuple[bool, ...]
    """Whether the decoder itself gave the parse, and not the back-off."""
    optimal: tuple[bool, ...]
    explored: tuple[int, ...]
    recursive_units: tuple[int, ...]
    times: tuple[float, ...]
    """Seconds of each sentence by the clock, as its certificate says."""
    seconds: float
    """Processor time of the search of all sentences, one thread: no tagging, no word LSTM, no dependencies."""

    @classmethod
    def from_json(cls, name: str, value: dict[str, Any]) -> Measured:
        """From a finished part."""
        columns = {key: tuple(value[key]) for key in ("own", "optimal", "explored", "recursive_units", "times")}
        return cls(name, tuple(Row(*row) for row in value["rows"]), seconds=value["seconds"], **columns)

    def of(self, numbers: Sequence[int]) -> Measured:
        """The same for some of the sentences; the time is that of all."""

        def pick(column: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(column[number] for number in numbers)

        return replace(
            self,
            rows=pick(self.rows),
            own=pick(self.own),
            optimal=pick(self.optimal),
            explored=pick(self.explored),
            recursive_units=pick(self.recursive_units),
            times=pick(self.times),
        )

    def scores(self, *, backoff: bool = True, resamples: int = 0) -> Scores:
        """Labelled and unlabelled scores; without the back-off its sentences count as failed."""
        rows = tuple(
            row if own or backoff else Row(0, 0, row.gold, 0, 0, row.pairs_gold, 0, row.tags, 0, 0)
            for row, own in zip(self.rows, self.own, strict=True)
        )
        matrix = np.array(rows, np.float64).reshape(len(rows), len(Row._fields))
        total = Row(*(int(value) for value in matrix.sum(axis=0)))
        found = bootstrap(matrix, figures, resamples=resamples, seed=0)
        return Scores(
            labelled=Tally(total.matched, total.predicted, total.gold),
            unlabelled=Tally(total.pairs_matched, total.pairs_predicted, total.pairs_gold),
            supertag_accuracy=total.tags_right / max(1, total.tags),
            coverage=total.parsed / max(1, len(rows)),
            exact_match=total.exact / max(1, len(rows)),
            sentences=len(rows),
            intervals={name: Interval(*bounds) for name, bounds in found.items()},
            rows=rows,
        )

    @property
    def f1(self) -> float:
        """Labelled, in percent, back-off included."""
        return 100 * self.scores().labelled.f1

    @property
    def f1_without_backoff(self) -> float:
        """Labelled, in percent, backed-off sentences counted as failed."""
        return 100 * self.scores(backoff=False).labelled.f1

    @property
    def percent_optimal(self) -> float:
        """Of the sentences, those with a proved parse."""
        return 100 * _mean(self.optimal)

    @property
    def percent_own(self) -> float:
        """Of the sentences, those parsed without the back-off."""
        return 100 * _mean(self.own)

    @property
    def mean_explored(self) -> float:
        """Nodes in the forest or chart."""
        return _mean(self.explored)

    @property
    def mean_recursive_units(self) -> float:
        """Times the recursive unit ran."""
        return _mean(self.recursive_units)

    @property
    def sentences_per_second(self) -> float:
        """Of the search on one thread."""
        return len(self.rows) / self.seconds if self.seconds else 0.0

    def summary(self) -> dict[str, float]:
        """The figures, for JSON."""
        scores = self.scores()
        return {
            "f1": self.f1,
            "f1_without_backoff": self.f1_without_backoff,
            "unlabelled_f1": 100 * scores.unlabelled.f1,
            "supertag_accuracy": 100 * (scores.supertag_accuracy or 0.0),
            "coverage": 100 * scores.coverage,
            "optimal": self.percent_optimal,
            "parsed_without_backoff": self.percent_own,
            "explored": self.mean_explored,
            "recursive_units": self.mean_recursive_units,
            "seconds": self.seconds,
            "sentences_per_second": self.sentences_per_second,
        }


def measure_all(
    work: Workbench, bench: Bench, model: GlobalModel | None, model_key: str, systems: Sequence[System]
) -> dict[str, Measured]:
    """Every system over the bench; those measured before are not run again."""
    found: dict[str, Measured] = {}
    prepared: list[Any] = []
    for system in systems:
        key = [bench.key, model_key if system.uses_model else "", asdict(system.options)]

        def run(system: System = system) -> dict[str, Any]:
            if not prepared:  # word states, once for all systems
                prepared.append(bench.tagged if model is None else with_states(model, bench.words, bench.tagged))
            unit = None if model is None else core.TreeLstm(model.weights(bench.table.categories))
            return measure(bench, prepared[0], unit if system.uses_model else None, system.options)

        measured = Measured.from_json(system.name, work.part(system.name, key, run))
        work.say(f"{system.name}: F1 {measured.f1:.2f}, {measured.sentences_per_second:.0f} sentences/s")
        found[system.name] = measured
    return found


def measure(bench: Bench, tagged: Sequence[Any], unit: core.TreeLstm | None, options: Options) -> dict[str, Any]:
    """Search all sentences on one thread, and score the first parse of each."""
    table = core.SearchTable(bench.table)
    core.search_batch(table, tagged[:20], options, unit)  # the first touches memory for the others
    outcomes, seconds = timed(lambda: core.search_batch(table, tagged, options, unit))
    bridge = Bridge(bench.table)
    predicted = [
        Analysis.of_derivation(bridge.derivation(outcome.parses[0].nodes, words)) if outcome.parses else None
        for outcome, words in zip(outcomes, bench.words, strict=True)
    ]
    certificates = [outcome.certificate for outcome in outcomes]
    return {
        "rows": evaluate(bench.gold, predicted, resamples=0).rows,
        "own": [bool(o.parses) and o.certificate.decoder == options.decoder for o in outcomes],
        "optimal": [certificate.optimal for certificate in certificates],
        "explored": [certificate.explored for certificate in certificates],
        "recursive_units": [certificate.recursive_units for certificate in certificates],
        "times": [certificate.seconds for certificate in certificates],
        "seconds": seconds,
    }


def timed(work: Callable[[], list[Outcome]]) -> tuple[list[Outcome], float]:
    """What the work gives, and the least processor time it took."""
    best = float("inf")
    found: list[Outcome] = []
    for _ in range(BEST_OF):
        begin = time.process_time()
        found = work()
        spent = time.process_time() - begin
        best = min(best, spent)
        if spent > ENOUGH_SECONDS:
            break
    return found, best


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))
