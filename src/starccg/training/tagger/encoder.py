"""A pretrained transformer of BERT's shape, fine-tuned: plain modules that load its weights from safetensors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from starccg.errors import StarccgError
from starccg.tagger.words import CASINGS
from starccg.training.tagger.config import MAIN, Encoder

EPSILON = 1e-12


class Layer(nn.Module):
    """Self-attention, then a feed-forward network, each added to its input and normalised after."""

    def __init__(self, width: int, inner: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.drop = dropout
        self.query_key_value = nn.Linear(width, 3 * width)
        self.attended = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, EPSILON)
        self.inner = nn.Linear(width, inner)
        self.outer = nn.Linear(inner, width)
        self.output_norm = nn.LayerNorm(width, EPSILON)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """(B, T, width), with a mask (B, 1, 1, T) that is true where there is a step."""
        sentences, steps, width = x.shape
        parts = self.query_key_value(x).view(sentences, steps, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        query, key, value = parts.unbind(0)  # (B, heads, T, width / heads)
        dropout = self.drop if self.training else 0.0
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout)
        seen = seen.transpose(1, 2).reshape(sentences, steps, width)
        x = self.attention_norm(x + self.dropout(self.attended(seen)))
        out: Tensor = self.output_norm(x + self.dropout(self.outer(functional.gelu(self.inner(x)))))
        return out


class EncoderTagger(nn.Module):
    """WordPieces and casing -> transformer -> the first piece of each word -> an output layer for each dialect."""

    def __init__(self, config: Encoder, shape: Mapping[str, int], outputs: Mapping[str, int]) -> None:
        """``shape``: pieces, positions, width, inner, layers."""
        super().__init__()
        width = shape["width"]
        self.shape = dict(shape)
        self.pieces = nn.Embedding(shape["pieces"], width)
        self.positions = nn.Embedding(shape["positions"], width)
        self.casings = nn.Embedding(len(CASINGS) + 1, width)
        nn.init.zeros_(self.casings.weight)  # training starts from the pretrained encoder as it is
        self.norm = nn.LayerNorm(width, EPSILON)
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(
            Layer(width, shape["inner"], config.heads, config.dropout) for _ in range(shape["layers"])
        )
        self.head_dropout = nn.Dropout(config.head_dropout)
        self.outputs = nn.ModuleDict({dialect: nn.Linear(width, size) for dialect, size in outputs.items()})

    def forward(self, cells: Tensor, lengths: Tensor, positions: Tensor, dialect: str = MAIN) -> Tensor:
        """Logits of the words at ``positions``: (words, categories)."""
        steps = torch.arange(cells.shape[1], device=cells.device)
        x = self.pieces(cells[..., 0]) + self.casings(cells[..., 1]) + self.positions(steps)
        x = self.dropout(self.norm(x))  # (B, T, width)
        mask = (steps < lengths[:, None])[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        first = self.head_dropout(x.flatten(0, 1)[positions])
        logits: Tensor = self.outputs[dialect](first)
        return logits

    def groups(self, rate: float, config: Encoder, weight_decay: float) -> Iterator[dict[str, object]]:
        """Parameters with their learning rates: layers further down, which know more of language, move less."""
        count = len(self.layers)
        groups: dict[tuple[float, float], list[nn.Parameter]] = {}
        for name, parameter in self.named_parameters():
            part = name.split(".")
            depth = count - 1 - int(part[1]) if part[0] == "layers" else count
            share = config.head_rate if part[0] in ("outputs", "casings") else config.layer_decay**depth
            decay = weight_decay if parameter.dim() > 1 and part[0] not in ("pieces", "positions") else 0.0
            groups.setdefault((share, decay), []).append(parameter)
        for (share, decay), parameters in groups.items():
            yield {"params": parameters, "lr": rate * share, "weight_decay": decay}


def shape_of(weights: Path) -> tuple[dict[str, int], dict[str, Tensor]]:
    """The shape of pretrained weights, and the weights in single precision."""
    if not weights.is_file():
        raise StarccgError(f"{weights} does not exist: paths in a configuration are relative to --data")
    tensors = {name: tensor.float() for name, tensor in load_file(weights).items() if tensor.is_floating_point()}
    try:
        pieces, width = tensors["embeddings.word_embeddings.weight"].shape
        shape = {
            "pieces": pieces,
            "width": width,
            "positions": len(tensors["embeddings.position_embeddings.weight"]),
            "inner": len(tensors["encoder.layer.0.intermediate.dense.bias"]),
            "layers": 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer.")),
        }
    except KeyError as error:
        raise StarccgError(f"{weights} is not an encoder of BERT's shape: {error} is missing") from None
    return shape, tensors


def load_pretrained(model: EncoderTagger, tensors: Mapping[str, Tensor]) -> None:
    """Fill the encoder; all steps are of BERT's first token type, so its vector joins the positions'."""
    state = {
        "pieces.weight": tensors["embeddings.word_embeddings.weight"],
        "positions.weight": tensors["embeddings.position_embeddings.weight"]
        + tensors["embeddings.token_type_embeddings.weight"][0],
    }
    renamed = {
        "attended": "attention.output.dense",
        "attention_norm": "attention.output.LayerNorm",
        "inner": "intermediate.dense",
        "outer": "output.dense",
        "output_norm": "output.LayerNorm",
    }
    for kind in ("weight", "bias"):
        state[f"norm.{kind}"] = tensors[f"embeddings.LayerNorm.{kind}"]
        for number in range(len(model.layers)):
            theirs = f"encoder.layer.{number}."
            parts = [tensors[f"{theirs}attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            state[f"layers.{number}.query_key_value.{kind}"] = torch.cat(parts)
            for name, original in renamed.items():
                state[f"layers.{number}.{name}.{kind}"] = tensors[f"{theirs}{original}.{kind}"]
    missing, unexpected = model.load_state_dict(state, strict=False)
    left = [name for name in missing if not name.startswith(("outputs.", "casings."))]
    if left or unexpected:
        raise StarccgError(f"the pretrained weights do not fit the encoder: {', '.join([*left, *unexpected])}")
