"""The whole of a training run, and of what teachers say: what the pipeline and the commands call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from starccg.devices import training_device
from starccg.tagger.saved import read_tags, write_tags
from starccg.training.data import read_examples
from starccg.training.distributed import workers
from starccg.training.progress import Progress, Watch, ignore
from starccg.training.tagger.config import MAIN, Raw, TaggerConfig
from starccg.training.tagger.data import Corpus, Sources, read_raw
from starccg.training.tagger.distil import soft_targets
from starccg.training.tagger.notes import notes_of, read_notes
from starccg.training.tagger.setup import prepare, restore
from starccg.training.tagger.trainer import train


def run_training(
    config: TaggerConfig,
    data: Path,
    out: Path,
    device: str = "auto",
    limit: int | None = None,
    watch: Watch = ignore,
    stop_after: int | None = None,
    soft: Path | None = None,
    teacher: Path | None = None,
    start: Path | None = None,
) -> dict[str, Any]:
    """Train, and return the metrics of the best epoch. ``limit`` is the maximum number of sentences of each source.

    A student learns from the tags in the folder ``soft`` too, over the categories of its ``teacher``, a finished run.
    ``start`` is a finished run of the same shape to begin with, in place of the pretrained weights. Under ``torchrun``
    all processes train it together.
    """
    if soft is None:
        config = replace(config, raw=())  # without teachers there is nothing to learn from text
    sources = read_sources(config, data, limit, soft)
    dev = [(entry.name, read_examples(data / entry.path, limit)) for entry in config.dev]
    categories = restore(teacher).categories if teacher is not None else None
    setup = prepare(config, sources, data, categories)
    if start is not None:
        setup.model.load_state_dict(restore(start).model.state_dict())
    with workers(training_device(device)) as (own, place):
        return train(setup, sources, dev, out, place, watch if own.first else ignore, stop_after, own)


def run_distil(
    config: TaggerConfig,
    teachers: Sequence[Path],
    data: Path,
    out: Path,
    device: str = "auto",
    limit: int | None = None,
    watch: Watch = ignore,
) -> list[Path]:
    """Write what finished runs, the teachers, say of every source of the main dialect and of the raw text."""
    setups = [restore(folder) for folder in teachers]
    categories = setups[0].categories[MAIN]
    written = []
    for corpus in read_sources(config, data, limit):
        path = soft_path(out, corpus.source.path)
        if corpus.dialect == MAIN and path not in written:
            watched = partial(_named, watch, corpus.source.path)
            found = soft_targets(setups, corpus.examples, torch.device(training_device(device)), config.distil, watched)
            write_tags(path, categories, list(zip((e.id for e in corpus.examples), found, strict=True)))
            written.append(path)
    return written


def soft_path(folder: Path, source: str) -> Path:
    """Where the teachers' tags of a source are."""
    return folder / f"{Path(source).name.removesuffix('.gz')}.soft.npz"


def _named(watch: Watch, name: str, progress: Progress) -> None:
    watch(replace(progress, name=name))


def read_sources(config: TaggerConfig, data: Path, limit: int | None = None, soft: Path | None = None) -> Sources:
    """The sentences that a configuration names, with their annotations and, from ``soft``, their teachers' tags."""
    sources = []
    for entry in config.corpora():
        if isinstance(entry, Raw):
            corpus = Corpus(entry, read_raw(data / entry.path, limit))
        else:
            examples = read_examples(data / entry.path, limit)
            notes = notes_of(examples, read_notes(data / entry.words)) if entry.words else {}
            corpus = Corpus(entry, examples, notes)
        if soft is not None and corpus.dialect == MAIN:
            corpus = replace(corpus, soft=read_tags(soft_path(soft, entry.path)).sentences)
        sources.append(corpus)
    return sources
