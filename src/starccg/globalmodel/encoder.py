"""The leaf encoder: forward and backward LSTM states of all words. It runs in the native core, outside the GIL."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from starccg.globalmodel.parameters import Arrays, Dimensions, Floats, part
from starccg.search.native import core as _core


class LeafEncoder:
    """The parameters of the leaf encoder on the CPU."""

    def __init__(self, dimensions: Dimensions, arrays: Arrays) -> None:
        self.dimensions = dimensions
        self.projection = arrays.get("leaf.projection")
        self.lstm = None
        if dimensions.leaves == "context":
            reads_new_cell = dimensions.output_reads_new_cell
            self.lstm = _core.LeafLstm(**part(arrays, "lstm"), output_reads_new_cell=reads_new_cell)

    def states(self, inputs: Floats, lengths: Sequence[int]) -> Floats:
        """States (W, 4, d) of all words: forward cell and hidden, backward cell and hidden. ``inputs`` (W, w): x_t."""
        if self.lstm is not None:
            return self.lstm.states(np.ascontiguousarray(inputs), list(lengths))
        if self.projection is None:  # no lexical inputs
            return np.zeros((len(inputs), 4, self.dimensions.cells), np.float32)
        projected = inputs @ self.projection.T  # (W, d)
        nothing = np.zeros_like(projected)
        return np.stack((projected, projected, nothing, nothing), axis=1)
