"""A bounded number of threads that parse, and a bounded queue before them: beyond that, come again later.

The event loop never parses, so the server answers other questions meanwhile; the native core releases the GIL.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from starccg.server.errors import ApiError

Result = TypeVar("Result")

RETRY_AFTER = 1
"""Seconds: most requests are done in far less."""


class Workers:
    """Runs work in threads, ``concurrent`` at a time with ``waiting`` more in line; used from one event loop."""

    def __init__(self, concurrent: int, waiting: int) -> None:
        self.capacity = concurrent + waiting
        self.taken = 0
        self._pool = ThreadPoolExecutor(concurrent, "starccg-parse")

    async def run(self, work: Callable[[], Result]) -> Result:
        """The result of the work; :class:`ApiError` ``busy`` where the queue is full.

        The place in line is given back when the work is done, even if the client has gone by then.
        """
        if self.taken >= self.capacity:
            raise ApiError(
                "busy",
                f"{self.capacity} requests are being worked on, which is all this server takes: try again later",
                headers={"Retry-After": str(RETRY_AFTER)},
            )
        loop = asyncio.get_running_loop()
        self.taken += 1
        future = self._pool.submit(work)
        future.add_done_callback(lambda _: self._release(loop))
        return await asyncio.wrap_future(future)

    def _release(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            loop.call_soon_threadsafe(self._leave)
        except RuntimeError:  # the loop is closed: the server is going down, nobody waits
            self._leave()

    def _leave(self) -> None:
        self.taken -= 1

    def close(self) -> None:
        """Drop what waits; what runs is let to its end."""
        self._pool.shutdown(wait=False, cancel_futures=True)
