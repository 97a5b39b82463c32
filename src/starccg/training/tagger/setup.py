"""What a run needs besides its loop: the model, how it reads words, and the files that bring both back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors.torch import load_file

from starccg.errors import StarccgError
from starccg.files import sha256, write_atomically
from starccg.globalmodel.vocabulary import read_words
from starccg.tagger.inputs import EncoderInputs, Inputs, LstmInputs, affix_keys, numbered
from starccg.tagger.model import NOTES
from starccg.tagger.subwords import TOKENIZER_FILE, Subwords
from starccg.tagger.wordpiece import WordPiece
from starccg.tagger.words import RESERVED, vector_keys
from starccg.training.data import Example, check_file
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
            "config": asdict(self.config), "categories": self.categories, "shape": self.shape,
            "provenance": self.provenance,
        }  # fmt: skip
        for name, content in self.files.items():
            write_atomically(folder / name, content)
        write_atomically(folder / RUN, json.dumps(record, indent=1, ensure_ascii=False).encode())


def prepare(
    config: TaggerConfig, sources: Sources, data: Path, categories: Mapping[str, tuple[str, ...]] | None = None
) -> Setup:
    """A fresh model for these training sentences; a student has the ``categories`` of its teachers."""
    torch.manual_seed(config.seed)
    categories = dict(categories or categories_learned(config, sources))
    begun = read_exported(data / config.encoder.start) if config.encoder.start else None
    if begun is not None:
        categories = begun.with_categories(categories)
    if not categories[MAIN]:
        raise StarccgError(f"no category is seen {config.min_count} times: lower min_count or add sentences")
    files_of = {Path(entry.path).name: sha256(data / entry.path) for entry in config.corpora()}
    provenance: dict[str, Any] = {"trained_on": files_of, "seed": config.seed}
    encoder = config.encoder
    if config.kind == "lstm":
        table, files = _read_vectors(config, [e for corpus in sources for e in corpus.examples], data)
        vectors = data / config.lstm.vectors
        provenance["pretrained"] = {"file": vectors.name, "sha256": sha256(vectors)}
        return _setup(config, categories, table, files, provenance)
    if encoder.folder:
        folder = data / encoder.folder
        model, files = read_transformer(folder, encoder.layers)
        checksums = {path.name: sha256(path) for path in sorted(folder.glob("model*.safetensors"))}
        provenance["pretrained"] = {"folder": folder.name, "sha256": checksums}
        return _setup(config, categories, model, files, provenance)
    if begun is not None:
        provenance["start"] = dict(begun.sha256)
        setup = _setup(config, categories, begun.shape, {"wordpieces.txt": begun.wordpieces}, provenance)
        state = setup.model.state_dict()
        for name, tensor in begun.tensors.items():
            state[name][: len(tensor)] = tensor  # rows of new categories stay as they are
        setup.model.load_state_dict(state)
        return setup
    weights, pieces = data / encoder.weights, data / encoder.wordpieces
    check_file(pieces)
    files = {"wordpieces.txt": pieces.read_bytes()}
    pretrained = read_pretrained(weights, _pieces(files), encoder.layers, encoder.inner)
    provenance["pretrained"] = {"file": weights.name, "sha256": sha256(weights)}
    setup = _setup(config, categories, pretrained.shape, files, provenance)
    assert isinstance(setup.model, EncoderTagger)
    setup.model.fill(pretrained.tensors)
    return setup


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


def _read_vectors(
    config: TaggerConfig, examples: Sequence[Example], data: Path
) -> tuple[npt.NDArray[np.float32], dict[str, bytes]]:
    """Words with a pretrained vector, if frequent or in the training sentences; then frequent words without one."""
    vectors_path, vocabulary_path = data / config.lstm.vectors, data / config.lstm.vocabulary
    check_file(vectors_path)
    check_file(vocabulary_path)
    vectors = np.load(vectors_path, allow_pickle=False)
    vocabulary = read_words(vocabulary_path)[: len(vectors)]
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
    return table.astype(np.float32), files


def _setup(
    config: TaggerConfig,
    categories: dict[str, tuple[str, ...]],
    core: Any,
    files: dict[str, bytes],
    provenance: dict[str, Any],
) -> Setup:
    """``core``: the vectors of an LSTM, an encoder of ``transformers``, or the shape of one of our own encoders."""
    outputs = {dialect: len(found) for dialect, found in categories.items()}
    inputs: Inputs
    model: Model
    if config.kind == "lstm":
        vocabulary = json.loads(files["vocabulary.json"])
        inputs = LstmInputs(numbered(vocabulary["words"]), numbered(vocabulary["affixes"]))
        trained = np.arange(len(core)) < RESERVED + vocabulary["pretrained"]
        affixes = RESERVED + len(vocabulary["affixes"])
        model = LstmTagger(config.lstm, core, trained, affixes, outputs)
        shape = {"words": len(core), "width": core.shape[1], "affixes": affixes}
    else:
        splitter: Subwords | WordPiece
        if config.encoder.folder:
            model = TransformerTagger(config.encoder, core, outputs)
            splitter = Subwords(files[TOKENIZER_FILE])
        else:
            model = EncoderTagger(config.encoder, core, outputs)
            splitter = WordPiece(_pieces(files))
        shape = model.shape
        inputs = EncoderInputs(splitter, shape["positions"], mean=config.encoder.pooling == "mean")
    return Setup(config, categories, inputs, model, shape, files, provenance)


def _pieces(files: Mapping[str, bytes]) -> tuple[str, ...]:
    return tuple(files["wordpieces.txt"].decode().rstrip("\n").split("\n"))


def restore(folder: Path) -> Setup:
    """The best model of a run, from the run's folder alone."""
    path = folder / RUN
    if not path.is_file() or not (folder / BEST).is_file():
        raise StarccgError(f"{folder} is not a finished training run: {RUN} or {BEST} is missing")
    record = json.loads(path.read_text("utf-8"))
    config = config_from(record["config"])
    categories = {dialect: tuple(found) for dialect, found in record["categories"].items()}
    if config.kind == "lstm":
        names: tuple[str, ...] = ("vocabulary.json",)
    else:
        names = (CONFIG_FILE, TOKENIZER_FILE) if config.encoder.folder else ("wordpieces.txt",)
    files = {name: (folder / name).read_bytes() for name in names}
    core = shape = record["shape"]
    if config.kind == "lstm":
        core = np.zeros((shape["words"], shape["width"]), np.float32)
    elif config.encoder.folder:
        core = empty_transformer(files)
    setup = _setup(config, categories, core, files, record["provenance"])
    state = {key: tensor.float() for key, tensor in load_file(folder / BEST).items()}
    setup.model.load_state_dict(state)
    setup.model.eval()
    return setup
