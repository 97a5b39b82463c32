"""The parameters of the global model as torch tensors, and the leaf encoder that gradients flow through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from starccg.globalmodel.encoder import Schedule
from starccg.globalmodel.parameters import Dimensions


def leaf_states(
    dimensions: Dimensions, parameters: Mapping[str, Tensor], inputs: Tensor, lengths: Sequence[int]
) -> Tensor:
    """States (W, 4, d) of all words, as :func:`starccg.globalmodel.encoder.leaf_states` computes them in numpy."""
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
