"""What every system of an experiment is measured on: development sentences, tagged once, with gold dependencies."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from starccg.ccg.compiler import compile_grammar
from starccg.ccg.table import RuleTable
from starccg.derivation import Sentence
from starccg.errors import StarccgError
from starccg.evaluation import Analysis
from starccg.folders import sha256, write_atomically
from starccg.formats.auto import read_auto
from starccg.globalmodel import GlobalModel
from starccg.model_parts import read_parts
from starccg.search.types import TaggedSentence
from starccg.tagger.model import Tagger
from starccg.training.data import Example

Words = tuple[str, ...]

CHUNK = 256
"""Sentences that go through the model's word LSTM at once."""


@dataclass(frozen=True)
class Bench:
    """Sentences with their tags and gold, in the numbers of one rule table."""

    table: RuleTable
    words: Sequence[Words]
    tagged: Sequence[TaggedSentence]
    gold: Sequence[Analysis]
    sources: Sequence[str]
    """The file each sentence is from."""
    key: str
    """A fingerprint of all of it."""

    def some(self, numbers: Iterable[int]) -> Bench:
        """Some of the sentences."""
        chosen = list(numbers)
        return replace(
            self,
            words=[self.words[i] for i in chosen],
            tagged=[self.tagged[i] for i in chosen],
            gold=[self.gold[i] for i in chosen],
            sources=[self.sources[i] for i in chosen],
            key=_digest([self.key, *map(str, chosen)]),
        )

    @property
    def tags_per_word(self) -> float:
        """How many tags the tagger's beam keeps, on average."""
        return sum(len(s.tags) for s in self.tagged) / max(1, sum(s.words for s in self.tagged))

    @property
    def words_per_sentence(self) -> float:
        """The mean length."""
        return sum(map(len, self.words)) / max(1, len(self.words))


@dataclass(frozen=True)
class Model:
    """The parts of a model folder that an experiment needs; no parser is made of them."""

    folder: Path
    table: RuleTable
    tagger: Tagger
    global_model: GlobalModel | None
    key: str
    provenance: Mapping[str, Any] = field(default_factory=dict)
    """How the global model was trained, as far as its folder says."""

    def training(self) -> str:
        """The same in a sentence; empty if nothing is known."""
        learning = self.provenance.get("config", {}).get("learning", {})
        seen = self.provenance.get("sentences_seen")
        if not learning or seen is None:
            return ""
        return (
            f"The global model saw {seen:,} sentences in training, {learning.get('batch')} an update, "
            f"{learning.get('loss')} violations (the paper: 30 epochs of CCGbank, one sentence an update)."
        )

    def require_global(self) -> GlobalModel:
        """The global model; without one an experiment has nothing to compare."""
        if self.global_model is None:
            raise StarccgError(f"{self.folder} has no global model: there is nothing to compare the tags alone with")
        return self.global_model


def load_model(folder: Path) -> Model:
    """Read a model folder."""
    parts = read_parts(folder)
    manifests = [folder / part / "model.json" for part in ("", "tagger", "global")]
    key = _digest([sha256(path) for path in manifests if path.is_file()])
    table = compile_grammar(parts.grammar, parts.tagger.categories)
    return Model(folder, table, parts.tagger, parts.global_model, key, parts.learned)


def load_bench(
    model: Model, files: Sequence[Path], cache: Path, *, sentences: int | None = None, beam: float | None = None
) -> Bench:
    """Read treebanks and tag them, or take the tags of the last time; ``sentences`` bounds how many of each file."""
    words: list[Words] = []
    gold: list[Analysis] = []
    tagged: list[TaggedSentence] = []
    sources: list[str] = []
    marks: list[str] = []
    for path in files:
        found = _read(path)[:sentences]
        own = [tuple(sentence.derivation.words) for sentence in found]
        mark = _digest([model.key, sha256(path), str(sentences), str(beam)])
        tagged += tag_once(model.tagger, own, cache / f"{path.stem}-{mark[:12]}.npz", beam)
        words += own
        gold += [Analysis.of_derivation(sentence.derivation, sentence.id) for sentence in found]
        sources += [path.stem] * len(found)
        marks.append(mark)
    return Bench(model.table, words, tagged, gold, sources, _digest(marks))


def bench_of_examples(table: RuleTable, examples: Sequence[Example], key: str) -> Bench:
    """The development sentences of a training run, with the tags it was given."""
    gold = [Analysis.of_derivation(example.derivation, example.id) for example in examples]
    words, tagged = [example.words for example in examples], [example.tagged for example in examples]
    return Bench(table, words, tagged, gold, ["dev"] * len(examples), key)


def with_states(model: GlobalModel, words: Sequence[Words], tagged: Sequence[TaggedSentence]) -> list[TaggedSentence]:
    """The same sentences with the word states that a search under the global model starts from."""
    found: list[TaggedSentence] = []
    for first in range(0, len(words), CHUNK):
        states = model.leaf_states(words[first : first + CHUNK])
        found += [replace(s, states=own) for s, own in zip(tagged[first : first + CHUNK], states, strict=True)]
    return found


def tag_once(tagger: Tagger, words: Sequence[Words], path: Path, beam: float | None) -> list[TaggedSentence]:
    """Tags from a file, or from the tagger and then into the file; nothing is rounded."""
    if path.exists():
        return _read_tags(path)
    tagged = tagger.tag(words, beam=beam)
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        lengths=np.array([s.words for s in tagged], np.int32),
        counts=np.concatenate([np.diff(s.offsets) for s in tagged]).astype(np.int32),
        tags=np.concatenate([s.tags for s in tagged]).astype(np.int32),
        log_probabilities=np.concatenate([s.log_probabilities for s in tagged]).astype(np.float32),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, buffer.getvalue())
    return tagged


def _read_tags(path: Path) -> list[TaggedSentence]:
    try:
        with np.load(path, allow_pickle=False) as file:
            lengths, counts, tags, scores = (file[n] for n in ("lengths", "counts", "tags", "log_probabilities"))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise StarccgError(f"{path} is damaged ({error}): delete it, and the sentences are tagged again") from None
    ends = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    found, first = [], 0
    for length in lengths.tolist():
        own = ends[first : first + length + 1]
        offsets = (own - own[0]).astype(np.int32)
        found.append(TaggedSentence(tags[own[0] : own[-1]], scores[own[0] : own[-1]], offsets))
        first += length
    return found


def _read(path: Path) -> list[Sentence]:
    found = list(read_auto(path))
    if not found:
        raise StarccgError(f"{path}: has no sentences")
    return found


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def read_words(files: Sequence[Path]) -> list[Words]:
    """The words of every sentence."""
    return [tuple(sentence.derivation.words) for path in files for sentence in _read(path)]
