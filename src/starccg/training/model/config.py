"""How a whole model is made, read from a TOML file that names the configurations of its tagger and its global model."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from starccg.ccg.grammar import Grammar
from starccg.ccg.induction import Counts, induce
from starccg.training.globalmodel.config import Config, check_data
from starccg.training.globalmodel.config import load_config as load_global
from starccg.training.tagger.config import TaggerConfig
from starccg.training.tagger.config import load_config as load_tagger
from starccg.training.toml import ConfigError, load_toml
from starccg.treebanks.gold import MAX_NODES

GOLD = ".gold.auto"


@dataclass(frozen=True)
class Treebank:
    """A treebank as it was downloaded. What is made of it is called ``ID-train.auto`` and ``ID-dev.auto``."""

    id: str
    name: str
    """What the model says it was trained on."""
    train: str = ""
    """A file in the folder of data: ``.conllu`` is converted, ``.auto`` taken as it is."""
    dev: str = ""
    normalise: bool = False
    """Whether it is in the dialect of the Parallel Meaning Bank; what stays so is not learned from."""
    drawn: int = 0
    """In place of a file: so many training sentences of each construction (:mod:`starccg.treebanks.constructions`)."""

    def parts(self) -> dict[str, str]:
        """Its files, by the name of what is made of them; no file where the sentences are drawn."""
        files = {"train": self.train, "dev": self.dev}
        return {f"{self.id}-{part}": file for part, file in files.items() if file or (part == "train" and self.drawn)}


@dataclass(frozen=True)
class Pretrained:
    """The encoder that tagging starts from; its files lie in the folder of data or in an installed package."""

    weights: str
    wordpieces: str
    sha256: str
    """Of the weights: others are refused."""
    source: str = ""
    """Where they come from, for the model's papers."""


@dataclass(frozen=True)
class Seen:
    """How often the treebanks must use what the grammar is to have."""

    min_unary: int = 2
    min_comma: int = 2
    min_root: int = 5

    def grammar(self, counts: Counts, *, seen: bool = True, root_weight: float = 0.0) -> Grammar:
        """English with what a treebank uses often enough."""
        return induce(
            counts,
            min_unary=self.min_unary,
            min_comma=self.min_comma,
            min_root=self.min_root,
            seen=seen,
            root_weight=root_weight,
        ).grammar


@dataclass(frozen=True)
class Gold:
    """The search for gold derivations: the grammar it may use, read off the treebanks, and its limit."""

    seen: Seen = field(default_factory=Seen)
    max_nodes: int = MAX_NODES


@dataclass(frozen=True)
class GrammarOptions:
    """The parser's grammar, read off the gold derivations."""

    seen: Seen = field(default_factory=Seen)
    root_weight: float = 0.0
    """What rare roots cost (see :func:`starccg.ccg.induction.root_costs`); 0: nothing."""


@dataclass(frozen=True)
class Export:
    """How the tagger is packed."""

    most_tags: float = 5.0
    """Tags a word that its own beam may keep on a dev set."""
    most_loss: float = 0.1
    """Points of accuracy that 8 bits may cost."""


@dataclass(frozen=True)
class Jackknife:
    """The tags that the global model learns from."""

    beam: float = 1e-3
    epochs: int = 0
    """Of each fold's tagger; 0: as many as the tagger's."""


@dataclass(frozen=True)
class ModelConfig:
    """One model."""

    name: str
    tagger: str
    """The tagger's configuration, a file beside this one."""
    global_model: str
    """The global model's."""
    treebank: tuple[Treebank, ...]
    vectors: str = ""
    """A folder of word vectors in the folder of data."""
    pretrained: Pretrained | None = None
    gold: Gold = field(default_factory=Gold)
    grammar: GrammarOptions = field(default_factory=GrammarOptions)
    export: Export = field(default_factory=Export)
    jackknife: Jackknife = field(default_factory=Jackknife)
    about: dict[str, str] = field(default_factory=dict)
    """Language, licence and the like, for the model's papers."""


@dataclass(frozen=True)
class Plan:
    """A model's configuration with those that it names."""

    model: ModelConfig
    tagger: TaggerConfig
    global_model: Config
    files: tuple[str, ...]
    """The names of the configurations."""

    @property
    def learned(self) -> tuple[str, ...]:
        """The treebanks that the global model and the grammar learn from, such as ``ewt-train``."""
        return tuple(name.removesuffix(GOLD) for name in self.global_model.data.train)

    @property
    def dev(self) -> tuple[str, ...]:
        """The treebanks to choose the models on."""
        return tuple(name.removesuffix(".auto") for name in self.global_model.data.dev)


def load_plan(path: Path) -> Plan:
    """Read a model's configuration and those it names, and check that they speak of the same files."""
    model = load_toml(ModelConfig, path)
    tagger = load_tagger(path.parent / model.tagger)
    sources = tuple(replace(source, path=source.path.removesuffix(".gz")) for source in tagger.source)
    dev = tuple(replace(entry, path=entry.path.removesuffix(".gz")) for entry in tagger.dev)
    learned = load_global(path.parent / model.global_model)
    plan = Plan(
        model, replace(tagger, source=sources, dev=dev), learned, (path.name, model.tagger, model.global_model)
    )  # fmt: skip
    check_data(learned)
    known = {name for treebank in model.treebank for name in treebank.parts()}
    jackknifed = {source.path.removesuffix(".auto") for source in sources if source.jackknife}
    wanted = {file.removesuffix(".auto") for file in (*(s.path for s in sources), *(d.path for d in dev))}
    for name in (*sorted(wanted), *plan.learned, *plan.dev):
        if name not in known:
            raise ConfigError(f"{path}: {name} is asked for, but no [[treebank]] makes it: {', '.join(sorted(known))}")
    if missing := sorted(set(plan.learned) - jackknifed):
        raise ConfigError(f"{path}: {model.tagger} must say 'jackknife = true' for {', '.join(missing)}")
    if [Path(file).stem for file in learned.data.train_tags] != list(plan.learned):
        raise ConfigError(f"{path}: {model.global_model} must call the tags of X{GOLD} X.npz")
    if tagger.kind == "encoder" and model.pretrained is None:
        raise ConfigError(f"{path}: the tagger is an encoder, so [pretrained] must name its weights")
    return plan
