"""Tags of many sentences in one ``.npz`` file: the output of jackknifing, for training the global model."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from starccg.errors import StarccgError
from starccg.files import write_atomically
from starccg.search.types import TaggedSentence

_NAMES = ("ids", "categories", "words", "counts", "tags", "log_probabilities")


@dataclass(frozen=True)
class SavedTags:
    """Sentences by their names, all tagged over the same categories."""

    categories: tuple[str, ...]
    sentences: dict[str, TaggedSentence]


def write_tags(
    path: Path, categories: Sequence[str], sentences: Sequence[tuple[str, TaggedSentence]], *, exact: bool = False
) -> None:
    """Write names and tags; log-probabilities in half precision (three decimal digits) unless ``exact``."""
    if len({name for name, _ in sentences}) != len(sentences):
        raise StarccgError(f"{path}: two sentences have the same name; names must be unique")
    tagged = [sentence for _, sentence in sentences]
    counts = [np.diff(sentence.offsets) for sentence in tagged]
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        ids=np.array([name for name, _ in sentences], np.str_),
        categories=np.array(categories, np.str_),
        words=np.array([sentence.words for sentence in tagged], np.int32),
        counts=np.concatenate(counts).astype(np.uint16) if counts else np.zeros(0, np.uint16),
        tags=np.concatenate([np.zeros(0, np.int32), *(sentence.tags for sentence in tagged)]).astype(np.uint16),
        log_probabilities=np.concatenate(
            [np.zeros(0, np.float32), *(sentence.log_probabilities for sentence in tagged)]
        ).astype(np.float32 if exact else np.float16),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, buffer.getvalue())


def read_tags(path: Path) -> SavedTags:
    """Read what :func:`write_tags` wrote."""
    try:
        with np.load(path, allow_pickle=False) as file:
            ids, categories, words, counts, tags, scores = (file[name] for name in _NAMES)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise StarccgError(f"{path} does not contain tags written by 'starccg train jackknife': {error}") from None
    word_ends = np.concatenate(([0], np.cumsum(words)))
    tag_ends = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    sentences = {}
    for number, name in enumerate(ids):
        ends = tag_ends[word_ends[number] : word_ends[number + 1] + 1]
        first, last = int(ends[0]), int(ends[-1])
        sentences[str(name)] = TaggedSentence(
            tags[first:last].astype(np.int32),
            scores[first:last].astype(np.float32),
            (ends - first).astype(np.int32),
        )
    return SavedTags(tuple(map(str, categories)), sentences)
