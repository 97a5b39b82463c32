"""Tags for the training sentences from taggers that did not see them.

A global model trained on a tagger's own training tags learns to trust tags that are far better than those it will
meet. So the sentences are divided into folds, and each fold is tagged by a tagger trained on the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from starccg.errors import StarccgError
from starccg.search.types import TaggedSentence
from starccg.tagger.model import MAX_TAGS
from starccg.tagger.pruning import Floats2d, join_windows, prune
from starccg.tagger.saved import write_tags
from starccg.training.data import Example
from starccg.training.progress import Progress, Watch, ignore
from starccg.training.tagger.calibration import fit_temperature
from starccg.training.tagger.config import MAIN, Source, TaggerConfig
from starccg.training.tagger.data import Sources, categories_of, items_of
from starccg.training.tagger.setup import Setup, prepare, restore
from starccg.training.tagger.trainer import predict, train

FITTED_ON = 2000
"""Sentences of a fold that its temperature is fitted on."""

Tagged = dict[int, dict[int, TaggedSentence]]
"""By the number of the source, by the number of the sentence in it."""


def jackknife(
    config: TaggerConfig,
    sources: Sources,
    data: Path,
    folder: Path,
    device: torch.device,
    watch: Watch = ignore,
    beam: float = 1e-4,
    max_tags: int = MAX_TAGS,
    categories: Sequence[str] | None = None,
    temperature: float | None = None,
) -> list[Path]:
    """Write ``<source>.npz`` for every source marked ``jackknife``, in the order of ``categories``.

    Folds run the whole schedule (there is no dev set to stop on). A finished fold is not trained again.
    ``temperature``: None fits that of each fold's tagger on the sentences that it tags.
    """
    if config.folds < 2:
        raise StarccgError(f"jackknifing needs at least 2 folds, not {config.folds}")
    if not marked(sources):
        raise StarccgError("no [[source]] of the main dialect says 'jackknife = true'")
    categories = categories or main_categories(config, sources)
    tagged: Tagged = {}
    for fold in range(config.folds):
        found = tag_fold(config, sources, data, folder, device, fold, categories, watch, beam, max_tags, temperature)
        for position, sentences in found.items():
            tagged.setdefault(position, {}).update(sentences)
    return write_folds(sources, tagged, folder, categories)


def marked(sources: Sources) -> list[int]:
    """The numbers of the sources to tag."""
    return [
        number
        for number, corpus in enumerate(sources)
        if isinstance(corpus.source, Source) and corpus.source.jackknife and corpus.dialect == MAIN
    ]


def main_categories(config: TaggerConfig, sources: Sources) -> tuple[str, ...]:
    """The categories of the main dialect."""
    return categories_of((e for c in sources if c.dialect == MAIN for e in c.examples), config.min_count)


def tag_fold(
    config: TaggerConfig,
    sources: Sources,
    data: Path,
    folder: Path,
    device: torch.device,
    fold: int,
    categories: Sequence[str],
    watch: Watch = ignore,
    beam: float = 1e-4,
    max_tags: int = MAX_TAGS,
    temperature: float | None = None,
) -> Tagged:
    """Train a tagger on the other folds and tag this one."""
    tagged_sources = marked(sources)
    rest = [
        corpus.only([e for n, e in enumerate(corpus.examples) if n % config.folds != fold])
        if position in tagged_sources
        else corpus
        for position, corpus in enumerate(sources)
    ]
    setup = prepare(replace(config, seed=config.seed + 1 + fold), rest, data)
    place = folder / f"fold{fold + 1}"

    def named(progress: Progress) -> None:
        watch(replace(progress, name=f"fold {fold + 1}/{config.folds}"))

    train(setup, rest, (), place, device, named)
    setup = restore(place)
    setup.model.to(device)
    tagged: Tagged = {}
    for position in tagged_sources:
        held = [(n, e) for n, e in enumerate(sources[position].examples) if n % config.folds == fold]
        examples = [e for _, e in held]
        own = fitted_temperature(setup, examples[:FITTED_ON], device) if temperature is None else temperature
        results = tag_examples(setup, examples, device, categories, beam, max_tags, own)
        tagged[position] = dict(zip((n for n, _ in held), results, strict=True))
    return tagged


def write_folds(
    sources: Sources, tagged: Mapping[int, Mapping[int, TaggedSentence]], folder: Path, categories: Sequence[str]
) -> list[Path]:
    """Write the tags of all folds, one file a source."""
    written = []
    for position, sentences in sorted(tagged.items()):
        corpus = sources[position]
        path = folder / (Path(corpus.source.path).name.removesuffix(".gz").removesuffix(".auto") + ".npz")
        write_tags(path, categories, [(example.id, sentences[n]) for n, example in enumerate(corpus.examples)])
        written.append(path)
    return written


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
    beam: float,
    max_tags: int,
    temperature: float = 1.0,
) -> list[TaggedSentence]:
    """Tags in the numbering of ``categories``; what the fold's tagger does not know gets no probability."""
    own = {tag: number for number, tag in enumerate(setup.categories[MAIN])}
    columns = torch.tensor([own.get(tag, len(own)) for tag in categories], device=device)
    parts: dict[int, TaggedSentence] = {}
    items = items_of(examples, setup.inputs, setup.categories)
    for position, rows in predict(setup.model, setup, items, device):
        scaled = torch.log_softmax(rows / temperature, dim=-1)
        unknown = scaled.new_full((len(scaled), 1), -torch.inf)
        parts[position] = prune(torch.cat((scaled, unknown), 1)[:, columns].cpu().numpy(), beam, max_tags)
    return join_windows((parts[position] for position in sorted(parts)), (len(example.words) for example in examples))
