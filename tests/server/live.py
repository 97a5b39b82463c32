"""A server on a socket of this machine, in a thread of this process, and clients that behave badly."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from fastapi import FastAPI

from starccg.cli.serve import listen
from starccg.server.app import create_app
from starccg.server.limits import ServerLimits
from starccg.server.run import Server, make_server
from tests.server.serving import parser

HARD = " ".join(["to", "of", "that", "is", "was", "had", "in", "be", "like", "as"] * 20)
"""200 words that no decoder parses in its time, whatever the model: each has many tags, and nothing fits."""
HARD_AND_SHORT = " ".join(["that", "had"] * 30)
"""The same for the threads of ordinary sentences."""


@dataclass
class Live:
    """A running server."""

    port: int
    app: FastAPI
    server: Server
    thread: threading.Thread

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def send(self, path: str, **body: Any) -> socket.socket:
        """Send a request, and do not read the answer."""
        connection = self.connect()
        connection.sendall(request(path, json.dumps(body).encode()))
        return connection

    def post(self, path: str, **body: Any) -> tuple[int, Any]:
        """Status and JSON of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", f"/api/{path}", json.dumps(body), {"content-type": "application/json"})
        answer = connection.getresponse()
        value = json.loads(answer.read())
        connection.close()
        return answer.status, value

    def healthy_wait(self) -> float:
        """Seconds that a client with one short sentence waits."""
        begin = time.monotonic()
        status, value = self.post("parse", text="It works.")
        assert status == 200 and value["results"][0]["outcome"] == "Parsed", value
        return time.monotonic() - begin

    @property
    def in_work(self) -> int:
        return len(self.app.state.scheduler.open)

    def idle_within(self, seconds: float) -> bool:
        """Whether no request is in work any more, and no thread searches."""
        end = time.monotonic() + seconds
        while self.in_work:
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        for pool in self.app.state.scheduler._pools:
            together = threading.Barrier(pool._max_workers)  # passed only when all threads of the pool are free
            waits = [pool.submit(together.wait, max(0.1, end - time.monotonic())) for _ in range(pool._max_workers)]
            if any(wait.exception() for wait in waits):
                return False
        return time.monotonic() < end + 0.5


def request(path: str, body: bytes, *, host: str = "127.0.0.1") -> bytes:
    head = f"POST /api/{path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


def is_closed(connection: socket.socket, seconds: float) -> bool:
    """Whether the server closes the connection within this time; what it still sends is read."""
    connection.settimeout(seconds)
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            if not connection.recv(65536):
                return True
    except ConnectionError:
        return True
    except TimeoutError:
        pass
    return False


@contextmanager
def live(hosts: tuple[str, ...] = (), **changes: Any) -> Iterator[Live]:
    limits = replace(ServerLimits(), **changes)
    app = create_app(parser(), limits, hosts)
    started = threading.Event()
    server = make_server(app, limits, started.set)
    listening = listen("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    assert started.wait(30)
    try:
        yield Live(listening.getsockname()[1], app, server, thread)
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive(), "the server does not stop"
