"""What a training run is: read from TOML, every key checked, nothing implied."""

from __future__ import annotations

import dataclasses
import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_type_hints

from starccg.errors import StarccgError
from starccg.globalmodel.parameters import Dimensions
from starccg.search.types import Limits
from starccg.training.globalmodel.levels import Loss
from starccg.training.globalmodel.optimiser import AdamOptions

T = TypeVar("T")


Paths = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Data:
    """The files of a run, one or several of each kind. Paths start from the folder of data (``--data``)."""

    train: Paths = ()
    """Gold derivations, AUTO, plain or ``.gz``."""
    train_tags: Paths = ()
    """For each of them its tags, ``.npz``, from taggers that did not see it."""
    dev: Paths = ()
    dev_tags: Paths = ()
    grammar: str = ""
    """A saved grammar, JSON."""
    vectors: str = ""
    """A folder of pretrained word vectors to begin with; none: random ones."""
    train_encoded: Paths = ()
    """With ``model.inputs = "encoder"``: the tagger's states for each file, ``.npz``."""
    dev_encoded: Paths = ()


@dataclass(frozen=True, slots=True)
class Learning:
    """Section 5 of the paper; the defaults are its own, but for the batch."""

    loss: Loss = "all"
    batch: int = 32
    """Sentences an update; 1 is the paper's."""
    ties: bool = False
    """Count every head of the agenda that is not gold as a violation, not only (the paper) those better than gold."""
    gold_weight: float = 0.0
    """How much of ``-s_global`` of every gold node is added to the loss; the paper has none of it. It draws the gold
    parse's own scores towards zero, so that less lies above it in the search."""
    gold_share: float = 1.0
    """Over this last share of the run it counts: first a model has to learn what is gold. From the start, a weight of
    thousands gives every node a score of zero."""
    epochs: int = 30
    cooldown: float = 0.0
    """Over this last share of the run the learning rate falls to nothing; the paper's stays as it is."""
    dropout: float = 0.4
    """On word embeddings, the same mask in search and replay."""
    forest: int = 2000
    """Where a training search stops."""
    longest: int = 70
    """Longer sentences are left out."""
    missing_gold_tags: Literal["keep", "skip", "add"] = "keep"
    """Sentences where the tagger's beam dropped a gold tag: searched until gold is lost, left out, or the tag added."""
    vocabulary: int = 100_000
    least_count: int = 2
    """How often a word without a vector must be seen to have an embedding of its own."""
    seed: int = 1
    threads: int = 0
    """Of search and replay; 0: as many as there are cores."""
    device: str = "cpu"
    """Where the replay runs; the search runs on the CPU."""


@dataclass(frozen=True, slots=True)
class Development:
    """Early stopping and model selection."""

    every: int = 10_000
    """Sentences between two looks at dev (the authors' number: a third of an epoch of CCGbank)."""
    patience: int = 9
    """Stop after so many looks without a better F1; 0: never."""
    sentences: int = 0
    """Look at the first so many only; 0: all."""
    limits: Limits = field(default_factory=lambda: Limits(forest=50_000, agenda=1_000_000, recursive_units=50_000))
    """Tighter than in parsing: an early model would use up the parser's limits on every sentence."""
    checkpoint_seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class Config:
    """A whole run."""

    data: Data = field(default_factory=Data)
    model: Dimensions = field(default_factory=Dimensions)
    learning: Learning = field(default_factory=Learning)
    adam: AdamOptions = field(default_factory=AdamOptions)
    development: Development = field(default_factory=Development)

    def to_json(self) -> dict[str, Any]:
        """A plain value, for provenance."""
        return dataclasses.asdict(self)


def load_config(path: Path, changes: Iterable[str] = ()) -> Config:
    """Read TOML; ``changes`` are ``section.key=value`` and win over the file."""
    try:
        with path.open("rb") as file:
            value: dict[str, Any] = tomllib.load(file)
    except OSError as error:
        raise StarccgError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StarccgError(f"{path}: not TOML: {error}") from error
    for change in changes:
        _change(value, change)
    return _build(Config, value, str(path))


def check_data(config: Config) -> None:
    """That every file a run needs is named."""
    data = config.data
    for name in ("train", "train_tags", "dev", "dev_tags", "grammar"):
        if not getattr(data, name):
            raise StarccgError(f"data.{name} is not set: name it in the configuration or with --set data.{name}=FILE")
    pairs = [("train", "train_tags"), ("dev", "dev_tags")]
    if config.model.inputs == "encoder":
        pairs += [("train", "train_encoded"), ("dev", "dev_encoded")]
    for files, others in pairs:
        if len(getattr(data, files)) != len(getattr(data, others)):
            raise StarccgError(f"data.{others} must name a file for each one of data.{files}")


def _change(value: dict[str, Any], change: str) -> None:
    key, mark, text = change.partition("=")
    parts = key.strip().split(".")
    if not mark or not all(parts) or len(parts) < 2:
        raise StarccgError(f"{change!r}: expected section.key=value, such as learning.batch=1")
    try:
        new = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        new = text  # a bare word is a text: paths need no quotes
    for part in parts[:-1]:
        value = value.setdefault(part, {})
        if not isinstance(value, dict):
            raise StarccgError(f"{change!r}: {part} is not a section")
    value[parts[-1]] = new


def _build(kind: type[T], value: Mapping[str, Any], where: str) -> T:
    hints = get_type_hints(kind)
    if unknown := sorted(set(value) - set(hints)):
        raise StarccgError(f"{where}: unknown key {unknown[0]!r}; known here: {', '.join(sorted(hints))}")
    found = {key: _convert(hints[key], given, f"{where}: {key}") for key, given in value.items()}
    try:
        built = kind(**found)
    except StarccgError as error:
        raise StarccgError(f"{where}: {error}") from error
    if isinstance(built, Learning) and not (
        built.batch >= 1 and 0 <= built.dropout < 1 and built.epochs >= 0 and 0 <= built.cooldown <= 1
    ):
        raise StarccgError(
            f"{where}: batch must be at least 1, dropout from 0 to below 1, cooldown from 0 to 1, epochs not negative"
        )
    if isinstance(built, Learning) and not (built.gold_weight >= 0 and math.isfinite(built.gold_weight)):
        raise StarccgError(f"{where}: gold_weight must be a number from 0 on, found {built.gold_weight}")
    if isinstance(built, Learning) and not 0 <= built.gold_share <= 1:
        raise StarccgError(f"{where}: gold_share must be from 0 to 1, found {built.gold_share}")
    return built


def _convert(hint: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(hint):
        if not isinstance(value, dict):
            raise StarccgError(f"{where}: expected a section")
        return _build(hint, value, where)  # type: ignore[arg-type]
    if hint == Paths:
        paths = [value] if isinstance(value, str) else value
        if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
            raise StarccgError(f"{where}: expected a path or a list of paths, found {value!r}")
        return tuple(paths)
    if allowed := get_args(hint):
        if value not in allowed:
            raise StarccgError(f"{where}: expected one of {', '.join(map(str, allowed))}, found {value!r}")
        return value
    if hint is float and type(value) is int:
        return float(value)
    if type(value) is not hint:
        raise StarccgError(f"{where}: expected {hint.__name__}, found {value!r}")
    return value
