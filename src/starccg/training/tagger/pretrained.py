"""Pretrained encoders: the weights of BERT and MPNet, as they are distributed, under the names of our own modules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import safetensors
import torch
from safetensors.torch import load_file
from torch import Tensor

from starccg.errors import StarccgError
from starccg.training.data import check_file

Tensors = dict[str, Tensor]

_PREFIX = re.compile(r"^(?:model\.)?(?:bert|mpnet|roberta|electra|encoder_model)\.")
_OLD_NAMES = {"LayerNorm.gamma": "LayerNorm.weight", "LayerNorm.beta": "LayerNorm.bias"}
_LAYER = re.compile(r"^encoder\.layer\.(\d+)\.")
_BERT = {
    "attended": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "output_norm": "output.LayerNorm",
}
_MPNET = {**_BERT, "attended": "attention.attn.o", "attention_norm": "attention.LayerNorm"}
_MPNET_FIRST = 4
"""MPNet puts four marks of its own before BERT's word pieces; two of them take the place of [CLS] and [SEP]."""
_MPNET_MARKS = {"[CLS]": 0, "[PAD]": 1, "[SEP]": 2}
_MPNET_POSITION = 2
"""The first position that MPNet gives to a word."""


@dataclass(frozen=True)
class Pretrained:
    """An encoder's weights under our names, and its shape: pieces, positions, width, inner, layers, relative."""

    shape: dict[str, int]
    tensors: Tensors


def read_pretrained(path: Path, pieces: tuple[str, ...], layers: tuple[int, ...] = (), inner: int = 0) -> Pretrained:
    """Read safetensors of BERT's or MPNet's shape.

    ``layers`` keeps only these layers (from 0), in this order; ``inner`` is the number of hidden units to keep in each
    feed-forward network; 0: all.
    """
    check_file(path)
    try:
        loaded = load_file(path)
    except safetensors.SafetensorError as error:
        raise StarccgError(f"{path}: not a safetensors file: {error}") from None
    found = {_plain(name): tensor.float() for name, tensor in loaded.items() if tensor.is_floating_point()}
    try:
        return _narrowed(_named(found, pieces, layers), inner)
    except KeyError as error:
        raise StarccgError(f"{path} is not an encoder of BERT's or MPNet's shape: {error} is missing") from None
    except StarccgError as error:
        raise StarccgError(f"{path}: {error}") from None


def _plain(name: str) -> str:
    """A parameter's name without the prefix of the whole model, and with today's names of a norm's parameters."""
    name = _PREFIX.sub("", name)
    for old, new in _OLD_NAMES.items():
        name = name.replace(old, new)
    return name


def _named(found: Mapping[str, Tensor], pieces: tuple[str, ...], layers: tuple[int, ...]) -> Pretrained:
    mpnet = "encoder.relative_attention_bias.weight" in found
    parts = _MPNET if mpnet else _BERT
    attention = "attention.attn.{}" if mpnet else "attention.self.{}"
    names = ("q", "k", "v") if mpnet else ("query", "key", "value")
    count = 1 + max((int(match[1]) for name in found if (match := _LAYER.match(name))), default=-1)
    if not count:
        raise KeyError("encoder.layer.0")
    chosen = layers or tuple(range(count))
    if not all(0 <= number < count for number in chosen):
        raise StarccgError(f"layers must be from 0 to {count - 1}, not {', '.join(map(str, chosen))}")
    state: Tensors = {}
    if mpnet:
        state["pieces.weight"] = _mpnet_pieces(found["embeddings.word_embeddings.weight"], pieces)
        state["positions.weight"] = found["embeddings.position_embeddings.weight"][_MPNET_POSITION:]
        state["relative.weight"] = found["encoder.relative_attention_bias.weight"]
    else:  # all steps are of BERT's first token type, so its vector joins those of the positions
        state["pieces.weight"] = found["embeddings.word_embeddings.weight"]
        first_type = found["embeddings.token_type_embeddings.weight"][0]
        state["positions.weight"] = found["embeddings.position_embeddings.weight"] + first_type
    for kind in ("weight", "bias"):
        state[f"norm.{kind}"] = found[f"embeddings.LayerNorm.{kind}"]
        for number, original in enumerate(chosen):
            theirs = f"encoder.layer.{original}."
            joined = [found[f"{theirs}{attention.format(name)}.{kind}"] for name in names]
            state[f"layers.{number}.query_key_value.{kind}"] = torch.cat(joined)
            for ours, part in parts.items():
                state[f"layers.{number}.{ours}.{kind}"] = found[f"{theirs}{part}.{kind}"]
    rows, width = state["pieces.weight"].shape
    if rows != len(pieces):
        raise StarccgError(f"{len(pieces)} word pieces, but the weights have {rows}: they do not fit")
    shape = {
        "pieces": rows,
        "width": width,
        "positions": len(state["positions.weight"]),
        "inner": len(state["layers.0.inner.bias"]),
        "layers": len(chosen),
        "relative": len(state["relative.weight"]) if mpnet else 0,
    }
    return Pretrained(shape, state)


def _narrowed(whole: Pretrained, inner: int) -> Pretrained:
    """Without the hidden units of each feed-forward network whose weights, incoming and outgoing, are the smallest."""
    if not inner or inner == whole.shape["inner"]:
        return whole
    if inner > whole.shape["inner"]:
        raise StarccgError(f"inner must be at most {whole.shape['inner']}, not {inner}")
    tensors = dict(whole.tensors)
    for number in range(whole.shape["layers"]):
        name = f"layers.{number}"
        incoming, outgoing = tensors[f"{name}.inner.weight"], tensors[f"{name}.outer.weight"]
        kept = (incoming.norm(dim=1) * outgoing.norm(dim=0)).topk(inner).indices.sort().values
        tensors[f"{name}.inner.weight"] = incoming[kept]
        tensors[f"{name}.inner.bias"] = tensors[f"{name}.inner.bias"][kept]
        tensors[f"{name}.outer.weight"] = outgoing[:, kept]
    return Pretrained({**whole.shape, "inner": inner}, tensors)


def _mpnet_pieces(table: Tensor, pieces: tuple[str, ...]) -> Tensor:
    """MPNet's rows in the order of BERT's vocabulary, which it shares but for its own marks."""
    if len(table) != len(pieces) + _MPNET_FIRST + 1:
        raise StarccgError(f"MPNet has {len(table)} rows, which do not fit BERT's vocabulary of {len(pieces)} pieces")
    rows = table[_MPNET_FIRST : _MPNET_FIRST + len(pieces)].clone()
    for mark, row in _MPNET_MARKS.items():
        rows[pieces.index(mark)] = table[row]
    return rows
