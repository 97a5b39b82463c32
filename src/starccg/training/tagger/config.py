"""How to train a tagger, read from a TOML file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from starccg.tagger.model import NOTES
from starccg.training.toml import ConfigError, Numbers, build, load_toml

MAIN = "main"
"""The dialect whose output layer the parser uses."""


@dataclass(frozen=True)
class Source:
    """A treebank to train on, as AUTO (``.gz`` is unpacked)."""

    path: str
    weight: float = 1.0
    """How often an epoch visits its sentences; 0.5 visits a random half."""
    dialect: str = MAIN
    """A source in another dialect of CCG shares all but the output layer, and that layer is dropped after training."""
    jackknife: bool = False
    """Whether jackknifing tags it."""
    words: str = ""
    """CoNLL-U with the parts of speech and lemmas of its sentences, which have the same names there."""


@dataclass(frozen=True)
class Raw:
    """Text without tags: a student learns from what its teachers say of it. One tokenised sentence a line."""

    path: str
    weight: float = 1.0
    """As for a source."""


@dataclass(frozen=True)
class Dev:
    """A treebank to choose the model on."""

    name: str
    path: str


@dataclass(frozen=True)
class Schedule:
    """The optimiser and how long it runs."""

    epochs: int = 30
    batch: int = 2048
    """Steps in a batch, padding counted."""
    sentences: int = 0
    """Sentences in a batch, in place of ``batch``; 0: as ``batch`` says."""
    optimiser: Literal["adamw", "sgd"] = "adamw"
    """``sgd`` has ``momentum``, a constant learning rate, and a loss that is summed over the words of a sentence."""
    momentum: float = 0.0
    learning_rate: float = 1e-3
    warmup: float = 0.05
    """Share of all updates before the full learning rate of AdamW; after it the rate falls linearly to zero."""
    weight_decay: float = 0.0
    clip: float = 5.0
    patience: int = 10
    """Epochs without a better dev accuracy before training stops."""
    label_smoothing: float = 0.0
    average: float = 0.0
    """Decay of the running average of the weights that is evaluated and kept; 0 keeps the weights themselves."""
    accumulate: int = 1
    """Batches whose gradients are added up before a step: larger batches than the memory holds."""
    checkpoint_every: int = 1


@dataclass(frozen=True)
class Lstm:
    """The tagger of Lewis, Lee and Zettlemoyer 2016."""

    vectors: str = ""
    """Word vectors, one row per word (``.npy``)."""
    vocabulary: str = ""
    """Their words, one per line, most frequent first."""
    most_vectors: int = 60_000
    """The number of most frequent words that keep a vector, besides those of the training sentences."""
    affix: int = 32
    affix_count: int = 3
    cells: int = 128
    layers: int = 2
    hidden: int = 64
    dropout: float = 0.5
    unknown: float = 0.2
    """Chance of a training word without a pretrained vector to be read as unknown."""


@dataclass(frozen=True)
class Encoder:
    """A pretrained transformer: a ``folder``, or ``weights`` of BERT's or MPNet's shape with its ``wordpieces``."""

    folder: str = ""
    """A folder with ``config.json``, ``tokenizer.json`` and ``model.safetensors``, trained through transformers."""
    weights: str = ""
    """Safetensors with BERT's or MPNet's names."""
    wordpieces: str = ""
    """BERT's vocabulary, which MPNet shares."""
    start: str = ""
    """The folder ``tagger`` of a model to begin with, in place of ``weights`` and ``wordpieces``: an encoder of BERT's
    shape in 8 bits. The output layers keep the categories that they know, and those of the sources are added."""
    heads: int = 12
    epsilon: float = 1e-12
    """In layer normalisation; MPNet's is 1e-5."""
    layers: Numbers = ()
    """The layers to keep, counted from 0; none named: all."""
    inner: int = 0
    """The number of hidden units to keep in each feed-forward network, those with the largest weights; 0: all."""
    pooling: Literal["first", "mean"] = "mean"
    """A word's state: that of its first piece, or the mean of its pieces. The first piece of ``'ll`` is the mark."""
    keep_pieces: bool = False
    """Leave the embeddings of the word pieces as they are, so that several taggers can share the file."""
    bits: int = 0
    """Train with weights rounded to this number of bits (4 or 8), as they are stored; 0: not rounded."""
    dropout: float = 0.1
    head_dropout: float = 0.2
    layer_decay: float = 0.9
    """Each layer below the top learns at this share of the rate of the one above it."""
    head_rate: float = 5.0
    """The factor of the learning rate of the output layers and the casing."""

    def files(self) -> tuple[str, ...]:
        """The files that training starts from."""
        if self.folder:
            return tuple(f"{self.folder}/{name}" for name in ("config.json", "tokenizer.json", "model.safetensors"))
        if self.start:
            return f"{self.start}/model.json", f"{self.start}/tagger.onnx"
        return self.weights, self.wordpieces

    def within(self, place: Path) -> Encoder:
        """The same with its files in this folder."""

        def moved(name: str) -> str:
            return name and str(place / name)

        return replace(
            self, folder=moved(self.folder), start=moved(self.start), weights=moved(self.weights),
            wordpieces=moved(self.wordpieces),
        )  # fmt: skip


@dataclass(frozen=True)
class Distil:
    """Learning from the distributions of teachers besides the gold tags."""

    beam: float = 1e-5
    """Teachers' tags with less than this share of the best one's probability are left out."""
    most: int = 16
    """The maximum number of tags kept per word."""
    share: float = 0.5
    """The weight of the teachers' loss where there is a gold tag too; the gold tag has the rest."""


@dataclass(frozen=True)
class TaggerConfig:
    """One training run."""

    kind: str
    source: tuple[Source, ...]
    dev: tuple[Dev, ...]
    seed: int = 1
    min_count: int = 2
    """Categories seen less often are not learned."""
    folds: int = 5
    """Parts that jackknifing cuts the training sentences into."""
    schedule: Schedule = field(default_factory=Schedule)
    lstm: Lstm = field(default_factory=Lstm)
    encoder: Encoder = field(default_factory=Encoder)
    raw: tuple[Raw, ...] = ()
    distil: Distil = field(default_factory=Distil)

    def __post_init__(self) -> None:
        if self.kind not in ("lstm", "encoder"):
            raise ConfigError(f"kind is 'lstm' or 'encoder', not {self.kind!r}")
        if not self.source or not self.dev:
            raise ConfigError("at least one [[source]] and one [[dev]] are needed")
        if self.encoder.bits not in (0, 4, 8):
            raise ConfigError(f"encoder.bits must be 0, 4 or 8, not {self.encoder.bits}")
        if self.encoder.inner < 0:
            raise ConfigError(f"encoder.inner must be 0 or more, not {self.encoder.inner}")
        if self.kind == "encoder" and self.encoder.folder:
            own = Encoder(folder=self.encoder.folder)
            for name in ("weights", "wordpieces", "heads", "epsilon", "inner", "bits", "dropout"):
                if getattr(self.encoder, name) != getattr(own, name):
                    raise ConfigError(
                        f"encoder.{name} cannot be set with encoder.folder, whose files decide: remove it"
                    )
        if self.schedule.accumulate < 1:
            raise ConfigError(f"schedule.accumulate must be at least 1, not {self.schedule.accumulate}")
        if taken := {source.dialect for source in self.source} & set(NOTES):
            raise ConfigError(f"a dialect cannot be called {min(taken)!r}: that is an annotation of words")
        if all(source.dialect != MAIN for source in self.source):
            raise ConfigError(f"no [[source]] is of the dialect {MAIN!r}, which is the one that the parser uses")

    def corpora(self) -> tuple[Source | Raw, ...]:
        """All that it learns from."""
        return (*self.source, *self.raw)


def load_config(path: Path) -> TaggerConfig:
    """Read and check a configuration."""
    return load_toml(TaggerConfig, path)


def config_from(table: dict[str, Any]) -> TaggerConfig:
    """A configuration from plain values, as :func:`dataclasses.asdict` gives them."""
    return build(TaggerConfig, table)
