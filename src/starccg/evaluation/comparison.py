"""Whether two predictions of the same sentences differ by more than chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from starccg.errors import StarccgError
from starccg.evaluation.resampling import BATCH, CONFIDENCE
from starccg.evaluation.scores import Row, Scores, figures


@dataclass(frozen=True, slots=True)
class Comparison:
    """The difference between two predictions (second minus first), and its p-value."""

    figure: str
    difference: float
    p_value: float

    @property
    def significant(self) -> bool:
        """At the 5% level."""
        return self.p_value < 1 - CONFIDENCE


COMPARED = ("labelled_f1", "unlabelled_f1", "supertag_accuracy")


def compare(first: Scores, second: Scores, *, permutations: int = 10_000, seed: int = 0) -> tuple[Comparison, ...]:
    """Approximate randomisation (Noreen, 1989): each permutation swaps the predictions of random sentences.

    The p-value is two-sided and counts the real assignment among the permutations, so it is never 0.
    """
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
    change = (other - one)[(other != one).any(axis=1)]  # swapping the others changes nothing
    random = np.random.default_rng(seed)
    at_least = dict.fromkeys(names, 1)
    batch = max(1, min(permutations, BATCH // max(len(change), 1)))
    for start in range(0, permutations, batch):
        number = min(batch, permutations - start)
        swapped = random.integers(0, 2, size=(number, len(change))).astype(np.float64) @ change  # (number, counts)
        left, right = figures(totals[0] + swapped), figures(totals[1] - swapped)
        for name in names:
            at_least[name] += int(np.sum(np.abs(right[name] - left[name]) >= abs(real[name]) - 1e-12))
    return tuple(Comparison(name, real[name], at_least[name] / (permutations + 1)) for name in names)
