"""The tagger of Lewis, Lee and Zettlemoyer 2016 in torch."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from starccg.tagger.words import UNKNOWN
from starccg.training.tagger.config import MAIN, Lstm


class CoupledLstm(nn.Module):
    r"""One layer of a forward and a backward LSTM with coupled gates and peepholes, both run in the same loop.

    .. math::
        i_t = \sigma(W_i x_t + R_i h_{t-1} + p_i \odot c_{t-1} + b_i) \\
        c_t = (1 - i_t) \odot c_{t-1} + i_t \odot \tanh(W_g x_t + R_g h_{t-1} + b_g) \\
        h_t = \sigma(W_o x_t + R_o h_{t-1} + p_o \odot c_t + b_o) \odot \tanh(c_t)

    These are the gates of ONNX's LSTM with ``input_forget``, so the exported model runs on a native kernel.
    """

    def __init__(self, inputs: int, cells: int) -> None:
        super().__init__()
        self.cells = cells
        self.weight = nn.Parameter(torch.empty(2, inputs, 3 * cells))  # i, o, g
        self.recurrent = nn.Parameter(torch.empty(2, cells, 3 * cells))
        self.bias = nn.Parameter(torch.zeros(2, 1, 3 * cells))
        self.peephole = nn.Parameter(torch.zeros(2, 2, 1, cells))  # (i, o), direction
        for direction in range(2):
            for matrix in (self.weight[direction], self.recurrent[direction]):
                for gate in range(3):
                    nn.init.xavier_uniform_(matrix[:, gate * cells : (gate + 1) * cells])
        with torch.no_grad():
            self.bias[..., :cells] = -1.0  # the forget gate is 1 - i: remember at first

    def forward(self, steps: Tensor) -> Tensor:
        """Directions, each already in its own order of time: (2, B, T, inputs) -> (2, B, T, cells)."""
        directions, sentences, length, inputs = steps.shape
        projected = torch.baddbmm(self.bias, steps.reshape(2, -1, inputs), self.weight)  # (2, B * T, 3d)
        by_time = projected.view(directions, sentences, length, -1).permute(2, 0, 1, 3).contiguous().unbind(0)
        see_before, see_after = self.peephole.unbind(0)  # (2, 1, d)
        cell = hidden = steps.new_zeros(directions, sentences, self.cells)
        outputs = []
        for gates in by_time:
            i, o, g = torch.baddbmm(gates, hidden, self.recurrent).chunk(3, dim=-1)
            cell = torch.lerp(cell, torch.tanh(g), torch.sigmoid(torch.addcmul(i, see_before, cell)))
            hidden = torch.sigmoid(torch.addcmul(o, see_after, cell)) * torch.tanh(cell)
            outputs.append(hidden)
        return torch.stack(outputs, dim=2)


class LstmTagger(nn.Module):
    """Vectors and affixes -> two stacked LSTMs a direction -> ReLU -> an output layer for each dialect."""

    def __init__(
        self,
        config: Lstm,
        vectors: npt.NDArray[np.float32],
        trained: npt.NDArray[np.bool_],
        affixes: int,
        outputs: Mapping[str, int],
    ) -> None:
        """``trained`` says which vectors are pretrained; the others start at random."""
        super().__init__()
        self.unknown = config.unknown
        self.words = nn.Embedding(len(vectors), vectors.shape[1], _weight=torch.from_numpy(vectors.copy()))
        self.register_buffer("rare", torch.from_numpy(~trained), persistent=False)
        self.affixes = nn.Embedding(affixes, config.affix)
        nn.init.uniform_(self.affixes.weight, -0.1, 0.1)
        width = vectors.shape[1] + 8 * config.affix
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(
            CoupledLstm(width if layer == 0 else config.cells, config.cells) for layer in range(config.layers)
        )
        self.hidden = nn.Linear(2 * config.cells, config.hidden)
        self.outputs = nn.ModuleDict({dialect: nn.Linear(config.hidden, size) for dialect, size in outputs.items()})

    def forward(self, cells: Tensor, lengths: Tensor, positions: Tensor, dialect: str = MAIN) -> Tensor:
        """Logits of the words at ``positions``: (words, categories)."""
        words = cells[..., 0]
        if self.training and self.unknown:
            hide = self.get_buffer("rare")[words] & (torch.rand(words.shape, device=words.device) < self.unknown)
            words = words.masked_fill(hide, UNKNOWN)
        affixes = self.affixes(cells[..., 1:]).flatten(2)  # (B, T, 8 * 32)
        steps = self.dropout(torch.cat((self.words(words), affixes), dim=-1))
        length = cells.shape[1]
        time = torch.arange(length, device=cells.device)
        mirrored = lengths[:, None] - 1 - time  # (B, T); padding stays where it is
        mirrored = torch.where(mirrored >= 0, mirrored, time)
        state = torch.stack((steps, _reorder(steps, mirrored)))  # (2, B, T, inputs)
        for layer in self.layers:
            state = layer(state)
        both = torch.cat((state[0], _reorder(state[1], mirrored)), dim=-1)
        hidden = torch.relu(self.hidden(both.flatten(0, 1)[positions]))
        logits: Tensor = self.outputs[dialect](hidden)
        return logits


def _reorder(steps: Tensor, order: Tensor) -> Tensor:
    return steps.gather(1, order[..., None].expand(-1, -1, steps.shape[-1]))
