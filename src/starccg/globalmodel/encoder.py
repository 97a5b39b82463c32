"""The leaf encoder in numpy: forward and backward LSTM states of every word, for all sentences of a batch at once.

Sentences are sorted by length so that at each step the ones still running come first: no padding, no masks. One
matrix product reads all words; the loop over time holds only the recurrence. Both directions run side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from starccg.globalmodel.parameters import Arrays, Dimensions, Floats

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Which words are read at which step, when sentences lie one after the other in one list of words."""

    words: Indices  # (2, W): the word read at each place of the schedule, forward and backward
    places: Indices  # (2, W): the other way round, the place of each word
    steps: tuple[int, ...]
    """How many sentences still run at each step: their places follow each other."""

    @classmethod
    def of(cls, lengths: Sequence[int]) -> Schedule:
        """The schedule of sentences of these lengths."""
        longest = max(lengths, default=0)
        count = np.asarray(lengths, np.int64)
        starts = np.concatenate(([0], np.cumsum(count)))[:-1].astype(np.int64)
        order = np.argsort(-count, kind="stable")
        count, starts = count[order], starts[order]
        steps = tuple(int(n) for n in np.searchsorted(-count, -np.arange(longest), side="left"))
        forward = [starts[:n] + t for t, n in enumerate(steps)]
        backward = [starts[:n] + count[:n] - 1 - t for t, n in enumerate(steps)]
        empty = [np.zeros(0, np.int64)]
        words = np.stack((np.concatenate(forward + empty), np.concatenate(backward + empty)))
        return cls(words, np.argsort(words, axis=1), steps)


def leaf_states(dimensions: Dimensions, arrays: Arrays, inputs: Floats, lengths: Sequence[int]) -> Floats:
    """States (W, 4, d) of all words: forward cell and hidden, backward cell and hidden. ``inputs`` (W, w) holds x_t."""
    d, total = dimensions.cells, int(sum(lengths))
    if dimensions.leaves == "none":
        return np.zeros((total, 4, d), np.float32)
    if dimensions.leaves == "words":
        projected = inputs @ arrays["leaf.projection"].T  # (W, d)
        nothing = np.zeros_like(projected)
        return np.stack((projected, projected, nothing, nothing), axis=1)
    return _lstm(dimensions, arrays, inputs, Schedule.of(lengths))


def _lstm(dimensions: Dimensions, arrays: Arrays, inputs: Floats, schedule: Schedule) -> Floats:
    d = dimensions.cells
    w_i, w_o, w_c = (arrays[f"lstm.{gate}"] for gate in ("input_gate", "output_gate", "candidate"))
    b = arrays["lstm.biases"]  # (2, 3, d)
    # What x_t and the biases add to [i, o, c~], for all words at once.
    from_x = np.concatenate((w_i[:, :, 2 * d :], w_o[:, :, 2 * d :], w_c[:, :, d:]), axis=1)  # (2, 3d, w)
    read = np.stack([inputs[schedule.words[k]] @ from_x[k].T + b[k].reshape(-1) for k in (0, 1)])  # (2, W, 3d)
    from_h = np.concatenate((w_i[:, :, d : 2 * d], w_o[:, :, d : 2 * d], w_c[:, :, :d]), axis=1)  # (2, 3d, d)
    from_h = np.ascontiguousarray(from_h.transpose(0, 2, 1))
    i_from_c = np.ascontiguousarray(w_i[:, :, :d].transpose(0, 2, 1))  # the peepholes, (2, d, d)
    o_from_c = np.ascontiguousarray(w_o[:, :, :d].transpose(0, 2, 1))

    boundary = arrays["lstm.boundary"]  # (2, 2, d)
    running = schedule.steps[0] if schedule.steps else 0
    c = np.repeat(boundary[:, 0:1], running, axis=1)  # (2, n, d)
    h = np.repeat(boundary[:, 1:2], running, axis=1)
    states = np.empty((2, read.shape[1], 2, d), np.float32)
    place = 0
    for n in schedule.steps:
        c, h = c[:, :n], h[:, :n]
        gates = read[:, place : place + n] + np.matmul(h, from_h)  # (2, n, 3d)
        i = _sigmoid(gates[..., :d] + np.matmul(c, i_from_c))  # i_t
        c_tilde = np.tanh(gates[..., 2 * d :])  # c~_t
        c = c + i * (c_tilde - c)  # c_t = i ∘ c~ + (1 - i) ∘ c
        peephole = c if dimensions.output_reads_new_cell else c_tilde
        o = _sigmoid(gates[..., d : 2 * d] + np.matmul(peephole, o_from_c))  # o_t
        h = o * np.tanh(c)  # h_t
        states[:, place : place + n, 0], states[:, place : place + n, 1] = c, h
        place += n
    return np.concatenate([states[k, schedule.places[k]] for k in (0, 1)], axis=1)  # (W, 4, d)


def _sigmoid(x: Floats) -> Floats:
    half = np.float32(0.5)
    return np.asarray(np.tanh(x * half) * half + half, np.float32)
