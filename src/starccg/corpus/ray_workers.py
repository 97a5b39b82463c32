"""Shards over a Ray cluster: Ray Data schedules them on a pool of actors, each with a parser of its own.

Ray queues shards while all actors are busy, and retries the shards of an actor that died, as often as needed. So that
no row can kill one actor after the other, an actor parses in a process of its own (:mod:`starccg.corpus.workers`). A
shard for which an actor raises an error is parsed on this machine.
The output folder is written here, so the machines need no common file system.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from starccg.corpus.shards import Shard, Written
from starccg.corpus.workers import Work, Workers

WINDOW = 1024
"""Shards that Ray is given at a time. It bounds the memory of this process; the actors start again with each window."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The Ray cluster, and the resources to use."""

    address: str | None = None
    """The address of a running cluster; None starts one on this machine."""
    workers: int = 1
    gpus: float = 0.0
    """GPUs per worker; may be a fraction."""
    cores: int = 1
    """Processes per worker, each on a core. On a GPU they share one process that tags."""


class _Parse:
    """An actor. Each call gets some shards, pickled, because JSON rows have no common columns."""

    def __init__(self, work: Work, cores: int) -> None:
        self.workers = Workers(work, cores, keep=True)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        found = list(self.workers.results(pickle.loads(content) for content in batch["shard"]))
        return {
            "number": [shard.number for shard, _ in found],
            "written": [pickle.dumps(written) for _, written in found],
        }


class RayWorkers:
    """Same interface as :class:`~starccg.corpus.workers.Workers`."""

    def __init__(self, work: Work, cluster: Cluster) -> None:
        self.work, self.cluster = work, cluster

    def results(self, shards: Iterable[Shard]) -> Iterator[tuple[Shard, Written]]:
        """Each shard with its result, in the order of completion."""
        import ray  # noqa: PLC0415 - an extra
        from ray.data import DataContext  # noqa: PLC0415

        started = not ray.is_initialized()
        if started:
            ray.init(self.cluster.address, logging_level=logging.WARNING, log_to_driver=False)
        context = DataContext.get_current()
        context.enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.WARNING)
        context.max_errored_blocks = -1  # failed shards are missing from the results and are parsed here
        try:
            stream = iter(shards)
            while window := {shard.number: pickle.dumps(shard) for shard in islice(stream, WINDOW)}:
                yield from self._window(window)
        finally:
            if started:
                ray.shutdown()

    def _window(self, missing: dict[int, bytes]) -> Iterator[tuple[Shard, Written]]:
        """The results of some shards, which are pickled: their rows as objects need two to six times the memory."""
        import ray  # noqa: PLC0415

        cores = self.cluster.cores
        rows = [{"shard": content} for content in missing.values()]
        parsed = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
            _Parse,
            fn_constructor_args=(self.work, cores),
            batch_size=1 if cores == 1 else 4 * cores,  # enough that few cores wait for the last shard
            compute=ray.data.ActorPoolStrategy(size=min(self.cluster.workers, len(rows))),
            num_cpus=cores,
            num_gpus=self.cluster.gpus,
        )
        for row in parsed.iter_rows():
            yield pickle.loads(missing.pop(int(row["number"]))), pickle.loads(row["written"])
        yield from Workers(self.work, 1).results(map(pickle.loads, missing.values()))
