"""Checkpoints and metrics of a training, written such that it resumes from a crash at any moment.

Random numbers depend only on the random seed and the number of the step, so there is no random state to save.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import safetensors
import torch
from safetensors.torch import save
from torch import Tensor

from starccg.errors import StarccgError
from starccg.files import write_atomically

CHECKPOINT = "checkpoint.safetensors"
METRICS = "metrics.jsonl"


def save_tensors(path: Path, tensors: Mapping[str, Tensor], metadata: dict[str, str] | None = None) -> None:
    """Write tensors from any device atomically."""
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_atomically(path, save(plain, metadata))


def save_checkpoint(folder: Path, run: str, state: dict[str, Any], tensors: Mapping[str, Tensor]) -> None:
    """Replace the checkpoint of a training; ``run`` is the fingerprint of its configuration and data."""
    text = json.dumps({"run": run, **state})
    save_tensors(folder / CHECKPOINT, tensors, {"state": text, "sha256": _checksum(text, tensors)})


def _checksum(state: str, tensors: Mapping[str, Tensor]) -> str:
    """Of everything in a checkpoint, so that a damaged one is noticed before a training continues from it."""
    found = hashlib.sha256(state.encode())
    for name in sorted(tensors):
        values = tensors[name].detach().cpu().contiguous()
        found.update(f"\n{name} {values.dtype} {tuple(values.shape)}\n".encode())
        found.update(values.flatten().view(torch.uint8).numpy().data)
    return found.hexdigest()


def load_checkpoint(folder: Path, run: str) -> tuple[dict[str, Any], dict[str, Tensor]] | None:
    """The state and the tensors of this very training, if there is a checkpoint."""
    path = folder / CHECKPOINT
    if not path.exists():
        return None
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            text = metadata["state"]
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
    except (OSError, KeyError, ValueError, safetensors.SafetensorError) as error:
        raise StarccgError(f"{path}: not a checkpoint ({error}): remove it to start again") from error
    if metadata.get("sha256") != _checksum(text, tensors):
        raise StarccgError(f"{path} is damaged (its checksum is wrong): remove it to start again")
    state: dict[str, Any] = json.loads(text)
    if state.pop("run", None) != run:
        raise StarccgError(
            f"{path}: made with another configuration or other data: choose another folder, or remove it to start again"
        )
    return state, tensors


class Metrics:
    """``metrics.jsonl``: when a training resumes, lines written after its checkpoint are removed and written again."""

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
