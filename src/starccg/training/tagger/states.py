"""What all taggers with a pretrained encoder share: a state for each word, and an output layer for each dialect."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping

import torch
from torch import Tensor, nn

from starccg.tagger.words import CASINGS
from starccg.training.tagger.config import MAIN, Encoder

_LAYER = re.compile(r"(?:^|\.)layers?\.(\d+)\.")
_EMBEDDING = re.compile(r"embed|^(?:pieces|positions|relative)\.")


class StatesTagger(nn.Module):
    """Pieces and casing of words -> one state for each word -> an output layer for each dialect and annotation."""

    def __init__(
        self, config: Encoder, shape: Mapping[str, int], casing_width: int, outputs: Mapping[str, int]
    ) -> None:
        super().__init__()
        self.shape = dict(shape)
        self.casings = nn.Embedding(len(CASINGS) + 1, casing_width)
        nn.init.zeros_(self.casings.weight)  # training starts from the pretrained encoder as it is
        self.head_dropout = nn.Dropout(config.head_dropout)
        self.outputs = nn.ModuleDict({name: nn.Linear(shape["width"], size) for name, size in outputs.items()})

    @abstractmethod
    def encode(self, cells: Tensor, lengths: Tensor) -> Tensor:
        """The state of each piece: (B, T, columns) and (B,) to (B, T, width)."""

    def states(self, cells: Tensor, lengths: Tensor, positions: Tensor, lasts: Tensor | None = None) -> Tensor:
        """The state of each word: that of its first piece, or with ``lasts`` the mean of its pieces. (words, width)."""
        return pooled(self.encode(cells, lengths), positions, lasts)

    def forward(
        self, cells: Tensor, lengths: Tensor, positions: Tensor, lasts: Tensor | None = None, dialect: str = MAIN
    ) -> Tensor:
        """Logits of the words at ``positions``: (words, categories)."""
        return self.output(self.states(cells, lengths, positions, lasts), dialect)

    def output(self, states: Tensor, name: str) -> Tensor:
        """Logits of one output layer."""
        logits: Tensor = self.outputs[name](self.head_dropout(states))
        return logits

    def groups(self, rate: float, config: Encoder, weight_decay: float) -> Iterator[dict[str, object]]:
        """Parameters with their learning rates: lower layers, which hold more general features, learn more slowly."""
        count = self.shape["layers"]
        groups: dict[tuple[float, float], list[nn.Parameter]] = {}
        for name, parameter in self.named_parameters():
            if not parameter.requires_grad:
                continue
            layer = _LAYER.search(name)
            depth = count - 1 - int(layer[1]) if layer else count
            fresh = name.startswith(("outputs.", "casings."))
            share = config.head_rate if fresh else config.layer_decay**depth
            decay = weight_decay if parameter.dim() > 1 and not _EMBEDDING.search(name) else 0.0
            groups.setdefault((share, decay), []).append(parameter)
        for (share, decay), parameters in groups.items():
            yield {"params": parameters, "lr": rate * share, "weight_decay": decay}


def pooled(x: Tensor, positions: Tensor, lasts: Tensor | None) -> Tensor:
    """One state a word from (B, T, width): its first piece's, or the mean from the first to the last.

    Sums come from running totals within each sentence, so a word's state does not depend on other sentences.
    """
    rows = x.flatten(0, 1)
    first = rows[positions]
    if lasts is None:
        return first
    totals = x.float().cumsum(1).flatten(0, 1)
    pieces = (lasts - positions + 1)[:, None]
    return torch.where(pieces == 1, first, (totals[lasts] - totals[positions] + first) / pieces)
