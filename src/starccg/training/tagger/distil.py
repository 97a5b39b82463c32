"""What teachers say of sentences: the targets that a student learns from besides gold tags.

Several teachers are averaged. Their tags are kept in the file format of tags (:mod:`starccg.tagger.saved`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from starccg.errors import StarccgError
from starccg.search.types import TaggedSentence
from starccg.tagger.batching import length_sorted_batches
from starccg.tagger.pruning import join_windows
from starccg.training.data import Example
from starccg.training.progress import Progress, Watch, ignore
from starccg.training.tagger.config import MAIN, Distil
from starccg.training.tagger.data import items_of
from starccg.training.tagger.loss import feeds_of
from starccg.training.tagger.setup import Setup

CELLS = 16384
"""Steps in a batch, padding counted."""


@torch.no_grad()
def soft_targets(
    teachers: Sequence[Setup],
    examples: Sequence[Example],
    device: torch.device,
    options: Distil,
    watch: Watch = ignore,
) -> list[TaggedSentence]:
    """For each sentence the tags that the teachers, on average, find likely."""
    first = teachers[0]
    if any(teacher.categories[MAIN] != first.categories[MAIN] for teacher in teachers):
        raise StarccgError("the teachers do not have the same categories: train them on the same sources")
    for teacher in teachers:
        teacher.model.to(device).eval()
    items = items_of(examples, first.inputs, first.categories)
    most = min(options.most, len(first.categories[MAIN]))
    parts: dict[int, TaggedSentence] = {}
    batches = length_sorted_batches([len(item.piece.cells) for item in items], CELLS)
    for number, positions in enumerate(batches, 1):
        batch = [items[position] for position in positions]
        total: torch.Tensor | None = None
        for teacher in teachers:
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                logits = teacher.model(**feeds_of(teacher, batch, device))
            probabilities = torch.softmax(logits.float(), -1)
            total = probabilities if total is None else total + probabilities
        assert total is not None
        found, tags = (total / len(teachers)).topk(most, dim=-1)
        kept = found >= options.beam * found[:, :1]
        words = [len(item.targets) for item in batch]
        parts |= zip(positions, _sentences(words, tags, torch.log(found), kept), strict=True)
        watch(Progress(1, 1, number, len(batches), 0.0))
    return join_windows((parts[position] for position in sorted(parts)), (len(example.words) for example in examples))


def _sentences(
    words: Sequence[int], tags: torch.Tensor, scores: torch.Tensor, kept: torch.Tensor
) -> list[TaggedSentence]:
    """The kept tags of a batch, sentence by sentence."""
    keeps = kept.cpu().numpy()
    numbers, found = tags.cpu().numpy()[keeps].astype(np.int32), scores.cpu().numpy()[keeps].astype(np.float32)
    ends = np.concatenate(([0], np.cumsum(keeps.sum(1)))).astype(np.int32)
    sentences, start = [], 0
    for count in words:
        own = ends[start : start + count + 1]
        first, last = int(own[0]), int(own[-1])
        sentences.append(TaggedSentence(numbers[first:last], found[first:last], own - own[0]))
        start += count
    return sentences
