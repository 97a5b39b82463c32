"""Tags for the training sentences from taggers that did not see them.

A global model trained on a tagger's own training tags learns to trust tags that are far better than those it will
meet. So the sentences are cut into folds, and each fold is tagged by a tagger trained on the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import torch

from starccg.errors import StarccgError
from starccg.search.types import TaggedSentence
from starccg.tagger.model import MAX_TAGS
from starccg.tagger.pruning import join, prune
from starccg.tagger.saved import write_tags
from starccg.training.tagger.config import MAIN, TaggerConfig
from starccg.training.tagger.data import Example, categories_of, items_of
from starccg.training.tagger.setup import Setup, Sources, prepare, restore
from starccg.training.tagger.trainer import Progress, predict, train


def jackknife(
    config: TaggerConfig,
    sources: Sources,
    data: Path,
    folder: Path,
    device: torch.device,
    watch: Callable[[int, Progress], None] = lambda _, __: None,
    beam: float = 1e-4,
    max_tags: int = MAX_TAGS,
    categories: Sequence[str] | None = None,
    temperature: float = 1.0,
) -> list[Path]:
    """Write ``<source>.npz`` for every source marked ``jackknife``, in the order of ``categories``.

    Folds run the whole schedule (there is no dev set to stop on). A fold that is done is not done again.
    """
    if config.folds < 2:
        raise StarccgError(f"jackknifing needs at least 2 folds, not {config.folds}")
    marked = [position for position, (source, _) in enumerate(sources) if source.jackknife and source.dialect == MAIN]
    if not marked:
        raise StarccgError("no [[source]] of the main dialect says 'jackknife = true'")
    if categories is None:
        main = [example for source, found in sources if source.dialect == MAIN for example in found]
        categories = categories_of(main, config.min_count)
    tagged: dict[int, dict[int, TaggedSentence]] = {position: {} for position in marked}
    for fold in range(config.folds):
        rest = [
            (source, [e for n, e in enumerate(found) if n % config.folds != fold] if position in marked else found)
            for position, (source, found) in enumerate(sources)
        ]
        setup = prepare(replace(config, seed=config.seed + 1 + fold), rest, data)
        place = folder / f"fold{fold + 1}"
        train(setup, rest, (), place, device, partial(watch, fold + 1))
        setup = restore(place)
        setup.model.to(device)
        for position in marked:
            held = [(n, e) for n, e in enumerate(sources[position][1]) if n % config.folds == fold]
            results = tag_examples(setup, [e for _, e in held], device, categories, beam, max_tags, temperature)
            tagged[position].update(zip((n for n, _ in held), results, strict=True))
    written = []
    for position in marked:
        source, examples = sources[position]
        path = folder / (Path(source.path).name.removesuffix(".gz").removesuffix(".auto") + ".npz")
        write_tags(path, categories, [(examples[n].id, tagged[position][n]) for n in range(len(examples))])
        written.append(path)
    return written


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
    items = items_of(examples, setup.inputs, setup.categories[MAIN], MAIN)
    for position, rows in predict(setup.model, setup, items, device):
        scaled = torch.log_softmax(rows / temperature, dim=-1)
        unknown = scaled.new_full((len(scaled), 1), -torch.inf)
        parts[position] = prune(torch.cat((scaled, unknown), 1)[:, columns].cpu().numpy(), beam, max_tags)
    results = []
    position = 0
    for example in examples:
        found: list[TaggedSentence] = []
        while sum(part.words for part in found) < len(example.words):
            found.append(parts[position])
            position += 1
        results.append(join(found))
    return results
