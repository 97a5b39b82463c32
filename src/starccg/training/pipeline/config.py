"""The configuration of ``starccg train model``: a TOML file that names those of the tagger and the global model."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from starccg.ccg.english import EASYSRL, ENGLISH
from starccg.ccg.grammar import Grammar
from starccg.ccg.induction import Counts, induce
from starccg.training.globalmodel.config import Config, check_data
from starccg.training.globalmodel.config import load_config as load_global
from starccg.training.tagger.config import TaggerConfig
from starccg.training.tagger.config import load_config as load_tagger
from starccg.training.toml import ConfigError, Texts, load_toml
from starccg.treebanks.gold import MAX_NODES

GOLD = ".gold.auto"
Base = Literal["english", "easysrl"]
BASES: dict[Base, Grammar] = {"english": ENGLISH, "easysrl": EASYSRL}


@dataclass(frozen=True)
class Treebank:
    """A treebank as it was downloaded. The pipeline writes it to ``ID-train.auto`` and ``ID-dev.auto``."""

    id: str
    name: str
    """Its name in the model's provenance."""
    train: str = ""
    """A file in the data folder: ``.conllu`` and ``.mrg`` are converted, ``.auto`` is used as it is; also ``.gz``."""
    dev: str = ""
    normalise: bool = False
    """Whether it is in the dialect of the Parallel Meaning Bank; sentences that cannot be normalised are skipped."""
    drawn: int = 0
    """In place of a file: the number of sentences to generate for each construction (see
    :mod:`starccg.treebanks.constructions`)."""

    def parts(self) -> dict[str, str]:
        """Its source files by the name of their treebank in the pipeline; empty where the sentences are generated."""
        files = {"train": self.train, "dev": self.dev}
        return {f"{self.id}-{part}": file for part, file in files.items() if file or (part == "train" and self.drawn)}


@dataclass(frozen=True)
class Pretrained:
    """The encoder that tagger training starts from; its files are in the data folder or in an installed package."""

    weights: str
    wordpieces: str
    sha256: str
    """Of the weights; other weights are refused."""
    source: str = ""
    """The origin of the weights, for the model's provenance."""
    file: str = ""
    """The name of the weights in the taggers' configurations; empty: those of the model's own tagger."""


@dataclass(frozen=True)
class Text:
    """Raw text that students learn from, one tokenised sentence a line."""

    file: str
    """Its name in the taggers' configurations."""
    source: str
    """A file in the data folder, plain or ``.gz``."""
    name: str = ""
    """Its name in the model's provenance."""


@dataclass(frozen=True)
class Also:
    """A further model: another tagger with the grammar and the global model of the first."""

    name: str
    tagger: str
    """The tagger's configuration, a file beside this one."""
    start: int = 0
    """The teacher, counted from 1, whose weights its training begins with; 0: the pretrained weights."""


@dataclass(frozen=True)
class Seen:
    """The minimum number of uses in the treebanks of each rule and root of the grammar."""

    min_unary: int = 2
    min_comma: int = 2
    min_root: int = 5
    refuse: bool = False
    """Whether type changes that CCGbank would not have are left out (:func:`starccg.ccg.english.is_refused`)."""
    base: Base = "english"
    """The grammar that they are added to: ours, or that of the paper's base parser."""

    def grammar(self, counts: Counts, *, seen: bool = True, root_weight: float = 0.0) -> Grammar:
        """The base grammar with the rules and roots that a treebank uses often enough."""
        return induce(
            counts,
            base=BASES[self.base],
            min_unary=self.min_unary,
            min_comma=self.min_comma,
            min_root=self.min_root,
            seen=seen,
            refuse=self.refuse,
            root_weight=root_weight,
        ).grammar


@dataclass(frozen=True)
class Gold:
    """The search for gold derivations: its grammar, induced from the treebanks, and its limit."""

    seen: Seen = field(default_factory=Seen)
    max_nodes: int = MAX_NODES
    own: bool = True
    """Whether the treebank's own derivation is used where no derivation in normal form has the gold dependencies."""


@dataclass(frozen=True)
class GrammarSettings:
    """The parser's grammar, induced from the gold derivations."""

    seen: Seen = field(default_factory=Seen)
    root_weight: float = 0.0
    """The weight of the costs of rare roots (see :func:`starccg.ccg.induction.root_costs`); 0: no costs."""


@dataclass(frozen=True)
class Export:
    """How the tagger is exported."""

    most_tags: float = 5.0
    """The maximum mean number of tags per word that the default beam keeps on a dev set."""
    most_loss: float = 0.1
    """The maximum loss of accuracy by 8 bits, in percentage points."""
    quantise: bool = True
    calibrate: bool = True
    """Whether a temperature is fitted on the dev sets; without it, the temperature is 1."""


@dataclass(frozen=True)
class Jackknife:
    """The tags that the global model learns from; each fold is tagged by a tagger trained on the others."""

    beam: float = 1e-3
    epochs: int = 0
    """Of each fold's tagger; 0: those of the tagger."""


@dataclass(frozen=True)
class ModelConfig:
    """The configuration of one model."""

    name: str
    tagger: str
    """The tagger's configuration, a file beside this one."""
    global_model: str
    """The global model's."""
    treebank: tuple[Treebank, ...]
    vectors: str = ""
    """A folder of word vectors in the data folder."""
    pretrained: tuple[Pretrained, ...] = ()
    teachers: Texts = ()
    """Configurations of taggers that are trained first; the tagger then learns from what they say."""
    text: tuple[Text, ...] = ()
    also: tuple[Also, ...] = ()
    gold: Gold = field(default_factory=Gold)
    grammar: GrammarSettings = field(default_factory=GrammarSettings)
    export: Export = field(default_factory=Export)
    jackknife: Jackknife = field(default_factory=Jackknife)
    about: dict[str, str] = field(default_factory=dict)
    """Language, licence and the like, for the model's provenance."""


@dataclass(frozen=True)
class Plan:
    """A model's configuration with the configurations that it names."""

    model: ModelConfig
    tagger: TaggerConfig
    global_model: Config
    files: tuple[str, ...]
    """The names of the configurations."""
    teachers: tuple[TaggerConfig, ...] = ()
    also: tuple[TaggerConfig, ...] = ()
    """The taggers of ``model.also``."""

    @property
    def taggers(self) -> tuple[TaggerConfig, ...]:
        """All taggers that are trained."""
        return (*self.teachers, self.tagger, *self.also)

    @property
    def jackknifed(self) -> TaggerConfig:
        """The tagger that is trained on folds: a student's teachers know the gold tags, so it is the teacher."""
        return self.teachers[0] if self.teachers else self.tagger

    @property
    def learned(self) -> tuple[str, ...]:
        """The treebanks that the global model and the grammar learn from, such as ``ewt-train``."""
        return tuple(name.removesuffix(GOLD) for name in self.global_model.data.train)

    @property
    def dev(self) -> tuple[str, ...]:
        """The treebanks that models are selected on."""
        return tuple(name.removesuffix(".auto") for name in self.global_model.data.dev)


def load_plan(path: Path) -> Plan:
    """Read a model's configuration and those it names, and check that they name the same files."""
    model = load_toml(ModelConfig, path)
    tagger, *others = (
        _without_gz(load_tagger(path.parent / name))
        for name in (model.tagger, *model.teachers, *(further.tagger for further in model.also))
    )
    teachers, also = tuple(others[: len(model.teachers)]), tuple(others[len(model.teachers) :])
    learned = load_global(path.parent / model.global_model)
    names = (path.name, model.tagger, *model.teachers, model.global_model, *(further.tagger for further in model.also))
    plan = Plan(model, tagger, learned, names, teachers, also)
    check_data(learned)
    known = {name for treebank in model.treebank for name in treebank.parts()}
    jackknifed = {source.path.removesuffix(".auto") for source in plan.jackknifed.source if source.jackknife}
    paths = [entry.path for config in plan.taggers for entry in config.source]
    paths += [entry.path for config in plan.taggers for entry in config.dev]
    wanted = {file.removesuffix(".auto") for file in paths}
    for name in (*sorted(wanted), *plan.learned, *plan.dev):
        if name not in known:
            raise ConfigError(f"{path}: {name} is used, but no [[treebank]] provides it: {', '.join(sorted(known))}")
    if missing := sorted(set(plan.learned) - jackknifed):
        raise ConfigError(f"{path}: {model.tagger} must say 'jackknife = true' for {', '.join(missing)}")
    for raw in (raw for config in plan.taggers for raw in config.raw):
        if raw.path not in {text.file for text in model.text}:
            raise ConfigError(f"{path}: {raw.path} is used, but no [[text]] provides it")
    if any(not 0 <= further.start <= len(teachers) for further in model.also):
        raise ConfigError(f"{path}: also.start must be from 0 to {len(teachers)}, the number of teachers")
    if [Path(file).stem for file in learned.data.train_tags] != list(plan.learned):
        raise ConfigError(f"{path}: {model.global_model} must call the tags of X{GOLD} X.npz")
    if any(config.kind == "encoder" for config in plan.taggers) and not model.pretrained:
        raise ConfigError(f"{path}: the tagger is an encoder, so [[pretrained]] must name its weights")
    return plan


def _without_gz(config: TaggerConfig) -> TaggerConfig:
    """The pipeline's own treebanks are not compressed."""
    sources = tuple(replace(source, path=source.path.removesuffix(".gz")) for source in config.source)
    dev = tuple(replace(entry, path=entry.path.removesuffix(".gz")) for entry in config.dev)
    return replace(config, source=sources, dev=dev)
