"""The gradients of one step: of several batches, on one device or on those of several processes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from starccg.training.distributed import Workers
from starccg.training.tagger.data import Item
from starccg.training.tagger.loss import batch_loss
from starccg.training.tagger.setup import Model, Setup

Shares = Sequence[tuple[float, Sequence[Item]]]
"""Batches with the weights of their losses."""


def shares(batches: Sequence[Sequence[Item]], accumulate: int, workers: Workers) -> Shares:
    """This process's batches of a step, as many as the other processes have: those that are missing weigh nothing.

    The gradients of the processes are averaged, so a batch weighs as much as in one process that accumulates all.
    """
    own = [(1.0 / accumulate, batch) for batch in batches[workers.rank :: workers.size]]
    missing = -(-len(batches) // workers.size) - len(own)
    return [*own, *[(0.0, batches[0])] * missing]


class _Loss(nn.Module):
    """The loss as a module, so that one call of ``forward`` covers the states and every output layer."""

    def __init__(self, model: Model, setup: Setup, device: torch.device) -> None:
        super().__init__()
        self.model, self.setup, self.device = model, setup, device

    def forward(self, batch: Sequence[Item]) -> Tensor:
        """The loss of a batch."""
        return batch_loss(self.model, self.setup, batch, self.device)


class Learner:
    """Adds up gradients; those of several processes are averaged after the last batch of a step."""

    def __init__(self, loss: nn.Module) -> None:
        self._loss: Any = loss

    def learn(self, batches: Shares) -> Tensor:
        """Leave the gradients of a step in the parameters; returns the sum of the losses of the batches."""
        total: Tensor | None = None
        for number, (weight, batch) in enumerate(batches, 1):
            apart = number < len(batches) and isinstance(self._loss, DistributedDataParallel)
            with self._loss.no_sync() if apart else nullcontext():
                loss = self._loss(batch)
                (loss * weight).backward()
            counted = loss.detach() * (weight > 0)
            total = counted if total is None else total + counted
        assert total is not None
        return total


def learner_of(model: Model, setup: Setup, device: torch.device, workers: Workers) -> Learner:
    """For one process, or for several (``DistributedDataParallel``).

    A batch is of one dialect, so that the output layers of others have no gradient in this process.
    """
    loss = _Loss(model, setup, device)
    return Learner(loss if workers.size == 1 else DistributedDataParallel(loss, find_unused_parameters=True))
