"""What HTTP costs: requests with one sentence and with many, beside calling the parser in the same run.

    python benchmarks/server.py --rounds 5 --clients 2

The server is a process of its own; the ways are taken in turn, round after round, and the median round is told. Beside
the clock stands the processor time of the parsing process for a sentence, which other jobs on the machine do not touch
as much. Prints Markdown, then a JSON line.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import starccg
from starccg.outcome import Failed
from starccg.parser import Parser

SENTENCES = [
    "Fruit flies like bananas.",
    "The report that she wrote last winter surprised everyone who had read the first one.",
    "What did the committee decide to recommend?",
    "She gave the dog that barked a bone, but it didn't eat it.",
    "After the rain had stopped, the children went out to play in the garden behind the old house.",
    "He says that nobody knows where the keys are.",
    "If you want to catch the early train, you should leave the office before five and take the bridge.",
    "Time flies like an arrow.",
]


def single(connection: http.client.HTTPConnection, text: str, svg: bool) -> float:
    """Seconds of one request with one sentence."""
    begin = time.perf_counter()
    post(connection, {"sentences": [text], "svg": svg})
    return time.perf_counter() - begin


def post(connection: http.client.HTTPConnection, body: dict[str, Any]) -> Any:
    connection.request("POST", "/api/parse", json.dumps(body), {"content-type": "application/json"})
    answer = connection.getresponse()
    text = answer.read()
    assert answer.status == 200, text
    return text


def over_http(port: int, texts: list[str], clients: int, svg: bool) -> tuple[float, list[float]]:
    """Requests a second and the seconds of each, for clients that each send one after the other."""

    def client(share: list[str]) -> list[float]:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        found = [single(connection, text, svg) for text in share]
        connection.close()
        return found

    begin = time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        taken = list(itertools.chain(*pool.map(client, [texts[start::clients] for start in range(clients)])))
    return len(texts) / (time.perf_counter() - begin), taken


def batches(port: int, texts: list[str], size: int, svg: bool) -> float:
    """Sentences a second in requests of many, one request after the other."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    begin = time.perf_counter()
    for start in range(0, len(texts), size):
        post(connection, {"sentences": texts[start : start + size], "svg": svg})
    taken = time.perf_counter() - begin
    connection.close()
    return len(texts) / taken


def direct(parser: Parser, texts: list[str], size: int) -> float:
    """Sentences a second without a server, the dependencies worked out as the server does."""
    begin = time.perf_counter()
    for start in range(0, len(texts), size):
        for outcome in parser.parse(texts[start : start + size]):
            assert not isinstance(outcome, Failed)
            _ = outcome.best.dependencies
    return len(texts) / (time.perf_counter() - begin)


def processor_seconds(process: int) -> float:
    """What a process has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--requests", type=int, default=400, help="in a round")
    arguments.add_argument("--clients", type=int, default=2)
    arguments.add_argument("--batch", type=int, default=64)
    options = arguments.parse_args()
    texts = list(itertools.islice(itertools.cycle(SENTENCES), options.requests))
    parser = starccg.load()
    command = [sys.executable, "-u", "-m", "starccg", "serve", "--port", "0", "--threads", str(options.clients)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = re.search(r":(\d+) ", server.stdout.readline())
        assert address, "the server did not start"
        port, times = int(address[1]), dict[str, list[float]]()

        def served(clients: int, svg: bool) -> Callable[[], float]:
            def run() -> float:
                rate, taken = over_http(port, texts, clients, svg)
                times.setdefault(f"{clients} {svg}", []).extend(taken)
                return rate

            return run

        ways: dict[str, tuple[Callable[[], float], str]] = {
            "parser.parse, one at a time": (lambda: direct(parser, texts, 1), ""),
            "HTTP, one a request, 1 client": (served(1, False), "1 False"),
            f"HTTP, one a request, {options.clients} clients": (
                served(options.clients, False),
                f"{options.clients} False",
            ),
            f"HTTP, one a request with drawings, {options.clients} clients": (
                served(options.clients, True),
                f"{options.clients} True",
            ),
            f"parser.parse, {options.batch} at a time": (lambda: direct(parser, texts, options.batch), ""),
            f"HTTP, {options.batch} a request, 1 client": (lambda: batches(port, texts, options.batch, False), ""),
            f"HTTP, {options.batch} a request with drawings, 1 client": (
                lambda: batches(port, texts, options.batch, True),
                "",
            ),
        }
        for run, _ in ways.values():
            run()  # warm
        times.clear()
        rates: dict[str, list[float]] = {name: [] for name in ways}
        used: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(options.rounds):
            for name, (run, _) in ways.items():
                process = os.getpid() if name.startswith("parser") else server.pid
                before = processor_seconds(process)
                rates[name].append(run())
                used[name].append((processor_seconds(process) - before) / len(texts))
    finally:
        server.terminate()
        server.wait(20)
    words = sum(len(outcome.words) for outcome in parser.parse(SENTENCES)) / len(SENTENCES)
    print(
        f"{options.rounds} rounds of {len(texts)} sentences, {words:.1f} words on average; median round (least-most)\n"
    )
    print("| way | sentences/s | processor time | p50 | p95 |\n|---|---|---|---|---|")
    for name, (_, key) in ways.items():
        spread = f"{min(rates[name]):.0f}-{max(rates[name]):.0f}"
        cost = 1000 * statistics.median(used[name])
        taken = sorted(times.get(key, []))
        middle = f"{1000 * statistics.median(taken):.1f} ms" if taken else ""
        late = f"{1000 * taken[int(0.95 * len(taken))]:.1f} ms" if taken else ""
        print(f"| {name} | {statistics.median(rates[name]):.0f} ({spread}) | {cost:.1f} ms | {middle} | {late} |")
    print(json.dumps({name: statistics.median(found) for name, found in rates.items()}))


if __name__ == "__main__":
    main()
