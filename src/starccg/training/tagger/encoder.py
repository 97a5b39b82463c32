"""A pretrained transformer of BERT's or MPNet's shape, fine-tuned, in plain modules."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

from starccg.errors import StarccgError
from starccg.training.tagger.config import Encoder
from starccg.training.tagger.rounding import BLOCK, rounded
from starccg.training.tagger.states import StatesTagger

FURTHEST = 128
"""MPNet does not distinguish distances above this one."""


class Linear(nn.Linear):
    """A linear layer that can compute with its weights rounded to few bits, as they will be packed."""

    bits: int = 0
    """0: as they are."""

    def forward(self, x: Tensor) -> Tensor:
        """``x @ weight.T + bias``."""
        return functional.linear(x, rounded(self.weight, self.bits) if self.bits else self.weight, self.bias)


class Layer(nn.Module):
    """Self-attention, then a feed-forward network, each added to its input and normalised after."""

    def __init__(self, width: int, inner: int, heads: int, dropout: float, epsilon: float) -> None:
        super().__init__()
        self.heads = heads
        self.drop = dropout
        self.query_key_value = Linear(width, 3 * width)
        self.attended = Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, epsilon)
        self.inner = Linear(width, inner)
        self.outer = Linear(inner, width)
        self.output_norm = nn.LayerNorm(width, epsilon)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """(B, T, width), with a mask (B, 1, 1, T) that is true where there is a step, or a bias (B, heads, T, T)."""
        sentences, steps, width = x.shape
        parts = self.query_key_value(x).view(sentences, steps, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        query, key, value = parts.unbind(0)  # (B, heads, T, width / heads)
        dropout = self.drop if self.training else 0.0
        if mask.is_floating_point():
            mask = mask.to(query.dtype)
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout)
        seen = seen.transpose(1, 2).reshape(sentences, steps, width)
        x = self.attention_norm(x + self.dropout(self.attended(seen)))
        out: Tensor = self.output_norm(x + self.dropout(self.outer(functional.gelu(self.inner(x)))))
        return out


class EncoderTagger(StatesTagger):
    """A transformer of BERT's or MPNet's shape over WordPieces."""

    def __init__(self, config: Encoder, shape: Mapping[str, int], outputs: Mapping[str, int]) -> None:
        """``shape``: pieces, positions, width, inner, layers, and relative where distances have a bias (MPNet)."""
        width = shape["width"]
        super().__init__(config, shape, width, outputs)
        if config.bits == 4 and (shape["inner"] % BLOCK or width % BLOCK):
            raise StarccgError(
                f"encoder.bits = 4 needs layers whose widths are multiples of {BLOCK}, not {width} and {shape['inner']}"
            )
        self.epsilon = config.epsilon
        self.bits = config.bits
        self.pieces = nn.Embedding(shape["pieces"], width)
        self.pieces.weight.requires_grad_(not config.keep_pieces)
        self.positions = nn.Embedding(shape["positions"], width)
        self.norm = nn.LayerNorm(width, config.epsilon)
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(
            Layer(width, shape["inner"], config.heads, config.dropout, config.epsilon) for _ in range(shape["layers"])
        )
        for module in self.layers.modules():
            if isinstance(module, Linear):
                module.bits = config.bits
        self.relative = nn.Embedding(buckets, config.heads) if (buckets := shape.get("relative", 0)) else None
        numbers = bucket_numbers(shape["positions"], buckets) if buckets else torch.zeros(0, dtype=torch.long)
        self.register_buffer("buckets", numbers, persistent=False)

    def encode(self, cells: Tensor, lengths: Tensor) -> Tensor:
        """The states of the last layer."""
        steps = torch.arange(cells.shape[1], device=cells.device)
        pieces = self.pieces(cells[..., 0])
        x = (rounded(pieces, self.bits) if self.bits else pieces) + self.casings(cells[..., 1]) + self.positions(steps)
        x = self.dropout(self.norm(x))  # (B, T, width)
        mask = (steps < lengths[:, None])[:, None, None, :]
        if self.relative is not None:
            offsets = steps[None, :] - steps[:, None] + self.shape["positions"] - 1
            bias = self.relative(self.get_buffer("buckets")[offsets]).permute(2, 0, 1)  # (heads, T, T)
            mask = bias[None].masked_fill(~mask, -torch.inf)
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def fill(self, tensors: Mapping[str, Tensor]) -> None:
        """Take a pretrained encoder's weights; output layers and casings stay as they are."""
        missing, unexpected = self.load_state_dict(dict(tensors), strict=False)
        left = [name for name in missing if not name.startswith(("outputs.", "casings."))]
        if left or unexpected:
            raise StarccgError(f"the pretrained weights do not fit the encoder: {', '.join([*left, *unexpected])}")


def bucket_numbers(positions: int, buckets: int) -> Tensor:
    """For each distance from ``1 - positions`` to ``positions - 1`` the number of its bias, as in T5 and MPNet.

    Half of the numbers are for steps before, half for steps after; small distances have one each, larger ones share.
    """
    distance = torch.arange(1 - positions, positions)
    half = buckets // 2
    exact = half // 2
    size = distance.abs()
    shared = torch.log(size.clamp(min=1).float() / exact) / math.log(FURTHEST / exact) * (half - exact)
    large = (exact + shared.long()).clamp(max=half - 1)
    return torch.where(distance > 0, half, 0) + torch.where(size < exact, size, large)
