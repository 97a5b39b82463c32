"""From a configuration to a trained model: read the files, compile the grammar, run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starccg.ccg.category import Category, CategoryError
from starccg.ccg.compiler import compile_grammar
from starccg.ccg.grammar import Grammar, GrammarError
from starccg.ccg.table import RuleTable
from starccg.errors import StarccgError
from starccg.globalmodel import Vectors
from starccg.tagger.saved import read_tags
from starccg.training.data import Example, Report, fingerprint, read_examples
from starccg.training.globalmodel.config import Config, check_data
from starccg.training.globalmodel.trainer import Progress, Result, Trainer, Watch


@dataclass(frozen=True, slots=True)
class Loaded:
    """All that a run reads."""

    table: RuleTable
    train: list[Example]
    dev: list[Example]
    reports: tuple[tuple[str, Report], ...]
    """For each file of training sentences what can be learned from it."""
    provenance: dict[str, Any]


def load_run(config: Config, data: Path, limit: int | None = None) -> Loaded:
    """Read every file that a configuration names; ``limit``: so many sentences of each."""
    check_data(config)
    files = config.data
    tags = [data / name for name in files.train_tags]
    table = read_table(data / files.grammar, tags)
    encoder = config.model.inputs == "encoder"
    train, reports = _read(data, files.train, files.train_tags, files.train_encoded if encoder else (), table, limit)
    dev, _ = _read(data, files.dev, files.dev_tags, files.dev_encoded if encoder else (), table, limit)
    names = [*files.train, *files.train_tags, *files.dev, *files.dev_tags, files.grammar]
    provenance = {"sha256": {name: fingerprint(data / name) for name in names}}
    return Loaded(table, train, dev, reports, provenance)


def run_training(config: Config, loaded: Loaded, data: Path, folder: Path, watch: Watch | None = None) -> Result:
    """Train, or go on training, in ``folder``."""
    vectors = Vectors(data / config.data.vectors) if config.data.vectors and config.model.has_embeddings else None
    trainer = Trainer(
        config,
        loaded.table,
        loaded.train,
        loaded.dev,
        folder,
        vectors=vectors,
        provenance=loaded.provenance,
        watch=watch or _nobody,
    )
    return trainer.run()


def read_table(grammar: Path, tags: Sequence[Path]) -> RuleTable:
    """The grammar closed over the categories that the taggers know."""
    try:
        rules = Grammar.loads(grammar.read_text("utf-8"))
        names = dict.fromkeys(name for path in tags for name in read_tags(path).categories)
        return compile_grammar(rules, [Category.parse(name) for name in names])
    except OSError as error:
        raise StarccgError(f"{grammar}: cannot be read: {error.strerror}") from error
    except (GrammarError, CategoryError, UnicodeDecodeError) as error:
        raise StarccgError(f"{grammar}: {error}") from error


def _read(
    data: Path, autos: Sequence[str], tags: Sequence[str], encoded: Sequence[str], table: RuleTable, limit: int | None
) -> tuple[list[Example], tuple[tuple[str, Report], ...]]:
    examples: list[Example] = []
    reports: list[tuple[str, Report]] = []
    for number, (auto, tag) in enumerate(zip(autos, tags, strict=True)):
        states = data / encoded[number] if encoded else None
        found, report = read_examples(data / auto, data / tag, table, states)
        examples += found[:limit]
        reports.append((auto, report))
    return examples, tuple(reports)


def _nobody(progress: Progress) -> None:
    """Watches nothing."""
