"""Encoders in the usual layout: trained through transformers, exported, and used by the parser without torch."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from safetensors.torch import load_file, save_file  # noqa: E402

for package in ("transformers", "tokenizers", "onnx", "onnxscript"):
    pytest.importorskip(package)

from starccg.ccg.english import ENGLISH  # noqa: E402
from starccg.errors import StarccgError  # noqa: E402
from starccg.model_folder.parts import assemble  # noqa: E402
from starccg.model_folder.tagger import load_tagger  # noqa: E402
from starccg.tagger.model import PIECES_FILE, open_session  # noqa: E402
from starccg.tagger.subwords import Subwords  # noqa: E402
from starccg.training.tagger.config import TaggerConfig, config_from  # noqa: E402
from starccg.training.tagger.export import to_onnx  # noqa: E402
from starccg.training.tagger.package import run_export  # noqa: E402
from starccg.training.tagger.run import run_training  # noqa: E402
from starccg.training.tagger.setup import restore  # noqa: E402
from starccg.training.tagger.transformer import read_transformer  # noqa: E402
from starccg.training.toml import ConfigError  # noqa: E402
from tests.tagger.models import SENTENCES, config_table, write_data  # noqa: E402
from tests.training.tagger.encoders import ENCODERS, make_tokenizer, write_encoder  # noqa: E402

WORDS = [["The", "cat", "'s", "e-mail"], ["n't"], ["a", "b,c,d", "cats", "naïve", "\u200b"]]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    folder = write_data(tmp_path_factory.mktemp("data"))
    for name in ENCODERS:
        write_encoder(folder / name, name)
    return folder


def config(name: str, epochs: int = 2, **encoder: Any) -> TaggerConfig:
    table = config_table("encoder", epochs=epochs, learning_rate=0.01)
    return config_from({**table, "encoder": {"folder": name, "head_rate": 1.0, **encoder}})


@pytest.mark.parametrize("name", ENCODERS)
def test_every_architecture_ends_in_a_model_folder_that_the_parser_uses(data: Path, tmp_path: Path, name: str) -> None:
    run_training(config(name, 12), data, tmp_path / "run", "cpu")
    setup = restore(tmp_path / "run")
    feeds = setup.inputs.collate([piece for words in WORDS for piece in setup.inputs.encode(words)])
    with torch.no_grad():
        logits = setup.model(**{key: torch.from_numpy(array).long() for key, array in feeds.items()})
    expected = torch.log_softmax(logits, -1).numpy()
    exact = open_session(to_onnx(setup, quantised=False).graph).run(["log_probabilities"], feeds)[0]
    np.testing.assert_allclose(exact, expected, atol=1e-4)
    packed = run_export(tmp_path / "run", data, tmp_path / "tagger", allowed_loss=0.0)
    assert packed.quantised
    assert packed.accuracy["dev"] > 0.9
    tagger = load_tagger(tmp_path / "tagger", threads=1)
    alone = [tagger.log_probabilities([words])[0] for words in WORDS]
    for one, among_others in zip(alone, tagger.log_probabilities(WORDS), strict=True):
        np.testing.assert_allclose(one, among_others, atol=1e-4)
    probabilities = np.exp(np.concatenate(alone) * packed.temperature)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    assert np.abs(probabilities - np.exp(expected)).max() < 0.1
    assert (probabilities.argmax(1) == expected.argmax(1)).mean() > 0.8, "of words it has not seen"
    seen = [[leaf.split()[1] for leaf in sentence] for sentence in SENTENCES]
    with torch.no_grad():
        feeds = setup.inputs.collate([piece for words in seen for piece in setup.inputs.encode(words)])
        tags = setup.model(**{key: torch.from_numpy(array).long() for key, array in feeds.items()}).argmax(-1).numpy()
    packed_tags = [row.argmax() for rows in tagger.log_probabilities(seen) for row in rows]
    assert packed_tags == tags.tolist(), "8 bits, without torch: the same tags"
    assemble(tmp_path / "model", ENGLISH, tmp_path / "tagger", name="tiny")
    command = [sys.executable, "-X", "importtime", "-m", "starccg", "parse", "--model", str(tmp_path / "model")]
    done = subprocess.run([*command, "Kim likes Pat ."], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    assert "S[dcl]" in done.stdout
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "tokenizers" in imported
    assert not imported & {"torch", "transformers"}


def test_a_word_has_the_pieces_of_the_middle_of_a_text() -> None:
    pieces = {kind: make_tokenizer(kind) for kind in ("bytes", "unigram", "cased")}
    found = {
        kind: [tokenizer.id_to_token(number) for number in Subwords(tokenizer.to_str().encode()).encode("cat")]
        for kind, tokenizer in pieces.items()
    }
    assert found == {"bytes": ["Ġcat"], "unigram": ["▁cat"], "cased": ["cat"]}


def test_a_word_without_pieces_is_unknown() -> None:
    subwords = Subwords(make_tokenizer("cased").to_str().encode())
    assert subwords.encode("\x00") == (subwords.unknown,) == (1,)
    assert (subwords.start, subwords.end) == (2, 3)


def test_layers_can_be_left_out_and_embeddings_kept_in_a_file_of_their_own(data: Path, tmp_path: Path) -> None:
    run_training(config("bert-cased", layers=[1], keep_pieces=True, pooling="first"), data, tmp_path / "run", "cpu")
    setup = restore(tmp_path / "run")
    assert setup.shape["layers"] == 1
    run_export(tmp_path / "run", data, tmp_path / "tagger", allowed_loss=1.0)
    assert (tmp_path / "tagger" / PIECES_FILE).is_file()
    assert len(load_tagger(tmp_path / "tagger", threads=1).tag([["Kim", "sleeps"]])[0].offsets) == 3
    with pytest.raises(StarccgError, match="from 0 to 1"):
        run_training(config("bert-cased", layers=[2]), data, tmp_path / "other", "cpu")


@pytest.mark.parametrize(("name", "prefix"), [("bert-uncased", "bert."), ("roberta", "roberta.")])
def test_weights_with_old_names_and_a_prefix_are_loaded(data: Path, tmp_path: Path, name: str, prefix: str) -> None:
    folder = shutil.copytree(data / name, tmp_path / name)
    weights = {key: tensor + 0.5 for key, tensor in load_file(folder / "model.safetensors").items()}
    renamed = {key.replace("LayerNorm.weight", "LayerNorm.gamma"): tensor for key, tensor in weights.items()}
    renamed = {f"{prefix}{key.replace('LayerNorm.bias', 'LayerNorm.beta')}": own for key, own in renamed.items()}
    save_file(renamed, folder / "model.safetensors", {"format": "pt"})
    model, _ = read_transformer(folder)
    for key, tensor in model.state_dict().items():
        torch.testing.assert_close(tensor, weights[key])


def test_an_encoder_without_some_of_its_weights_is_refused(data: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(data / "electra", tmp_path / "electra")
    weights = load_file(folder / "model.safetensors")
    save_file({k: t for k, t in weights.items() if "layer.1." not in k}, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(StarccgError, match=r"16 weights of the encoder are missing: encoder.layer.1"):
        read_transformer(folder)


def test_what_is_missing_is_said(data: Path, tmp_path: Path) -> None:
    with pytest.raises(StarccgError, match=r"config.json does not exist"):
        run_training(config("nothing"), data, tmp_path, "cpu")
    with pytest.raises(ConfigError, match=r"encoder\.bits cannot be set with encoder.folder"):
        config("roberta", bits=4)
    (data / "damaged").mkdir()
    for name in ("config.json", "tokenizer.json"):
        (data / "damaged" / name).write_bytes((data / "roberta" / name).read_bytes())
    with pytest.raises(StarccgError, match="transformers cannot load this encoder"):
        run_training(config("damaged"), data, tmp_path, "cpu")
    unmarked = json.loads(make_tokenizer("cased").to_str()) | {"post_processor": None}
    with pytest.raises(StarccgError, match="one mark before a sentence"):
        Subwords(json.dumps(unmarked).encode())
    with pytest.raises(StarccgError, match="not a file that the package tokenizers can use"):
        Subwords(b"{}")
