"""Weights in few bits: whole numbers with a scale for each block of inputs, the same in training and in the file.

Training with rounded weights (the gradient passes through the rounding) lets a network get used to what is lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

BLOCK = 64
"""Neighbouring inputs of one output that share a scale."""
SMALLEST = 1e-6
"""No scale is smaller, so that half precision holds it."""

Floats = npt.NDArray[np.float32]


def rounded(weight: Tensor, bits: int) -> Tensor:
    """The weight (..., inputs) as its rounded form gives it back; the gradient is that of the weight itself."""
    with torch.no_grad():
        blocks = weight.detach().float().view(*weight.shape[:-1], -1, block_of(weight.shape[-1]))
        scale = (blocks.abs().amax(-1, keepdim=True) / levels(bits)).clamp(min=SMALLEST).half().float()
        near = (blocks / scale).round().clamp(-levels(bits), levels(bits)) * scale
        change = near.flatten(-2).to(weight.dtype) - weight
    return weight + change


def split_blocks(weight: Floats, bits: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float16]]:
    """Whole numbers (rows, inputs) and scales (rows, blocks), for the file: the same numbers as :func:`rounded`."""
    blocks = weight.reshape(len(weight), -1, block_of(weight.shape[1]))
    scale = np.maximum(np.abs(blocks).max(-1, keepdims=True) / np.float32(levels(bits)), np.float32(SMALLEST))
    half: npt.NDArray[Any] = scale.astype(np.float16)
    near = np.clip(np.rint(blocks / half.astype(np.float32)), -levels(bits), levels(bits))
    return near.reshape(weight.shape).astype(np.int8), half[..., 0]


def levels(bits: int) -> int:
    """The largest whole number: 7 in 4 bits, 127 in 8."""
    return 2 ** (bits - 1) - 1


def block_of(inputs: int) -> int:
    """The size of a block: all inputs where they do not divide into whole blocks."""
    return BLOCK if inputs % BLOCK == 0 else inputs
