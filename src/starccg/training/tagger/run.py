"""The whole of a training run, a jackknife or an export: what the commands call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from starccg.training.devices import device_name
from starccg.training.tagger.config import TaggerConfig
from starccg.training.tagger.data import Example, known_words, read_examples
from starccg.training.tagger.jackknife import jackknife
from starccg.training.tagger.package import ALLOWED_LOSS, MOST_TAGS, Packaged, package
from starccg.training.tagger.setup import Sources, prepare, restore
from starccg.training.tagger.trainer import Progress, train


def run_training(
    config: TaggerConfig,
    data: Path,
    out: Path,
    device: str = "auto",
    limit: int | None = None,
    watch: Callable[[Progress], None] = lambda _: None,
    stop_after: int | None = None,
) -> dict[str, Any]:
    """Train; the metrics of the best epoch. ``limit`` takes only so many sentences of each source, to try things."""
    sources = _sources(config, data, limit)
    dev = [(entry.name, read_examples(data / entry.path, limit)) for entry in config.dev]
    return train(
        prepare(config, sources, data), sources, dev, out, torch.device(device_name(device)), watch, stop_after
    )


def run_jackknife(
    config: TaggerConfig,
    data: Path,
    out: Path,
    device: str = "auto",
    limit: int | None = None,
    watch: Callable[[int, Progress], None] = lambda _, __: None,
    beam: float = 1e-4,
    temperature: float = 1.0,
) -> list[Path]:
    """Tag every source marked ``jackknife`` by taggers that did not see the sentence they tag."""
    sources = _sources(config, data, limit)
    schedule = replace(config.schedule, checkpoint_every=config.schedule.epochs)
    config = replace(config, schedule=schedule)
    return jackknife(
        config, sources, data, out, torch.device(device_name(device)), watch, beam=beam, temperature=temperature
    )


def run_export(
    run: Path,
    data: Path,
    out: Path,
    quantised: bool = True,
    limit: int | None = None,
    allowed_loss: float = ALLOWED_LOSS,
    most_tags: float = MOST_TAGS,
) -> Packaged:
    """Write the model folder of a finished run, calibrated on its dev sets."""
    setup = restore(run)
    dev = {entry.name: read_examples(data / entry.path, limit) for entry in setup.config.dev}
    sources = _sources(setup.config, data, limit)
    known = known_words(example for _, found in sources for example in found)
    return package(setup, dev, known, out, quantised, allowed_loss, most_tags)


def _sources(config: TaggerConfig, data: Path, limit: int | None) -> Sources:
    sources: list[tuple[Any, list[Example]]] = []
    for source in config.source:
        sources.append((source, read_examples(data / source.path, limit)))
    return sources
