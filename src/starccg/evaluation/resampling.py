"""Bootstrap confidence intervals.

Sentences are resampled; the figures of a sample are computed in the same way as the real ones.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Figures = Callable[[Floats], dict[str, Floats]]

CONFIDENCE = 0.95
BATCH = 1 << 22
"""The maximum number of random numbers drawn at once."""


def bootstrap(rows: Floats, figures: Figures, *, resamples: int, seed: int) -> dict[str, tuple[float, float]]:
    """Percentile intervals of every figure; ``rows`` is (sentences, counts). Empty without sentences or resamples."""
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
    intervals = {name: np.percentile(sample, edges) for name, sample in found.items()}
    return {name: (float(low), float(high)) for name, (low, high) in intervals.items()}
