"""The processes that tag for the workers of a corpus run, on the GPUs."""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import connection
from pathlib import Path
from typing import Any

from starccg.devices import REMOTE, gpus
from starccg.errors import StarccgError
from starccg.model_folder.find import find
from starccg.processes import end_with_parent
from starccg.tagger.remote import Server


class TaggingProcesses:
    """Started and ready when this returns; each of ``sessions`` opens the network in a process of its own."""

    def __init__(self, sessions: Sequence[Callable[[], Any]]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="starccg-")
        context = multiprocessing.get_context("spawn")
        self.addresses = [str(Path(self._folder.name) / str(number)) for number in range(len(sessions))]
        pipes = [context.Pipe(duplex=False) for _ in sessions]
        self.processes = [
            context.Process(target=_serve, args=(open_session, address, ready), name="tagging", daemon=True)
            for open_session, address, (_, ready) in zip(sessions, self.addresses, pipes, strict=True)
        ]
        for process in self.processes:
            process.start()
        for told, ready in pipes:
            ready.close()
            try:
                reason = told.recv()
            except EOFError:
                reason = "it died while it loaded the model"
            if reason:
                self.close()
                raise StarccgError(f"the process that tags did not start: {reason}")

    @property
    def device(self) -> str:
        """What the workers are given as their device."""
        return REMOTE + "|".join(self.addresses)

    def close(self) -> None:
        """End the processes."""
        for process in self.processes:
            process.terminate()
            process.join()
        self._folder.cleanup()


WORKERS_FED = 3
"""Workers for each process that tags: it starts the kernels of the GPU one by one, which keeps a core busy."""


def on_gpus(model: str, device: str, workers: int) -> TaggingProcesses:
    """The tagger of a model on every GPU that ``device`` names, in enough processes for this number of workers."""
    return TaggingProcesses([partial(_open, model, gpu) for gpu in places(gpus(device), workers)])


def places(found: Sequence[str], workers: int) -> list[str]:
    """The GPU of each process that tags; each GPU has the same number of them."""
    return [gpu for _ in range(max(1, workers // (WORKERS_FED * len(found)))) for gpu in found]


def _open(model: str, device: str) -> Any:
    from starccg.model_folder.tagger import load_tagger  # noqa: PLC0415 - in its own process

    return load_tagger(find(model) / "tagger", threads=1, device=device).session


def _serve(open_session: Callable[[], Any], address: str, ready: connection.Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    try:
        server = Server(open_session(), address, lambda: os._exit(1))
    except Exception as error:
        ready.send(f"{type(error).__name__}: {error}")
        return
    ready.send("")
    server.serve()
