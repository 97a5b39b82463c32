"""The temperature that calibrates a tagger's probabilities (Guo et al. 2017)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from starccg.search.types import Floats2d


def fit_temperature(rows: Sequence[Floats2d], gold: Sequence[Sequence[int]]) -> float:
    """The temperature with the highest likelihood of the gold tags (-1: not learned, left out), by golden section.

    The A* bound is a sum of best log-probabilities: an over-confident tagger makes it loose where it matters.
    """
    table = np.concatenate(list(rows)).astype(np.float64)
    targets = np.concatenate([np.asarray(tags, np.int64) for tags in gold])
    table, targets = table[targets >= 0], targets[targets >= 0]
    if len(targets) == 0:
        return 1.0

    def loss(temperature: float) -> float:
        scaled = table / temperature
        top = scaled.max(axis=1)
        total = top + np.log(np.exp(scaled - top[:, None]).sum(axis=1))
        return float((total - scaled[np.arange(len(targets)), targets]).mean())

    low, high = np.log(0.25), np.log(8.0)
    ratio = (5**0.5 - 1) / 2
    while high - low > 1e-3:
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if loss(float(np.exp(left))) < loss(float(np.exp(right))):
            high = right
        else:
            low = left
    return round(float(np.exp((low + high) / 2)), 4)
