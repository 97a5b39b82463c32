"""Times single recursive units against streaming their own weights from cache, in turn; prints one JSON line.

python benchmarks/recursive_unit.py [--cells 64] [--types 18] [--repeat 20000]
"""

from __future__ import annotations

import argparse
import json

import numpy as np

from starccg import _core
from starccg.search.native import native_model
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


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--cells", type=int, default=64)
    ap.add_argument("--types", type=int, default=18)
    ap.add_argument("--repeat", type=int, default=20000)
    a = ap.parse_args()
    model = native_model(random_weights(a.types, a.cells, 500, 16, seed=1))
    units, streams = (np.median(x) * 1e6 for x in model.time_units(a.repeat))
    weights = 13 * a.cells * ((a.cells + 15) // 16 * 16) * 4
    print(
        json.dumps(
            {
                "instruction_set": _core.instruction_set,
                "cells": a.cells,
                "weights_bytes": weights,
                "unit_microseconds": round(units, 3),
                "stream_microseconds": round(streams, 3),
                "ratio": round(units / streams, 3),
            }
        )
    )


if __name__ == "__main__":
    main()
