"""A request and its sentences as the scheduler sees them: what they may use, what they wait for, what was found."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from starccg.outcome import Failed, ParseOutcome
from starccg.search.options import Options
from starccg.search.searcher import Cancellation
from starccg.search.types import SearchResult, TaggedSentence
from starccg.sentence_input import Words

Answer = TypeVar("Answer")

QUANTUM = 0.1
"""Seconds. Requests that have used less than this are served in their order, as are those that have used less than two
of them, and so on."""


class Work:
    """What one request may use: its deadline, and the seconds it has used so far."""

    def __init__(self, seconds: float, size: int) -> None:
        self.end = time.monotonic() + seconds
        self.size = size
        self.used = 0.0
        self.cancelled = False
        self.stopping = False
        self._running: set[Cancellation] = set()
        self._lock = threading.Lock()

    @property
    def turn(self) -> int:
        """A lower number goes first."""
        return int(self.used / QUANTUM)

    @property
    def seconds_left(self) -> float:
        """Until the deadline of the request."""
        return self.end - time.monotonic()

    def cancel(self) -> None:
        """End all searches of this request, running and waiting."""
        with self._lock:
            self.cancelled = True
            for cancellation in self._running:
                cancellation.cancel()

    def expire_in(self, seconds: float) -> None:
        """Move the deadline closer, also for searches that run now."""
        with self._lock:
            self.stopping = True
            self.end = min(self.end, time.monotonic() + seconds)
            for cancellation in self._running:
                cancellation.expire_in(min(cancellation.seconds_left, seconds))

    @contextmanager
    def running(self, seconds: float) -> Iterator[Cancellation]:
        """A cancellation for work that starts now; its seconds are added to what the request has used."""
        cancellation = Cancellation(min(seconds, max(self.seconds_left, 0.0)))
        with self._lock:
            self._running.add(cancellation)
            if self.cancelled:
                cancellation.cancel()
        begin = time.monotonic()
        try:
            yield cancellation
        finally:
            self.used += time.monotonic() - begin
            with self._lock:
                self._running.discard(cancellation)


@dataclass(slots=True)
class Search(Generic[Answer]):
    """One sentence to parse, and what is made of the outcome (on the thread that parsed it)."""

    sentence: Words | Failed
    """A sentence that cannot be read has failed before any search."""
    options: Options
    finish: Callable[[ParseOutcome, list[float]], Answer]
    """Also gets the seconds of each search, if there were ``repeats``."""
    repeats: int = 1
    """Searches that take less than ``REPEATED`` seconds are timed this often."""
    annotate: bool = False
    """Whether to add parts of speech and lemmas."""


REPEATED = 0.02
"""A search that takes longer is not timed again."""


@dataclass(slots=True)
class Job:
    """A search that waits or runs."""

    work: Work
    sentence: Words
    search: Search[Any]
    future: asyncio.Future[Any]
    lane: int = 0
    tagged: TaggedSentence | None = None
    best: SearchResult | None = None
    """What an earlier lane found."""
    order: int = field(default_factory=itertools.count().__next__)

    @property
    def is_over(self) -> bool:
        """Whether the client has disconnected."""
        return self.work.cancelled or self.future.done()
