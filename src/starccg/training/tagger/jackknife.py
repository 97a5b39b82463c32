"""Tags for the training sentences from taggers that did not see them.

A global model trained on a tagger's own training tags learns to trust tags that are far better than those it will
meet. So the sentences are divided into folds, and each fold is tagged by a tagger trained on the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from starccg.devices import training_device
from starccg.errors import StarccgError
from starccg.search.types import Floats2d, TaggedSentence
from starccg.tagger.model import MAX_TAGS
from starccg.tagger.pruning import join_windows, prune
from starccg.tagger.saved import write_tags
from starccg.training.data import Example
from starccg.training.progress import Progress, Watch, ignore
from starccg.training.tagger.calibration import fit_temperature
from starccg.training.tagger.config import MAIN, Source, TaggerConfig
from starccg.training.tagger.data import Corpus, Sources, categories_of, items_of
from starccg.training.tagger.run import read_sources
from starccg.training.tagger.setup import Setup, prepare, restore
from starccg.training.tagger.trainer import predict, train

FITTED_ON = 2000
"""Sentences of a fold that its temperature is fitted on."""


def run_jackknife(
    config: TaggerConfig,
    data: Path,
    folder: Path,
    device: str = "auto",
    limit: int | None = None,
    watch: Watch = ignore,
    tag_beam: float = 1e-4,
    temperature: float | None = None,
) -> list[Path]:
    """Write ``<source>.npz`` for every source marked ``jackknife``, at most ``limit`` sentences of each.

    Folds run the whole schedule (there is no dev set to stop on). A finished fold is not trained again.
    ``temperature``: None fits that of each fold's tagger on the sentences that it tags.
    """
    sources, place = read_sources(replace(config, raw=()), data, limit), torch.device(training_device(device))
    config = replace(config, schedule=replace(config.schedule, checkpoint_every=config.schedule.epochs))
    if config.folds < 2:
        raise StarccgError(f"jackknifing needs at least 2 folds, not {config.folds}")
    main = [corpus for corpus in sources if corpus.dialect == MAIN]
    marked = {id(own): own for own in main if isinstance(own.source, Source) and own.source.jackknife}
    if not marked:
        raise StarccgError("no [[source]] of the main dialect says 'jackknife = true'")
    categories = categories_of((example for corpus in main for example in corpus.examples), config.min_count)
    tagged: dict[int, dict[int, TaggedSentence]] = {key: {} for key in marked}
    for fold in range(config.folds):
        rest = [_without(own, fold, config.folds) if id(own) in marked else own for own in sources]
        setup = _trained(config, rest, data, folder, place, fold, watch)
        for key, corpus in marked.items():
            held = range(fold, len(corpus.examples), config.folds)
            examples = [corpus.examples[number] for number in held]
            own = fitted_temperature(setup, examples[:FITTED_ON], place) if temperature is None else temperature
            tags = tag_examples(setup, examples, place, categories, tag_beam, own)
            tagged[key].update(zip(held, tags, strict=True))
    written = []
    for key, corpus in marked.items():
        written.append(folder / (Path(corpus.source.path).name.removesuffix(".gz").removesuffix(".auto") + ".npz"))
        write_tags(
            written[-1], categories, [(own.id, tagged[key][number]) for number, own in enumerate(corpus.examples)]
        )
    return written


def _without(corpus: Corpus, fold: int, folds: int) -> Corpus:
    """A source without the sentences of a fold."""
    return corpus.only([own for number, own in enumerate(corpus.examples) if number % folds != fold])


def _trained(
    config: TaggerConfig, rest: Sources, data: Path, folder: Path, device: torch.device, fold: int, watch: Watch
) -> Setup:
    """The tagger of a fold, trained on the other folds."""
    setup = prepare(replace(config, seed=config.seed + 1 + fold), rest, data)
    place = folder / f"fold{fold + 1}"

    def named(progress: Progress) -> None:
        watch(replace(progress, name=f"fold {fold + 1}/{config.folds}"))

    train(setup, rest, (), place, device, named)
    setup = restore(place)
    setup.model.to(device)
    return setup


def fitted_temperature(setup: Setup, examples: Sequence[Example], device: torch.device) -> float:
    """The temperature that fits these sentences, which the tagger did not see, best."""
    items = items_of(examples, setup.inputs, setup.categories)
    rows: list[Floats2d] = []
    gold: list[list[int]] = []
    for position, found in predict(setup.model, setup, items, device):
        rows.append(found.cpu().numpy())
        gold.append(items[position].targets.tolist())
    return fit_temperature(rows, gold) if rows else 1.0


def tag_examples(
    setup: Setup,
    examples: Sequence[Example],
    device: torch.device,
    categories: Sequence[str],
    tag_beam: float,
    temperature: float,
) -> list[TaggedSentence]:
    """Tags in the numbering of ``categories``; what the fold's tagger does not know gets no probability."""
    own = {tag: number for number, tag in enumerate(setup.categories[MAIN])}
    columns = torch.tensor([own.get(tag, len(own)) for tag in categories], device=device)
    parts: dict[int, TaggedSentence] = {}
    items = items_of(examples, setup.inputs, setup.categories)
    for position, rows in predict(setup.model, setup, items, device):
        scaled = torch.log_softmax(rows / temperature, dim=-1)
        unknown = scaled.new_full((len(scaled), 1), -torch.inf)
        parts[position] = prune(torch.cat((scaled, unknown), 1)[:, columns].cpu().numpy(), tag_beam, MAX_TAGS)
    return join_windows((parts[position] for position in sorted(parts)), (len(example.words) for example in examples))
