"""The recursive unit as the native core holds it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from starccg.search.native import core as _core
from starccg.search.types import Floats2d, TreeLstmWeights


def _check_shapes(weights: TreeLstmWeights) -> None:
    """Every array against the sizes that most of them agree on: rule types, cells, embedding dimensions."""
    for name, axes in (("biases", 3), ("categories", 2)):
        if getattr(weights, name).ndim != axes:
            raise ValueError(f"{name} must have {axes} axes, not {getattr(weights, name).ndim}")
    types, _, cells = weights.biases.shape
    categories, embedding = weights.categories.shape
    shapes = {
        "input_gate": (types, cells, 4 * cells + embedding),
        "forget_gate": (types, cells, 4 * cells + embedding),
        "output_gate": (types, cells, 3 * cells + embedding),
        "candidate": (types, cells, 2 * cells + embedding),
        "biases": (types, 4, cells),
        "categories": (categories, embedding),
        "unary_left": (2, cells),
        "output": (cells,),
    }
    for name, shape in shapes.items():
        if getattr(weights, name).shape != shape:
            raise ValueError(
                f"{name} has the shape {getattr(weights, name).shape}, not {shape} as the other weights would have it"
            )


class TreeLstm:
    """The recursive unit's weights held by the native core, with the category embeddings folded into biases."""

    __slots__ = ("native",)

    def __init__(self, weights: TreeLstmWeights) -> None:
        _check_shapes(weights)

        def floats(array: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
            return np.ascontiguousarray(array, np.float32)

        self.native = _core.Model(
            floats(weights.input_gate),
            floats(weights.forget_gate),
            floats(weights.output_gate),
            floats(weights.candidate),
            floats(weights.biases),
            floats(weights.categories),
            floats(weights.unary_left),
            floats(weights.output),
            weights.output_reads_new_cell,
        )

    def unit(self, rule: int, category: int, left: Floats2d | None, right: Floats2d) -> tuple[Floats2d, float]:
        """One recursive unit: cell and hidden state (2, d) of each child in, those of the node and its score out.

        Without a left state the node is unary and the learned one stands in. The score is on the grid.
        """
        return self.native.unit(
            rule,
            category,
            None if left is None else np.ascontiguousarray(left, np.float32),
            np.ascontiguousarray(right, np.float32),
        )
