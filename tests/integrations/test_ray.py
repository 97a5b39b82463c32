"""Columns of parses for Ray, Spark and Dask, and corpus runs on a Ray cluster, where Ray is installed."""

from __future__ import annotations

import json
import os
import pickle
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from starccg.corpus.job import Job, Progress, Settings
from starccg.corpus.ray_workers import Cluster
from starccg.errors import StarccgError
from starccg.integrations.columns import COLUMNS, SPARK_TYPES, ParseFrames
from starccg.integrations.ray import ParseBatch
from starccg.outcome import Failed, Parsed
from starccg.outcome_json import outcome_from_json

TEXTS = ["It works.", "", "Time flies like an arrow."]


def test_a_batch_gets_columns_with_all_that_was_found() -> None:
    found = ParseBatch(nbest=2)({"id": np.arange(3), "text": np.array(TEXTS)})
    assert list(found["id"]) == [0, 1, 2]
    assert found["outcome"] == ["Parsed", "Failed", "Parsed"]
    assert found["supertags"][:2] == [r"NP S[dcl]\NP .", ""]
    first, second, _ = (outcome_from_json(json.loads(text)) for text in found["ccg"])
    assert isinstance(first, Parsed) and len(first.parses) == 2
    assert isinstance(second, Failed)
    assert found["error"] == ["", second.reason, ""]


def test_words_are_taken_as_they_are_from_any_column() -> None:
    rows = np.empty(1, object)
    rows[0] = np.array(["It", "works", "."])
    assert ParseBatch("tokens")({"tokens": rows})["supertags"] == [r"NP S[dcl]\NP ."]


def test_the_class_travels_with_its_settings_only() -> None:
    one = ParseBatch(nbest=2)
    one({"text": TEXTS})
    copy = pickle.loads(pickle.dumps(one))
    assert copy.parser._loaded is None and copy.parser.nbest == 2


def test_a_missing_column_and_a_wrong_setting_are_errors() -> None:
    with pytest.raises(StarccgError, match="there is no column 'text'; the columns are 'words'"):
        ParseBatch()({"words": []})
    with pytest.raises(StarccgError, match="no model is called 'nowhere'"):
        ParseBatch(model="nowhere")


@pytest.mark.parametrize("value", [None, float("nan"), b"It works.", 3, ["It", None], ["It", b"works"], {}, [[]]])
def test_a_value_that_is_no_sentence_costs_its_own_row(value: object) -> None:
    rows = np.empty(3, object)
    rows[:] = ["It works.", value, "It works."]
    found = ParseBatch()({"text": rows})
    assert found["outcome"] == ["Parsed", "Failed", "Parsed"]
    assert found["error"][1]
    assert found["supertags"] == [r"NP S[dcl]\NP .", "", r"NP S[dcl]\NP ."]


def test_pandas_frames_get_the_same_columns_as_spark_and_dask_hand_them_over() -> None:
    pandas = pytest.importorskip("pandas")
    parse = pickle.loads(pickle.dumps(ParseFrames(nbest=2)))
    frames = [pandas.DataFrame({"id": [1, 2], "text": ["It works.", None]}), pandas.DataFrame({"id": [], "text": []})]
    first, empty = parse(iter(frames))
    assert list(first.columns) == ["id", "text", *COLUMNS]
    assert list(first["outcome"]) == ["Parsed", "Failed"]
    assert len(empty) == 0
    assert [column.split()[0] for column in SPARK_TYPES.split(", ")] == list(COLUMNS)


def test_dask_parses_its_partitions() -> None:
    pandas = pytest.importorskip("pandas")
    dask = pytest.importorskip("dask.dataframe")
    frame = dask.from_pandas(
        pandas.DataFrame({"id": [1, 2, 3], "text": ["It works.", None, "It works."]}), npartitions=2
    )
    parse = ParseFrames().frame
    empty = parse(frame.head(0))
    found = frame.map_partitions(parse, meta=empty).compute(scheduler="synchronous")
    assert list(found["id"]) == [1, 2, 3]
    assert list(found["outcome"]) == ["Parsed", "Failed", "Parsed"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    ray = pytest.importorskip("ray", exc_type=ImportError)
    pytest.importorskip("ray.data", exc_type=ImportError)
    ray.init(num_cpus=5, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield ray
    ray.shutdown()


def test_a_dataset_is_parsed_by_workers(cluster: Any) -> None:
    rows = cluster.data.from_items([{"text": text} for text in TEXTS * 2])
    pool = cluster.data.ActorPoolStrategy(size=1)
    parsed = rows.map_batches(ParseBatch, compute=pool, batch_size=2).take_all()
    assert sorted(row["outcome"] for row in parsed) == ["Failed"] * 2 + ["Parsed"] * 4
    assert {row["supertags"] for row in parsed if row["text"] == "It works."} == {r"NP S[dcl]\NP ."}


@pytest.mark.parametrize("cores", [1, 2])
def test_a_corpus_run_on_ray_gives_the_bytes_of_a_local_run_although_a_worker_is_killed(
    cluster: Any, tmp_path: Path, cores: int
) -> None:
    text = tmp_path / "a.txt"
    text.write_text("".join(f"Number {n} works well today.\n\n" for n in range(240)))
    settings = Settings(shard_rows=10)
    Job([text], tmp_path / "local", settings).run()
    killed: list[int] = []

    def kill_one(progress: Progress) -> None:
        if not killed:
            workers = [
                int(path.parent.name) for path in Path("/proc").glob("[0-9]*/cmdline") if b"_Parse" in read(path)
            ]
            os.kill(workers[0], signal.SIGKILL)
            killed.append(workers[0])

    summary = Job([text], tmp_path / "ray", settings, cluster=Cluster(workers=2, cores=cores)).run(kill_one)
    assert killed
    assert summary.counts["sentences"] == 240
    assert contents(tmp_path / "ray") == contents(tmp_path / "local")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def read(path: Path) -> bytes:
    """The command line of a process, which may have ended meanwhile."""
    try:
        return path.read_bytes()
    except OSError:
        return b""
