"""A system (a decoder with its options, with or without a global model) measured sentence by sentence."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from starccg.evaluation import Analysis, Scores, evaluate
from starccg.evaluation.scores import Row, scores_of
from starccg.experiments.evaluation_set import EvaluationSet
from starccg.experiments.report import ReportFolder
from starccg.globalmodel import GlobalModel
from starccg.search.options import DISTANCE_COST, PAPER_OPTIONS, UNARY_COST, Decoder, Limits, Options
from starccg.search.searcher import Searcher
from starccg.search.types import SearchResult, TaggedSentence
from starccg.training.globalmodel.dev_evaluation import with_states
from starccg.training.pipeline.steps import Step

ROWS = ("rows", "own_rows")
COLUMNS = ("own", "optimal", "explored", "recursive_units", "times")
BEST_OF, ENOUGH_SECONDS = 3, 20.0
"""A search is timed three times and the fastest time counts, unless one run takes this long."""
PART = 50
"""Sentences that are searched between two reports of progress: best-first search may take seconds for each."""

TAGS_ALONE = replace(PAPER_OPTIONS, decoder=Decoder.SUPERTAG)
TAGS_WITH_COSTS = replace(TAGS_ALONE, unary_cost=UNARY_COST, distance_cost=DISTANCE_COST)
"""With the costs of the authors' back-off parser, which decide among the many derivations of the same tags."""


@dataclass(frozen=True)
class System:
    """A row of a table."""

    name: str
    options: Options
    variant: str | None = "all"
    """The global model: ``all`` is the full one, others are those of Tables 3 and 4; None: the tags alone."""
    most_units: int | None = None
    """A limit on recursive units below that of the experiment."""

    def within(self, limits: Limits | None) -> Options:
        """The options, with the limits of an experiment in place of their own."""
        limits = limits or self.options.limits
        if self.most_units is not None:
            limits = replace(limits, recursive_units=min(self.most_units, limits.recursive_units))
        return replace(self.options, limits=limits)


@dataclass(frozen=True)
class Measurement:
    """The results of a system, one entry of each column for each sentence."""

    name: str
    rows: tuple[Row, ...]
    """Counts, summed over the random seeds."""
    own_rows: tuple[Row, ...]
    """The counts if backed-off sentences count as failed."""
    own: tuple[float, ...]
    """Whether the decoder itself gave the parse, and not the back-off: 0 or 1, or the mean over the random seeds."""
    optimal: tuple[float, ...]
    explored: tuple[float, ...]
    recursive_units: tuple[float, ...]
    times: tuple[float, ...]
    """Wall-clock seconds of each sentence, from its certificate."""
    seconds: float
    """Processor time of the search of all sentences on one thread, without tagging, word LSTM and dependencies."""
    f1_by_seed: tuple[float, ...] = ()
    """Labelled F1 of each trained model, in percent, if there are several."""

    @classmethod
    def from_json(cls, name: str, value: dict[str, Any]) -> Measurement:
        """From the result of a step."""
        columns = {key: tuple(value[key]) for key in COLUMNS}
        rows = tuple(Row(*row) for row in value["rows"])
        own_rows = tuple(
            row if own else Row(0, 0, row.gold, 0, 0, row.pairs_gold, 0, row.tags, 0, 0)
            for row, own in zip(rows, columns["own"], strict=True)
        )
        return cls(name, rows, own_rows, seconds=value["seconds"], **columns)

    @classmethod
    def pooled(cls, runs: Sequence[Measurement]) -> Measurement:
        """The results of several models trained with different random seeds: counts summed, other columns averaged."""
        first = runs[0]
        if len(runs) == 1:
            return first

        def by_sentence(column: str) -> Iterable[tuple[Any, ...]]:
            return zip(*(getattr(run, column) for run in runs), strict=True)

        columns: dict[str, Any] = {name: tuple(map(_mean, by_sentence(name))) for name in COLUMNS}
        for name in ROWS:
            columns[name] = tuple(Row(*map(sum, zip(*rows, strict=True))) for rows in by_sentence(name))
        seconds, f1_by_seed = _mean([run.seconds for run in runs]), tuple(run.f1 for run in runs)
        return cls(first.name, seconds=seconds, f1_by_seed=f1_by_seed, **columns)

    def of(self, numbers: Sequence[int]) -> Measurement:
        """The results of some of the sentences; ``seconds`` stays that of all."""
        columns: dict[str, Any] = {
            name: tuple(getattr(self, name)[number] for number in numbers) for name in ROWS + COLUMNS
        }
        return replace(self, **columns)

    def scores(self, *, backoff: bool = True, resamples: int = 0) -> Scores:
        """Labelled and unlabelled scores; without ``backoff``, backed-off sentences count as failed."""
        rows = self.rows if backoff else self.own_rows
        return scores_of(rows, models=max(1, len(self.f1_by_seed)), resamples=resamples)

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
        """The percentage of sentences with a parse that is proved best."""
        return 100 * _mean(self.optimal)

    @property
    def percent_own(self) -> float:
        """The percentage of sentences parsed without the back-off."""
        return 100 * _mean(self.own)

    @property
    def mean_explored(self) -> float:
        """Mean number of nodes in the forest or chart."""
        return _mean(self.explored)

    @property
    def mean_recursive_units(self) -> float:
        """Mean number of recursive units."""
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


Models = Callable[[str], Sequence[tuple[GlobalModel, str]]]
"""The global models of a variant, one for each random seed, each with its key."""


@dataclass(frozen=True)
class Experiment:
    """What all rows of a table share."""

    folder: ReportFolder
    sentences: EvaluationSet
    models: Models
    command: str
    about: str = ""
    """How the models were trained, for the report."""
    limits: Limits | None = None
    """In place of those of the options."""
    _states: dict[str, list[TaggedSentence]] = field(default_factory=dict, init=False, repr=False)

    def measure(self, systems: Sequence[System], seeds: int = 1) -> dict[str, Measurement]:
        """Measure every system; what was measured before is not measured again.

        The tags alone count ``seeds`` times, so that their counts compare with those of as many models.
        """
        found: dict[str, Measurement] = {}
        for system in systems:
            options = system.within(self.limits)
            models: Sequence[tuple[GlobalModel | None, str]] = [(None, "")] * seeds
            if system.variant is not None:
                models = self.models(system.variant)
            runs = []
            for number, (model, key) in enumerate(models, 1):
                name = f"{system.name}, seed {number}" if len(models) > 1 and model is not None else system.name
                work = partial(self._measure, name, model, key, options)
                settings = [self.sentences.key, key, asdict(options)]
                step = Step(name, work, settings=settings, describe=_summary, record="measurement")
                runs.append(Measurement.from_json(system.name, self.folder.steps.run(step)))
            found[system.name] = Measurement.pooled(runs)
        return found

    def _measure(self, name: str, model: GlobalModel | None, key: str, options: Options) -> dict[str, Any]:
        if key not in self._states:
            own = self.sentences
            states = list(own.tagged) if model is None else with_states(model, own.words, own.tagged, own.encoded)
            self._states[key] = states
        return measure(self.sentences, self._states[key], model, options, partial(self.folder.bar, name))


def _summary(value: dict[str, Any]) -> str:
    found = Measurement.from_json("", value)
    return f"F1 {found.f1:.2f}, {found.sentences_per_second:.0f} sentences/s"


def measure(
    sentences: EvaluationSet,
    tagged: Sequence[TaggedSentence],
    model: GlobalModel | None,
    options: Options,
    show: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Search all sentences on one thread, and score the first parse of each; ``show`` is called with the progress."""
    searcher = Searcher(sentences.table, None if model is None else model.weights(sentences.table.categories))
    searcher.search_batch(tagged[:20], options)  # allocates memory before the time is taken
    results, seconds = _timed(searcher, tagged, options, show)
    predicted = [
        Analysis.of_derivation(searcher.derivation(result.parses[0].nodes, words)) if result.parses else None
        for result, words in zip(results, sentences.words, strict=True)
    ]
    certificates = [result.certificate for result in results]
    return {
        "rows": evaluate(sentences.gold, predicted, exclusions=sentences.exclusions, resamples=0).rows,
        "own": [int(bool(r.parses) and r.certificate.decoder == options.decoder) for r in results],
        "optimal": [int(certificate.optimal) for certificate in certificates],
        "explored": [certificate.explored for certificate in certificates],
        "recursive_units": [certificate.recursive_units for certificate in certificates],
        "times": [certificate.seconds for certificate in certificates],
        "seconds": seconds,
    }


def _timed(
    searcher: Searcher, tagged: Sequence[TaggedSentence], options: Options, show: Callable[[int, int], None]
) -> tuple[list[SearchResult], float]:
    """The results, and the shortest processor time of a run over all sentences."""
    best = float("inf")
    found: list[SearchResult] = []
    for _ in range(BEST_OF):
        found, spent = [], 0.0
        for first in range(0, len(tagged), PART):
            show(first, len(tagged))
            begin = time.process_time()
            found += searcher.search_batch(tagged[first : first + PART], options)
            spent += time.process_time() - begin
        best = min(best, spent)
        if spent > ENOUGH_SECONDS:
            break
    return found, best


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))
