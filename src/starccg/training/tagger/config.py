"""How to train a tagger, read from a TOML file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from starccg.training.toml import ConfigError, build, load_toml

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
    learning_rate: float = 1e-3
    warmup: float = 0.05
    """Share of all updates before the full learning rate; after it the rate falls linearly to nothing."""
    weight_decay: float = 0.0
    clip: float = 5.0
    patience: int = 10
    """Epochs without a better dev accuracy before training stops."""
    label_smoothing: float = 0.0
    average: float = 0.0
    """Decay of the running average of the weights that is evaluated and kept; 0 keeps the weights themselves."""
    checkpoint_every: int = 1


@dataclass(frozen=True)
class Lstm:
    """The tagger of Lewis, Lee and Zettlemoyer 2016."""

    vectors: str = ""
    """Word vectors, one row a word (``.npy``)."""
    vocabulary: str = ""
    """Their words, one a line, most frequent first."""
    most_vectors: int = 60_000
    """Only so many of the most frequent words keep a vector, besides those of the training sentences."""
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
    """A pretrained transformer of BERT's shape."""

    weights: str = ""
    """Safetensors with BERT's names."""
    wordpieces: str = ""
    heads: int = 12
    dropout: float = 0.1
    head_dropout: float = 0.2
    layer_decay: float = 0.9
    """Each layer below the top learns at this share of the rate of the one above it."""
    head_rate: float = 5.0
    """The output layers and the casing learn so many times as fast."""


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

    def __post_init__(self) -> None:
        if self.kind not in ("lstm", "encoder"):
            raise ConfigError(f"kind is 'lstm' or 'encoder', not {self.kind!r}")
        if not self.source or not self.dev:
            raise ConfigError("at least one [[source]] and one [[dev]] are needed")
        if all(source.dialect != MAIN for source in self.source):
            raise ConfigError(f"no [[source]] is of the dialect {MAIN!r}, which is the one that the parser uses")

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for the record kept with the model."""
        return asdict(self)


def load_config(path: Path) -> TaggerConfig:
    """Read and check a configuration."""
    return load_toml(TaggerConfig, path)


def config_from(table: dict[str, Any]) -> TaggerConfig:
    """A configuration from plain values, as :meth:`TaggerConfig.as_dict` gives them."""
    return build(TaggerConfig, table)
