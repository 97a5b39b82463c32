"""Analysis of a tagger's probabilities: accuracy, tags kept by a beam, calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from starccg.search.types import Floats2d
from starccg.tagger.pruning import prune

Longs1d = npt.NDArray[np.int64]

TAG_BEAMS = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)


@dataclass(frozen=True)
class Scored:
    """The words of a treebank: log-probabilities of all tags, the number of the gold one (-1: not among them)."""

    words: tuple[str, ...]
    rows: Floats2d  # (words, categories)
    gold: Longs1d
    gold_names: tuple[str, ...]
    categories: tuple[str, ...]

    @classmethod
    def of(
        cls,
        sentences: Sequence[tuple[Sequence[str], Sequence[str]]],
        rows: Sequence[Floats2d],
        categories: Sequence[str],
    ) -> Scored:
        """From sentences (words, gold tags) and the tagger's rows for them."""
        numbers = {tag: number for number, tag in enumerate(categories)}
        names = tuple(tag for _, tags in sentences for tag in tags)
        table = np.concatenate([np.zeros((0, len(categories)), np.float32), *rows])
        gold = np.array([numbers.get(tag, -1) for tag in names], np.int64)
        return cls(tuple(word for words, _ in sentences for word in words), table, gold, names, tuple(categories))

    def scaled(self, temperature: float) -> Scored:
        """The same at another temperature."""
        rows = self.rows / np.float32(temperature)
        rows = rows - rows.max(axis=1, keepdims=True)
        rows = rows - np.log(np.exp(rows).sum(axis=1, keepdims=True))
        return Scored(self.words, rows.astype(np.float32), self.gold, self.gold_names, self.categories)

    @property
    def right(self) -> npt.NDArray[np.bool_]:
        """For each word, whether its best tag is the gold tag."""
        best: npt.NDArray[np.bool_] = self.rows.argmax(axis=1) == self.gold
        return best

    def accuracy(self, among: npt.NDArray[np.bool_] | None = None) -> float:
        """Share of words tagged right, of all or of some."""
        right = self.right if among is None else self.right[among]
        return float(right.mean()) if len(right) else float("nan")

    def unknown(self, known: frozenset[str]) -> npt.NDArray[np.bool_]:
        """The words that are not in the training data, ignoring case."""
        return np.array([word.lower() not in known for word in self.words], np.bool_)


class CurvePoint(NamedTuple):
    """The tags that a beam keeps."""

    tag_beam: float
    tags_per_word: float
    oracle: float
    """Share of words whose gold tag is kept."""


def multitag_curve(scored: Scored, tag_beams: Sequence[float] = TAG_BEAMS) -> list[CurvePoint]:
    """Tags per word against oracle accuracy, for each beam."""
    curve = []
    for tag_beam in tag_beams:
        kept = prune(scored.rows, tag_beam, 64)
        owner = np.repeat(np.arange(kept.words), np.diff(kept.offsets))
        found = int((kept.tags == scored.gold[owner]).sum())
        words = max(1, kept.words)
        curve.append(CurvePoint(tag_beam, len(kept.tags) / words, found / words))
    return curve


class Bin(NamedTuple):
    """Words or sentences whose confidence is in one tenth of the range."""

    confidence: float
    accuracy: float
    words: int


def reliability(scored: Scored) -> tuple[list[Bin], float]:
    """The bins of the best tags, and the expected calibration error."""
    return in_bins(np.exp(scored.rows.max(axis=1)), scored.right)


def in_bins(confidence: npt.ArrayLike, right: npt.ArrayLike) -> tuple[list[Bin], float]:
    """Mean confidence and share of right answers in each tenth, and the expected calibration error."""
    values, found = np.asarray(confidence, float), np.asarray(right, float)
    tenth = np.minimum((values * 10).astype(np.int64), 9)
    bins = [
        Bin(float(values[own].mean()), float(found[own].mean()), int(own.sum()))
        for own in (tenth == number for number in range(10))
        if own.any()
    ]
    return bins, sum(abs(own.confidence - own.accuracy) * own.words for own in bins) / max(1, len(values))
