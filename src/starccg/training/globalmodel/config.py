"""The configuration of a global model's training."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from starccg.errors import StarccgError
from starccg.globalmodel.parameters import Dimensions
from starccg.search.options import Limits
from starccg.training.globalmodel.levels import Loss
from starccg.training.globalmodel.optimiser import AdamOptions
from starccg.training.toml import Texts, load_toml


@dataclass(frozen=True, slots=True)
class Data:
    """The files of a training, one or several of each kind. Paths are relative to the data folder (``--data``)."""

    train: Texts = ()
    """Gold derivations, AUTO, plain or ``.gz``."""
    train_tags: Texts = ()
    """For each of them its tags, ``.npz``, from taggers that did not see it."""
    dev: Texts = ()
    dev_tags: Texts = ()
    dev_parg: Texts = ()
    """The gold dependencies of each dev file, PARG; none: those of its derivations. With them, dependencies that
    CCGbank's PARG files lack are not scored."""
    relations: Texts = ()
    """PARG files of the training sentences: relations that are rare there are not scored either."""
    grammar: str = ""
    """A saved grammar, JSON."""
    vectors: str = ""
    """A folder of pretrained word vectors; none: random vectors."""
    train_encoded: Texts = ()
    """With ``model.inputs = "encoder"``: the tagger's states for each file, ``.npz``."""
    dev_encoded: Texts = ()


@dataclass(frozen=True, slots=True)
class Learning:
    """Section 5 of the paper; the defaults are its own, but for the batch."""

    loss: Loss = "all"
    batch: int = 32
    """Sentences an update; 1 is the paper's."""
    ties: bool = False
    """Count every pop of the agenda that is not gold as a violation, not only (the paper) those better than gold."""
    gold_weight: float = 0.0
    """The weight of ``-s_global`` of every gold node in the loss; 0 in the paper. It draws the gold parse's own scores
    towards zero, so that fewer items lie above it in the search."""
    gold_share: float = 1.0
    """The last share of the training in which ``gold_weight`` counts. From the start, a weight of thousands would give
    every node a score of zero."""
    epochs: int = 30
    cooldown: float = 0.0
    """The last share of the training over which the learning rate falls to zero; the paper's is constant."""
    dropout: float = 0.4
    """On word embeddings, the same mask in search and replay."""
    sentences: int = 0
    """The number of training sentences, drawn at random from all files; 0: all."""
    forest: int = 2000
    """The largest forest of a training search."""
    longest: int = 70
    """Longer sentences are skipped."""
    vocabulary: int = 100_000
    least_count: int = 2
    """The least count of a word without a pretrained vector that has an embedding of its own."""
    seed: int = 1
    threads: int = 0
    """Of search and replay; 0: as many as there are cores."""
    device: str = "cpu"
    """Where the replay runs; the search runs on the CPU."""

    def __post_init__(self) -> None:
        for name, right, range_ in (
            ("batch", self.batch >= 1, "at least 1"),
            ("epochs", self.epochs >= 0, "at least 0"),
            ("dropout", 0 <= self.dropout < 1, "from 0 to below 1"),
            ("cooldown", 0 <= self.cooldown <= 1, "from 0 to 1"),
            ("gold_weight", 0 <= self.gold_weight < math.inf, "a number from 0 on"),
            ("gold_share", 0 <= self.gold_share <= 1, "from 0 to 1"),
        ):
            if not right:
                raise StarccgError(f"{name} must be {range_}, not {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class Development:
    """Early stopping and model selection."""

    every: int = 10_000
    """Sentences between two dev evaluations (the authors' number: a third of an epoch of CCGbank)."""
    per_epoch: int = 0
    """The number of dev evaluations in an epoch, in place of ``every``; 0: as ``every`` says."""
    patience: int = 9
    """Stop after this number of dev evaluations without a better F1; 0: never."""
    sentences: int = 0
    """Evaluate on the first sentences only, this many; 0: all."""
    limits: Limits = field(
        default_factory=lambda: Limits(forest=50_000, agenda=1_000_000, recursive_units=50_000, seconds=float("inf"))
    )
    """Tighter than in parsing: an early model would reach the parser's limits on every sentence."""
    checkpoint_seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class Config:
    """A training."""

    data: Data = field(default_factory=Data)
    model: Dimensions = field(default_factory=Dimensions)
    learning: Learning = field(default_factory=Learning)
    adam: AdamOptions = field(default_factory=AdamOptions)
    development: Development = field(default_factory=Development)


def load_config(path: Path, changes: Iterable[str] = ()) -> Config:
    """Read and check a configuration; ``changes`` are ``section.key=value`` and replace what the file says."""
    return load_toml(Config, path, changes)


def check_data(config: Config) -> None:
    """Check that every file that a training needs is named."""
    data = config.data
    for name in ("train", "train_tags", "dev", "dev_tags", "grammar"):
        if not getattr(data, name):
            raise StarccgError(f"data.{name} is not set: name it in the configuration or with --set data.{name}=FILE")
    pairs = [("train", "train_tags"), ("dev", "dev_tags")]
    pairs += [("dev", "dev_parg")] if data.dev_parg else []
    if config.model.inputs == "encoder":
        pairs += [("train", "train_encoded"), ("dev", "dev_encoded")]
    for files, others in pairs:
        if len(getattr(data, files)) != len(getattr(data, others)):
            raise StarccgError(f"data.{others} must name a file for each one of data.{files}")
