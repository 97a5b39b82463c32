"""The server under load and under attack, on 127.0.0.1: before and after a change, in one run.

    python benchmarks/server.py --before ../old-checkout     load and attacks, this checkout and an older one in turn
    python benchmarks/server.py --soak 100000                memory over many requests

*Load*: clients that send one request after the other. Small requests have one sentence and no drawings; mixed ones are
small requests, 8 sentences, drawings, recorded searches, comparisons and exports in turn.

*Attacks*: clients that leave, that do not read, that send nothing, that send sentences which take long, or bodies which
take long to read. A healthy client with a short sentence measures how long it waits.

``--before`` names a checkout with a built ``.venv``. Prints Markdown, then a line of JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import platform
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from http_clients import HOST, Tally, allow_files, cores, encoded, healthy, load, opened, serving

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
SMALL = [encoded("parse", {"sentences": [text], "svg": False}) for text in SENTENCES]
MIXED = [
    encoded(path, body)
    for text in SENTENCES
    for path, body in (
        ("parse", {"sentences": [text], "svg": False}),
        ("parse", {"sentences": [text]}),
        ("parse", {"sentences": SENTENCES, "svg": False}),
        ("search", {"text": text, "max_steps": 500}),
        ("compare", {"text": text, "decoders": ["global", "supertag"]}),
        ("export", {"text": text, "format": "auto"}),
    )
]
HARD = " ".join(["a"] * 250)
PATIENCE = 60.0
"""Seconds after which the healthy client gives up."""

Attack = Callable[[int, float], Awaitable[None]]


async def clients_that_leave(port: int, seconds: float) -> None:
    """Two requests that take long, every half second; both clients leave after 0.3 s."""
    request, end = encoded("compare", {"text": HARD}), time.perf_counter() + seconds
    while time.perf_counter() < end:
        connections = [await opened(port, request) for _ in range(2)]
        await asyncio.sleep(0.3)
        for connection in connections:
            connection.close()
        await asyncio.sleep(0.2)


async def answers_that_nobody_reads(port: int, seconds: float) -> None:
    """Eight large answers: half of them 256 sentences with 50 parses and drawings, half of them with 5 parses."""
    sentences = ["Fruit flies like bananas , and time flies like an arrow ."] * 256
    requests = [encoded("parse", {"sentences": sentences, "nbest": nbest}) for nbest in (50, 5)] * 4
    connections = [await opened(port, request, 4096) for request in requests]
    await asyncio.sleep(seconds)
    for connection in connections:
        connection.close()


async def silent_connections(port: int, seconds: float) -> None:
    """1,100 connections that send nothing."""
    connections = [await opened(port) for _ in range(1100)]
    await asyncio.sleep(seconds)
    for connection in connections:
        connection.close()


async def hard_sentences(port: int, seconds: float) -> None:
    """Eight clients with 80 sentences of 120 words that no decoder parses in its time."""
    request = encoded("parse", {"sentences": [" ".join(["a"] * 120)] * 80, "svg": False})
    connections = [await opened(port, request) for _ in range(8)]
    await asyncio.sleep(seconds)
    for connection in connections:
        connection.close()


async def bodies_that_take_long_to_read(port: int, seconds: float) -> None:
    """Sixteen clients, each with one body after the other of 40,000 fields of which the last is there twice."""
    body = "{" + ",".join(f'"{number:x}":1' for number in [*range(40_000), 39_999]) + "}"
    head = f"POST /api/parse HTTP/1.1\r\nhost: {HOST}\r\ncontent-type: application/json\r\n"
    await load(port, [f"{head}content-length: {len(body)}\r\n\r\n{body}".encode()], 16, seconds)


ATTACKS: list[Attack] = [
    clients_that_leave,
    answers_that_nobody_reads,
    silent_connections,
    hard_sentences,
    bodies_that_take_long_to_read,
]


async def under_attack(port: int, attack: Attack, seconds: float) -> Tally:
    """What a healthy client sees that comes half a second after the attack began."""
    running = asyncio.ensure_future(attack(port, seconds))
    await asyncio.sleep(0.5)
    tally = await healthy(port, seconds, PATIENCE)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    return tally


def measure_load(names: dict[str, Path | None], options: argparse.Namespace) -> list[dict[str, Any]]:
    """Each server in turn, for each kind of request and number of clients."""
    rows = []
    for kind, requests in (("small", SMALL), ("mixed", MIXED)):
        for clients in options.clients:
            for name, checkout in names.items():
                with serving(checkout) as server:
                    asyncio.run(load(server.port, requests, min(clients, 4), options.seconds / 4))  # warm
                    tally, taken = asyncio.run(load(server.port, requests, clients, options.seconds))
                    rows.append(
                        {
                            "server": name,
                            "requests": kind,
                            "clients": clients,
                            "per_second": len(tally.seconds) / taken,
                            **{f"p{share}": 1000 * tally.percentile(share / 100) for share in (50, 95, 99)},
                            "refused": tally.refused,
                            "errors": tally.errors,
                            "memory": server.memory("VmHWM"),
                        }
                    )
    print("| requests | clients | server | requests/s | p50 ms | p95 ms | p99 ms | refused | errors | memory MB |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        times = " | ".join(f"{row[key]:.0f}" for key in ("p50", "p95", "p99"))
        print(
            f"| {row['requests']} | {row['clients']} | {row['server']} | {row['per_second']:.0f} | {times} "
            f"| {row['refused']} | {row['errors']} | {row['memory']:.0f} |"
        )
    return rows


def measure_attacks(names: dict[str, Path | None], options: argparse.Namespace) -> list[dict[str, Any]]:
    """Each attack on each server."""
    rows = []
    for attack in (one for one in ATTACKS if not options.attack or options.attack in one.__name__):
        for name, checkout in names.items():
            with serving(checkout) as server:
                tally = asyncio.run(under_attack(server.port, attack, options.attack_seconds))
                longest = max(tally.seconds, default=math.nan)
                rows.append(
                    {
                        "attack": attack.__name__.replace("_", " "),
                        "server": name,
                        "longest_wait": longest,
                        "median_wait": tally.percentile(0.5),
                        "answered": len(tally.seconds) - tally.refused - tally.errors,
                        "refused": tally.refused,
                        "errors": tally.errors,
                        "memory": server.memory("VmHWM"),
                        "log_kb": server.log_bytes / 1024,
                    }
                )
    print("\n| attack | server | longest s | median s | answered | refused | no answer | memory MB | log KB |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row['attack']} | {row['server']} | {row['longest_wait']:.2f} | {row['median_wait']:.3f} "
            f"| {row['answered']} | {row['refused']} | {row['errors']} | {row['memory']:.0f} | {row['log_kb']:.0f} |"
        )
    return rows


def soak(count: int, clients: int) -> list[dict[str, Any]]:
    """Memory after each tenth of the mixed and small requests."""
    rows = []
    print(f"\n| requests | requests/s | memory MB | refused | errors |  ({count} requests, {clients} clients)")
    print("|---|---|---|---|---|")
    with serving() as server:
        for tenth in range(1, 11):
            tally, taken = asyncio.run(load(server.port, SMALL * 6 + MIXED, clients, 3600, count // 10))
            row = {
                "requests": tenth * (count // 10),
                "per_second": len(tally.seconds) / taken,
                "memory": server.memory(),
                "refused": tally.refused,
                "errors": tally.errors,
            }
            rows.append(row)
            print(
                f"| {row['requests']} | {row['per_second']:.0f} | {row['memory']:.0f} | {row['refused']} "
                f"| {row['errors']} |",
                flush=True,
            )
    return rows


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--before", type=Path, help="another checkout, with a built .venv")
    arguments.add_argument("--clients", type=int, nargs="*", default=[1, 16, 64, 256])
    arguments.add_argument("--seconds", type=float, default=10.0, help="of each measurement under load")
    arguments.add_argument("--attack-seconds", type=float, default=20.0)
    arguments.add_argument("--only", choices=["load", "attacks"])
    arguments.add_argument("--attack", help="only attacks whose name contains this")
    arguments.add_argument("--soak", type=int, default=0, metavar="REQUESTS", help="only this")
    options = arguments.parse_args()
    allow_files(4096)
    print(f"{cores()} cores, {platform.machine()}, Python {platform.python_version()}\n")
    if options.soak:
        print(json.dumps({"soak": soak(options.soak, 16)}))
        return
    names: dict[str, Path | None] = {"before": options.before.resolve()} if options.before else {}
    names["after"] = None
    found = {}
    if options.only != "attacks":
        found["load"] = measure_load(names, options)
    if options.only != "load":
        found["attacks"] = measure_attacks(names, options)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
