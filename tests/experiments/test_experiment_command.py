"""The command line of the experiments, on a whole model folder of toys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

pytest.importorskip("torch")

from starccg.cli import app
from starccg.formats.auto import write_auto
from starccg.model_folder.global_model import save_global_model
from starccg.model_folder.parts import assemble
from starccg.training.pipeline.config import Export
from starccg.training.pipeline.global_training import Resources
from starccg.training.pipeline.pipeline import Pipeline
from starccg.training.pipeline.vectors import random_vectors, write_vectors
from starccg.training.tagger.config import Dev, Lstm, Schedule, Source, TaggerConfig
from tests.experiments.toys import global_model
from tests.training import toy


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["experiment", *map(str, arguments)])


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model ``toy`` and a treebank ``dev.auto``."""
    folder = tmp_path_factory.mktemp("experiment")
    data = folder / "work" / "data"
    pipeline = Pipeline(folder / "work", Resources("cpu"))
    for name, count in (("train", 100), ("dev", 12)):
        lines = write_auto(toy.treebank(count, seed=count))
        (data / f"{name}.auto").write_text("".join(f"{line}\n" for line in lines))
    write_vectors(data / "vectors", *random_vectors(["the", *toy.PEOPLE, *toy.VERBS], 6))
    tagger = TaggerConfig(
        kind="lstm",
        source=(Source("train.auto"),),
        dev=(Dev("dev", "dev.auto"),),
        schedule=Schedule(epochs=4, learning_rate=1e-2),
        lstm=Lstm("vectors/vectors.npy", "vectors/vocab.txt", affix=4, cells=12, layers=1, hidden=12, dropout=0.1),
    )
    pipeline.train_tagger(tagger)
    pipeline.export_tagger(tagger, Export(quantise=False))
    save_global_model(global_model(), folder / "global")
    assemble(folder / "toy", toy.GRAMMAR, folder / "work" / "tagger-model", folder / "global")
    (folder / "dev.auto").write_bytes((folder / "work" / "data" / "dev.auto").read_bytes())
    return folder


def test_the_experiments_run_from_a_model_folder_and_a_treebank_to_a_document(folder: Path) -> None:
    out = folder / "out"
    given = ("--model", folder / "toy", "--dev", folder / "dev.auto", "--out", out)
    for name in ("results", "lazy", "decoders"):
        done = run(name, *given, "--sentences", "3")
        assert done.exit_code == 0, done.output
        assert f"starccg experiment {name} --dev dev.auto --model toy" in done.stdout
        assert str(folder) not in (out / f"{name}.md").read_text(), "a report names files, not where they lie"
    assert run("lazy", *given, "--beam", "1e-3", "--sentences", "2").exit_code == 0
    assert json.loads((out / "lazy-beam-0.001.json").read_text())["command"].endswith("--sentences 2 --beam 0.001")
    assert run("scaling", *given, "--per-length", "1", "--longest", "10").exit_code == 0
    sentence = "the baker greets the miller ."
    assert run("garden-path", "--model", folder / "toy", "--out", out, sentence).exit_code == 0
    before = (folder / "toy" / "model.json").read_text()
    done = run("confidence", *given, "--sentences", "8", "--write")
    assert done.exit_code == 0, done.output
    assert "| dev |" in done.stdout
    assert "calibration" not in before
    assert "calibration" in (folder / "toy" / "model.json").read_text()
    done = run("document", folder / "results.md", "--out", out)
    assert done.exit_code == 0
    assert "not run yet: ablations, updates, learning-curves" in done.stdout
    text = (folder / "results.md").read_text()
    assert all(f"starccg experiment {name}" in text for name in ("results", "decoders", "lazy", "scaling"))


def test_what_is_missing_is_said_in_one_line(folder: Path, tmp_path: Path) -> None:
    for arguments, said in (
        (("results", "--model", "nobody", "--dev", folder / "dev.auto"), "no model is called 'nobody'"),
        (("results", "--model", folder / "toy", "--dev", tmp_path / "none.auto"), "none.auto"),
        (("garden-path", "--model", folder / "toy", " "), "is empty"),
        (("updates", "--data", tmp_path, "--configs", tmp_path), "--configs"),
        (("document", "--out", tmp_path / "nowhere"), "run an experiment first"),
    ):
        done = run(*arguments, *(() if "--out" in arguments else ("--out", tmp_path / "out")))
        assert done.exit_code == 1, done.output
        assert done.stderr.splitlines()[-1].startswith("error: ")
        assert said in done.stderr
        assert "a bug in starccg" not in done.stderr
