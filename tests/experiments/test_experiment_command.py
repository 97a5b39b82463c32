"""The command line of the experiments, on a whole model folder of toys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

pytest.importorskip("torch")

from starccg.cli import app
from starccg.experiments.reproduce import Reproduction
from starccg.globalmodel import save_global_model
from starccg.model_parts import assemble
from tests.experiments.bench import global_model
from tests.training_global import toy
from tests.training_global.test_reproduce import SETTINGS, write_bank


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["experiment", *map(str, arguments)])


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model ``toy`` and a treebank ``dev.auto``."""
    folder = tmp_path_factory.mktemp("experiment")
    write_bank(folder / "bank")
    reproduction = Reproduction(folder / "bank", folder / "work", SETTINGS)
    reproduction.treebank()
    reproduction.tagger()
    save_global_model(global_model(), folder / "global")
    assemble(folder / "toy", toy.GRAMMAR, folder / "work" / "model", folder / "global")
    (folder / "dev.auto").write_bytes((folder / "work" / "data" / "dev.auto").read_bytes())
    return folder


def test_the_experiments_run_from_a_model_folder_and_a_treebank_to_a_document(folder: Path) -> None:
    out = folder / "out"
    given = ("--model", folder / "toy", "--dev", folder / "dev.auto", "--out", out)
    for name in ("results", "lazy", "decoders"):
        done = run(name, *given, "--sentences", "3")
        assert done.exit_code == 0, done.output
        assert f"starccg experiment {name} --model toy --dev dev.auto" in done.stdout
        assert str(folder) not in (out / f"{name}.md").read_text(), "a report names files, not where they lie"
    assert run("lazy", *given, "--beam", "1e-3", "--sentences", "2").exit_code == 0
    assert json.loads((out / "lazy-beam-0.001.json").read_text())["command"].endswith("--sentences 2 --beam 0.001")
    assert run("scaling", *given, "--per-length", "1", "--longest", "10").exit_code == 0
    sentence = "the baker greets the miller ."
    assert run("garden-path", "--model", folder / "toy", "--out", out, sentence).exit_code == 0
    done = run("document", folder / "results.md", "--out", out)
    assert done.exit_code == 0
    assert "not run yet: ablations, updates, learning-curves" in done.stdout
    text = (folder / "results.md").read_text()
    assert all(f"starccg experiment {name}" in text for name in ("results", "decoders", "lazy", "scaling"))


def test_what_is_missing_is_said_in_one_line(folder: Path, tmp_path: Path) -> None:
    for arguments, said in (
        (("results", "--model", "nobody", "--dev", folder / "dev.auto"), "no model is called 'nobody'"),
        (("results", "--model", folder / "toy", "--dev", tmp_path / "none.auto"), "none.auto"),
        (("garden-path", "--model", folder / "toy", " "), "there are no words"),
        (("updates", "--data", tmp_path, "--configs", tmp_path), "--configs"),
        (("document", "--out", tmp_path / "nowhere"), "run an experiment first"),
    ):
        done = run(*arguments, *(() if "--out" in arguments else ("--out", tmp_path / "out")))
        assert done.exit_code == 1, done.output
        assert done.stderr.splitlines()[-1].startswith("error: ")
        assert said in done.stderr
        assert "a bug in starccg" not in done.stderr
