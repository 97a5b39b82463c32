"""Select the tags for the search from the log-probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from starccg.errors import StarccgError
from starccg.search.native import core
from starccg.search.types import Floats2d, TaggedSentence


class KeptTags(NamedTuple):
    """The tags that are kept of a number of words, one word after the other."""

    tags: npt.NDArray[np.int32]
    log_probabilities: npt.NDArray[np.float32]
    counts: npt.NDArray[np.int32]
    """How many tags each word keeps."""
    pruned: npt.NDArray[np.float32]
    """The best log-probability of each word that is not kept."""

    def sentences(self, lengths: Sequence[int], tag_beam: float) -> list[TaggedSentence]:
        """The sentences of these lengths."""
        ends = np.concatenate((np.zeros(1, np.int32), np.cumsum(self.counts, dtype=np.int32)))
        found, start = [], 0
        for length in lengths:
            offsets = ends[start : start + length + 1]
            first, last = offsets[0], offsets[-1]
            tags, scores = self.tags[first:last], self.log_probabilities[first:last]
            pruned = self.pruned[start : start + length]
            found.append(TaggedSentence(tags, scores, offsets - first, pruned=pruned, tag_beam=tag_beam))
            start += length
        return found


def prune(log_probabilities: Floats2d, tag_beam: float, max_tags: int) -> TaggedSentence:
    """One sentence with the tags that :func:`kept_tags` keeps."""
    return kept_tags(log_probabilities, tag_beam, max_tags).sentences([len(log_probabilities)], tag_beam)[0]


def kept_tags(log_probabilities: Floats2d, tag_beam: float, max_tags: int) -> KeptTags:
    """Keep, for each word, the tags with a probability of at least ``tag_beam`` times the best, at most ``max_tags``.

    Tags are sorted best first, ties by number. Every word keeps at least its best tag. The best log-probability that
    was not kept lets a search say whether its proof holds over all tags.
    """
    check_tag_beam(tag_beam, max_tags)
    cut = math.log(tag_beam) if tag_beam > 0 else -math.inf
    return KeptTags(*core.kept_tags(np.ascontiguousarray(log_probabilities), cut, max_tags))


def check_tag_beam(tag_beam: float, max_tags: int) -> None:
    """Raise for a tag beam or a number of tags that makes no sense."""
    if not 0.0 <= tag_beam <= 1.0:
        raise StarccgError(f"the tag beam is a share of the best tag's probability, between 0 and 1, not {tag_beam}")
    if max_tags < 1:
        raise StarccgError(f"at least one tag must be kept, not {max_tags}")


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
        tag_beam=parts[0].tag_beam,
    )
