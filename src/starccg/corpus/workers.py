"""Parse shards in several processes, each with its own parser. If a process dies, no result is lost.

Shards are submitted in order, at most two per process, and returned when they are ready. If a process dies, the
running shards are parsed again, one at a time; one that kills its process again is parsed row by row, and a row that
kills it alone becomes a failed row. So a row that crashes the process (out of memory, say) affects no other row.

On a GPU the processes read, search and write, and :mod:`starccg.corpus.tagging` tags for all of them. While a process
waits for the tags of one batch, it works on another.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from typing import Any

from starccg.corpus.shards import OutputFormat, Shard, Written, parse_shard
from starccg.corpus.tagging import TaggingProcesses, on_gpus
from starccg.integrations.processes import ProcessParser
from starccg.processes import end_with_parent, give_back_memory
from starccg.tagger.remote import TaggingStopped

STOPPED = (BrokenProcessPool, TaggingStopped)
"""What a call raises if its process died, or the one that tags for it."""
DIED = "the process that parsed this row died (out of memory, or killed)"


@dataclass(frozen=True, slots=True)
class Work:
    """The function that every process applies to a shard."""

    parser: ProcessParser
    output: OutputFormat
    split: bool

    def __call__(self, shard: Shard) -> Written:
        """Parse a shard."""
        return parse_shard(shard, self.parser.pipe, self.output, split=self.split)

    def tagging(self, workers: int) -> TaggingProcesses | None:
        """Start the processes that tag for this number of workers; None if each process tags for itself."""
        parser = self.parser
        return on_gpus(parser.model, parser.device, workers) if parser.device.startswith("cuda") else None


_work: Work


def _start(work: Work) -> None:
    """Set up a worker process: only the parent handles Ctrl-C, and workers end when the parent ends."""
    global _work  # noqa: PLW0603 - one for each process, set before the first shard
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    gc.disable()  # going through all parses of a shard again and again takes a tenth of the time
    _work = work


def _parse(shard: Shard) -> Written:
    written = _work(shard)
    gc.collect()
    give_back_memory()
    return written


class Workers:
    """Processes that parse shards."""

    def __init__(self, work: Work, processes: int, *, keep: bool = False) -> None:
        """``keep``: keep the processes, with their models, for the next call of :meth:`results`."""
        self.work, self.processes, self.keep = work, processes, keep
        self._pools: dict[bool, _Pool] = {}
        """That of all processes and, by ``True``, that of a single one."""

    def results(self, shards: Iterable[Shard]) -> Iterator[tuple[Shard, Written]]:
        """Each shard with its result, in the order of completion."""
        stream = iter(shards)
        done = False
        try:
            while not done:
                under_way: dict[Future[Written], Shard] = {}
                taken: Shard | None = None
                try:
                    for shard in stream:
                        taken = shard  # until it is submitted: a broken pool refuses it
                        under_way[self._submit(shard)] = shard
                        taken = None
                        if len(under_way) >= 2 * self.processes:
                            yield from _ready(under_way)
                    while under_way:
                        yield from _ready(under_way)
                    done = True
                except STOPPED:
                    self._end(alone=False)
                    again = [*under_way.values(), *([taken] if taken is not None else [])]
                    for shard in sorted(again, key=lambda it: it.number):
                        yield shard, self._parse_alone(shard)
                    self._end(alone=True)
        finally:
            self._end(alone=True)
            if not (done and self.keep):
                self._end(alone=False)

    def _submit(self, shard: Shard, *, alone: bool = False) -> Future[Written]:
        if alone not in self._pools:
            self._pools[alone] = _Pool(self.work, 1 if alone else self.processes)
        return self._pools[alone].submit(_parse, shard)

    def _parse_alone(self, shard: Shard) -> Written:
        """Parse a shard that was running when a process died."""
        written = self._try(shard)
        if written is not None:
            return written
        rows = []
        for row in shard.rows:
            single = self._try(Shard(shard.number, (row,)))
            rows.append(row if single is not None else replace(row, text=None, error=DIED))
        return self._try(Shard(shard.number, tuple(rows))) or self._given_up(shard)

    def _given_up(self, shard: Shard) -> Written:
        """Every row can be parsed by itself, but not the whole shard: no single row is the cause, so all fail."""
        return self.work(Shard(shard.number, tuple(replace(row, text=None, error=DIED) for row in shard.rows)))

    def _try(self, shard: Shard) -> Written | None:
        """Parse a shard in the single process; None if it dies."""
        try:
            return self._submit(shard, alone=True).result()
        except STOPPED:
            self._end(alone=True)
            return None

    def _end(self, *, alone: bool) -> None:
        if (pool := self._pools.pop(alone, None)) is not None:
            pool.end()


def _ready(under_way: dict[Future[Written], Shard]) -> Iterator[tuple[Shard, Written]]:
    """Wait for a shard and yield those that are ready. After a broken pool the rest stays in ``under_way``."""
    done, _ = wait(under_way, return_when=FIRST_COMPLETED)
    for future in sorted(done, key=lambda it: under_way[it].number):
        written = future.result()
        yield under_way.pop(future), written


class _Pool(ProcessPoolExecutor):
    """Spawned processes, because threads of the tagger do not survive a fork."""

    def __init__(self, work: Work, processes: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._tagging = work.tagging(processes)
        if self._tagging is not None:
            work = replace(work, parser=work.parser.on(self._tagging.device))
        super().__init__(processes, mp_context=context, initializer=_start, initargs=(work,))

    def end(self) -> None:
        """End the processes without waiting for what they work on, then the thread that manages them.

        Left alone, that thread may close its pipe just when Python, as it exits, writes to it: a traceback.
        """
        processes = list((self._processes or {}).values())
        manager: Any = self._executor_manager_thread
        self.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        if manager is not None:
            manager.join(5)
        if self._tagging is not None:
            self._tagging.close()
