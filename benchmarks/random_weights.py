"""Random weights of a global model, for benchmarks that need one of another size."""

from __future__ import annotations

import numpy as np

from starccg.search.types import TreeLstmWeights


def random_weights(
    types: int, cells: int, categories: int, embedding: int, seed: int, output: float = 1.0
) -> TreeLstmWeights:
    rng = np.random.default_rng(seed)

    def draw(*shape: int) -> np.ndarray:
        return (rng.normal(size=shape) / np.sqrt(shape[-1])).astype(np.float32)

    d, e = cells, embedding
    return TreeLstmWeights(
        draw(types, d, 4 * d + e),
        draw(types, d, 4 * d + e),
        draw(types, d, 3 * d + e),
        draw(types, d, 2 * d + e),
        draw(types, 4, d),
        draw(categories, e),
        draw(2, d),
        (rng.normal(size=d) * output).astype(np.float32),
    )
