"""The global model: its dimensions, and the names, shapes and initial values of its parameters.

The names follow section 3 of the paper. A matrix is stored as the equations write it, rows are outputs: the columns of
``lstm.input_gate`` are ``[c, h, x]``, those of ``tree.input_gate`` are ``[c_l, h_l, c_r, h_r, x]``. Directions of the
linear LSTMs are 0 forward, 1 backward.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

from starccg.ccg.rules import Rule
from starccg.errors import StarccgError

Floats = npt.NDArray[np.float32]
Arrays = dict[str, Floats]

Inputs = Literal["words", "encoder"]
Leaves = Literal["context", "words", "none"]
Structure = Literal["tree", "span"]


@dataclass(frozen=True, slots=True)
class Dimensions:
    """The model's shape. The defaults are the paper's; each option is one line of a configuration."""

    words: int = 50
    """Dimensions of x_t, the leaf encoder's input for a word."""
    categories: int = 16
    cells: int = 64
    inputs: Inputs = "words"
    """``encoder``: x_t is the tagger's state of the word instead of a word embedding."""
    leaves: Leaves = "context"
    """Table 3: ``words`` removes the lexical context (no LSTM), ``none`` all lexical inputs."""
    structure: Structure = "tree"
    """Table 3: ``span`` reads the LSTM states at the ends of a span instead of the children's (span-factored)."""
    output_reads_new_cell: bool = False
    """Output gates read the new cell c, as in the authors' code, not the candidate c~ of the equations."""

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for field in fields(self):
            value, allowed = getattr(self, field.name), get_args(hints[field.name])
            if allowed and value not in allowed:
                raise StarccgError(f"{field.name} must be one of {', '.join(allowed)}, not {value!r}")
            if hints[field.name] is int and not (type(value) is int and 0 < value <= 4096):
                raise StarccgError(f"{field.name} must be a number from 1 to 4096, not {value!r}")
            if hints[field.name] is bool and type(value) is not bool:
                raise StarccgError(f"{field.name} must be true or false, not {value!r}")
        if self.structure == "span" and self.leaves != "context":
            raise StarccgError("the span-factored model reads the LSTM states: leaves must be 'context'")

    @property
    def has_embeddings(self) -> bool:
        """Whether the model has word embeddings."""
        return self.inputs == "words" and self.leaves != "none"

    def to_json(self) -> dict[str, Any]:
        """A plain value for :func:`json.dump`."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Dimensions:
        """Read what :meth:`to_json` wrote."""
        known = {field.name for field in fields(cls)}
        if unknown := sorted(set(value) - known):
            raise StarccgError(
                f"the global model does not know {', '.join(unknown)}; known: {', '.join(sorted(known))}"
            )
        return cls(**value)


def shapes(dimensions: Dimensions, words: int, categories: int) -> dict[str, tuple[int, ...]]:
    """The shape of every parameter, given the numbers of rows of word and category embeddings."""
    w, e, d, types = dimensions.words, dimensions.categories, dimensions.cells, len(Rule)
    found: dict[str, tuple[int, ...]] = {}
    if dimensions.has_embeddings:
        found["words"] = (words, w)
    if dimensions.leaves == "context":
        found |= {
            "lstm.input_gate": (2, d, 2 * d + w),  # [c, h, x]
            "lstm.output_gate": (2, d, 2 * d + w),  # [c~, h, x]
            "lstm.candidate": (2, d, d + w),  # [h, x]
            "lstm.biases": (2, 3, d),  # input, output, candidate
            "lstm.boundary": (2, 2, d),  # the learned start and end states: cell, hidden
        }
    elif dimensions.leaves == "words":
        found["leaf.projection"] = (d, w)
    return found | {
        "tree.input_gate": (types, d, 4 * d + e),
        "tree.forget_gate": (types, d, 4 * d + e),
        "tree.output_gate": (types, d, 3 * d + e),
        "tree.candidate": (types, d, 2 * d + e),
        "tree.biases": (types, 4, d),
        "tree.categories": (categories, e),
        "tree.unary_left": (2, d),
        "tree.output": (d,),
    }


def part(arrays: Arrays, name: str) -> Arrays:
    """The arrays of one part of the model, ``lstm`` or ``tree``, by their names within it."""
    return {key.removeprefix(f"{name}."): array for key, array in arrays.items() if key.startswith(f"{name}.")}


def initial(dimensions: Dimensions, words: int, categories: int, seed: int) -> Arrays:
    """Uniform within ±sqrt(6 / sum of dimensions) of each matrix, vector or embedding on its own."""
    random = np.random.default_rng([seed, 6])
    arrays: Arrays = {}
    for name, shape in shapes(dimensions, words, categories).items():
        matrix = name not in _VECTORS and len(shape) > 1
        bound = math.sqrt(6 / (shape[-1] + (shape[-2] if matrix else 0)))
        arrays[name] = random.uniform(-bound, bound, shape).astype(np.float32)
    return arrays


_VECTORS = frozenset({"words", "lstm.biases", "lstm.boundary", "tree.biases", "tree.categories", "tree.unary_left"})
"""Stacks of vectors rather than of matrices."""
