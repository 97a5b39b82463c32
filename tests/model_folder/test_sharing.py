from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import starccg
from starccg.cli import app
from starccg.errors import ModelError
from starccg.model_folder.find import VARIABLE, find
from starccg.model_folder.manifest import read_folder, share, write_folder
from starccg.model_folder.summary import summarise, write_figures


def two_taggers(folder: Path) -> tuple[Path, Path]:
    large, small = folder / "large" / "tagger", folder / "small" / "tagger"
    write_folder(large, {"model": "tagger"}, {"pieces": b"the same", "graph": b"many layers"})
    write_folder(small, {"model": "tagger"}, {"pieces": b"the same", "graph": b"few layers"})
    return large, small


def test_a_file_that_another_model_has_is_read_from_there(tmp_path: Path) -> None:
    large, small = two_taggers(tmp_path)
    assert share(small, large, "large/tagger") == ["pieces"]
    _, files = read_folder(small, "tagger")
    assert files == {"pieces": large / "pieces", "graph": small / "graph"}
    assert not (small / "pieces").exists()


def test_a_shared_file_that_changed_is_refused(tmp_path: Path) -> None:
    large, small = two_taggers(tmp_path)
    share(small, large, "large/tagger")
    (large / "pieces").write_bytes(b"changed")
    with pytest.raises(ModelError, match="SHA-256"):
        read_folder(small, "tagger")


def test_the_other_model_is_found_among_the_installed_ones_or_named_as_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large, small = two_taggers(tmp_path)
    share(small, large, "large/tagger")
    elsewhere = tmp_path / "elsewhere"
    shutil.move(tmp_path / "large", elsewhere / "large")
    with pytest.raises(ModelError, match="the model 'large', which was not found"):
        read_folder(small, "tagger")
    monkeypatch.setenv(VARIABLE, str(elsewhere))
    assert read_folder(small, "tagger")[1]["pieces"] == elsewhere / "large" / "tagger" / "pieces"


def test_models_without_a_common_file_stay_as_they_are(tmp_path: Path) -> None:
    large, small = two_taggers(tmp_path)
    write_folder(small, {"model": "tagger"}, {"pieces": b"others"})
    assert share(small, large, "large/tagger") == []
    assert read_folder(small, "tagger")[1] == {"pieces": small / "pieces"}


def test_the_list_shows_size_speed_and_accuracy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "own"
    write_folder(model, {"model": "parser"}, {"grammar.json": b"{}"})
    write_folder(
        model / "tagger", {"model": "tagger", "dev": {"web": {"accuracy": 0.9312}}}, {"graph": b"x" * 2_000_000}
    )
    write_figures(model, {"web": 86.337}, 512.4)
    found = summarise("own", model)
    assert (found.supertags, found.f1, found.sentences_per_second) == (
        {"web": pytest.approx(93.12)},
        {"web": 86.34},
        512,
    )
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    shown = CliRunner().invoke(app, ["models", "list"]).output
    (line,) = [line for line in shown.splitlines() if line.startswith("own")]
    assert line.split() == ["own", "English", "2.0", "512", "web", "93.1", "web", "86.3", str(model)]


def test_a_damaged_model_is_listed_without_figures(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text("{")
    assert summarise("bad", tmp_path).sentences_per_second is None


@pytest.mark.slow
def test_a_model_can_be_like_another_but_for_its_tagger(tmp_path: Path) -> None:
    run = ["models", "assemble", str(tmp_path / "mine"), "--tagger", str(find("en") / "tagger"), "--like", "en-fast"]
    result = CliRunner().invoke(app, run)
    assert result.exit_code == 0, result.output
    mine, other = starccg.load(tmp_path / "mine"), starccg.load("en")
    words = ["Kim", "sees", "the", "dog", "."]
    assert mine.parse_words(words).certificate.score == other.parse_words(words).certificate.score
