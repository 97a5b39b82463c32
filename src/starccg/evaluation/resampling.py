"""How sure a figure is: bootstrap intervals, and approximate randomisation between two predictions.

Both work on the counts of each sentence, so the sentence is what is drawn, and the figures of a sample are made from
sums exactly as the real ones are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from starccg.errors import StarccgError

if TYPE_CHECKING:
    from starccg.evaluation.scores import Scores

Floats = NDArray[np.float64]
Figures = Callable[[Floats], dict[str, Floats]]

CONFIDENCE = 0.95
BATCH = 1 << 22
"""How many random numbers are drawn at once."""


def bootstrap(rows: Floats, figures: Figures, *, resamples: int, seed: int) -> dict[str, tuple[float, float]]:
    """Percentile intervals of every figure; ``rows`` is (sentences, counts). Nothing if there is nothing to draw."""
    sentences = len(rows)
    if sentences == 0 or resamples < 1:
        return {}
    random = np.random.default_rng(seed)
    batch = max(1, min(resamples, BATCH // sentences))
    sums: list[Floats] = []
    for start in range(0, resamples, batch):
        number = min(batch, resamples - start)
        drawn = random.multinomial(sentences, np.full(sentences, 1 / sentences), size=number)  # (number, sentences)
        sums.append(drawn @ rows)
    edges = [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)]
    found = figures(np.concatenate(sums))
    return {name: (float(low), float(high)) for name, (low, high) in _percentiles(found, edges).items()}


def _percentiles(values: dict[str, Floats], edges: list[float]) -> dict[str, Floats]:
    return {name: np.percentile(sample, edges) for name, sample in values.items()}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two predictions of the same sentences: by how much the second is better, and how likely chance does as much."""

    figure: str
    difference: float
    p_value: float

    @property
    def significant(self) -> bool:
        """At the 5% level."""
        return self.p_value < 1 - CONFIDENCE


COMPARED = ("labelled_f1", "unlabelled_f1", "supertag_accuracy")


def compare(first: Scores, second: Scores, *, shuffles: int = 10_000, seed: int = 0) -> tuple[Comparison, ...]:
    """Approximate randomisation (Noreen, 1989): swap the two predictions of a sentence or not, by the toss of a coin.

    The p-value is two-sided and counts the real outcome among the tosses, so it is never 0.
    """
    from starccg.evaluation.scores import Row, figures  # noqa: PLC0415 - scores are made with this module

    if len(first.rows) != len(second.rows):
        raise StarccgError(f"one prediction has {len(first.rows)} sentences and the other {len(second.rows)}")
    one = np.array(first.rows, dtype=np.float64).reshape(-1, len(Row._fields))
    other = np.array(second.rows, dtype=np.float64).reshape(-1, len(Row._fields))
    names = [
        name
        for name in COMPARED
        if name != "supertag_accuracy" or None not in (first.supertag_accuracy, second.supertag_accuracy)
    ]
    totals = one.sum(axis=0), other.sum(axis=0)
    real = {name: float(figures(totals[1])[name] - figures(totals[0])[name]) for name in names}
    change = (other - one)[(other != one).any(axis=1)]  # the others are the same whichever way the coin falls
    random = np.random.default_rng(seed)
    at_least = dict.fromkeys(names, 1)
    batch = max(1, min(shuffles, BATCH // max(len(change), 1)))
    for start in range(0, shuffles, batch):
        number = min(batch, shuffles - start)
        swapped = random.integers(0, 2, size=(number, len(change))).astype(np.float64) @ change  # (number, counts)
        left, right = figures(totals[0] + swapped), figures(totals[1] - swapped)
        for name in names:
            at_least[name] += int(np.sum(np.abs(right[name] - left[name]) >= abs(real[name]) - 1e-12))
    return tuple(Comparison(name, real[name], at_least[name] / (shuffles + 1)) for name in names)
