"""A training can begin with a finished model, whose weights are read back from its 8-bit graph."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from starccg.errors import StarccgError  # noqa: E402
from starccg.model_folder.tagger import load_tagger  # noqa: E402
from starccg.training.tagger.config import TaggerConfig, config_from  # noqa: E402
from starccg.training.tagger.package import run_export  # noqa: E402
from starccg.training.tagger.run import read_sources, run_training  # noqa: E402
from starccg.training.tagger.setup import Setup, prepare  # noqa: E402
from tests.tagger.models import auto, config_table, write_data  # noqa: E402

WORDS = [["Kim", "likes", "the", "big", "dog", "."], ["Pat", "runs", "quickly"]]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    return write_data(tmp_path_factory.mktemp("data"))


def config(path: str = "train.auto", **encoder: object) -> TaggerConfig:
    table = config_table("encoder", epochs=2)
    start = {"weights": "", "wordpieces": ""} if "start" in encoder else {}
    source = [{"path": path}]
    return config_from({**table, "source": source, "encoder": {**table["encoder"], **start, **encoder}})


def prepared(data: Path, own: TaggerConfig) -> Setup:
    return prepare(own, read_sources(own, data), data)


def exported(data: Path, folder: Path, **encoder: object) -> Path:
    run_training(config(**encoder), data, folder / "run", "cpu")
    run_export(folder / "run", data, folder / "tagger", allowed_loss=1.0)
    return folder / "tagger"


def probabilities(setup: Setup, words: list[str], temperature: float) -> np.ndarray:
    setup.model.eval()
    feeds = setup.inputs.collate(setup.inputs.encode(words))
    with torch.no_grad():
        logits = setup.model(**{name: torch.from_numpy(array).long() for name, array in feeds.items()})
    found: np.ndarray = torch.softmax(logits / temperature, -1).numpy()
    return found


@pytest.mark.parametrize("keep_pieces", [False, True])
@pytest.mark.parametrize("pooling", ["first", "mean"])
def test_training_begins_with_the_probabilities_of_the_model(
    data: Path, tmp_path: Path, keep_pieces: bool, pooling: str
) -> None:
    model = exported(data, tmp_path, keep_pieces=keep_pieces, pooling=pooling)
    setup = prepared(data, config(start=str(model), keep_pieces=keep_pieces, pooling=pooling))
    tagger = load_tagger(model)
    assert setup.categories["main"] == tuple(map(str, tagger.categories))
    for words, rows in zip(WORDS, tagger.log_probabilities(WORDS), strict=True):
        found = probabilities(setup, words, tagger.manifest["temperature"])
        assert np.abs(found - np.exp(rows)).max() < 0.02


def test_a_narrowed_model_keeps_its_width(data: Path, tmp_path: Path) -> None:
    model = exported(data, tmp_path, inner=5)
    assert load_tagger(model).manifest["hyperparameters"]["inner"] == 5
    assert prepared(data, config(start=str(model))).shape["inner"] == 5


def test_known_categories_stay_and_new_ones_are_added(data: Path, tmp_path: Path) -> None:
    model = exported(data, tmp_path)
    tagger = load_tagger(model)
    known = tuple(map(str, tagger.categories))
    (data / "few.auto").write_text(auto([["NP Kim", r"S[dcl]\NP sleeps", r"(S\NP)\S rarely", ". ."]], 3), "utf-8")
    tuned = config("few.auto", start=str(model))
    setup = prepared(data, tuned)
    assert setup.categories["main"] == (*known, r"(S\NP)\S")
    found = probabilities(setup, WORDS[0], tagger.manifest["temperature"])[:, : len(known)]
    rows = np.exp(tagger.log_probabilities(WORDS[:1])[0])
    assert np.abs(found / found.sum(1, keepdims=True) - rows).max() < 0.02
    run_training(tuned, data, tmp_path / "tuned", "cpu")
    run_export(tmp_path / "tuned", data, tmp_path / "tuned-tagger", allowed_loss=1.0)
    assert tuple(map(str, load_tagger(tmp_path / "tuned-tagger").categories)) == setup.categories["main"]


def test_what_cannot_be_started_from_is_refused(data: Path, tmp_path: Path) -> None:
    lstm = config_from(config_table("lstm", epochs=1))
    run_training(lstm, data, tmp_path / "run", "cpu")
    run_export(tmp_path / "run", data, tmp_path / "tagger", allowed_loss=1.0)
    with pytest.raises(StarccgError, match="must be an encoder of BERT's shape in 8 bits"):
        prepared(data, config(start=str(tmp_path / "tagger")))
    with pytest.raises(StarccgError, match="nowhere"):
        prepared(data, config(start="nowhere"))
