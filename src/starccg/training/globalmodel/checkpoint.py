"""Checkpoints that survive a kill at any moment: one file, replaced as a whole, that holds all a run goes on from.

Shuffling and dropout depend on nothing but the seed and the number of the step, so there is no random state to save.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import torch
from safetensors.torch import save
from torch import Tensor

from starccg.errors import StarccgError
from starccg.folders import write_atomically

FILE = "checkpoint.safetensors"
METRICS = "metrics.jsonl"


@dataclass(slots=True)
class Totals:
    """Sums since the last line of metrics."""

    sentences: int = 0
    words: int = 0
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
    """Where a run stands."""

    run: str
    """A fingerprint of configuration and data: a checkpoint belongs to one run."""
    steps: int = 0
    epoch: int = 0
    position: int = 0
    """Sentences of this epoch that are done."""
    sentences: int = 0
    best_f1: float = -1.0
    best_sentences: int = 0
    looked_at: int = -1
    """Sentences seen at the last look at dev."""
    looks_without_gain: int = 0
    finished: bool = False
    metrics_bytes: int = 0
    totals: Totals = field(default_factory=Totals)


def save_checkpoint(folder: Path, state: State, tensors: dict[str, Tensor]) -> None:
    """Replace the checkpoint of a run."""
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    content = save(plain, metadata={"state": json.dumps(asdict(state))})
    write_atomically(folder / FILE, content)


def load_checkpoint(folder: Path, run: str) -> tuple[State, dict[str, Tensor]] | None:
    """The checkpoint of this very run, if there is one."""
    path = folder / FILE
    if not path.exists():
        return None
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            value: dict[str, Any] = json.loads((file.metadata() or {})["state"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, KeyError, ValueError, safetensors.SafetensorError) as error:
        raise StarccgError(f"{path}: not a checkpoint ({error}): remove it to start again") from error
    totals = Totals(**value.pop("totals"))
    state = State(**value, totals=totals)
    if state.run != run:
        raise StarccgError(
            f"{path}: made with another configuration or other data: choose another folder, or remove it to start again"
        )
    return state, tensors


class Metrics:
    """``metrics.jsonl``: after a resume, lines written since the checkpoint are taken back and written anew."""

    def __init__(self, folder: Path, length: int) -> None:
        self.path = folder / METRICS
        self.path.touch()
        with self.path.open("r+b") as file:
            file.truncate(length)

    def write(self, line: dict[str, Any]) -> int:
        """Add a line; returns the length of the file."""
        with self.path.open("ab") as file:
            file.write((json.dumps(line) + "\n").encode())
            file.flush()
            return file.tell()


def dropout_mask(shape: tuple[int, int], dropout: float, seed: int, step: int) -> Tensor:
    """The inverted dropout mask of a step: 0, or 1 / (1 - dropout)."""
    kept = np.random.default_rng([seed, step, 5]).random(shape, np.float32) >= dropout
    return torch.from_numpy(kept.astype(np.float32) / np.float32(1 - dropout))


def order_of_epoch(count: int, seed: int, epoch: int) -> list[int]:
    """The order in which an epoch goes through its sentences."""
    order: list[int] = np.random.default_rng([seed, epoch, 3]).permutation(count).tolist()
    return order
