"""The global model for parsing: leaf states and weights for the search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from starccg.ccg.category import Category
from starccg.errors import StarccgError
from starccg.globalmodel.encoder import LeafEncoder
from starccg.globalmodel.parameters import Arrays, Dimensions, Floats, part, shapes
from starccg.globalmodel.vocabulary import Vocabulary
from starccg.search.options import Decoder
from starccg.search.types import TreeLstmWeights


class AnyLeafEncoder(Protocol):
    """A leaf encoder, on the CPU or on a GPU."""

    def states(self, inputs: Floats, lengths: Sequence[int]) -> Floats:
        """States (W, 4, d) of all words."""


@dataclass(frozen=True, slots=True)
class GlobalModel:
    """Parameters with the words and categories of their rows. Does not need torch."""

    dimensions: Dimensions
    vocabulary: Vocabulary
    categories: tuple[str, ...]
    """The category of each row of embeddings; the last row, for all other categories, is not listed."""
    arrays: Arrays
    leaf_encoder: AnyLeafEncoder | None = field(default=None, compare=False)
    """By default the one on the CPU."""

    def __post_init__(self) -> None:
        expected = shapes(self.dimensions, len(self.vocabulary), len(self.categories) + 1)
        for name, shape in expected.items():
            if name not in self.arrays:
                raise StarccgError(f"the global model lacks the parameter {name}")
            if self.arrays[name].shape != shape:
                raise StarccgError(f"parameter {name} is {self.arrays[name].shape}, should be {shape}")
            if self.arrays[name].dtype != np.float32:
                raise StarccgError(f"parameter {name} is {self.arrays[name].dtype}, should be float32")
        if self.leaf_encoder is None:
            object.__setattr__(self, "leaf_encoder", LeafEncoder(self.dimensions, self.arrays))

    @property
    def decoder(self) -> Decoder:
        """The decoder that this model was trained for."""
        return Decoder.GLOBAL if self.dimensions.structure == "tree" else Decoder.SPAN

    def leaf_states(self, sentences: Sequence[Sequence[str]], encoded: Sequence[Floats] | None = None) -> list[Floats]:
        """For each sentence the BiLSTM states (words, 4, cells) of its words, computed together.

        ``encoded``: the tagger's states (words, dimensions) of each sentence, for models that use them.
        """
        lengths = [len(words) for words in sentences]
        if self.dimensions.leaves == "none":
            inputs = np.zeros((sum(lengths), 0), np.float32)
        elif self.dimensions.inputs == "encoder":
            inputs = checked_inputs(encoded, lengths, self.dimensions.words)
        else:
            rows = [row for words in sentences for row in self.vocabulary.rows(words)]
            inputs = self.arrays["words"][np.array(rows, np.int64)]
        assert self.leaf_encoder is not None
        states = self.leaf_encoder.states(inputs, lengths)
        return np.split(states, np.cumsum(lengths)[:-1]) if lengths else []

    def weights(self, categories: Sequence[Category]) -> TreeLstmWeights:
        """The recursive unit for a rule table with these categories."""
        return tree_lstm_weights(self.dimensions, self.arrays, self.category_rows(categories))

    def category_rows(self, categories: Sequence[Category]) -> list[int]:
        """The row of embeddings of each category; the last row for unknown ones."""
        known = {name: row for row, name in enumerate(self.categories)}
        return [known.get(str(category), len(self.categories)) for category in categories]


def checked_inputs(encoded: Sequence[Floats] | None, lengths: Sequence[int], dimensions: int) -> Floats:
    """The tagger's states of all words, concatenated."""
    if encoded is None:
        raise StarccgError("this global model reads the tagger's encoder states: pass them as 'encoded'")
    for number, (states, length) in enumerate(zip(encoded, lengths, strict=True), 1):
        if states.shape != (length, dimensions):
            raise StarccgError(
                f"sentence {number}: encoder states are {states.shape}, should be {(length, dimensions)}"
            )
    if not encoded:
        return np.zeros((0, dimensions), np.float32)
    return np.concatenate([np.asarray(states, np.float32) for states in encoded])


def tree_lstm_weights(dimensions: Dimensions, arrays: Arrays, rows: Sequence[int]) -> TreeLstmWeights:
    """The parameters of the recursive unit in the form of the search, copied only if necessary."""
    own = part(arrays, "tree")
    own["categories"] = own["categories"][np.asarray(rows, np.int64)]
    return TreeLstmWeights(**own, output_reads_new_cell=dimensions.output_reads_new_cell)
