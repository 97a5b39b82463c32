"""The state of a training, and the random choices of each of its steps."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor


@dataclass(slots=True)
class Totals:
    """Sums since the last line of metrics."""

    sentences: int = 0
    loss: float = 0.0
    gold_score: float = 0.0
    violations: int = 0
    gold_found: int = 0
    explored: int = 0
    recursive_units: int = 0
    nodes: int = 0
    norm: float = 0.0
    steps: int = 0
    stopped: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class State:
    """The progress of a training."""

    steps: int = 0
    epoch: int = 0
    position: int = 0
    """Sentences of this epoch that are done."""
    sentences: int = 0
    best_f1: float = -1.0
    best_sentences: int = 0
    evaluated_at: int = -1
    """Sentences seen at the last dev evaluation."""
    evaluations_without_gain: int = 0
    finished: bool = False
    metrics_bytes: int = 0
    totals: Totals = field(default_factory=Totals)


def dropout_mask(shape: tuple[int, int], dropout: float, seed: int, step: int) -> Tensor:
    """The inverted dropout mask of a step: 0, or 1 / (1 - dropout)."""
    kept = np.random.default_rng([seed, step, 5]).random(shape, np.float32) >= dropout
    return torch.from_numpy(kept.astype(np.float32) / np.float32(1 - dropout))


def order_of_epoch(count: int, seed: int, epoch: int) -> list[int]:
    """The order in which an epoch goes through its sentences."""
    order: list[int] = np.random.default_rng([seed, epoch, 3]).permutation(count).tolist()
    return order
