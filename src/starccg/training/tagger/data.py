"""Treebanks as a tagger sees them: words and supertags; and the batches of an epoch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from starccg.errors import StarccgError
from starccg.tagger.inputs import Inputs, Piece
from starccg.training.data import read_treebank
from starccg.training.tagger.config import Source

IGNORED = -100
"""The target of a word whose category is not learned."""


@dataclass(frozen=True)
class Example:
    """A sentence with its gold supertags."""

    id: str
    words: tuple[str, ...]
    tags: tuple[str, ...]


def read_examples(path: Path, limit: int | None = None) -> list[Example]:
    """The sentences of an AUTO file, at most ``limit``."""
    if not path.is_file():
        raise StarccgError(f"{path} does not exist: paths in a configuration are relative to --data")
    examples: list[Example] = []
    for sentence in read_treebank(path):
        if limit is not None and len(examples) == limit:
            break
        leaves = list(sentence.derivation.leaves())
        words = tuple(leaf.word for leaf in leaves)
        examples.append(Example(sentence.id, words, tuple(str(leaf.category.bare_nb) for leaf in leaves)))
    if not examples:
        raise StarccgError(f"{path} holds no sentences")
    return examples


def known_words(examples: Iterable[Example]) -> frozenset[str]:
    """The words of training, in lower case; a dev word outside them is an unknown word."""
    return frozenset(word.lower() for example in examples for word in example.words)


def categories_of(examples: Iterable[Example], min_count: int) -> tuple[str, ...]:
    """Categories seen often enough, most frequent first."""
    counts = Counter(tag for example in examples for tag in example.tags)
    kept = [tag for tag, count in counts.items() if count >= min_count]
    return tuple(sorted(kept, key=lambda tag: (-counts[tag], tag)))


@dataclass(frozen=True)
class Item:
    """A piece of a sentence with the numbers of its tags in its dialect."""

    piece: Piece
    targets: npt.NDArray[np.int64]
    dialect: str


def items_of(examples: Sequence[Example], inputs: Inputs, categories: Sequence[str], dialect: str) -> list[Item]:
    """Sentences as a network reads them; one too long for it comes in windows, each kept word once."""
    numbers = {tag: number for number, tag in enumerate(categories)}
    items = []
    for example in examples:
        targets = np.array([numbers.get(tag, IGNORED) for tag in example.tags], np.int64)
        start = 0
        for piece in inputs.encode(example.words):
            items.append(Item(piece, targets[start : start + len(piece.kept)], dialect))
            start += len(piece.kept)
    return items


def epoch_batches(
    sources: Sequence[tuple[Source, Sequence[Item]]], most_cells: int, seed: int, epoch: int
) -> list[list[Item]]:
    """The batches of an epoch: one dialect each, sentences of like length, in random order.

    They depend on nothing but the arguments, so training goes on after a kill as if nothing had happened.
    """
    random = np.random.default_rng((seed, epoch))
    chosen: dict[str, list[Item]] = {}
    for source, items in sources:
        whole, part = divmod(source.weight, 1.0)
        picked = list(range(len(items))) * int(whole)
        picked += random.permutation(len(items))[: round(part * len(items))].tolist()
        chosen.setdefault(source.dialect, []).extend(items[position] for position in picked)
    batches = []
    for items in chosen.values():
        lengths = np.array([len(item.piece.cells) for item in items], np.float64)
        order = np.argsort(lengths + random.uniform(0.0, 2.0 + 0.1 * lengths), kind="stable")
        batch: list[Item] = []
        longest = 0
        for position in order:
            item = items[position]
            longest = max(longest, len(item.piece.cells))
            if batch and (len(batch) + 1) * longest > most_cells:
                batches.append(batch)
                batch, longest = [], len(item.piece.cells)
            batch.append(item)
        if batch:
            batches.append(batch)
    return [batches[position] for position in random.permutation(len(batches))]
