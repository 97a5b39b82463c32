"""Batches of a Ray dataset: the class without Ray and, where Ray's datasets are installed, with it."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from starccg.errors import StarccgError
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
    assert isinstance(second, Failed) and second.reason == "there are no words"


def test_words_are_taken_as_they_are_from_any_column() -> None:
    rows = np.empty(1, object)
    rows[0] = np.array(["It", "works", "."])
    assert ParseBatch("tokens")({"tokens": rows})["supertags"] == [r"NP S[dcl]\NP ."]


def test_the_class_travels_with_its_settings_only() -> None:
    one = ParseBatch(nbest=2)
    one({"text": TEXTS})
    copy = pickle.loads(pickle.dumps(one))
    assert copy.parser._loaded is None and copy.parser.nbest == 2


def test_a_column_that_is_not_there_and_a_wrong_setting_are_told() -> None:
    with pytest.raises(StarccgError, match="the batch has no column 'text'; it has 'words'"):
        ParseBatch()({"words": []})
    with pytest.raises(StarccgError, match="no model is called 'nowhere'"):
        ParseBatch(model="nowhere")


def test_a_dataset_is_parsed_by_workers() -> None:
    data = pytest.importorskip("ray.data", exc_type=ImportError)
    import ray  # noqa: PLC0415

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        rows = data.from_items([{"text": text} for text in TEXTS * 2])
        parsed = rows.map_batches(ParseBatch, concurrency=1, batch_size=2).take_all()
    finally:
        ray.shutdown()
    assert sorted(row["outcome"] for row in parsed) == ["Failed"] * 2 + ["Parsed"] * 4
    assert {row["supertags"] for row in parsed if row["text"] == "It works."} == {r"NP S[dcl]\NP ."}
