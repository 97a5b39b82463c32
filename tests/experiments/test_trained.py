"""The experiments that train, on a toy treebank with a budget of two epochs."""

from __future__ import annotations

import json
import os
import signal
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("torch")

from starccg.errors import StarccgError
from starccg.experiments.budget import CONFIGS, Budget
from starccg.experiments.report import Workbench
from starccg.experiments.side_by_side import side_by_side
from starccg.experiments.trained import ablations, learning_curves, train_models, updates
from starccg.formats.auto import write_auto
from starccg.tagger.saved import write_tags
from tests.training_global import toy

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
    work = Workbench(tmp_path / "out", said.append)
    budget = Budget(data, ROOT / "configs", sentences=30, epochs=2, changes=SMALL)
    table = ablations(work, budget, "starccg experiment ablations")
    assert [row[0] for row in table.tables[0].rows] == [
        "Supertag-factored", "Supertag-factored, - dynamic program", "Span-factored",
        "Span-factored, - dynamic program", "Global A*", "- lexical inputs", "- lexical context",
    ]  # fmt: skip
    assert "30 training sentences, 2 epochs" in table.notes[0]
    other = updates(work, budget, "starccg experiment updates")
    curves = learning_curves(work, budget, "starccg experiment learning-curves")
    assert [text for text in said if text.startswith("training") and text.endswith("...")] == [
        f"training {name} ..." for name in ("span", "all", "no-inputs", "no-context", "greedy", "max", "gold")
    ]
    assert other.data["All-violations"]["f1"] == table.data["Global A*"]["f1"]
    assert all(len(curve) >= 3 for curve in curves.data["curves"].values())
    assert (tmp_path / "out" / "learning-curves.svg").exists()
    assert "training sentences" in (tmp_path / "out" / "updates.md").read_text()


def test_every_model_has_its_committed_configuration(tmp_path: Path) -> None:
    for name in CONFIGS:
        assert Budget(tmp_path, ROOT / "configs", epochs=3).config(name).learning.epochs == 3
    with pytest.raises(StarccgError, match="--configs"):
        Budget(tmp_path, tmp_path).config("all")


def test_models_trained_side_by_side_are_those_trained_one_after_the_other(tmp_path: Path, data: Path) -> None:
    budget = Budget(data, ROOT / "configs", epochs=1, changes=SMALL)
    alone, together = Workbench(tmp_path / "alone"), Workbench(tmp_path / "together")
    train_models(alone, budget, variants=("all", "greedy"))
    train_models(together, budget, jobs=2, variants=("all", "greedy"))
    found = [
        {path.name: json.loads(path.read_text()) for path in (work.folder / "parts").iterdir()}
        for work in (alone, together)
    ]
    assert len(found[0]) == 2
    assert found[0] == found[1]
    said: list[str] = []
    train_models(Workbench(together.folder, said.append), budget, jobs=2, variants=("all", "greedy"))
    assert said == [], "what is done is not done again"


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_dies_is_an_error_and_lets_the_others_end(tmp_path: Path) -> None:
    with pytest.raises(StarccgError, match=r"dies \(killed by signal 9.*, gives up \(exit code 1\)"):
        side_by_side(
            {
                "dies": _die,
                "gives up": partial(Budget(tmp_path, tmp_path).config, "all"),
                "works": partial((tmp_path / "made").write_text, "well"),
            },
            jobs=1,
        )
    assert (tmp_path / "made").read_text() == "well"
