r"""The settings of ``starccg reproduce``: those of the paper, and ours.

``paper`` has what the paper states, or else the code of its authors and of the tagger that it uses. ``ours`` has our
improvements: batches, jackknifed and calibrated tags with a cap, rules and roots that the treebank uses, gold parses
drawn towards zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

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


def _rules(seen: Seen) -> str:
    base = "EasySRL's" if seen.base == "easysrl" else "our English grammar's"
    if seen.min_unary == seen.min_comma == seen.min_root == NEVER:
        return base
    return f"{base} and those seen {seen.min_unary} (unary), {seen.min_comma} (comma), {seen.min_root} (root) times"


def _evaluations(settings: Settings) -> str:
    own = settings.model.development
    return f"{own.per_epoch} in an epoch" if own.per_epoch else f"every {own.every:,} sentences"


ROWS: Sequence[tuple[str, tuple[str, ...], Callable[[Settings], str] | None]] = (
    ("tagger", ("tagger.kind",), None),
    ("tagger: optimiser, learning rate, momentum, clip", tuple(
        f"tagger.schedule.{name}" for name in ("optimiser", "learning_rate", "momentum", "clip")), None),
    ("tagger: batch", ("tagger.schedule.sentences", "tagger.schedule.batch"), _batch),
    ("tagger: epochs", ("tagger.schedule.epochs",), None),
    ("tagger: least count of a category", ("tagger.min_count",), None),
    ("tagger: affix, cell, hidden dimensions, layers", tuple(
        f"tagger.lstm.{name}" for name in ("affix", "cells", "hidden", "layers")), None),
    ("tagger: dropout", ("tagger.lstm.dropout",), None),
    ("tags: beam", ("beam",), None),
    ("tags: maximum per word", ("max_tags",), lambda s: "none" if s.max_tags >= NO_CAP else str(s.max_tags)),
    ("tags: calibrated", ("export.calibrate",), None),
    ("tags of the training sentences", ("jackknife", "tagger.folds"),
     lambda s: f"jackknife, {s.tagger.folds} folds" if s.jackknife else "tagger"),
    ("rules and roots of gold derivations", ("gold.seen",), lambda s: _rules(s.gold.seen)),
    ("rules and roots of the parser", ("grammar.seen",), lambda s: _rules(s.grammar.seen)),
    ("no gold derivation found", ("gold.own",), lambda s: "the treebank's own" if s.gold.own else "not learned from"),
    ("global model: inputs of the leaves", ("model.model.inputs",), None),
    ("global model: word, category, cell dimensions", tuple(
        f"model.model.{name}" for name in ("words", "categories", "cells")), None),
    ("global model: update", ("model.learning.loss",), None),
    ("global model: optimiser", ("model.adam.learning_rate", "model.adam.clip"),
     lambda s: f"Adam, learning rate {s.model.adam.learning_rate:g}, clip {s.model.adam.clip:g}"),
    ("global model: epochs", ("model.learning.epochs",), None),
    ("global model: sentences per update", ("model.learning.batch",), None),
    ("global model: dropout", ("model.learning.dropout",), None),
    ("global model: forest in training", ("model.learning.forest",), None),
    ("global model: longest training sentence", ("model.learning.longest",), None),
    ("global model: weight of gold scores", ("model.learning.gold_weight",), None),
    ("global model: forest, agenda, recursive units on dev and test", tuple(
        f"model.development.limits.{name}" for name in ("forest", "agenda", "recursive_units")), None),
    ("global model: dev evaluations", ("model.development.per_epoch", "model.development.every"), _evaluations),
    ("trainings of each model", ("seeds",), None),
    ("dev and test sentences of the tables", ("sentences",), lambda s: f"{s.sentences:,}" if s.sentences else "all"),
)  # fmt: skip
"""Label, the settings that the row shows (a name stands for all below it), and how, if not one after the other."""

NOT_SHOWN = (
    "preset", "variants", "tagger.source", "tagger.dev", "tagger.raw", "tagger.schedule.checkpoint_every",
    "tagger.lstm.vectors", "tagger.lstm.vocabulary", "model.data", "model.learning.threads", "model.learning.device",
    "model.learning.seed", "model.development.checkpoint_seconds",
)  # fmt: skip
"""What the report says elsewhere, and what changes no result."""


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    """Nested settings by their names, joined by dots."""
    if not isinstance(value, dict):
        return {name: value}
    joined = ((f"{name}.{key}" if name else key, own) for key, own in value.items())
    return {key: found for whole, own in joined for key, found in _flat(own, whole).items()}


def _values(settings: Settings) -> dict[str, str]:
    """Every setting as text; of the two kinds of taggers only that of the run."""
    other = "tagger.lstm." if settings.tagger.kind == "encoder" else "tagger.encoder."
    return {key: _text(value) for key, value in _flat(asdict(settings)).items() if not key.startswith(other)}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:g}"
    return Path(value).name if isinstance(value, str) else ", ".join(map(str, value or ()))


def _covers(names: Sequence[str], key: str) -> bool:
    return any(key == name or key.startswith(f"{name}.") for name in names)


def settings_table(settings: Settings, vectors: str) -> Table:
    """Each setting of a run beside that of the paper: the rows above, then whatever else differs."""
    rows = [
        ("word vectors", vectors, "Turian et al. (2010), 50 dimensions"),
        ("pairs of categories", "those that gold derivations combine", "all; those seen in the back-off"),
    ]
    own, paper = _values(settings), _values(PAPER)
    for label, names, shown in ROWS:
        if shown is not None:
            rows.append((label, shown(settings), shown(PAPER)))
        else:
            mine, its = (", ".join(held[name] for name in names if name in held) for held in (own, paper))
            rows.append((label, mine, its))
    named = [*NOT_SHOWN, *(name for _, names, _ in ROWS for name in names)]
    for key, value in own.items():
        if value != paper.get(key, "") and not _covers(named, key):
            part, _, name = key.partition(".")
            rows.append((f"{part.replace('model', 'global model')}: `{name}`", value, paper.get(key, "")))
    marked = [(label, f"**{mine}**" if mine not in (its, "") else mine, its) for label, mine, its in rows]
    return Table(("setting", "this run", "paper"), marked)
