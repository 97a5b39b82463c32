from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from starccg.errors import StarccgError  # noqa: E402
from starccg.model_folder.manifest import read_folder  # noqa: E402
from starccg.model_folder.tagger import load_tagger  # noqa: E402
from starccg.tagger import ModelError, Tagger  # noqa: E402
from starccg.tagger.model import open_session  # noqa: E402
from starccg.tagger.saved import read_tags  # noqa: E402
from starccg.training.checkpoint import save_checkpoint  # noqa: E402
from starccg.training.data import read_examples  # noqa: E402
from starccg.training.tagger.calibration import fit_temperature  # noqa: E402
from starccg.training.tagger.config import config_from, load_config  # noqa: E402
from starccg.training.tagger.data import Corpus, epoch_batches  # noqa: E402
from starccg.training.tagger.export import Exported, to_onnx  # noqa: E402
from starccg.training.tagger.jackknife import run_jackknife  # noqa: E402
from starccg.training.tagger.lstm import CoupledLstm  # noqa: E402
from starccg.training.tagger.package import run_export  # noqa: E402
from starccg.training.tagger.run import run_training  # noqa: E402
from starccg.training.tagger.setup import Setup, prepare, restore  # noqa: E402
from starccg.training.tagger.smoothing import spreads  # noqa: E402
from starccg.training.toml import ConfigError  # noqa: E402
from tests.tagger.models import config_table, write_data  # noqa: E402

KINDS = ("lstm", "encoder")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    return write_data(tmp_path_factory.mktemp("data"))


def fresh(kind: str, data: Path) -> Setup:
    config = config_from(config_table(kind))
    setup = prepare(config, [Corpus(source, read_examples(data / source.path)) for source in config.source], data)
    for module in setup.model.modules():
        if isinstance(module, CoupledLstm):
            torch.nn.init.normal_(module.peephole)
            torch.nn.init.normal_(module.bias)
    torch.nn.init.normal_(setup.model.get_parameter("casings.weight" if kind == "encoder" else "hidden.bias"))
    setup.model.eval()
    return setup


def opened(exported: Exported) -> Any:
    return open_session(exported.graph, constants=exported.pieces)


SENTENCES = [
    ["The", "cat", "sleeps"],
    ["Pat"],
    ["N'T", "3,000", "cats", "'s", "e-mail", "Brian~Eno", "🎉", "שלום"],
    ["a"] * 23,
]


@pytest.mark.parametrize("kind", KINDS)
def test_onnx_gives_the_same_log_probabilities_as_torch(kind: str, data: Path) -> None:
    setup = fresh(kind, data)
    feeds = setup.inputs.collate([piece for words in SENTENCES for piece in setup.inputs.encode(words)])
    with torch.no_grad():
        logits = setup.model(**{name: torch.from_numpy(array).long() for name, array in feeds.items()})
        expected = torch.log_softmax(logits / 1.7, -1).numpy()
    exact = opened(to_onnx(setup, quantised=False, temperature=1.7)).run(None, feeds)[0]
    np.testing.assert_allclose(exact, expected, atol=1e-4)
    seen = spreads(setup, read_examples(data / "dev.auto"))
    for found in ({}, seen):
        rough = opened(to_onnx(setup, quantised=True, temperature=1.7, spreads=found)).run(None, feeds)[0]
        assert np.abs(np.exp(rough) - np.exp(expected)).max() < 0.05


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("quantised", [False, True])
def test_a_sentence_gets_the_same_tags_whatever_stands_beside_it(kind: str, quantised: bool, data: Path) -> None:
    setup = fresh(kind, data)
    stub = {"kind": kind, "categories": list(setup.categories["main"]), "beam": 1e-3}
    tagger = Tagger(setup.inputs, opened(to_onnx(setup, quantised)), stub)
    together = tagger.log_probabilities(SENTENCES)
    for words, rows in zip(SENTENCES, together, strict=True):
        np.testing.assert_allclose(tagger.log_probabilities([words])[0], rows, atol=2e-5)


@pytest.mark.parametrize(("kind", "optimiser"), [*((kind, "adamw") for kind in KINDS), ("lstm", "sgd")])
def test_a_killed_run_goes_on_to_the_same_numbers(kind: str, optimiser: str, data: Path, tmp_path: Path) -> None:
    table = config_table(kind)
    if optimiser == "sgd":
        table["schedule"] |= {"optimiser": "sgd", "momentum": 0.7, "sentences": 4, "average": 0.0}
    config = config_from(table)
    run_training(config, data, tmp_path / "whole", "cpu")
    run_training(config, data, tmp_path / "killed", "cpu", stop_after=2)
    (tmp_path / "killed" / "checkpoint.safetensors.tmp").write_bytes(b"half a file")
    with (tmp_path / "killed" / "metrics.jsonl").open("a") as file:
        file.write('{"epoch": 3, "loss": 1.0}\n')  # an epoch whose checkpoint was never written
    run_training(config, data, tmp_path / "killed", "cpu")
    whole, killed = (metrics(tmp_path / name) for name in ("whole", "killed"))
    assert whole == killed
    assert (tmp_path / "whole/best.safetensors").read_bytes() == (tmp_path / "killed/best.safetensors").read_bytes()


def metrics(folder: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


@pytest.mark.parametrize("kind", KINDS)
def test_a_trained_tagger_is_exported_calibrated_and_loaded(kind: str, data: Path, tmp_path: Path) -> None:
    config = config_from(config_table(kind, epochs=25, learning_rate=0.02))
    best = run_training(config, data, tmp_path / "run", "cpu")
    assert best["dev"] > 0.9
    result = run_export(tmp_path / "run", data, tmp_path / "model")
    tagger = load_tagger(tmp_path / "model", threads=1)
    assert tagger.kind == kind
    assert 0.25 <= result.temperature <= 8.0
    (tagged,) = tagger.tag([["the", "cat", "sleeps", "."]])
    found = [str(tagger.categories[tagged.tags[start]]) for start in tagged.offsets[:-1]]
    assert found == ["NP/N", "N", r"S[dcl]\NP", "."]
    manifest, files = read_folder(tmp_path / "model", "tagger")
    assert set(manifest["provenance"]["trained_on"]) == {"train.auto", "other.auto.gz"}
    assert (tmp_path / "model-report" / "multitag.svg").read_text().startswith("<svg")
    files["tagger.onnx"].write_bytes(files["tagger.onnx"].read_bytes()[:-1] + b"!")
    with pytest.raises(ModelError, match="SHA-256"):
        load_tagger(tmp_path / "model")


def test_the_output_layer_of_another_dialect_learns_but_is_not_exported(data: Path, tmp_path: Path) -> None:
    config = config_from(config_table("lstm"))
    run_training(config, data, tmp_path, "cpu")
    setup = restore(tmp_path)
    assert set(setup.categories) == {"main", "other"}
    assert "conj" in setup.categories["main"]
    assert "conj" not in setup.categories["other"]
    session = opened(to_onnx(setup))
    assert session.get_outputs()[0].shape[1] == len(setup.categories["main"])


def test_jackknifed_tags_cover_every_sentence_in_its_order(data: Path, tmp_path: Path) -> None:
    config = config_from(config_table("lstm", epochs=2))
    (path,) = run_jackknife(config, data, tmp_path, "cpu", tag_beam=1e-2)
    saved = read_tags(path)
    examples = read_examples(data / "train.auto")
    assert list(saved.sentences) == [example.id for example in examples]
    assert all(saved.sentences[example.id].words == len(example.words) for example in examples)
    assert all(tagged.tags.max() < len(saved.categories) for tagged in saved.sentences.values())
    assert all((np.diff(tagged.offsets) >= 1).all() for tagged in saved.sentences.values())


def test_raw_text_is_not_asked_for_where_no_teacher_says_what_it_means(data: Path, tmp_path: Path) -> None:
    config = config_from({**config_table("lstm", epochs=1), "raw": [{"path": "missing.txt"}]})
    run_training(config, data, tmp_path, "cpu")
    assert restore(tmp_path).config.raw == ()


def test_an_epoch_visits_sentences_as_often_as_their_weight_says(data: Path) -> None:
    setup = fresh("lstm", data)
    found = []
    for source in setup.config.source:
        examples = read_examples(data / source.path)
        found.append((2.5, Corpus(source, examples).items(setup.inputs, setup.categories)))
    batches = epoch_batches(found, 64, seed=1, epoch=1)
    assert sum(map(len, batches)) == sum(round(2.5 * len(items)) for _, items in found)
    assert all(len({item.dialect for item in batch}) == 1 for batch in batches)
    assert max(len(batch) * max(len(item.piece.cells) for item in batch) for batch in batches) <= 64


def test_the_temperature_undoes_a_known_distortion() -> None:
    random = np.random.default_rng(0)
    logits = random.normal(size=(4000, 6)) * 2
    exact = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    gold = [int(random.choice(6, p=np.exp(row))) for row in exact]
    assert fit_temperature([(3.0 * exact).astype(np.float32)], [gold]) == pytest.approx(3.0, rel=0.1)


def test_a_configuration_with_a_mistake_is_refused_with_its_key(tmp_path: Path) -> None:
    table = config_table("lstm")
    with pytest.raises(ConfigError, match=r"schedule\.epoch\b"):
        config_from({**table, "schedule": {"epoch": 3}})
    with pytest.raises(ConfigError, match="must be of type float"):
        config_from({**table, "schedule": {"learning_rate": "fast"}})
    with pytest.raises(ConfigError, match="kind"):
        config_from({**table, "kind": "gru"})
    with pytest.raises(ConfigError, match="missing"):
        config_from({"kind": "lstm"})
    (tmp_path / "bad.toml").write_text("kind = ")
    with pytest.raises(ConfigError, match="not TOML"):
        load_config(tmp_path / "bad.toml")
    with pytest.raises(StarccgError, match="does not exist"):
        run_training(config_from(table), tmp_path, tmp_path / "out", "cpu")


def test_a_checkpoint_of_another_configuration_is_refused(data: Path, tmp_path: Path) -> None:
    save_checkpoint(tmp_path, "another run", {"epoch": 1}, {"weights": torch.zeros(1)})
    with pytest.raises(StarccgError, match="another configuration"):
        run_training(config_from(config_table("lstm")), data, tmp_path, "cpu")


def test_the_shipped_configurations_can_be_read() -> None:
    folder = Path(__file__).parents[3] / "configs"
    assert {load_config(path).kind for path in folder.glob("tagger-*.toml")} == {"lstm", "encoder"}
