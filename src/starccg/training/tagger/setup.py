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

from starccg.errors import StarccgError
from starccg.folders import sha256, write_atomically
from starccg.tagger.inputs import EncoderInputs, Inputs, LstmInputs, affix_keys, numbered
from starccg.tagger.wordpiece import WordPiece
from starccg.tagger.words import RESERVED, vector_keys
from starccg.training.tagger.config import MAIN, Source, TaggerConfig, config_from
from starccg.training.tagger.data import Example, categories_of
from starccg.training.tagger.encoder import EncoderTagger, load_pretrained, shape_of
from starccg.training.tagger.lstm import LstmTagger

BEST = "best.safetensors"
RUN = "run.json"

Model = LstmTagger | EncoderTagger


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


Sources = Sequence[tuple[Source, Sequence[Example]]]


def prepare(config: TaggerConfig, sources: Sources, data: Path) -> Setup:
    """A fresh model for these training sentences."""
    torch.manual_seed(config.seed)
    by_dialect: dict[str, list[Example]] = {MAIN: []}
    for source, examples in sources:
        by_dialect.setdefault(source.dialect, []).extend(examples)
    categories = {dialect: categories_of(found, config.min_count) for dialect, found in by_dialect.items()}
    if not categories[MAIN]:
        raise StarccgError(f"no category is seen {config.min_count} times: lower min_count or add sentences")
    provenance: dict[str, Any] = {
        "trained_on": {Path(source.path).name: sha256(data / source.path) for source in config.source},
        "seed": config.seed,
    }
    if config.kind == "lstm":
        return _prepare_lstm(config, [e for _, found in sources for e in found], data, categories, provenance)
    weights = data / config.encoder.weights
    shape, tensors = shape_of(weights)
    pieces = data / config.encoder.wordpieces
    if not pieces.is_file():
        raise StarccgError(f"{pieces} does not exist: paths in a configuration are relative to --data")
    files = {"wordpieces.txt": pieces.read_bytes()}
    provenance["pretrained"] = {"file": weights.name, "sha256": sha256(weights)}
    setup = _encoder(config, categories, shape, files, provenance)
    assert isinstance(setup.model, EncoderTagger)
    load_pretrained(setup.model, tensors)
    return setup


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
    wordpiece = WordPiece(files["wordpieces.txt"].decode().rstrip("\n").split("\n"))
    if len(wordpiece) != shape["pieces"]:
        raise StarccgError(f"{len(wordpiece)} word pieces, but the weights have {shape['pieces']}: they do not fit")
    inputs = EncoderInputs(wordpiece, shape["positions"])
    model = EncoderTagger(config.encoder, shape, _sizes(categories))
    return Setup(config, categories, inputs, model, shape, files, provenance)


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
    name = "vocabulary.json" if config.kind == "lstm" else "wordpieces.txt"
    files = {name: (folder / name).read_bytes()}
    shape = record["shape"]
    if config.kind == "lstm":
        empty = np.zeros((shape["words"], shape["width"]), np.float32)
        setup = _lstm(config, categories, empty, files, record["provenance"])
    else:
        setup = _encoder(config, categories, shape, files, record["provenance"])
    state = {key: tensor.float() for key, tensor in load_file(folder / BEST).items()}
    setup.model.load_state_dict(state)
    setup.model.eval()
    return setup
