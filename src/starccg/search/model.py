"""The recursive unit as the native core holds it."""

from __future__ import annotations

import numpy as np

from starccg.search.native import core as _core
from starccg.search.types import TreeLstmWeights

_ARRAYS = (
    "input_gate",
    "forget_gate",
    "output_gate",
    "candidate",
    "biases",
    "categories",
    "unary_left",
    "output",
)


def native_model(weights: TreeLstmWeights) -> _core.Model:
    """The weights as the native core holds them, with the category embeddings folded into biases.

    The core checks shapes and values, and raises ``ValueError``.
    """
    arrays = {name: np.ascontiguousarray(getattr(weights, name), np.float32) for name in _ARRAYS}
    return _core.Model(**arrays, output_reads_new_cell=weights.output_reads_new_cell)
