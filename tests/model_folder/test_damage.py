"""Every kind of damage to a model folder is a ModelError that names the file: never a bug in starccg."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load, save
from typer.testing import CliRunner

import starccg
from starccg.cli import app
from starccg.errors import ModelError
from starccg.model_folder.find import find
from starccg.model_folder.parts import read_parts
from starccg.tagger.lemmas import apply_rule
from tests.fuzz import tiny_model

TAGGER, GLOBAL = "tagger/model.json", "global/model.json"
WEIGHTS = "global/global.safetensors"


def changed(name: str, change: Callable[[Any], Any]) -> dict[str, bytes]:
    files = tiny_model.files()
    files[name] = json.dumps(change(json.loads(files[name]))).encode()
    return files


def entry(name: str, key: str, value: Any) -> dict[str, bytes]:
    return changed(name, lambda manifest: {**manifest, key: value})


def tensors(**changes: Any) -> dict[str, bytes]:
    files = tiny_model.files()
    held = {**load(files[WEIGHTS]), **changes}
    files[WEIGHTS] = save({name: value for name, value in held.items() if value is not None})
    return files


def replaced(name: str, content: bytes) -> dict[str, bytes]:
    return {**tiny_model.files(), name: content}


def lines(*texts: str) -> Any:
    return np.frombuffer("\n".join(texts).encode(), np.uint8)


DAMAGE = {
    "no categories": (lambda: entry(TAGGER, "categories", None), "tagger/model.json has no list"),
    "a category twice": (lambda: entry(TAGGER, "categories", ["N", "N", "NP"]), "tagger/model.json has no list"),
    "one category in two spellings": (lambda: entry(TAGGER, "categories", ["A/B", "(A/B)", "N"]), "has no list"),
    "not a category": (lambda: entry(TAGGER, "categories", ["N", "(", "NP"]), r"tagger/model.json: not a category"),
    "categories that are numbers": (lambda: entry(TAGGER, "categories", [1, 2, 3]), "tagger/model.json has no list"),
    "fewer categories than outputs": (lambda: entry(TAGGER, "categories", ["N", "NP"]), r"tagger.onnx gives .* has 2"),
    "more categories than outputs": (lambda: entry(TAGGER, "categories", ["N", "A", "B", "C"]), r"tagger.onnx gives"),
    "no beam": (lambda: entry(TAGGER, "beam", None), "tagger/model.json: beam must be"),
    "a beam in quotes": (lambda: entry(TAGGER, "beam", "0.1"), "tagger/model.json: beam must be"),
    "a beam that is not a number": (lambda: entry(TAGGER, "beam", float("nan")), "tagger/model.json: beam must be"),
    "notes that are no list": (lambda: entry(TAGGER, "pos", 3), "tagger/model.json: pos must be a list"),
    "positions below 16": (lambda: entry(TAGGER, "hyperparameters", {"positions": 0}), "positions must be"),
    "positions in quotes": (lambda: entry(TAGGER, "hyperparameters", {"positions": "64"}), "positions must be"),
    "too many positions": (lambda: entry(TAGGER, "hyperparameters", {"positions": 10**9}), "positions must be"),
    "no hyperparameters": (lambda: entry(TAGGER, "hyperparameters", []), "tagger/model.json is damaged"),
    "a tagger of no kind": (lambda: changed(TAGGER, lambda m: {k: m[k] for k in m if k != "kind"}), "lacks 'kind'"),
    "a tagger of a new kind": (lambda: entry(TAGGER, "kind", "quantum"), "newer version"),
    "a tagger of the wrong kind": (lambda: entry(TAGGER, "kind", "lstm"), "lacks 'vocabulary.json'"),
    "no word pieces": (lambda: replaced("tagger/wordpieces.txt", b""), "tagger"),
    "word pieces that are not UTF-8": (lambda: replaced("tagger/wordpieces.txt", b"\xff\xfe"), "tagger is damaged"),
    "an empty graph": (lambda: replaced("tagger/tagger.onnx", b""), "tagger.onnx"),
    "a graph cut short": (lambda: replaced("tagger/tagger.onnx", tiny_model.GRAPH.read_bytes()[:300]), "tagger.onnx"),
    "a graph without that output": (
        lambda: replaced("tagger/tagger.onnx", tiny_model.GRAPH.read_bytes().replace(b"log_prob", b"log_prod")),
        "no output log_probabilities",
    ),
    "checksums that are a list": (lambda: entry("model.json", "sha256", [1]), "model.json is damaged"),
    "a file outside the folder": (lambda: entry("model.json", "sha256", {"../a": ""}), "is no file of its folder"),
    "a file name with a null": (lambda: entry("model.json", "sha256", {"a\0": ""}), "is no file of its folder"),
    "a file name that is a number": (lambda: entry("model.json", "sha256", [[1, ""]]), "names '1', which is no file"),
    "a file name that is too long": (
        lambda: entry("model.json", "sha256", {"a" * 300: ""}),
        "is no file of its folder",
    ),
    "half a character": (lambda: entry("model.json", "sha256", {"\ud800": ""}), "is no file of its folder"),
    "the folder above": (lambda: entry("model.json", "sha256", {"..": ""}), "is no file of its folder"),
    "a shared model elsewhere": (lambda: entry("model.json", "shared", "/etc"), "'/etc', which is no name of a model"),
    "a shared model above": (lambda: entry("model.json", "shared", "en/../../x"), "which is no name of a model"),
    "a shared model that is a number": (lambda: entry("model.json", "shared", 3), "'3', which is no name of a model"),
    "a kind of a megabyte": (lambda: entry("model.json", "model", "x" * 10**6), "is a model of kind 'x"),
    "dimensions of a megabyte": (lambda: entry(GLOBAL, "dimensions", {"inputs": "x" * 10**6}), "global/model.json"),
    "a manifest nested too deep": (lambda: replaced("model.json", b"[" * 10**5), "model.json is damaged"),
    "a manifest that is not UTF-8": (lambda: replaced("model.json", b"\xff"), "model.json is damaged"),
    "a grammar that is not JSON": (lambda: replaced("grammar.json", b"{"), "grammar.json: not JSON"),
    "a grammar that is not UTF-8": (lambda: replaced("grammar.json", b"\xff"), "grammar.json is damaged"),
    "a grammar that is a list": (lambda: replaced("grammar.json", b"[]"), "grammar.json: not a saved grammar"),
    "dimensions that are a list": (lambda: entry(GLOBAL, "dimensions", [1]), "global/model.json"),
    "dimensions that are too large": (lambda: entry(GLOBAL, "dimensions", {"cells": 10**9}), "must be a number from 1"),
    "other dimensions": (lambda: entry(GLOBAL, "dimensions", {"words": 2, "categories": 1, "cells": 1}), "should be"),
    "weights that are no safetensors": (lambda: replaced(WEIGHTS, b"\0" * 40), "global.safetensors"),
    "no vocabulary": (lambda: tensors(vocabulary=None), "list of vocabulary is missing"),
    "a vocabulary that is not UTF-8": (lambda: tensors(vocabulary=np.array([255], np.uint8)), "is damaged"),
    "a category of the global model twice": (lambda: tensors(categories=lines("N", "N", "NP")), "is listed twice"),
    "a parameter of another shape": (lambda: tensors(**{"tree.output": np.zeros((3, 3), np.float32)}), "should be"),
    "a parameter missing": (lambda: tensors(**{"tree.output": None}), "lacks the parameter tree.output"),
    "a parameter that is not finite": (
        lambda: tensors(**{"tree.output": np.array([np.nan], np.float32)}),
        "tree.output holds a number that is not finite",
    ),
}


def test_the_model_itself_is_read(tmp_path: Path) -> None:
    parts = read_parts(tiny_model.write(tiny_model.files(), tmp_path))
    assert parts.tagger.tag([["a", "b"]])[0].words == 2


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_reported_with_the_name_of_the_file(name: str, tmp_path: Path) -> None:
    make, message = DAMAGE[name]
    tiny_model.write(make(), tmp_path)
    with pytest.raises(ModelError, match=message) as raised:
        read_parts(tmp_path)
    assert str(tmp_path) in str(raised.value)
    assert len(str(raised.value)) < 1100


def test_a_graph_that_does_not_fit_its_manifest_is_reported_when_it_runs(tmp_path: Path) -> None:
    graph = tiny_model.GRAPH.read_bytes().replace(b"positions", b"positionz")
    tiny_model.write(replaced("tagger/tagger.onnx", graph), tmp_path)
    with pytest.raises(ModelError, match=r"tagger\.onnx does not fit its model\.json"):
        read_parts(tmp_path).tagger.tag([["a"]])


def test_a_graph_that_hides_how_wide_its_output_is_is_reported_when_it_runs(tmp_path: Path) -> None:
    class Wider:
        def run(self, names: list[str], feeds: dict[str, Any], options: Any) -> list[Any]:
            return [np.zeros((len(feeds["positions"]), 4), np.float32)]

    tagger = read_parts(tiny_model.write(tiny_model.files(), tmp_path)).tagger
    tagger.session = Wider()
    with pytest.raises(ModelError, match=r"of the shape \(1, 4\) instead of \(1, 3\)"):
        tagger.tag([["a"]])


@pytest.mark.parametrize("calibration", [[1], 3, {"intercept": "x"}, {}])
def test_a_damaged_calibration_is_reported_with_the_name_of_the_file(calibration: Any, tmp_path: Path) -> None:
    tiny_model.write(entry("model.json", "calibration", calibration), tmp_path)
    with pytest.raises(ModelError, match=rf"^{tmp_path}/model\.json"):
        starccg.load(tmp_path)


FIGURES = {
    "nested too deep": b"[" * 10**5,
    "figures": json.dumps({"format": 1, "figures": [1]}).encode(),
    "f1": json.dumps({"format": 1, "figures": {"labelled_f1": {"dev": "x"}}}).encode(),
    "speed": json.dumps({"format": 1, "figures": {"sentences_per_second": []}}).encode(),
    "accuracy": json.dumps({"format": 1, "dev": {"dev": {}}}).encode(),
    "dev": json.dumps({"format": 1, "dev": [1]}).encode(),
}


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("part", [".", "tagger"])
def test_a_damaged_model_beside_others_does_not_harm_them(
    name: str, part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tiny_model.write(tiny_model.files(), tmp_path / "broken")
    (folder / part / "model.json").write_bytes(FIGURES[name])
    monkeypatch.setenv("STARCCG_MODELS", str(tmp_path))
    assert find("en").name == "en"
    done = CliRunner().invoke(app, ["models", "list"])
    assert done.exit_code == 0 and "en-fast" in done.output, done.output


def test_a_lemma_rule_with_a_huge_number_cuts_nothing() -> None:
    assert apply_rule(f"l-{'9' * 5000}+y", "Studies") == "Studies"
