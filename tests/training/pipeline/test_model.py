"""A whole model from sources of our own: a treebank in CoNLL-U, one in PMB's layout, word vectors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")
pytest.importorskip("onnx")

import starccg
from starccg.cli import app
from starccg.errors import StarccgError
from starccg.formats.auto import write_auto
from starccg.training.pipeline.config import load_plan
from starccg.training.pipeline.global_training import Resources
from starccg.training.pipeline.model import make_model, read_treebank
from starccg.training.pipeline.pipeline import Pipeline
from starccg.training.pipeline.sources import find_source
from starccg.training.toml import ConfigError
from starccg.treebanks.constructions import CONSTRUCTIONS
from tests.training import toy

MODEL = """
name = "toy"
tagger = "tagger.toml"
global_model = "global.toml"
vectors = "glove"
about = { licence = "none" }
treebank = [
  { id = "own", name = "drawn", drawn = 1 },
  { id = "ud", name = "converted", train = "ud/train.conllu" },
  { id = "bank", name = "normalised", train = "bank/train.auto", dev = "bank/dev.auto", normalise = true },
]
grammar = { seen = { min_unary = 1, min_comma = 1, min_root = 1 }, root_weight = 0.0 }
jackknife = { beam = 1e-3, epochs = 2 }
"""
TAGGER = """
kind = "lstm"
min_count = 1
folds = 2
source = [{ path = "ud-train.auto.gz", weight = 0.5 }, { path = "bank-train.auto.gz", jackknife = true }]
dev = [{ name = "bank", path = "bank-dev.auto" }]
schedule = { epochs = 3, batch = 256, learning_rate = 2e-2 }
[lstm]
vectors = "vectors.npy"
vocabulary = "vocab.txt"
affix = 4
cells = 8
layers = 1
hidden = 12
"""
GLOBAL = """
model = { words = 6, categories = 4, cells = 8 }
learning = { batch = 8, epochs = 1, threads = 1 }
[data]
train = "bank-train.gold.auto"
train_tags = "bank-train.npz"
dev = "bank-dev.auto"
dev_tags = "bank-dev.npz"
grammar = "grammar.json"
vectors = "glove"
"""
TREE = """# sent_id = s{number}
1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\t{noun}\t{noun}\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\t_
3\tsleeps\tsleep\tVERB\tVBZ\tVerbForm=Fin\t0\troot\t_\t_
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    for name in ("configs", "data/ud", "data/bank", "data/glove"):
        (tmp_path / name).mkdir(parents=True)
    for name, text in (("toy", MODEL), ("tagger", TAGGER), ("global", GLOBAL)):
        (tmp_path / "configs" / f"{name}.toml").write_text(text)
    data = tmp_path / "data"
    trees = [TREE.format(number=n, noun=toy.PEOPLE[n % len(toy.PEOPLE)]) for n in range(10)]
    (data / "ud" / "train.conllu").write_text("".join(trees))
    for part, count, seed in (("train", 40, 1), ("dev", 10, 2)):
        lines = write_auto(toy.treebank(count, seed))
        (data / "bank" / f"{part}.auto").write_text("".join(f"{line}\n" for line in lines))
    words = ["the", *toy.PEOPLE, *toy.PLACES, *toy.VERBS]
    (data / "glove" / "vocab.txt").write_text("".join(f"{word}\n" for word in words))
    np.save(data / "glove" / "vectors.npy", np.random.default_rng(1).normal(size=(len(words), 6)).astype(np.float16))
    return tmp_path


class StoppedError(Exception):
    pass


def make(folder: Path, said: list[str], stop: str = "") -> str:
    def say(text: str) -> None:
        said.append(text)
        if text == stop:
            raise StoppedError

    plan = load_plan(folder / "configs" / "toy.toml")
    return make_model(plan, folder / "data", Pipeline(folder / "out", Resources(device="cpu", say=say)))


def begun(said: list[str]) -> list[str]:
    """The steps that were begun, without the parts of the search for gold derivations."""
    return [text.removesuffix(" ...") for text in said if text.endswith(" ...") and " to " not in text]


def test_a_model_is_made_of_its_sources_goes_on_after_a_kill_and_does_again_what_a_change_asks_for(
    folder: Path,
) -> None:
    said: list[str] = []
    with pytest.raises(StoppedError):
        make(folder, said, stop="jackknife ...")
    assert begun(said) == [
        "bank-dev", "own-train", "ud-train", "bank-train", "vectors", "gold derivations", "tagger", "export",
        "jackknife",
    ]  # fmt: skip
    said.clear()
    report = make(folder, said)
    assert begun(said) == ["jackknife", "tags", "global model", "model", "report"]
    assert "| bank-dev | global A* |" in report
    model = folder / "out" / "model"
    provenance = json.loads((model / "model.json").read_text())
    assert provenance["name"] == "toy"
    assert provenance["provenance"]["treebanks"] == {"drawn": len(CONSTRUCTIONS), "converted": 10, "normalised": 40}
    assert str(folder) not in "".join(path.read_text() for path in model.rglob("*.json")), "no path of this machine"
    assert starccg.load(model).parse("the miller greets the baker .").words[1] == "miller"
    assert "global model: " in (folder / "out" / "log.txt").read_text()

    said.clear()
    assert make(folder, said) == report
    assert begun(said) == []

    said.clear()
    config = folder / "configs" / "toy.toml"
    config.write_text(MODEL.replace("root_weight = 0.0", "root_weight = 0.5"))
    make(folder, said)
    assert begun(said)[:1] == ["gold derivations"]
    assert "tagger" not in begun(said), "what does not depend on the grammar stays"


def test_the_command_makes_a_small_model_to_try(folder: Path) -> None:
    arguments = ["train", "model", folder / "configs" / "toy.toml", "--data", folder / "data", "--out", folder / "out"]
    done = CliRunner().invoke(app, [*map(str, arguments), "--limit", "12", "--device", "cpu", "--jobs", "1"])
    assert done.exit_code == 0, done.output
    assert "| all |" in done.stdout
    assert (folder / "out" / "data" / "bank-train.auto").read_text().count("ID=") == 12


def test_a_treebank_that_was_made_before_is_taken_as_it_is(folder: Path) -> None:
    lines = list(write_auto(toy.treebank(3, 9)))
    (folder / "data" / "ud-train.auto").write_text("".join(f"{line}\n" for line in lines))
    plan = load_plan(folder / "configs" / "toy.toml")
    source = find_source(folder / "data", "ud-train", "ud/train.conllu")
    made = read_treebank(Pipeline(folder / "out"), plan.model.treebank[1], "ud-train", source, None)
    assert made == {"sentences": 3}


def test_configurations_that_do_not_fit_together_are_refused(folder: Path) -> None:
    config = folder / "configs" / "toy.toml"
    for wrong, message in (
        (MODEL.replace('id = "ud"', 'id = "du"'), "ud-train is used, but no"),
        (MODEL.replace("min_unary = 1", "min_unary = 1.5"), r"grammar\.seen\.min_unary must be of type int"),
        (MODEL.replace('licence = "none"', "licence = 1"), "about must be a table of str"),
    ):
        config.write_text(wrong)
        with pytest.raises(ConfigError, match=message):
            load_plan(config)
    config.write_text(MODEL)
    (folder / "configs" / "tagger.toml").write_text(TAGGER.replace(", jackknife = true", ""))
    with pytest.raises(ConfigError, match="must say 'jackknife = true' for bank-train"):
        load_plan(config)


def test_what_is_missing_is_named(folder: Path) -> None:
    (folder / "data" / "ud" / "train.conllu").unlink()
    with pytest.raises(StarccgError, match=r"train\.conllu does not exist, nor does .*ud-train\.auto"):
        make(folder, [])


def test_the_committed_models_fit_their_configurations() -> None:
    configs = Path(__file__).parents[3] / "configs"
    for name in ("en",):
        plan = load_plan(configs / f"{name}.toml")
        assert plan.model.name == name
        assert set(plan.learned) <= {source.path.removesuffix(".auto") for source in plan.tagger.source}
