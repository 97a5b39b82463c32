"""One process that tags for the workers of a corpus run. Here it runs the network of the CPU, to compare the bytes."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import starccg
from starccg.corpus.rows import Row
from starccg.corpus.shards import Shard, Written
from starccg.corpus.tagging import TaggingProcesses, places
from starccg.corpus.workers import Work, Workers
from starccg.devices import REMOTE
from starccg.errors import StarccgError
from starccg.integrations.processes import ProcessParser
from starccg.model_folder.find import find
from starccg.model_folder.tagger import load_tagger
from starccg.outcome import Failed
from starccg.tagger.remote import TaggingStopped

SENTENCES = ("It rains .", "The keys that the porter lost were found in the snow .", "Why ?", "She sleeps .")
SHARDS = [
    Shard(number, tuple(Row("a", line, SENTENCES[(number + line) % 4].split()) for line in range(40)))
    for number in range(6)
]


def on_cpu() -> Any:
    return load_tagger(find("en-fast") / "tagger", threads=1).session


class DiesOnce:
    """A network whose process dies at the third batch, unless a file is there."""

    def __init__(self, marker: Path) -> None:
        self.session, self.marker, self.batches = on_cpu(), marker, 0

    def run(self, *arguments: Any) -> Any:
        self.batches += 1
        if self.batches == 3 and not self.marker.exists():
            self.marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.session.run(*arguments)


class NoMemory:
    """A network that has no room for more than one sentence."""

    def __init__(self) -> None:
        self.session = on_cpu()

    def run(self, names: Sequence[str], feeds: dict[str, Any]) -> Any:
        if len(feeds["lengths"]) > 1:
            raise MemoryError("out of memory")
        return self.session.run(names, feeds)


class Broken:
    """A network on a GPU that no longer computes."""

    def run(self, *arguments: Any) -> Any:
        raise RuntimeError("illegal memory access")

    def works(self) -> bool:
        return False


class Open:
    """A function of no arguments that opens a session in another process."""

    def __init__(self, kind: Callable[..., Any], *arguments: Any) -> None:
        self.kind, self.arguments = kind, arguments

    def __call__(self) -> Any:
        return self.kind(*self.arguments)


class Tagged(Work):
    """Work whose tags come from another process."""

    opens: Any

    def tagging(self, workers: int) -> TaggingProcesses:
        return TaggingProcesses([self.opens] * 2)


def work(opens: Callable[[], Any] | None = None) -> Work:
    parser = ProcessParser(model="en-fast", threads=1 if opens is None else 2, batch_size=8)
    if opens is None:
        return Work(parser, "jsonl", False)
    found = Tagged(parser, "jsonl", False)
    object.__setattr__(found, "opens", opens)
    return found


@pytest.fixture(scope="module")
def expected() -> dict[int, Written]:
    alone = work()
    return {shard.number: alone(shard) for shard in SHARDS}


def test_a_corpus_that_another_process_tags_has_the_same_bytes(expected: dict[int, Written]) -> None:
    workers = Workers(work(Open(on_cpu)), 2)
    assert {shard.number: written for shard, written in workers.results(SHARDS)} == expected


def test_if_the_process_that_tags_dies_it_is_started_again_and_nothing_is_lost(
    expected: dict[int, Written], tmp_path: Path
) -> None:
    workers = Workers(work(Open(DiesOnce, tmp_path / "died")), 2)
    assert {shard.number: written for shard, written in workers.results(SHARDS)} == expected
    assert (tmp_path / "died").exists()


@pytest.fixture
def serving() -> Iterator[Callable[..., str]]:
    started: list[TaggingProcesses] = []

    def serve(kind: Callable[..., Any]) -> str:
        started.append(TaggingProcesses([Open(kind)]))
        return started[-1].device

    yield serve
    for one in started:
        one.close()


def test_an_error_of_the_network_costs_no_sentence_that_can_be_tagged_alone(serving: Callable[..., str]) -> None:
    outcomes = starccg.load("en-fast", device=serving(NoMemory)).parse([one.split() for one in SENTENCES])
    assert not any(isinstance(outcome, Failed) for outcome in outcomes)


def test_a_gpu_that_no_longer_computes_fails_no_sentence_but_ends_its_process(serving: Callable[..., str]) -> None:
    parser = starccg.load("en-fast", device=serving(Broken))
    with pytest.raises(TaggingStopped):
        parser.parse(["It rains ."])


def test_a_process_that_is_not_there_fails_no_sentence(tmp_path: Path) -> None:
    with pytest.raises(TaggingStopped):
        starccg.load("en-fast", device=f"{REMOTE}{tmp_path}/none").parse(["It rains ."])


@pytest.mark.parametrize(
    ("count", "workers", "expected"), [(1, 1, [1]), (1, 16, [5]), (2, 16, [2, 2]), (8, 4, [1] * 8)]
)
def test_every_gpu_has_the_same_number_of_processes_and_at_least_one(
    count: int, workers: int, expected: list[int]
) -> None:
    found = Counter(places([f"cuda:{number}" for number in range(count)], workers))
    assert list(found.values()) == expected


def no_model() -> Any:
    raise StarccgError("there is no such model")


def test_a_process_that_cannot_load_the_network_says_why() -> None:
    with pytest.raises(StarccgError, match="did not start: StarccgError: there is no such model"):
        TaggingProcesses([Open(no_model)])
    with pytest.raises(StarccgError, match="died while it loaded the model"):
        TaggingProcesses([Open(os._exit, 1)])
