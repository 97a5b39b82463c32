"""Connections with limits: uvicorn's HTTP protocol, which has no limits of this kind itself.

It is always the one of h11: that of httptools, which uvicorn takes where it is installed, reads headers of any size.

- A request has to arrive completely, headers and body, in ``receive_seconds``.
- Between two requests a connection may be idle for ``idle_seconds``.
- A client that does not read its answer for ``write_seconds`` is disconnected, and so is one that takes longer than
  ``request_seconds`` and ``ANSWER_SECONDS`` together for an answer.
- There are at most ``connections`` of them. For a new one beyond that, the oldest connection without a request in work
  is closed; if all have one, the new one is refused.
"""

from __future__ import annotations

import asyncio
import socket
from http import HTTPStatus
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from starccg.server.errors import ApiError, answer
from starccg.server.limits import ServerLimits

ANSWER_SECONDS = 60.0
"""For sending an answer, beside the time to compute it."""
SEND_BUFFER = 1 << 18
"""Bytes of an answer that the system keeps for a client that does not read."""
PIPELINED_BYTES = 1 << 16
"""What a client may send while it waits for an answer."""


def limited(limits: ServerLimits) -> type[asyncio.Protocol]:
    """The protocol class for :class:`uvicorn.Config`."""

    class LimitedProtocol(_LimitedProtocol):
        pass

    LimitedProtocol.limits = limits
    LimitedProtocol.waiting = {}
    return LimitedProtocol


class _LimitedProtocol(H11Protocol):  # type: ignore[misc, valid-type]
    """One connection. All of its limits are timers that close it."""

    limits: ClassVar[ServerLimits]
    waiting: ClassVar[dict[_LimitedProtocol, None]]
    """The connections without a request in work, the oldest first."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._is_receiving = False
        self._pipelined = b""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection, if need be in place of another."""
        if len(self.connections) >= self.limits.connections:
            oldest = next(iter(self.waiting), None)
            if oldest is not None:
                oldest._abort()
                self.connections.discard(oldest)
        connection = transport.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        full = len(self.connections) >= self.limits.connections
        super().connection_made(transport)
        if full:
            self._refuse(ApiError("busy", "this server has too many open connections; try again later"))
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Pass data on. What a client sends before its answer is complete is kept until then.

        Uvicorn would stop reading in that case, and then not notice that the client leaves.
        """
        if self._is_in_work or self._pipelined:
            self._pipelined += data
            if len(self._pipelined) > PIPELINED_BYTES:
                self._abort()
            return
        if not self._is_receiving:
            self._is_receiving = True
            self._set_timer("receive", self.limits.receive_seconds, self._out_of_time)
        super().data_received(data)
        self._check_arrived()

    @property
    def _is_in_work(self) -> bool:
        """Whether a request has arrived completely and its answer is not complete."""
        cycle = self.cycle
        return cycle is not None and not cycle.response_complete and not cycle.more_body

    def on_response_complete(self) -> None:
        """Wait for the next request, or answer the one that arrived together with this one."""
        self._clear_timer("answer")
        super().on_response_complete()
        if self.transport.is_closing():
            return
        self._is_receiving = self.cycle is not None and self.cycle.more_body  # the rest of a body that was refused
        self._wait()
        self._check_arrived()
        if self._pipelined:
            self.loop.call_soon(self._receive_pipelined)

    def _receive_pipelined(self) -> None:
        data, self._pipelined = self._pipelined, b""
        if data and not self.transport.is_closing():
            self.data_received(data)

    def pause_writing(self) -> None:
        """The client does not read as fast as we write."""
        super().pause_writing()
        self._set_timer("write", self.limits.write_seconds, self._abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        self._clear_timer("write")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.waiting.pop(self, None)
        for name in list(self._timers):
            self._clear_timer(name)
        super().connection_lost(exc)

    def _wait(self) -> None:
        self.waiting[self] = None
        if "receive" not in self._timers:
            self._set_timer("receive", self.limits.receive_seconds, self._out_of_time)

    def _check_arrived(self) -> None:
        if self._is_in_work:
            self._is_receiving = False
            self._clear_timer("receive")
            self.waiting.pop(self, None)
            self._set_timer("answer", self.limits.request_seconds + ANSWER_SECONDS, self._abort)

    def _out_of_time(self) -> None:
        cycle = self.cycle
        started = cycle is not None and cycle.response_started
        if self._is_receiving and not started:
            seconds = f"{self.limits.receive_seconds:g} seconds"
            self._refuse(ApiError("too_slow", f"the request did not arrive within {seconds}: send it faster"))
        else:
            self._abort()

    def _refuse(self, error: ApiError) -> None:
        """Send an error without the application, and close."""
        status, body = HTTPStatus(error.status_code), bytes(answer(error).body)
        head = (
            f"HTTP/1.1 {status} {status.phrase}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
            "retry-after: 1\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
        self._set_timer("write", self.limits.write_seconds, self._abort)

    def _abort(self) -> None:
        self.waiting.pop(self, None)
        self.transport.abort()

    def _set_timer(self, name: str, seconds: float, then: Any) -> None:
        self._clear_timer(name)
        self._timers[name] = self.loop.call_later(seconds, then)

    def _clear_timer(self, name: str) -> None:
        if (timer := self._timers.pop(name, None)) is not None:
            timer.cancel()
