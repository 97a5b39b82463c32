"""Select the tags for the search from the log-probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from starccg.errors import StarccgError
from starccg.search.types import TaggedSentence

Floats2d = npt.NDArray[np.float32]


def prune(log_probabilities: Floats2d, beam: float, max_tags: int) -> TaggedSentence:
    """Keep, for each word, the tags with a probability of at least ``beam`` times the best, at most ``max_tags``.

    Tags are sorted best first, ties by number. Every word keeps at least its best tag. The sentence also has
    the beam, and for each word the best log-probability that was not kept: with these a search can say whether its
    proof holds over all tags.
    """
    if not 0.0 <= beam <= 1.0:
        raise StarccgError(f"the beam is a share of the best tag's probability, between 0 and 1, not {beam}")
    if max_tags < 1:
        raise StarccgError(f"at least one tag must be kept, not {max_tags}")
    words = len(log_probabilities)
    if words == 0:
        empty = np.zeros(0, np.int32)
        none = empty.astype(np.float32)
        return TaggedSentence(empty, none, np.zeros(1, np.int32), pruned=none, beam=beam)
    best = log_probabilities.max(axis=1, keepdims=True)
    cut = math.log(beam) if beam > 0 else -math.inf
    rows, tags = np.nonzero(log_probabilities >= best + np.float32(cut))
    scores = log_probabilities[rows, tags]
    order = np.lexsort((tags, -scores, rows))
    rows, tags, scores = rows[order], tags[order], scores[order]
    counts = np.bincount(rows, minlength=words)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    if counts.max() > max_tags:
        kept = np.arange(len(rows)) - offsets[rows] < max_tags
        rows, tags, scores = rows[kept], tags[kept], scores[kept]
        offsets = np.concatenate(([0], np.cumsum(np.minimum(counts, max_tags))))
    rest = log_probabilities.copy()
    rest[rows, tags] = -np.inf
    return TaggedSentence(
        tags.astype(np.int32),
        scores.astype(np.float32),
        offsets.astype(np.int32),
        pruned=rest.max(axis=1).astype(np.float32),
        beam=beam,
    )


def join_windows(windows: Iterable[TaggedSentence], lengths: Iterable[int]) -> list[TaggedSentence]:
    """Sentences of these lengths from the tags of their windows, which are in order; a short sentence has one."""
    rest, sentences = iter(windows), []
    for length in lengths:
        own = [next(rest)]
        while sum(part.words for part in own) < length:
            own.append(next(rest))
        sentences.append(join(own))
    return sentences


def join(parts: Sequence[TaggedSentence]) -> TaggedSentence:
    """One sentence from the tags of its windows."""
    if len(parts) == 1:
        return parts[0]
    counts = np.concatenate([np.zeros(1, np.int32), *(np.diff(part.offsets) for part in parts)])
    pruned = [part.pruned for part in parts if part.pruned is not None]
    return TaggedSentence(
        np.concatenate([part.tags for part in parts]),
        np.concatenate([part.log_probabilities for part in parts]),
        np.cumsum(counts).astype(np.int32),
        pruned=np.concatenate(pruned) if len(pruned) == len(parts) else None,
        beam=parts[0].beam,
    )
