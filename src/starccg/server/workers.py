"""A bounded number of threads that parse, and a bounded queue before them: beyond that, come again later.

The event loop never parses, so the server answers other questions meanwhile; the native core releases the GIL.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from starccg.server.errors import ApiError

Result = TypeVar("Result")

RETRY_AFTER = 1
"""Seconds: most requests are done in far less."""


class Workers:
    """Runs work in threads, ``concurrent`` at a time with ``waiting`` more in line."""

    def __init__(self, concurrent: int, waiting: int) -> None:
        self.capacity = concurrent + waiting
        self.taken = 0
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(concurrent, "starccg-parse")

    async def run(self, work: Callable[[], Result]) -> Result:
        """The result of the work; :class:`ApiError` ``busy`` where the queue is full.

        The place in line is given back when the work is done, even if the client has gone by then.
        """
        with self._lock:
            if self.taken >= self.capacity:
                raise ApiError(
                    "busy",
                    f"this server is busy: it takes on {self.capacity} requests at a time; try again later",
                    headers={"Retry-After": str(RETRY_AFTER)},
                )
            self.taken += 1
        future = self._pool.submit(work)
        future.add_done_callback(self._leave)
        return await asyncio.wrap_future(future)

    def _leave(self, _: object) -> None:
        with self._lock:
            self.taken -= 1

    def close(self) -> None:
        """Drop what waits; what runs is let to its end."""
        self._pool.shutdown(wait=False, cancel_futures=True)
