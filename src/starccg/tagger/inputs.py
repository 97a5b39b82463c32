"""Convert words to the integers that a tagger's network reads, in training and in parsing.

Both networks take the same arrays:

- ``cells`` (sentences, steps, columns): the features of each step, padded with zeros;
- ``lengths`` (sentences,): the number of steps without padding;
- ``positions`` (words,): the first step of each word in the flattened (sentences x steps), sentence after sentence;
- ``lasts`` (words,): its last step, for a network that takes the mean of a word's steps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from starccg.search.types import Ints1d
from starccg.tagger.words import RESERVED, SHORT, UNKNOWN, affixes, casing, plain, word_number
from starccg.text.remembered import Remembered

Ints2d = npt.NDArray[np.int32]
Feeds = dict[str, npt.NDArray[np.int32]]


class Piece(NamedTuple):
    """A sentence, or a window of one that is too long for the network: its steps, and the steps of its words."""

    cells: Ints2d  # (steps, columns)
    kept: Ints1d  # (words,): the first step of each
    lasts: Ints1d  # (words,): the last step of each


class Inputs(ABC):
    """How one kind of tagger reads words."""

    columns: int
    most_cells: int
    """Steps in a batch, including padding: enough to keep one core busy, few enough to fit into its cache."""
    mean: bool = False
    """Whether the network takes the mean of a word's steps."""

    @abstractmethod
    def encode(self, words: Sequence[str]) -> list[Piece]:
        """The sentence as pieces whose kept words, one piece after the other, are the sentence."""

    @abstractmethod
    def knows(self, word: str) -> bool:
        """Whether the vocabulary holds the word as a whole."""

    def collate(self, pieces: Sequence[Piece]) -> Feeds:
        """Pad pieces to one batch."""
        lengths = np.array([len(piece.cells) for piece in pieces], np.int32)
        steps = int(lengths.max(initial=0))
        cells = np.zeros((len(pieces), steps, self.columns), np.int32)
        for row, piece in enumerate(pieces):
            cells[row, : len(piece.cells)] = piece.cells
        feeds = {"cells": cells, "lengths": lengths, "positions": _flat([piece.kept for piece in pieces], steps)}
        if self.mean:
            feeds["lasts"] = _flat([piece.lasts for piece in pieces], steps)
        return feeds


def _flat(places: Sequence[Ints1d], steps: int) -> Ints1d:
    """Places in sentences as places in the flattened batch."""
    moved = [own + row * steps for row, own in enumerate(places)]
    return np.concatenate(moved).astype(np.int32) if moved else np.zeros(0, np.int32)


@dataclass
class LstmInputs(Inputs):
    """One step per word; columns: the word, its four prefixes, its four suffixes."""

    words: Mapping[str, int]
    affix_numbers: Mapping[str, int]
    """Keyed as :func:`affix_keys` writes them."""
    columns: int = 9
    most_cells: int = 1024

    def __post_init__(self) -> None:
        self._rows = Remembered(self._row)

    def encode(self, words: Sequence[str]) -> list[Piece]:
        """Always one piece: an LSTM has no maximum length."""
        cells = np.array([self._rows[word] for word in words], np.int32).reshape(len(words), self.columns)
        steps = np.arange(len(words), dtype=np.int32)
        return [Piece(cells, steps, steps)]

    def knows(self, word: str) -> bool:
        """Whether the word has a vector."""
        return word_number(word, self.words) != UNKNOWN

    def _row(self, word: str) -> tuple[int, ...]:
        ends = (SHORT if affix is None else self.affix_numbers.get(affix, UNKNOWN) for affix in affix_keys(word))
        return (word_number(word, self.words), *ends)


def affix_keys(word: str) -> list[str | None]:
    """Affixes as the vocabulary writes them: ``un-`` starts a word, ``-ed`` ends one."""
    keys = affixes(word)
    half = len(keys) // 2
    return [key and key + "-" for key in keys[:half]] + [key and "-" + key for key in keys[half:]]


def numbered(entries: Sequence[str]) -> dict[str, int]:
    """Numbers for a vocabulary, after those that mean unknown and too short."""
    return {entry: number for number, entry in enumerate(entries, RESERVED)}


class Splitter(Protocol):
    """Splits words into the pieces of an encoder's vocabulary."""

    start: int
    """The mark before a sentence, such as ``[CLS]``."""
    end: int
    """The mark after it."""
    unknown: int
    """The piece of what cannot be spelt."""

    def encode(self, word: str) -> tuple[int, ...]:
        """The numbers of the word's pieces, at least one."""


@dataclass
class EncoderInputs(Inputs):
    """Steps are pieces of words between two marks; columns: the piece, the casing of its word (0: no word)."""

    splitter: Splitter
    longest: int = 512
    """Steps the network has positions for."""
    context: int = 96
    """Steps of context, which are read but not kept, on each side of a window of a longer sentence."""
    mean: bool = False
    columns: int = 2
    most_cells: int = 512

    def encode(self, words: Sequence[str]) -> list[Piece]:
        """One piece, or overlapping windows of a long sentence; a word is kept where it has context on both sides."""
        encoded = [self.splitter.encode(_spaced(plain(word))) for word in words]
        casings = [casing(word) + 1 for word in words]
        room = self.longest - 2
        ends = list(accumulate(map(len, encoded)))
        if not words or ends[-1] <= room:
            return [self._piece(encoded, casings, 0, len(words))]
        context = min(self.context, room // 4)
        kept = room - 2 * context
        pieces = []
        sizes = [min(len(numbers), kept) for numbers in encoded]
        encoded = [numbers[:size] for numbers, size in zip(encoded, sizes, strict=True)]
        start = 0
        while start < len(words):
            end, used = start, 0
            while end < len(words) and used + sizes[end] <= kept:
                used += sizes[end]
                end += 1
            before = _reach(reversed(sizes[max(0, start - context) : start]), context)
            after = _reach(sizes[end : end + context], context)
            first, last = start - before, end + after
            pieces.append(self._piece(encoded[first:last], casings[first:last], before, before + end - start))
            start = end
        return pieces

    def knows(self, word: str) -> bool:
        """Whether the word is one piece."""
        pieces = self.splitter.encode(word)
        return len(pieces) == 1 and pieces[0] != self.splitter.unknown

    def _piece(self, encoded: Sequence[Sequence[int]], casings: Sequence[int], first: int, last: int) -> Piece:
        starts = list(accumulate((len(numbers) for numbers in encoded), initial=1))
        cells = np.zeros((starts[-1] + 1, 2), np.int32)
        cells[0, 0] = self.splitter.start
        cells[-1, 0] = self.splitter.end
        cells[1:-1, 0] = [number for numbers in encoded for number in numbers]
        cells[1:-1, 1] = np.repeat(casings, [len(numbers) for numbers in encoded])
        ends = np.array(starts[first : last + 1], np.int32)
        return Piece(cells, ends[:-1], ends[1:] - 1)


def _reach(sizes: Iterable[int], room: int) -> int:
    """The number of words that fit into ``room`` steps."""
    words = 0
    for size in sizes:
        room -= size
        if room < 0:
            break
        words += 1
    return words


def _spaced(word: str) -> str:
    """The words of a multi-word token (``Brian~Eno``) as words."""
    return word.replace("~", " ") if len(word) > 1 else word
