"""From a row of log-probabilities to the tags a search gets."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from starccg.errors import StarccgError
from starccg.search.types import TaggedSentence

Floats2d = npt.NDArray[np.float32]


def prune(log_probabilities: Floats2d, beam: float, max_tags: int) -> TaggedSentence:
    """Keep, for each word, the tags with a probability of at least ``beam`` times the best, at most ``max_tags``.

    Tags come best first, ties by number. Every word keeps at least its best tag.
    """
    if not 0.0 <= beam <= 1.0:
        raise StarccgError(f"the beam is a share of the best tag's probability, between 0 and 1, not {beam}")
    if max_tags < 1:
        raise StarccgError(f"at least one tag must be kept, not {max_tags}")
    words = len(log_probabilities)
    if words == 0:
        empty = np.zeros(0, np.int32)
        return TaggedSentence(empty, empty.astype(np.float32), np.zeros(1, np.int32))
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
        tags, scores = tags[kept], scores[kept]
        offsets = np.concatenate(([0], np.cumsum(np.minimum(counts, max_tags))))
    return TaggedSentence(tags.astype(np.int32), scores.astype(np.float32), offsets.astype(np.int32))


def join(parts: Sequence[TaggedSentence]) -> TaggedSentence:
    """One sentence from the tags of its windows."""
    if len(parts) == 1:
        return parts[0]
    counts = np.concatenate([np.zeros(1, np.int32), *(np.diff(part.offsets) for part in parts)])
    return TaggedSentence(
        np.concatenate([part.tags for part in parts]),
        np.concatenate([part.log_probabilities for part in parts]),
        np.cumsum(counts).astype(np.int32),
    )
