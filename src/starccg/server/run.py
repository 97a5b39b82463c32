"""Runs the application under uvicorn, with limits on connections and a graceful stop."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import uvicorn
from fastapi import FastAPI

from starccg.server.connections import limited
from starccg.server.limits import ServerLimits

GRACE = 2.0
"""Seconds that requests in work have to end when the server stops."""
HEADER_BYTES = 16 * 1024
OTHER_FILES = 64
"""File descriptors for everything but connections."""


class Server(uvicorn.Server):
    """Calls ``started`` when it listens. When it stops, it ends the work of requests within ``GRACE`` seconds."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, started: Callable[[], None]) -> None:
        super().__init__(config)
        self.application, self.when_started = app, started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen."""
        await super().startup(sockets)
        self.when_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Refuse new requests, and give those in work a deadline: now, if Ctrl-C is pressed again."""
        scheduler, tasks = self.application.state.scheduler, self.server_state.tasks
        scheduler.stop(GRACE)
        await super().shutdown(sockets)
        if self.force_exit and tasks:
            scheduler.stop(0.0)
            await asyncio.wait(tasks, timeout=GRACE)
        scheduler.close()


def make_server(
    app: FastAPI, limits: ServerLimits, started: Callable[[], None] = lambda: None, *, log_requests: bool = False
) -> Server:
    """A server for the application; its ``run([socket])`` serves until Ctrl-C or a signal to terminate."""
    limits = replace(limits, connections=min(limits.connections, file_limit(limits.connections)))
    # Clients can cause warnings as often as they like, so these are not logged by default.
    level = logging.INFO if log_requests else logging.ERROR
    config = uvicorn.Config(
        app,
        http=limited(limits),
        lifespan="off",  # the server closes the scheduler itself
        ws="none",
        log_level=level,
        access_log=log_requests,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=max(1, round(limits.idle_seconds)),
        timeout_graceful_shutdown=round(GRACE) + 1,
        h11_max_incomplete_event_size=HEADER_BYTES,
    )
    return Server(config, app, started)


def file_limit(wanted: int) -> int:
    """How many connections the system lets this process have, after asking for as many as are wanted."""
    try:
        import resource  # noqa: PLC0415 - only on Unix
    except ImportError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    need = wanted + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < need:
        most = need if hard == resource.RLIM_INFINITY else min(need, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return wanted if soft == resource.RLIM_INFINITY else max(1, soft - OTHER_FILES)
