"""Corpus runs: every sentence once, nothing lost when something dies, and the same bytes whatever happened."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

import starccg.cli.corpus as cli
from starccg.corpus import CorpusError, Job, Settings
from starccg.corpus.folder import _obtained
from starccg.corpus.rows import Reading, Row
from starccg.corpus.shards import Shard, Written
from starccg.corpus.workers import DIED, Work, Workers
from starccg.errors import StarccgError
from starccg.integrations.processes import ProcessParser

SENTENCES = ["The dog barked .", "It rains .", "She reads books .", "bad \udcff", "Who left ?", ""]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.tok"
    path.write_bytes("".join(f"{SENTENCES[k % 6]}\n" for k in range(60)).encode("utf-8", "surrogateescape"))
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def run(source: Path, out: Path, processes: int = 1, **settings: object) -> str:
    return str(Job([source], out, Settings(shard_rows=7, **settings), processes=processes).run())  # type: ignore[arg-type]


def test_every_sentence_has_one_row_in_order(source: Path, tmp_path: Path) -> None:
    summary = run(source, tmp_path / "out")
    # A thread that manages processes and outlives the run could fail while Python exits.
    assert not [thread for thread in threading.enumerate() if "Executor" in type(thread).__name__]
    assert summary.startswith("60 sentences: 40 parsed, 40 proved, 0 backed off, 20 failed;")
    parsed, failed = [], []
    for path in sorted((tmp_path / "out").glob("*.jsonl.gz")):
        parsed += [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    for path in sorted((tmp_path / "out").glob("*.failed.jsonl")):
        failed += [json.loads(line) for line in path.read_text().splitlines()]
    numbers = [int(record["id"].split(":")[1]) for record in parsed]
    assert numbers == sorted(numbers)
    assert sorted(numbers + [int(record["id"].split(":")[1]) for record in failed]) == list(range(1, 61))
    assert {record["reason"].partition(":")[0] for record in failed} == {"not UTF-8", "there are no words"}
    assert all("seconds" not in parse["certificate"] for record in parsed for parse in record["parses"])


def test_the_bytes_do_not_depend_on_the_processes_or_on_what_is_left_from_before(source: Path, tmp_path: Path) -> None:
    run(source, tmp_path / "one")
    whole = contents(tmp_path / "one")
    run(source, tmp_path / "two", processes=2)
    assert contents(tmp_path / "two") == whole
    generator = random.Random(1)
    for _ in range(3):  # files lost, cut and left half-written
        for name in generator.sample([name for name in whole if name.startswith("part")], 5):
            path = tmp_path / "two" / name
            path.write_bytes(path.read_bytes()[:20]) if generator.random() < 0.5 else path.unlink()
        (tmp_path / "two" / "part-00003.jsonl.gz.tmp").write_bytes(b"half")
        assert "by an earlier run" in run(source, tmp_path / "two")
        assert contents(tmp_path / "two") == whole


def test_a_killed_run_resumes_and_ends_with_the_same_bytes(source: Path, tmp_path: Path) -> None:
    run(source, tmp_path / "whole")
    command = [
        sys.executable, "-m", "starccg", "corpus", str(source), "--out", str(tmp_path / "killed"), "--shard-rows", "7",
        "--processes", "1",
    ]  # fmt: skip
    for _ in range(2):
        before = len(list(tmp_path.glob("killed/*.done.json")))
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        while process.poll() is None and len(list(tmp_path.glob("killed/*.done.json"))) == before:
            time.sleep(0.01)
        process.kill()
        process.wait()
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert "60 sentences" in done.stderr
    killed = contents(tmp_path / "killed")
    killed.pop(".lock", None)
    assert killed == contents(tmp_path / "whole")


def test_other_settings_and_other_input_are_refused(source: Path, tmp_path: Path) -> None:
    run(source, tmp_path / "out")
    with pytest.raises(CorpusError, match="a different 'nbest': 1 there, 2 now"):
        run(source, tmp_path / "out", nbest=2)
    source.write_bytes(source.read_bytes() + b"More .\n")
    with pytest.raises(
        CorpusError, match=r"a different 'input': \{\"bytes\": \d+, \"name\": .* there, \{\"name\": .* now"
    ):
        run(source, tmp_path / "out")
    with pytest.raises(CorpusError, match="a file is in the way"):
        run(source, source)
    with pytest.raises(CorpusError, match="a file is in the way"):
        run(source, source / "out")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tmp").write_text("")
    with pytest.raises(CorpusError, match="the folder contains other files"):
        run(source, tmp_path / "full")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["thesis.tmp"]


def test_the_output_may_be_below_the_input(source: Path) -> None:
    folder = source.parent
    first = run(folder, folder / "out")
    (folder / "out" / "part-00002.done.json").unlink()
    assert run(folder, folder / "out").startswith("60 sentences, 53 of them by an earlier run: ")
    assert first.startswith("60 sentences: ")


def test_a_run_that_was_killed_before_it_had_a_manifest_starts_again(source: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json.tmp").write_text("{")
    (tmp_path / "out" / ".lock").touch()
    assert run(source, tmp_path / "out").startswith("60 sentences: ")
    assert {path.name.partition("-")[0] for path in (tmp_path / "out").iterdir()} == {"manifest.json", "part"}


def test_two_runs_in_one_folder_are_refused(source: Path, tmp_path: Path) -> None:
    job = Job([source], tmp_path / "out", Settings())
    with job.folder.locked(), pytest.raises(CorpusError, match="another run writes to this folder"):
        Job([source], tmp_path / "out", Settings()).run()


def test_a_lock_that_was_removed_between_opening_and_locking_it_is_none(tmp_path: Path) -> None:
    with (tmp_path / ".lock").open("w") as lock:
        (tmp_path / ".lock").unlink()
        assert not _obtained(lock, tmp_path / ".lock")
        (tmp_path / ".lock").touch()
        assert not _obtained(lock, tmp_path / ".lock")


class Fatal(Work):
    """Dies at some rows, and at the first shard of a process once."""

    def __call__(self, shard: Shard) -> Written:
        if any(row.text == "die" for row in shard.rows):
            os.kill(os.getpid(), signal.SIGKILL)
        if any(row.text == "die once" for row in shard.rows) and not Path(os.environ["ONCE"]).exists():
            Path(os.environ["ONCE"]).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return Written({"": b" ".join((row.error or str(row.text)).encode() for row in shard.rows)}, {})


def written(shards: Iterable[Shard], processes: int) -> dict[int, bytes]:
    work = Fatal(ProcessParser(), "jsonl", False)
    return {shard.number: result.files[""] for shard, result in Workers(work, processes).results(shards)}


def test_a_process_that_is_kept_from_shard_to_shard_is_replaced_when_it_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONCE", str(tmp_path / "once"))
    workers = Workers(Fatal(ProcessParser(), "jsonl", False), 1, keep=True)
    shards = shards_of(["a"], ["die", "b"], ["die once"], ["c"])
    found = [written.files[""] for shard in shards for _, written in workers.results([shard])]
    assert found == [b"a", DIED.encode() + b" b", b"die once", b"c"]


def shards_of(*texts: Sequence[str]) -> list[Shard]:
    return [Shard(n, tuple(Row("a", k, text) for k, text in enumerate(each))) for n, each in enumerate(texts)]


def test_a_row_that_kills_its_process_costs_itself_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONCE", str(tmp_path / "once"))
    found = written(shards_of(["a", "b"], ["c", "die", "d"], ["e"], ["die once", "f"], ["g"]), 2)
    assert found == {0: b"a b", 1: b"c " + DIED.encode() + b" d", 2: b"e", 3: b"die once f", 4: b"g"}


def test_a_process_that_dies_while_the_run_writes_costs_no_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONCE", str(tmp_path / "once"))
    workers = Workers(Fatal(ProcessParser(), "jsonl", False), 1)
    results = workers.results(shards_of(["a"], ["die once"], ["b"], ["c"]))
    first, _ = next(results)
    time.sleep(2)  # the pool breaks, and refuses the next shard
    assert sorted([first.number, *(shard.number for shard, _ in results)]) == [0, 1, 2, 3]


def test_every_output_format_has_the_same_parses_and_a_row_that_is_no_text_has_failed(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    source = tmp_path / "in.jsonl"
    source.write_bytes(
        b'{"id": 7, "text": "It rains."}\n{"id": 8, "text": null}\n\xff\n{"id": 9, "text": "Who left ?"}\n'
        b'{"id": "\\ud800", "text": " "}\n'
        b'{"text": "It rains.", "id": ' + b"[" * 600 + b"]" * 600 + b"}\n"
    )
    deep: list[Any] = json.loads("[" * 600 + "]" * 600)  # deeper than Python can pickle
    reading = Reading(keep=("id",))
    for form in ("jsonl", "auto", "parquet"):
        Job([source], tmp_path / form, Settings(reading, form)).run()
    lines = gzip.decompress((tmp_path / "jsonl" / "part-00000.jsonl.gz").read_bytes()).splitlines()
    records = [json.loads(line) for line in lines]
    assert [(record["id"], record["kept"]) for record in records] == [
        ("in.jsonl:1", {"id": 7}),
        ("in.jsonl:4", {"id": 9}),
        ("in.jsonl:6", {"id": deep}),
    ]
    auto = gzip.decompress((tmp_path / "auto" / "part-00000.auto.gz").read_bytes()).decode().splitlines()
    assert [line.split()[0] for line in auto[::2]] == [f"ID=in.jsonl:{line}" for line in (1, 4, 6)]
    table = parquet.read_table(tmp_path / "parquet" / "part-00000.parquet").to_pylist()
    assert [json.loads(row["ccg"]) for row in table] == records
    assert [row["words"] for row in table] == [["It", "rains", "."], ["Who", "left", "?"], ["It", "rains", "."]]
    failed = [(tmp_path / form / "part-00000.failed.jsonl").read_text() for form in ("jsonl", "auto", "parquet")]
    assert len(set(failed)) == 1
    reasons = {record["id"]: record["reason"] for record in map(json.loads, failed[0].splitlines())}
    assert list(reasons) == ["in.jsonl:2", "in.jsonl:3", "in.jsonl:5"]
    assert reasons["in.jsonl:5"] == "there are no words"


def test_a_machine_without_a_gpu_can_start_a_run_on_a_cluster_of_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_here(device: str) -> str:
        raise StarccgError("torch finds 0 GPUs here")

    monkeypatch.setattr(cli, "chosen_device", none_here)
    assert cli._device("cuda", on_cluster=True) == "cuda"
    with pytest.raises(StarccgError, match="0 GPUs"):
        cli._device("cuda", on_cluster=False)
