"""Clients for benchmarks/server.py: servers to measure, healthy clients, and clients that attack. All on 127.0.0.1."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"


@dataclass
class Served:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    port: int
    log: Path

    def memory(self, kind: str = "VmRSS") -> float:
        """In MB: now (VmRSS), or the most so far (VmHWM)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(rf"{kind}:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else float("nan")

    @property
    def log_bytes(self) -> int:
        return self.log.stat().st_size


@contextmanager
def serving(checkout: Path | None = None, *arguments: str) -> Iterator[Served]:
    """The server of this checkout, or of another one with a virtual environment."""
    python = sys.executable if checkout is None else str(checkout / ".venv" / "bin" / "python")
    command = [python, "-u", "-m", "starccg", "serve", "--port", "0", *arguments]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("w") as errors:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=checkout)
            try:
                assert process.stdout is not None
                found = re.search(r":(\d+) ", process.stdout.readline())
                assert found, f"the server did not start: {log.read_text()}"
                yield Served(process, int(found[1]), log)
            finally:
                process.terminate()
                try:
                    process.wait(15)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def encoded(path: str, body: dict[str, Any]) -> bytes:
    """A request as it is sent."""
    data = json.dumps(body).encode()
    head = f"POST /api/{path} HTTP/1.1\r\nhost: {HOST}\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(data)}\r\n\r\n".encode() + data


@dataclass
class Tally:
    """What clients saw."""

    seconds: list[float] = field(default_factory=list)
    refused: int = 0
    errors: int = 0

    def percentile(self, share: float) -> float:
        """Of the seconds of answered requests."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


async def read_answer(reader: asyncio.StreamReader) -> int:
    """The status of an answer, after all of it was read."""
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head[9:12])
    lower = head.lower()
    if b"transfer-encoding: chunked" in lower:
        while size := int(await reader.readline(), 16):
            await reader.readexactly(size + 2)
        await reader.readexactly(2)
    else:
        length = re.search(rb"content-length: (\d+)", lower)
        await reader.readexactly(int(length[1]) if length else 0)
    return status


async def client(port: int, requests: list[bytes], first: int, end: float, most: int, tally: Tally) -> None:
    """Send requests one after the other until ``end`` or until ``most`` are answered; each waits for its answer."""
    reader = writer = None
    number = first
    while time.perf_counter() < end and len(tally.seconds) < most:
        try:
            if writer is None:
                reader, writer = await asyncio.open_connection(HOST, port)
            assert reader is not None
            begin = time.perf_counter()
            writer.write(requests[number % len(requests)])
            number += 1
            status = await asyncio.wait_for(read_answer(reader), 120)
            if status == 200:
                tally.seconds.append(time.perf_counter() - begin)
            elif status == 503:
                tally.refused += 1
                await asyncio.sleep(0.1)
            else:
                tally.errors += 1
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            tally.errors += 1
            if writer is not None:
                writer.close()
            reader = writer = None
            await asyncio.sleep(0.05)
    if writer is not None:
        writer.close()


async def load(
    port: int, requests: list[bytes], clients: int, seconds: float, most: int = 10**9
) -> tuple[Tally, float]:
    """Run parallel clients for ``seconds``; returns their results and times."""
    tally, begin = Tally(), time.perf_counter()
    tasks = [client(port, requests, number, begin + seconds, most, tally) for number in range(clients)]
    await asyncio.gather(*tasks)
    return tally, time.perf_counter() - begin


async def healthy(port: int, seconds: float, limit: float) -> Tally:
    """A client with a short sentence every quarter of a second, on new connections; ``limit`` is its patience."""
    tally, end = Tally(), time.perf_counter() + seconds
    request = encoded("parse", {"text": "It works.", "svg": False})
    while time.perf_counter() < end:
        begin = time.perf_counter()
        try:
            async with asyncio.timeout(limit):
                reader, writer = await asyncio.open_connection(HOST, port)
                writer.write(request)
                status = await read_answer(reader)
            writer.close()
            tally.refused += status == 503
            tally.errors += status not in (200, 503)
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            tally.errors += 1
        tally.seconds.append(time.perf_counter() - begin)
        await asyncio.sleep(0.25)
    return tally


async def opened(port: int, sent: bytes = b"", receive_buffer: int = 0) -> socket.socket:
    """A connection that sends this and never reads."""
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.setblocking(False)
    loop = asyncio.get_running_loop()
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(5):
            await loop.sock_connect(connection, (HOST, port))
            await loop.sock_sendall(connection, sent)
    return connection


def allow_files(count: int) -> None:
    """Raise the limit of open connections of this process."""
    import resource  # noqa: PLC0415

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard), hard))


def cores() -> int:
    return len(os.sched_getaffinity(0))
