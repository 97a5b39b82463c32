"""What a run needs besides its loop: the model, how it reads words, and the files that bring both back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor

from starccg.errors import StarccgError
from starccg.files import sha256, write_atomically
from starccg.tagger.inputs import EncoderInputs, Inputs, LstmInputs, affix_keys, numbered
from starccg.tagger.model import NOTES
from starccg.tagger.subwords import TOKENIZER_FILE, Subwords
from starccg.tagger.wordpiece import WordPiece
from starccg.tagger.words import RESERVED, vector_keys
from starccg.training.data import Example
from starccg.training.tagger.config import MAIN, TaggerConfig, config_from
from starccg.training.tagger.data import Sources, categories_of, frequent
from starccg.training.tagger.encoder import EncoderTagger
from starccg.training.tagger.exported import read_exported
from starccg.training.tagger.lstm import LstmTagger
from starccg.training.tagger.pretrained import read_pretrained
from starccg.training.tagger.states import StatesTagger
from starccg.training.tagger.transformer import CONFIG_FILE, TransformerTagger, empty_transformer, read_transformer

BEST = "best.safetensors"
RUN = "run.json"

Model = LstmTagger | StatesTagger


@dataclass
class Setup:
    """A model with all that belongs to it."""

    config: TaggerConfig
    categories: dict[str, tuple[str, ...]]
    inputs: Inputs
    model: Model
    shape: dict[str, int]
    files: dict[str, bytes]
    """Vocabulary files, as the model folder holds them."""
    provenance: dict[str, Any]

    def save(self, folder: Path) -> None:
        """Write all but the weights."""
        folder.mkdir(parents=True, exist_ok=True)
        record = {
            "config": self.config.as_dict(),
            "categories": self.categories,
            "shape": self.shape,
            "provenance": self.provenance,
        }
        for name, content in self.files.items():
            write_atomically(folder / name, content)
        write_atomically(folder / RUN, json.dumps(record, indent=1, ensure_ascii=False).encode())


def prepare(
    config: TaggerConfig, sources: Sources, data: Path, categories: Mapping[str, tuple[str, ...]] | None = None
) -> Setup:
    """A fresh model for these training sentences; a student has the ``categories`` of its teachers."""
    torch.manual_seed(config.seed)
    categories = dict(categories or categories_learned(config, sources))
    if not categories[MAIN]:
        raise StarccgError(f"no category is seen {config.min_count} times: lower min_count or add sentences")
    files_of = {Path(entry.path).name: sha256(data / entry.path) for entry in config.corpora()}
    provenance: dict[str, Any] = {"trained_on": files_of, "seed": config.seed}
    if config.kind == "lstm":
        return _prepare_lstm(config, [e for corpus in sources for e in corpus.examples], data, categories, provenance)
    if config.encoder.folder:
        return _prepare_transformer(config, data / config.encoder.folder, categories, provenance)
    if config.encoder.start:
        return _prepare_started(config, data / config.encoder.start, categories, provenance)
    weights = data / config.encoder.weights
    pieces = data / config.encoder.wordpieces
    if not pieces.is_file():
        raise StarccgError(f"{pieces} does not exist: paths in a configuration are relative to --data")
    files = {"wordpieces.txt": pieces.read_bytes()}
    pretrained = read_pretrained(weights, _pieces(files), config.encoder.layers)
    provenance["pretrained"] = {"file": weights.name, "sha256": sha256(weights)}
    setup = _encoder(config, categories, pretrained.shape, files, provenance)
    assert isinstance(setup.model, EncoderTagger)
    setup.model.fill(pretrained.tensors)
    return setup


def _prepare_started(
    config: TaggerConfig, folder: Path, categories: dict[str, tuple[str, ...]], provenance: dict[str, Any]
) -> Setup:
    begun = read_exported(folder)
    provenance["start"] = dict(begun.sha256)
    setup = _encoder(config, categories, begun.shape, {"wordpieces.txt": begun.wordpieces}, provenance)
    state = setup.model.state_dict()
    outputs: dict[str, Tensor] = {}
    for name, values in categories.items():
        fresh = {key: state[key] for key in (f"outputs.{name}.weight", f"outputs.{name}.bias")}
        outputs |= begun.rows_for(name, values, fresh)
    encoder = {name: tensor for name, tensor in begun.tensors.items() if not name.startswith("outputs.")}
    setup.model.load_state_dict({**encoder, **outputs})
    return setup


def _prepare_transformer(
    config: TaggerConfig, folder: Path, categories: dict[str, tuple[str, ...]], provenance: dict[str, Any]
) -> Setup:
    model, files = read_transformer(folder, config.encoder.layers)
    weights = sorted(folder.glob("model*.safetensors"))
    provenance["pretrained"] = {"folder": folder.name, "sha256": {path.name: sha256(path) for path in weights}}
    return _transformer(config, categories, model, files, provenance)


def categories_learned(config: TaggerConfig, sources: Sources) -> dict[str, tuple[str, ...]]:
    """For each output layer what it chooses among: a dialect's categories, parts of speech, rules for lemmas."""
    by_dialect: dict[str, list[Example]] = {MAIN: []}
    for corpus in sources:
        by_dialect.setdefault(corpus.dialect, []).extend(corpus.examples)
    found = {dialect: categories_of(examples, config.min_count) for dialect, examples in by_dialect.items()}
    for name in NOTES:
        notes = (note.get(name, ()) for corpus in sources for note in corpus.notes.values())
        if values := frequent((value for note in notes for value in note), config.min_count):
            found[name] = values
    return found


def _prepare_lstm(
    config: TaggerConfig,
    examples: Sequence[Example],
    data: Path,
    categories: dict[str, tuple[str, ...]],
    provenance: dict[str, Any],
) -> Setup:
    """Words with a pretrained vector, if frequent or in the training sentences; then frequent words without one."""
    vectors_path, vocabulary_path = data / config.lstm.vectors, data / config.lstm.vocabulary
    for path in (vectors_path, vocabulary_path):
        if not path.is_file():
            raise StarccgError(f"{path} does not exist: paths in a configuration are relative to --data")
    vectors = np.load(vectors_path, allow_pickle=False)
    vocabulary = vocabulary_path.read_text("utf-8").split("\n")[: len(vectors)]
    words = Counter(word for example in examples for word in example.words)
    keys: Counter[str] = Counter()
    for word, count in words.items():
        for key in vector_keys(word)[:2]:  # the spelling and its digits; parts are only sought
            keys[key] += count
    kept = [row for row, word in enumerate(vocabulary) if row < config.lstm.most_vectors or word in keys]
    pretrained = [vocabulary[row] for row in kept]
    known = set(pretrained)
    fresh = sorted(key for key, count in keys.items() if count >= config.lstm.affix_count and key not in known)
    affixes = Counter(key for word, count in words.items() for key in affix_keys(word) * count if key is not None)
    frequent = sorted(affix for affix, count in affixes.items() if count >= config.lstm.affix_count)
    table = np.random.default_rng(config.seed).normal(
        0.0, 0.1, (RESERVED + len(pretrained) + len(fresh), vectors.shape[1])
    )
    table[RESERVED : RESERVED + len(pretrained)] = vectors[kept]
    record = {"words": pretrained + fresh, "affixes": frequent, "pretrained": len(pretrained)}
    files = {"vocabulary.json": json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()}
    provenance["pretrained"] = {"file": vectors_path.name, "sha256": sha256(vectors_path)}
    return _lstm(config, categories, table.astype(np.float32), files, provenance)


def _lstm(
    config: TaggerConfig,
    categories: dict[str, tuple[str, ...]],
    table: np.ndarray[Any, np.dtype[np.float32]],
    files: dict[str, bytes],
    provenance: dict[str, Any],
) -> Setup:
    vocabulary = json.loads(files["vocabulary.json"])
    inputs = LstmInputs(numbered(vocabulary["words"]), numbered(vocabulary["affixes"]))
    trained = np.zeros(len(table), np.bool_)
    trained[: RESERVED + vocabulary["pretrained"]] = True
    affixes = RESERVED + len(vocabulary["affixes"])
    model = LstmTagger(config.lstm, table, trained, affixes, _sizes(categories))
    shape = {"words": len(table), "width": table.shape[1], "affixes": affixes}
    return Setup(config, categories, inputs, model, shape, files, provenance)


def _encoder(
    config: TaggerConfig,
    categories: dict[str, tuple[str, ...]],
    shape: dict[str, int],
    files: dict[str, bytes],
    provenance: dict[str, Any],
) -> Setup:
    inputs = EncoderInputs(WordPiece(_pieces(files)), shape["positions"], mean=config.encoder.pooling == "mean")
    model = EncoderTagger(config.encoder, shape, _sizes(categories))
    return Setup(config, categories, inputs, model, shape, files, provenance)


def _transformer(
    config: TaggerConfig,
    categories: dict[str, tuple[str, ...]],
    encoder: Any,
    files: dict[str, bytes],
    provenance: dict[str, Any],
) -> Setup:
    model = TransformerTagger(config.encoder, encoder, _sizes(categories))
    splitter = Subwords(files[TOKENIZER_FILE])
    inputs = EncoderInputs(splitter, model.shape["positions"], mean=config.encoder.pooling == "mean")
    return Setup(config, categories, inputs, model, model.shape, files, provenance)


def _pieces(files: Mapping[str, bytes]) -> tuple[str, ...]:
    return tuple(files["wordpieces.txt"].decode().rstrip("\n").split("\n"))


def _sizes(categories: Mapping[str, Sequence[str]]) -> dict[str, int]:
    return {dialect: len(found) for dialect, found in categories.items()}


def restore(folder: Path) -> Setup:
    """The best model of a run, from the run's folder alone."""
    path = folder / RUN
    if not path.is_file() or not (folder / BEST).is_file():
        raise StarccgError(f"{folder} is not a finished training run: {RUN} or {BEST} is missing")
    record = json.loads(path.read_text("utf-8"))
    config = config_from(record["config"])
    categories = {dialect: tuple(found) for dialect, found in record["categories"].items()}
    names: tuple[str, ...] = ("vocabulary.json",) if config.kind == "lstm" else ("wordpieces.txt",)
    if config.kind == "encoder" and config.encoder.folder:
        names = (CONFIG_FILE, TOKENIZER_FILE)
    files = {name: (folder / name).read_bytes() for name in names}
    shape = record["shape"]
    if config.kind == "lstm":
        empty = np.zeros((shape["words"], shape["width"]), np.float32)
        setup = _lstm(config, categories, empty, files, record["provenance"])
    elif config.encoder.folder:
        setup = _transformer(config, categories, empty_transformer(files), files, record["provenance"])
    else:
        setup = _encoder(config, categories, shape, files, record["provenance"])
    state = {key: tensor.float() for key, tensor in load_file(folder / BEST).items()}
    setup.model.load_state_dict(state)
    setup.model.eval()
    return setup
