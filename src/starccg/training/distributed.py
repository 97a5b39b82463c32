"""Several processes that train one model together, one for each GPU, started by ``torchrun``."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import Tensor, distributed

from starccg.errors import StarccgError

T = TypeVar("T")


@dataclass(frozen=True)
class Workers:
    """This process among those that train together; one alone does not communicate."""

    rank: int = 0
    size: int = 1

    @property
    def first(self) -> bool:
        """Whether this process writes files and reports progress."""
        return self.rank == 0

    def wait(self) -> None:
        """Until all processes are here."""
        if self.size > 1:
            distributed.barrier()

    def total(self, value: Tensor) -> float:
        """The sum over all processes."""
        if self.size > 1:
            distributed.all_reduce(value)
        return float(value)

    def shared(self, value: T) -> T:
        """The value that the first process has."""
        if self.size == 1:
            return value
        held: list[Any] = [value]
        distributed.broadcast_object_list(held)
        found: T = held[0]
        return found


def launched() -> int:
    """The number of processes that ``torchrun`` started; 1 without it."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def refuse_launcher(command: str) -> None:
    """Raise for a command that several processes would run at the same time in the same folder."""
    if launched() > 1:
        raise StarccgError(f"'starccg {command}' cannot be started by torchrun: only 'starccg train tagger' can")


@contextmanager
def workers(device: str) -> Iterator[tuple[Workers, torch.device]]:
    """Join the processes of ``torchrun`` (gloo on CPUs, nccl on GPUs); gives the device of this one."""
    if (size := launched()) == 1:
        yield Workers(), torch.device(device)
        return
    rank, local = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
    if device.startswith("cuda"):
        if local >= torch.cuda.device_count():
            raise StarccgError(f"torchrun started more processes than the {torch.cuda.device_count()} GPUs here")
        device = f"cuda:{local}"
        torch.cuda.set_device(local)
    distributed.init_process_group("nccl" if device.startswith("cuda") else "gloo")
    try:
        yield (own := Workers(rank, size)), torch.device(device)
        own.wait()  # gloo ends a process whose partner has left
    finally:
        gc.collect()  # what still refers to the group would keep its threads until the interpreter ends, and abort it
        distributed.destroy_process_group()
