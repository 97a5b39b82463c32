"""The recursive unit of section 3 in plain numpy: the equations, to be read beside the paper."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from starccg.search.types import Floats2d, TreeLstmWeights

GRID = 2.0**20
"""Scores are multiples of 2^-20: sums of them are exact in any order, so equals are equal."""

Floats = npt.NDArray[np.float64]


def on_grid(score: float) -> float:
    """The nearest score on the grid, half to even."""
    return round(float(score) * GRID) / GRID


class RecursiveUnit(Protocol):
    """What the search needs of a Tree-LSTM: this one, the native one, or any other."""

    def unit(self, rule: int, category: int, left: Floats2d | None, right: Floats2d) -> tuple[Floats2d, float]:
        """Cell and hidden state (2, d) of a node from those of its children, and its score on the grid."""
        ...


class TreeLstmReference:
    """Scores a node from the states of its children."""

    def __init__(self, weights: TreeLstmWeights) -> None:
        self.input_gate, self.forget_gate = _double(weights.input_gate), _double(weights.forget_gate)
        self.output_gate, self.candidate = _double(weights.output_gate), _double(weights.candidate)
        self.biases, self.categories = _double(weights.biases), _double(weights.categories)
        self.unary_left, self.output = _double(weights.unary_left), _double(weights.output)
        self.output_reads_new_cell = weights.output_reads_new_cell

    def unit(self, rule: int, category: int, left: Floats2d | None, right: Floats2d) -> tuple[Floats2d, float]:
        """One recursive unit. Without a left state the node is unary and the learned one stands in."""
        c_l, h_l = self.unary_left if left is None else _double(left)  # (d,) each
        c_r, h_r = _double(right)
        x = self.categories[category]  # (e,)
        b_i, b_f, b_o, b_c = self.biases[rule]
        everything = np.concatenate((c_l, h_l, c_r, h_r, x))  # (4d + e,)
        i = _sigmoid(self.input_gate[rule] @ everything + b_i)  # i_y
        f = _sigmoid(self.forget_gate[rule] @ everything + b_f)  # f_y
        c_tilde = np.tanh(self.candidate[rule] @ np.concatenate((h_l, h_r, x)) + b_c)  # c~_y
        c_lr = f * c_l + (1 - f) * c_r
        c = i * c_tilde + (1 - i) * c_lr  # c_y
        peephole = c if self.output_reads_new_cell else c_tilde
        o = _sigmoid(self.output_gate[rule] @ np.concatenate((peephole, h_l, h_r, x)) + b_o)  # o_y
        h = o * np.tanh(c)  # h_y
        s_global = -np.logaddexp(0.0, -(self.output @ h))  # log sigmoid(W . h_y)
        return np.stack((c, h)).astype(np.float32), min(on_grid(s_global), 0.0)


def _double(values: npt.NDArray[np.float32]) -> Floats:
    return values.astype(np.float64)


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(0.5 * (1 + np.tanh(0.5 * x)), dtype=np.float64)
