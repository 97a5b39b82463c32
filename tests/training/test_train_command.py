from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")
pytest.importorskip("onnx")

from starccg.cli.train import app
from starccg.errors import StarccgError
from starccg.model_folder.tagger import load_tagger
from tests.tagger.models import write_data

CONFIG = """
kind = "lstm"
min_count = 1
folds = 2
[[source]]
path = "train.auto"
jackknife = true
[[dev]]
name = "ours"
path = "dev.auto"
[schedule]
epochs = 3
batch = 64
[lstm]
vectors = "vectors.npy"
vocabulary = "vocab.txt"
cells = 8
affix = 4
"""


def test_the_commands_train_export_and_jackknife(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    config = tmp_path / "config.toml"
    config.write_text(CONFIG)

    def run(*arguments: object) -> str:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert result.exit_code == 0, result.output
        return result.output

    common = ("--data", data, "--device", "cpu")
    assert "best: epoch" in run("tagger", config, "--out", tmp_path / "run", "--epochs", 2, *common)
    lines = [json.loads(line) for line in (tmp_path / "run/metrics.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines] == [1, 2]
    assert "temperature" in run("export", tmp_path / "run", tmp_path / "model", "--data", data)
    assert load_tagger(tmp_path / "model").kind == "lstm"
    assert "train.npz" in run("jackknife", config, "--out", tmp_path / "folds", "--epochs", 1, *common)


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["export", str(tmp_path), str(tmp_path / "model")])
    assert isinstance(result.exception, StarccgError)
    assert "not a finished training run" in str(result.exception)
