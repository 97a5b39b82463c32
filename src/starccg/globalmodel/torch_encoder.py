"""The leaf encoder in torch: for training, where gradients flow through it, and for parsing on a GPU.

Sentences are sorted by length so that at each step the ones still running come first: no padding, no masks. One
matrix product reads all words; the loop over time holds only the recurrence. Both directions run side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from starccg.globalmodel.parameters import Arrays, Dimensions, Floats

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Which words are read at which step; the sentences are concatenated in one list of words."""

    words: Indices  # (2, W): the word read at each place of the schedule, forward and backward
    places: Indices  # (2, W): the inverse, the place of each word
    steps: tuple[int, ...]
    """The number of sentences that are still running at each step; their places are consecutive."""

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


def leaf_states(
    dimensions: Dimensions, parameters: Mapping[str, Tensor], inputs: Tensor, lengths: Sequence[int]
) -> Tensor:
    """States (W, 4, d) of all words, as :mod:`starccg.globalmodel.encoder` computes them."""
    d = dimensions.cells
    if dimensions.leaves == "none":
        return parameters["tree.output"].new_zeros(sum(lengths), 4, d)
    if dimensions.leaves == "words":
        projected = inputs @ parameters["leaf.projection"].t()
        nothing = torch.zeros_like(projected)
        return torch.stack((projected, projected, nothing, nothing), dim=1)
    return _lstm(dimensions, parameters, inputs, Schedule.of(lengths))


def _lstm(dimensions: Dimensions, parameters: Mapping[str, Tensor], inputs: Tensor, schedule: Schedule) -> Tensor:
    d, device = dimensions.cells, inputs.device
    w_i, w_o, w_c = (parameters[f"lstm.{gate}"] for gate in ("input_gate", "output_gate", "candidate"))
    words, places = (torch.from_numpy(index).to(device) for index in (schedule.words, schedule.places))
    from_x = torch.cat((w_i[:, :, 2 * d :], w_o[:, :, 2 * d :], w_c[:, :, d:]), dim=1).transpose(1, 2)  # (2, w, 3d)
    biases = parameters["lstm.biases"].reshape(2, 1, 3 * d)
    read = torch.baddbmm(biases, inputs[words], from_x)  # (2, W, 3d): [i, o, c~]
    from_h = torch.cat((w_i[:, :, d : 2 * d], w_o[:, :, d : 2 * d], w_c[:, :, :d]), dim=1).transpose(1, 2)  # (2, d, 3d)
    i_from_c, o_from_c = w_i[:, :, :d].transpose(1, 2), w_o[:, :, :d].transpose(1, 2)  # the peepholes, (2, d, d)

    running = schedule.steps[0] if schedule.steps else 0
    c, h = (parameters["lstm.boundary"][:, part : part + 1].expand(2, running, d) for part in (0, 1))
    cells, hiddens, place = [], [], 0
    for n in schedule.steps:
        c, h = c[:, :n], h[:, :n]
        i, o, c_tilde = torch.baddbmm(read[:, place : place + n], h, from_h).chunk(3, dim=2)  # (2, n, d) each
        i = torch.baddbmm(i, c, i_from_c).sigmoid()  # i_t
        c_tilde = c_tilde.tanh()  # c~_t
        c = torch.lerp(c, c_tilde, i)  # c_t = i ∘ c~ + (1 - i) ∘ c
        o = torch.baddbmm(o, c if dimensions.output_reads_new_cell else c_tilde, o_from_c).sigmoid()  # o_t
        h = o * c.tanh()  # h_t
        cells.append(c)
        hiddens.append(h)
        place += n
    if not cells:
        return inputs.new_zeros(0, 4, d)
    states = torch.stack((torch.cat(cells, dim=1), torch.cat(hiddens, dim=1)), dim=2)  # (2, W, 2, d)
    return torch.cat([states[k, places[k]] for k in (0, 1)], dim=1)  # (W, 4, d)


class TorchLeafEncoder:
    """The parameters of the leaf encoder on a device, for parsing."""

    def __init__(self, dimensions: Dimensions, arrays: Arrays, device: str) -> None:
        self.dimensions, self.device = dimensions, torch.device(device)
        self.parameters = {
            name: torch.from_numpy(array).to(self.device) for name, array in arrays.items() if name != "words"
        }

    def states(self, inputs: Floats, lengths: Sequence[int]) -> Floats:
        """States (W, 4, d) of all words. ``inputs`` (W, w) holds x_t."""
        with torch.inference_mode():
            x = torch.from_numpy(inputs).to(self.device)
            found: Floats = leaf_states(self.dimensions, self.parameters, x, lengths).cpu().numpy()
        return found
