"""From a configuration to a trained model: read the files, compile the grammar, train."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from starccg.ccg.category import Category, CategoryError
from starccg.ccg.compiler import compile_grammar
from starccg.ccg.table import RuleTable
from starccg.errors import StarccgError
from starccg.evaluation import CcgbankExclusions, count_relations, read_analyses
from starccg.files import sha256
from starccg.formats.files import read_grammar
from starccg.globalmodel import Vectors
from starccg.tagger.saved import read_tags
from starccg.training.data import Example, Report, read_tagged_examples
from starccg.training.globalmodel.config import Config, check_data
from starccg.training.globalmodel.trainer import Result, Trainer
from starccg.training.progress import Watch, ignore


@dataclass(frozen=True, slots=True)
class Loaded:
    """All that a training reads."""

    table: RuleTable
    train: list[Example]
    dev: list[Example]
    reports: tuple[tuple[str, Report], ...]
    """For each file of training sentences how many sentences can be learned from."""
    provenance: dict[str, Any]
    exclusions: CcgbankExclusions | None = None
    """The dependencies that are not scored on dev."""


def load_run(config: Config, data: Path, limit: int | None = None) -> Loaded:
    """Read every file that a configuration names, at most ``limit`` sentences of each."""
    check_data(config)
    files = config.data
    tags = [data / name for name in files.train_tags]
    table = read_table(data / files.grammar, tags)
    encoder = config.model.inputs == "encoder"
    train, reports = _read(data, files.train, files.train_tags, files.train_encoded if encoder else (), table, limit)
    if 0 < config.learning.sentences < len(train):
        chosen = sorted(Random(0).sample(range(len(train)), config.learning.sentences))
        train = [train[number] for number in chosen]
    encoded = files.dev_encoded if encoder else ()
    dev, _ = _read(data, files.dev, files.dev_tags, encoded, table, limit, files.dev_parg)
    provenance = {"sha256": {name: sha256(data / name) for name in files_of(config)}}
    exclusions = parg_exclusions([data / name for name in files.relations]) if files.dev_parg else None
    return Loaded(table, train, dev, reports, provenance, exclusions)


def files_of(config: Config) -> list[str]:
    """The files that a training reads, without word vectors."""
    files = config.data
    names = [*files.train, *files.train_tags, *files.dev, *files.dev_tags, files.grammar]
    names += [*files.dev_parg, *files.relations]
    return [*names, *files.train_encoded, *files.dev_encoded] if config.model.inputs == "encoder" else names


def parg_exclusions(training: Sequence[Path]) -> CcgbankExclusions:
    """CCGbank's exclusions; relations are counted in PARG files of the training sentences, if there are any."""
    counted = count_relations(own for path in training for own in read_analyses(path)) if training else None
    return CcgbankExclusions(counted)


def run_training(config: Config, loaded: Loaded, data: Path, folder: Path, watch: Watch = ignore) -> Result:
    """Train in ``folder``, or resume the training there."""
    vectors = Vectors(data / config.data.vectors) if config.data.vectors and config.model.has_embeddings else None
    trainer = Trainer(
        config,
        loaded.table,
        loaded.train,
        loaded.dev,
        folder,
        vectors=vectors,
        provenance=loaded.provenance,
        exclusions=loaded.exclusions,
        watch=watch,
    )
    return trainer.run()


def read_table(grammar: Path, tags: Sequence[Path]) -> RuleTable:
    """The grammar closed over the categories that the taggers know."""
    rules = read_grammar(grammar)
    names = dict.fromkeys(name for path in tags for name in read_tags(path).categories)
    try:
        return compile_grammar(rules, [Category.parse(name) for name in names])
    except CategoryError as error:
        raise StarccgError(f"{grammar}: {error}") from error


def _read(
    data: Path,
    autos: Sequence[str],
    tags: Sequence[str],
    encoded: Sequence[str],
    table: RuleTable,
    limit: int | None,
    pargs: Sequence[str] = (),
) -> tuple[list[Example], tuple[tuple[str, Report], ...]]:
    examples: list[Example] = []
    reports: list[tuple[str, Report]] = []
    for number, (auto, tag) in enumerate(zip(autos, tags, strict=True)):
        states = data / encoded[number] if encoded else None
        parg = data / pargs[number] if pargs else None
        found, report = read_tagged_examples(data / auto, data / tag, table, states, parg)
        examples += found[:limit]
        reports.append((auto, report))
    return examples, tuple(reports)
