"""The experiments that train, on a toy treebank with a budget of two epochs."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("torch")

from starccg.errors import StarccgError
from starccg.experiments.learning_curves import learning_curves
from starccg.experiments.report import ReportFolder
from starccg.experiments.tables import UPDATE_VARIANTS, ablations, updates
from starccg.experiments.training_runs import CONFIGS, Budget, TrainingRuns
from starccg.formats.auto import write_auto
from starccg.tagger.saved import write_tags
from starccg.training.pipeline.global_training import Resources
from starccg.training.pipeline.processes import run_in_processes
from tests.training import toy

SMALL = (
    "model.words=4", "model.categories=3", "model.cells=5", "learning.threads=1", "learning.batch=8",
    'data.train="train.auto"', 'data.train_tags="train.npz"', 'data.dev="dev.auto"', 'data.dev_tags="dev.npz"',
    'data.vectors=""',
)  # fmt: skip
ROOT = Path(__file__).parents[2]


@pytest.fixture(name="data")
def _data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    for name, count, seed in (("train", 40, 1), ("dev", 12, 2)):
        sentences = toy.treebank(count, seed)
        tags = toy.tags(sentences, seed)
        (folder / f"{name}.auto").write_text("".join(f"{line}\n" for line in write_auto(sentences)))
        write_tags(folder / f"{name}.npz", tags.categories, list(tags.sentences.items()))
    (folder / "grammar.json").write_text(toy.GRAMMAR.dumps())
    return folder


def test_every_model_is_trained_once_for_all_three_experiments(tmp_path: Path, data: Path) -> None:
    said: list[str] = []
    budget = Budget(data, ROOT / "configs", sentences=30, epochs=2, changes=SMALL)
    runs = TrainingRuns(ReportFolder(tmp_path / "out", said.append), budget, Resources("cpu"))
    table = ablations(runs.experiment("starccg experiment ablations"))
    assert [row[0] for row in table.tables[0].rows] == [
        "Supertag-factored", "Supertag-factored, - dynamic program",
        "Supertag-factored, with costs", "Supertag-factored, with costs, - dynamic program",
        "Span-factored", "Span-factored, - dynamic program", "Global A*", "- lexical inputs", "- lexical context",
    ]  # fmt: skip
    assert "30 sentences, 2 epochs" in table.notes[0]
    other = updates(runs.experiment("starccg experiment updates"))
    trained = runs.train(list(UPDATE_VARIANTS.values()))
    named = {name: trained[variant] for name, variant in UPDATE_VARIANTS.items()}
    curves = learning_curves(runs.folder, named, "starccg experiment learning-curves", "")
    assert [text for text in said if text.startswith("training") and text.endswith("...")] == [
        f"training {name} ..." for name in ("span", "all", "no-inputs", "no-context", "greedy", "max", "gold")
    ]
    assert "All-violations: done before" in said, "a system that is in two tables is measured once"
    assert other.data["All-violations"]["f1"] == table.data["Global A*"]["f1"]
    assert all(len(curve) >= 3 for curve in curves.data["curves"].values())
    assert (tmp_path / "out" / "learning-curves.svg").exists()
    assert "30 sentences, 2 epochs" in (tmp_path / "out" / "updates.md").read_text()


def test_each_seed_is_a_training_of_its_own(tmp_path: Path, data: Path) -> None:
    budget = Budget(data, ROOT / "configs", sentences=20, epochs=1, seeds=2, changes=SMALL)
    runs = TrainingRuns(ReportFolder(tmp_path / "out"), budget, Resources("cpu"))
    report = updates(runs.experiment(""), seeds=2, drawn=False)
    assert len(list((tmp_path / "out" / "models").iterdir())) == 6
    assert "; seeds " in report.tables[0].rows[0][1]


def test_every_model_has_its_committed_configuration(tmp_path: Path) -> None:
    for name in CONFIGS:
        assert Budget(tmp_path, ROOT / "configs", epochs=3).config(name).learning.epochs == 3
    with pytest.raises(StarccgError, match="--configs"):
        Budget(tmp_path, tmp_path).config("all")


def test_models_trained_side_by_side_are_those_trained_one_after_the_other(tmp_path: Path, data: Path) -> None:
    budget = Budget(data, ROOT / "configs", epochs=1, changes=SMALL)
    said: list[str] = []
    found = []
    for name, jobs in (("alone", 1), ("together", 2)):
        runs = TrainingRuns(ReportFolder(tmp_path / name, said.append), budget, Resources("cpu", jobs))
        found.append(runs.train(["all", "greedy"]))
    assert found[0] == found[1]
    assert "training all, training greedy: 2 at a time" in "".join(
        text.replace("training training", "training") for text in said
    )
    said.clear()
    runs.train(["all", "greedy"])
    assert said == ["training all: done before", "training greedy: done before"]


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_dies_is_an_error_and_lets_the_others_end(tmp_path: Path) -> None:
    with pytest.raises(StarccgError, match=r"dies \(killed by signal 9.*, gives up \(exit code 1\)"):
        run_in_processes(
            {
                "dies": _die,
                "gives up": partial(Budget(tmp_path, tmp_path).config, "all"),
                "works": partial((tmp_path / "made").write_text, "well"),
            },
            jobs=1,
        )
    assert (tmp_path / "made").read_text() == "well"
