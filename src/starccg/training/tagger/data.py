"""Treebanks as a tagger sees them: words and supertags; and the batches of an epoch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from starccg.formats.errors import no_sentences
from starccg.search.types import TaggedSentence
from starccg.tagger.inputs import Inputs, Piece
from starccg.training.data import Example, text_lines
from starccg.training.tagger.config import MAIN, Raw, Source
from starccg.training.tagger.notes import Notes

IGNORED = -100
"""The target of a word whose category is not learned."""

Longs1d = npt.NDArray[np.int64]


def known_words(examples: Iterable[Example]) -> frozenset[str]:
    """The words of training, in lower case; a dev word outside them is an unknown word."""
    return frozenset(word.lower() for example in examples for word in example.words)


def categories_of(examples: Iterable[Example], min_count: int) -> tuple[str, ...]:
    """Categories seen often enough, most frequent first."""
    return frequent((tag for example in examples for tag in example.supertags), min_count)


def frequent(values: Iterable[str], min_count: int) -> tuple[str, ...]:
    """The values seen often enough, most frequent first."""
    counts = Counter(value for value in values if value)
    kept = [value for value, count in counts.items() if count >= min_count]
    return tuple(sorted(kept, key=lambda value: (-counts[value], value)))


def read_raw(path: Path, limit: int | None = None) -> list[Example]:
    """Sentences without tags, one per line, words separated by spaces; text before a tab is left out."""
    lines = (tuple(line.rpartition("\t")[2].split()) for line in text_lines(path))
    found = [Example(f"{path.name}:{n}", words, ()) for n, words in enumerate(islice(lines, limit), 1) if words]
    if not found:
        raise no_sentences(path)
    return found


@dataclass(frozen=True)
class Soft:
    """What teachers say of a sentence: of each word the likeliest tags, padded with tags of no probability."""

    tags: npt.NDArray[np.int16]  # (words, most)
    probabilities: npt.NDArray[np.float16]

    @classmethod
    def of(cls, tagged: TaggedSentence, most: int) -> Soft:
        """From a teacher's tags, whose probabilities are made to sum to one."""
        counts = np.diff(tagged.offsets)
        rows = np.repeat(np.arange(tagged.words), counts)
        columns = np.arange(len(rows)) - tagged.offsets[:-1][rows]
        kept = columns < most
        tags = np.zeros((tagged.words, most), np.int16)
        probabilities = np.zeros((tagged.words, most), np.float32)
        tags[rows[kept], columns[kept]] = tagged.tags[kept]
        probabilities[rows[kept], columns[kept]] = np.exp(tagged.log_probabilities[kept])
        probabilities /= np.maximum(probabilities.sum(1, keepdims=True), 1e-9)
        return cls(tags, probabilities.astype(np.float16))

    @classmethod
    def empty(cls, words: int, most: int) -> Soft:
        """Of words that no teacher saw."""
        return cls(np.zeros((words, most), np.int16), np.zeros((words, most), np.float16))

    def part(self, start: int, end: int) -> Soft:
        """Some of the words."""
        return Soft(self.tags[start:end], self.probabilities[start:end])


@dataclass(frozen=True)
class Corpus:
    """A source with its sentences and all that is known of them, by their names."""

    source: Source | Raw
    examples: Sequence[Example]
    notes: Mapping[str, Notes] = field(default_factory=dict)
    soft: Mapping[str, TaggedSentence] | None = None
    """What teachers say, in the numbers of the main dialect."""

    @property
    def dialect(self) -> str:
        """The output layer that learns from it."""
        return MAIN if isinstance(self.source, Raw) else self.source.dialect

    def items(self, inputs: Inputs, categories: Mapping[str, Sequence[str]], most: int = 16) -> list[Item]:
        """Its sentences as a network reads them."""
        return items_of(self.examples, inputs, categories, self.dialect, self.notes, self.soft, most)

    def only(self, examples: Sequence[Example]) -> Corpus:
        """Some of its sentences."""
        return replace(self, examples=examples)


Sources = Sequence[Corpus]


@dataclass(frozen=True)
class Item:
    """A piece of a sentence with the numbers of its tags in its dialect."""

    piece: Piece
    targets: Longs1d
    dialect: str
    notes: Mapping[str, Longs1d] = field(default_factory=dict)
    """By the name of the annotation, the number of each word's."""
    soft: Soft | None = None


def items_of(
    examples: Sequence[Example],
    inputs: Inputs,
    categories: Mapping[str, Sequence[str]],
    dialect: str = MAIN,
    notes: Mapping[str, Notes] | None = None,
    soft: Mapping[str, TaggedSentence] | None = None,
    most: int = 16,
) -> list[Item]:
    """Sentences as a network reads them; one too long for it comes in windows, each kept word once.

    ``notes`` and ``soft`` are by the name of the sentence. ``categories`` are those of each output layer.
    """
    numbers = {name: {tag: number for number, tag in enumerate(tags)} for name, tags in categories.items()}
    items = []
    for example in examples:
        own = numbers[dialect]
        supertags = example.supertags or ("",) * len(example.words)
        targets = np.array([own.get(tag, IGNORED) for tag in supertags], np.int64)
        known = {
            name: np.array([numbers[name].get(value, IGNORED) for value in values], np.int64)
            for name, values in (notes or {}).get(example.id, {}).items()
            if name in numbers
        }
        taught = None if soft is None or example.id not in soft else Soft.of(soft[example.id], most)
        start = 0
        for piece in inputs.encode(example.words):
            end = start + len(piece.kept)
            own_notes = {name: values[start:end] for name, values in known.items()}
            own_soft = None if taught is None else taught.part(start, end)
            items.append(Item(piece, targets[start:end], dialect, own_notes, own_soft))
            start = end
    return items


def epoch_batches(
    sources: Sequence[tuple[float, Sequence[Item]]], most_cells: int, seed: int, epoch: int, most_items: int = 0
) -> list[list[Item]]:
    """The batches of an epoch: one dialect each, sentences of like length, in random order.

    Sources are a weight and items. Batches depend on nothing but the arguments, so a training that was stopped resumes
    with the same batches.
    """
    random = np.random.default_rng((seed, epoch))
    chosen: dict[str, list[Item]] = {}
    for weight, items in sources:
        whole, part = divmod(weight, 1.0)
        picked = list(range(len(items))) * int(whole)
        picked += random.permutation(len(items))[: round(part * len(items))].tolist()
        for position in picked:
            chosen.setdefault(items[position].dialect, []).append(items[position])
    batches = []
    for items in chosen.values():
        lengths = np.array([len(item.piece.cells) for item in items], np.float64)
        order = np.argsort(lengths + random.uniform(0.0, 2.0 + 0.1 * lengths), kind="stable")
        batch: list[Item] = []
        longest = 0
        for position in order:
            item = items[position]
            longest = max(longest, len(item.piece.cells))
            full = len(batch) == most_items if most_items else (len(batch) + 1) * longest > most_cells
            if batch and full:
                batches.append(batch)
                batch, longest = [], len(item.piece.cells)
            batch.append(item)
        if batch:
            batches.append(batch)
    return [batches[position] for position in random.permutation(len(batches))]
