r"""The settings of ``starccg reproduce``: those of the paper, and ours.

``paper`` has what the paper states, or else the code of its authors and of the tagger that it uses. ``ours`` has our
improvements: batches, jackknifed and calibrated tags with a cap, rules and roots that the treebank uses, gold parses
drawn towards zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf

from starccg.experiments.published import TAG_BEAM
from starccg.experiments.report import Table
from starccg.search.options import Limits
from starccg.tagger.model import MAX_TAGS
from starccg.training.globalmodel.config import Config, Development, Learning
from starccg.training.pipeline.config import Export, Gold, GrammarSettings, Jackknife, Seen
from starccg.training.tagger.config import Dev, Lstm, Schedule, Source, TaggerConfig

NEVER = 1_000_000_000
NO_CAP = 1_000_000
EASYSRL_ONLY = Seen(min_unary=NEVER, min_comma=NEVER, min_root=NEVER, base="easysrl")
"""Only the unary rules, comma rules and roots of EasySRL, the paper's base parser."""

VARIANTS = ("all", "span", "no-inputs", "no-context", "greedy", "max")
"""The models of Tables 3 and 4: the full one first."""


@dataclass(frozen=True)
class Settings:
    """Everything that the results depend on besides the treebank and the word vectors."""

    preset: str
    tagger: TaggerConfig
    model: Config
    gold: Gold
    grammar: GrammarSettings
    export: Export
    jackknife: Jackknife | None
    """None: the training sentences are tagged by the tagger that was trained on them."""
    beam: float = TAG_BEAM
    max_tags: int = NO_CAP
    variants: tuple[str, ...] = VARIANTS
    seeds: int = 1
    sentences: int = 0
    """The maximum number of dev and test sentences that the tables are measured on; 0: all."""


SOURCE, DEV = Source("train.auto", jackknife=True), Dev("dev", "dev.auto")

PAPER = Settings(
    preset="paper",
    tagger=TaggerConfig(
        kind="lstm",
        source=(SOURCE,),
        dev=(DEV,),
        min_count=10,
        schedule=Schedule(
            epochs=30, optimiser="sgd", sentences=32, learning_rate=0.01, momentum=0.7, clip=5.0, patience=30
        ),
        lstm=Lstm(most_vectors=NO_CAP, affix=32, affix_count=3, cells=128, layers=2, hidden=64, dropout=0.5),
    ),
    model=Config(
        learning=Learning(batch=1, epochs=30),
        development=Development(per_epoch=3, patience=0, limits=Limits(seconds=inf)),
    ),
    gold=Gold(EASYSRL_ONLY, own=False),
    grammar=GrammarSettings(EASYSRL_ONLY),
    export=Export(quantise=False, calibrate=False),
    jackknife=None,
)

OURS = Settings(
    preset="ours",
    tagger=TaggerConfig(
        kind="lstm",
        source=(SOURCE,),
        dev=(DEV,),
        min_count=3,
        schedule=Schedule(epochs=40, batch=1024, learning_rate=2e-3, warmup=0.02, clip=5.0, patience=12, average=0.998),
    ),
    model=Config(
        learning=Learning(batch=32, epochs=10, cooldown=0.2, gold_weight=3000.0, gold_share=0.2),
        development=Development(per_epoch=3, patience=0),
    ),
    gold=Gold(),
    grammar=GrammarSettings(),
    export=Export(quantise=False),
    jackknife=Jackknife(beam=1e-4),
    beam=1e-4,
    max_tags=MAX_TAGS,
)

PRESETS = {"paper": PAPER, "ours": OURS}


def with_epochs(settings: Settings, tagger: int | None, model: int | None) -> Settings:
    """The settings with another number of epochs of the tagger or of the global models."""
    if tagger is not None:
        own = settings.tagger
        settings = replace(settings, tagger=replace(own, schedule=replace(own.schedule, epochs=tagger)))
    if model is not None:
        learning = replace(settings.model.learning, epochs=model)
        settings = replace(settings, model=replace(settings.model, learning=learning))
    return settings


def _batch(settings: Settings) -> str:
    schedule = settings.tagger.schedule
    return f"{schedule.sentences} sentences" if schedule.sentences else f"{schedule.batch} words with padding"


def _optimiser(settings: Settings) -> str:
    schedule = settings.tagger.schedule
    momentum = f", momentum {schedule.momentum:g}" if schedule.optimiser == "sgd" else ""
    return f"{schedule.optimiser}, learning rate {schedule.learning_rate:g}{momentum}, clip {schedule.clip:g}"


def _rules(seen: Seen) -> str:
    base = "EasySRL's" if seen.base == "easysrl" else "our English grammar's"
    if seen.min_unary == seen.min_comma == seen.min_root == NEVER:
        return base
    return f"{base} and those seen {seen.min_unary} (unary), {seen.min_comma} (comma), {seen.min_root} (root) times"


def _limits(settings: Settings) -> str:
    limits = settings.model.development.limits
    return f"forest {limits.forest:,}, agenda {limits.agenda:,}, recursive units {limits.recursive_units:,}"


ROWS: Sequence[tuple[str, Callable[[Settings], str]]] = (
    ("tagger", lambda s: s.tagger.kind),
    ("tagger: optimiser", _optimiser),
    ("tagger: batch", _batch),
    ("tagger: epochs", lambda s: str(s.tagger.schedule.epochs)),
    ("tagger: least count of a category", lambda s: str(s.tagger.min_count)),
    ("tags: beam", lambda s: f"{s.beam:g}"),
    ("tags: maximum per word", lambda s: "none" if s.max_tags >= NO_CAP else str(s.max_tags)),
    ("tags: calibrated", lambda s: "yes" if s.export.calibrate else "no"),
    ("tags of the training sentences", lambda s: f"jackknife, {s.tagger.folds} folds" if s.jackknife else "tagger"),
    ("rules and roots of gold derivations", lambda s: _rules(s.gold.seen)),
    ("rules and roots of the parser", lambda s: _rules(s.grammar.seen)),
    ("no gold derivation found", lambda s: "the treebank's own" if s.gold.own else "not learned from"),
    ("global model: inputs of the leaves", lambda s: s.model.model.inputs),
    ("global model: word, category, cell dimensions", lambda s: ", ".join(
        str(size) for size in (s.model.model.words, s.model.model.categories, s.model.model.cells))),
    ("global model: epochs", lambda s: str(s.model.learning.epochs)),
    ("global model: sentences per update", lambda s: str(s.model.learning.batch)),
    ("global model: dropout", lambda s: f"{s.model.learning.dropout:g}"),
    ("global model: forest in training", lambda s: f"{s.model.learning.forest:,}"),
    ("global model: longest training sentence", lambda s: str(s.model.learning.longest)),
    ("global model: weight of gold scores", lambda s: f"{s.model.learning.gold_weight:g}"),
    ("global model: limits on dev and test", _limits),
    ("global model: dev evaluations per epoch", lambda s: str(s.model.development.per_epoch)),
    ("trainings of each model", lambda s: str(s.seeds)),
)  # fmt: skip


def settings_table(settings: Settings, vectors: str) -> Table:
    """Each setting of a run beside that of the paper."""
    rows = [(label, shown(settings), shown(PAPER)) for label, shown in ROWS]
    rows.insert(0, ("word vectors", vectors, "Turian et al. (2010), 50 dimensions"))
    rows.insert(1, ("pairs of categories", "those that gold derivations combine", "all; those seen in the back-off"))
    marked = [(label, own if own == paper else f"**{own}**", paper) for label, own, paper in rows]
    return Table(("setting", "this run", "paper"), marked)
