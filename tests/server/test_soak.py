"""Many requests, one after the other and at the same time: no errors, nothing left in work, and flat memory.

``python benchmarks/server.py --soak 100000`` is the long form.
"""

from __future__ import annotations

import http.client
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlparse

import pytest

from tests.server.test_serve_command import serving

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the memory is read from /proc")]

REQUESTS = [
    ("parse", {"text": "The report that she wrote surprised everyone."}),
    ("parse", {"sentences": ["It works.", "", "He sleeps."], "nbest": 3, "svg": False}),
    ("search", {"text": "Fruit flies like bananas."}),
    ("compare", {"text": "It works.", "decoders": ["global", "supertag", "beam"]}),
    ("export", {"text": "It works.", "format": "auto"}),
    ("parse", {"text": ""}),
]


def send(address: str, count: int) -> list[int]:
    """The statuses of the requests of one client."""
    connection = http.client.HTTPConnection(urlparse(address).netloc, timeout=60)
    statuses = []
    for number in range(count):
        path, body = REQUESTS[number % len(REQUESTS)]
        connection.request("POST", f"/api/{path}", json.dumps(body), {"content-type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        statuses.append(answer.status)
    connection.close()
    return statuses


def memory(process: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    assert found
    return int(found[1]) / 1024


def test_the_memory_of_a_hard_search_is_given_back() -> None:
    with serving("--seconds", "3") as (process, address):
        send(address, 6)
        before = memory(process.pid)
        connection = http.client.HTTPConnection(urlparse(address).netloc, timeout=60)
        body = json.dumps({"text": " ".join(["a"] * 250)})
        connection.request("POST", "/api/search", body, {"content-type": "application/json"})
        assert connection.getresponse().read().startswith(b'{"words":["a",')
        assert memory(process.pid) < before + 100


def test_memory_is_flat_over_many_requests() -> None:
    with serving() as (process, address), ThreadPoolExecutor(8) as pool:
        used = []
        for _ in range(4):
            statuses = [status for found in pool.map(send, [address] * 8, [40] * 8) for status in found]
            assert set(statuses) == {200} and len(statuses) == 320
            used.append(memory(process.pid))
        assert used[-1] - used[1] < 20, f"memory grows: {used} MB"
        connection = http.client.HTTPConnection(urlparse(address).netloc)
        connection.request("GET", "/api/metrics")
        assert "starccg_requests_in_work 0\n" in connection.getresponse().read().decode()
