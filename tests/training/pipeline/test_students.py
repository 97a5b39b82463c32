"""Teachers and students in the pipeline, on the sources of :mod:`tests.training.pipeline.test_model`."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

import starccg
from starccg.files import sha256
from starccg.training.pipeline.config import load_plan
from starccg.training.pipeline.model import read_treebanks
from starccg.training.pipeline.pipeline import Pipeline
from starccg.training.toml import ConfigError
from tests.tagger.models import write_data
from tests.training.pipeline.test_model import GLOBAL, MODEL, TAGGER, StoppedError, _folder, begun, make

__all__ = ["_folder"]  # a fixture

TAUGHT = """
teachers = ["tagger.toml", "tagger.toml"]
text = [{ file = "raw.txt", source = "raw.txt" }]
also = [{ name = "further", tagger = "student.toml", start = 1 }]
"""


@pytest.fixture(name="taught")
def _taught(folder: Path) -> Path:
    first, _, rest = MODEL.partition("treebank = [")
    first = first.replace('tagger = "tagger.toml"', 'tagger = "student.toml"')
    (folder / "configs" / "toy.toml").write_text(f"{first}{TAUGHT}treebank = [{rest}")
    (folder / "configs" / "student.toml").write_text(f'raw = [{{ path = "raw.txt" }}]\n{TAGGER}')
    (folder / "data" / "raw.txt").write_text("the miller sleeps .\nthe baker greets the miller .\n")
    return folder


def test_teachers_come_first_then_their_tags_then_the_students(taught: Path) -> None:
    said: list[str] = []
    with pytest.raises(StoppedError):
        make(taught, said, stop="tagger ...")
    assert begun(said)[-5:] == ["gold derivations", "teacher-1", "teacher-2", "distil", "tagger"]
    said.clear()
    make(taught, said)
    assert begun(said) == [
        "tagger", "export", "jackknife", "tags", "global model", "model",
        "tagger-further", "export of further", "model further", "report",
    ]  # fmt: skip
    for name in ("model", "further"):
        assert starccg.load(taught / "out" / name).parse("the miller greets the baker .").words[1] == "miller"


def test_training_sentences_near_those_of_a_dev_set_are_left_out(taught: Path) -> None:
    bank = taught / "data" / "bank"
    bank.joinpath("train.auto").write_text(
        bank.joinpath("train.auto").read_text() + bank.joinpath("dev.auto").read_text()
    )
    plan = load_plan(taught / "configs" / "toy.toml")
    counts = read_treebanks(plan, taught / "data", Pipeline(taught / "out"), None)
    kept = (taught / "out" / "data" / "bank-train.auto").read_text()
    trees = [line for line in bank.joinpath("dev.auto").read_text().splitlines() if not line.startswith("ID=")]
    assert counts["bank-dev"] == 10
    assert not any(tree in kept for tree in trees)


def test_text_and_teachers_that_nothing_provides_are_named(taught: Path) -> None:
    config = taught / "configs" / "toy.toml"
    text = config.read_text()
    for wrong, message in (
        (text.replace('file = "raw.txt"', 'file = "other.txt"'), r"raw\.txt is used"),
        (text.replace("start = 1", "start = 3"), "from 0 to 2"),
        (text.replace('["tagger.toml", "tagger.toml"]', '["none.toml"]'), "none.toml"),
    ):
        config.write_text(wrong)
        with pytest.raises(ConfigError, match=message):
            load_plan(config)


ENCODER = """
kind = "encoder"
min_count = 1
folds = 2
source = [{ path = "ud-train.auto", words = "ud-train.conllu" }, { path = "bank-train.auto", jackknife = true }]
dev = [{ name = "bank", path = "bank-dev.auto" }]
schedule = { epochs = 3, batch = 256, learning_rate = 2e-2 }
encoder = { weights = "small.safetensors", wordpieces = "wordpieces.txt", heads = 3 }
"""


def test_a_global_model_reads_the_states_that_the_tagger_writes_in_training_and_in_parsing(folder: Path) -> None:
    write_data(folder / "data" / "encoder")
    weights = folder / "data" / "encoder" / "encoder.safetensors"
    pretrained = f"""
[[pretrained]]
weights = "encoder/encoder.safetensors"
wordpieces = "encoder/pieces.txt"
sha256 = "{sha256(weights)}"
"""
    (folder / "configs" / "toy.toml").write_text(MODEL.replace('vectors = "glove"', "") + pretrained)
    (folder / "configs" / "tagger.toml").write_text(ENCODER)
    table = GLOBAL.replace('vectors = "glove"', "").replace("words = 6", 'words = 24, inputs = "encoder"')
    encoded = 'train_encoded = "bank-train.states.npz"\ndev_encoded = "bank-dev.states.npz"\n'
    (folder / "configs" / "global.toml").write_text(table + encoded)
    said: list[str] = []
    report = make(folder, said)
    assert "states of bank-train.gold.auto" in begun(said)
    assert "words of ud-train" in begun(said)
    assert "| bank-dev | global A* |" in report
    parser = starccg.load(folder / "out" / "model")
    assert parser.global_model is not None
    assert parser.global_model.dimensions.inputs == "encoder"
    assert parser.tagger.annotates
    assert parser.parse("the miller greets the baker .").words[1] == "miller"
