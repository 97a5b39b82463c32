"""Precision, recall and F1 over dependencies, micro-averaged.

A failed parse predicts nothing, and its gold still counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from starccg.ccg.category import Category
from starccg.dependencies import Dependency
from starccg.dependencies.relations import relation_name
from starccg.evaluation.analyses import Analysis
from starccg.evaluation.exclusions import CcgbankExclusions
from starccg.evaluation.resampling import bootstrap

Label = tuple[int, Category, int, int]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts: correct, predicted, gold."""

    matched: int = 0
    predicted: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        """Correct over predicted; 0 if nothing was predicted."""
        return self.matched / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """Correct over gold; 0 if there is no gold."""
        return self.matched / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.predicted + self.gold
        return 2 * self.matched / both if both else 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.matched + other.matched, self.predicted + other.predicted, self.gold + other.gold)


class Interval(NamedTuple):
    """A bootstrap confidence interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RelationScore:
    """The score of one category and slot."""

    category: Category
    slot: int
    tally: Tally

    @property
    def name(self) -> str:
        """The name of the relation."""
        return relation_name(self.category, self.slot)


class Row(NamedTuple):
    """The counts of one sentence, from which all figures are computed."""

    matched: int
    predicted: int
    gold: int
    pairs_matched: int
    pairs_predicted: int
    pairs_gold: int
    tags_right: int
    tags: int
    exact: int
    parsed: int


@dataclass(frozen=True, slots=True)
class Scores:
    """All scores of a prediction; shares are between 0 and 1."""

    labelled: Tally
    unlabelled: Tally
    supertag_accuracy: float | None
    """Over all gold words, those of failed parses counted wrong; None where a file has no supertags."""
    coverage: float
    exact_match: float
    """The share of sentences whose labelled dependencies are exactly the gold ones."""
    sentences: int
    relations: tuple[RelationScore, ...] = ()
    """By category and slot, the most frequent first."""
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    """95% bootstrap intervals, by the names of the figures."""
    excluded: int = 0
    """Predicted dependencies that the exclusions left out."""
    rows: tuple[Row, ...] = field(default=(), repr=False)
    """Sentence by sentence, for tests of significance."""

    @property
    def by_name(self) -> dict[str, Tally]:
        """The scores summed by relation name, most frequent first."""
        sums: dict[str, Tally] = {}
        for relation in self.relations:
            sums[relation.name] = sums.get(relation.name, Tally()) + relation.tally
        return dict(sorted(sums.items(), key=lambda item: (-item[1].gold, -item[1].predicted, item[0])))


FIGURES: dict[str, tuple[str, str, str]] = {
    "labelled_precision": ("matched", "predicted", "predicted"),
    "labelled_recall": ("matched", "gold", "gold"),
    "labelled_f1": ("matched", "predicted", "gold"),
    "unlabelled_precision": ("pairs_matched", "pairs_predicted", "pairs_predicted"),
    "unlabelled_recall": ("pairs_matched", "pairs_gold", "pairs_gold"),
    "unlabelled_f1": ("pairs_matched", "pairs_predicted", "pairs_gold"),
    "supertag_accuracy": ("tags_right", "tags", "tags"),
}
"""Each figure is twice the first column over the sum of the other two."""


def figures(sums: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """All figures from column sums of rows; ``sums`` is (..., columns of :class:`Row`)."""
    column = {name: sums[..., index] for index, name in enumerate(Row._fields)}
    return {
        name: 2 * column[top] / np.maximum(column[first] + column[second], 1)
        for name, (top, first, second) in FIGURES.items()
    }


def evaluate(
    gold: Sequence[Analysis],
    predicted: Sequence[Analysis | None],
    *,
    exclusions: CcgbankExclusions | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> Scores:
    """Score predictions, one for each gold sentence; None is a failed parse.

    With ``exclusions``, dependencies are left out on the predicted side, and on the gold side too where these were
    extracted from derivations, which have what CCGbank's PARG files lack. ``[nb]`` is ignored.
    """
    if len(gold) != len(predicted):
        raise ValueError(f"{len(gold)} gold sentences and {len(predicted)} predictions: align them first")
    tallies: tuple[Counter[tuple[Category, int]], ...] = (Counter(), Counter(), Counter())
    rows: list[Row] = []
    excluded = 0
    for truth, guess in zip(gold, predicted, strict=True):
        wanted = truth.dependencies
        found: tuple[Dependency, ...] = () if guess is None else guess.dependencies
        if exclusions is not None:
            wanted = exclusions.gold(truth)
            if guess is not None:
                found = exclusions.predicted(guess)
                excluded += len(guess.dependencies) - len(found)
        labels, guesses = _labels(wanted), _labels(found)
        right = labels & guesses
        for tally, group in zip(tallies, (right, guesses, labels), strict=True):
            tally.update((category, slot) for _, category, slot, _ in group)
        rows.append(_row(truth, guess, labels, guesses, len(right)))
    tagged = all(a is None or a.supertags is not None for a in predicted)
    scores = scores_of(rows, tagged=tagged, resamples=resamples, seed=seed)
    return replace(scores, relations=_relations(*tallies), excluded=excluded)


def scores_of(
    rows: Sequence[Row], *, models: int = 1, tagged: bool = True, resamples: int = 0, seed: int = 0
) -> Scores:
    """The scores of the counts of each sentence, which are summed over ``models``; ``tagged``: supertags are known."""
    matrix = np.array(rows, dtype=np.float64).reshape(len(rows), len(Row._fields))
    total = Row(*(int(value) for value in matrix.sum(axis=0)))
    count, tagged = max(len(rows), 1) * models, tagged and total.tags > 0
    intervals = bootstrap(matrix, figures, resamples=resamples, seed=seed).items()
    return Scores(
        labelled=Tally(total.matched, total.predicted, total.gold),
        unlabelled=Tally(total.pairs_matched, total.pairs_predicted, total.pairs_gold),
        supertag_accuracy=total.tags_right / total.tags if tagged else None,
        coverage=total.parsed / count,
        exact_match=total.exact / count,
        sentences=len(rows),
        intervals={name: Interval(*own) for name, own in intervals if tagged or name != "supertag_accuracy"},
        rows=tuple(rows),
    )


def _labels(dependencies: Iterable[Dependency]) -> set[Label]:
    return {(head, category.bare_nb, slot, argument) for head, category, slot, argument, _ in dependencies}


def _row(truth: Analysis, guess: Analysis | None, labels: set[Label], guesses: set[Label], right: int) -> Row:
    pairs: set[Pair] = {(label[0], label[3]) for label in labels}
    guessed: set[Pair] = {(label[0], label[3]) for label in guesses}
    tags = truth.supertags or ()
    known = () if guess is None else guess.supertags or ()
    return Row(
        right,
        len(guesses),
        len(labels),
        len(pairs & guessed),
        len(guessed),
        len(pairs),
        sum(one.bare_nb is other.bare_nb for one, other in zip(tags, known, strict=False)),
        len(tags),
        int(guess is not None and labels == guesses),
        int(guess is not None),
    )


def _relations(
    right: Counter[tuple[Category, int]], guessed: Counter[tuple[Category, int]], wanted: Counter[tuple[Category, int]]
) -> tuple[RelationScore, ...]:
    scores = [
        RelationScore(category, slot, Tally(right[category, slot], guessed[category, slot], wanted[category, slot]))
        for category, slot in guessed.keys() | wanted.keys()
    ]
    return tuple(sorted(scores, key=lambda s: (-s.tally.gold, -s.tally.predicted, str(s.category), s.slot)))
