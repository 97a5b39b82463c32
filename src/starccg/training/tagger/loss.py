"""What a tagger learns from: gold tags, what teachers say, parts of speech and lemmas; and the gradients of a step."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

from starccg.training.distributed import Workers
from starccg.training.tagger.data import IGNORED, Item, Soft
from starccg.training.tagger.setup import Model, Setup
from starccg.training.tagger.states import StatesTagger

NOTE_WEIGHT = 0.2
"""The weight of a part of speech or a lemma against a supertag."""


def batch_loss(model: Model, setup: Setup, batch: Sequence[Item], device: torch.device) -> Tensor:
    """The mean loss of a word, or for plain SGD of a sentence."""
    feeds = feeds_of(setup, batch, device)
    words = sum(len(item.targets) for item in batch)
    targets = torch.from_numpy(np.concatenate([item.targets for item in batch])).to(device, non_blocking=True)
    dialect, extra = batch[0].dialect, {}
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda" and setup.config.kind == "encoder"):
        if isinstance(model, StatesTagger):
            states = model.states(**feeds)
            logits = model.output(states, dialect)
            extra = {
                name: model.output(states, name) for name in sorted({name for item in batch for name in item.notes})
            }
        else:
            logits = model(**feeds, dialect=dialect)
    loss = tag_loss(logits.float(), targets, _soft(batch, device), setup)
    for name, found in extra.items():
        numbers = torch.from_numpy(np.concatenate([_notes(item, name) for item in batch])).to(device)
        loss = loss + NOTE_WEIGHT * functional.cross_entropy(
            found.float(), numbers, ignore_index=IGNORED, reduction="sum"
        )
    return loss / max(1, len(batch) if setup.config.schedule.optimiser == "sgd" else words)


def tag_loss(logits: Tensor, targets: Tensor, soft: tuple[Tensor, Tensor] | None, setup: Setup) -> Tensor:
    """The sum over words of the loss of the gold tag, of the teachers' distribution, or of both in the shares set."""
    smoothing = setup.config.schedule.label_smoothing
    gold = functional.cross_entropy(logits, targets, ignore_index=IGNORED, label_smoothing=smoothing, reduction="none")
    if soft is None:
        return gold.sum()
    tags, probabilities = soft  # (words, most)
    taught = probabilities[:, 0] > 0
    likely = torch.log_softmax(logits, -1).gather(1, tags)
    distance = -(probabilities * likely).sum(1)
    share = torch.where(targets == IGNORED, 1.0, setup.config.distil.share) * taught
    return ((1.0 - share) * gold + share * distance).sum()


def feeds_of(setup: Setup, batch: Sequence[Item], device: torch.device) -> dict[str, Tensor]:
    """The arrays that the network reads."""
    feeds = setup.inputs.collate([item.piece for item in batch])
    return {name: torch.from_numpy(array).to(device, torch.long) for name, array in feeds.items()}


def _soft(batch: Sequence[Item], device: torch.device) -> tuple[Tensor, Tensor] | None:
    most = max((item.soft.tags.shape[1] for item in batch if item.soft is not None), default=0)
    if not most:
        return None
    filled = [item.soft or Soft.empty(len(item.targets), most) for item in batch]
    tags = torch.from_numpy(np.concatenate([soft.tags for soft in filled])).to(device)
    probabilities = torch.from_numpy(np.concatenate([soft.probabilities for soft in filled])).to(device)
    return tags.long(), probabilities.float()


def _notes(item: Item, name: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    found = item.notes.get(name)
    return np.full(len(item.targets), IGNORED, np.int64) if found is None else found


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
