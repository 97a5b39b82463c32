"""The rows of words in the embedding table, and pretrained word vectors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from starccg.errors import StarccgError
from starccg.files import read_bytes
from starccg.globalmodel.parameters import Floats

UNKNOWN = 0
"""The row of unknown words."""
_DIGIT = re.compile(r"[0-9]")


def normalise(word: str) -> str:
    """Lower case, every digit replaced by 0: 1997 and 2016 are the same word."""
    return _DIGIT.sub("0", word.lower())


class Vocabulary:
    """Normalised words in the order of their rows; row 0 is the unknown word."""

    __slots__ = ("_rows", "words")

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self._rows = {word: row for row, word in enumerate(self.words, 1)}
        if len(self._rows) != len(self.words):
            raise StarccgError("the vocabulary has a word twice")

    def __len__(self) -> int:
        return len(self.words) + 1

    def rows(self, words: Iterable[str]) -> list[int]:
        """The row of each word: as written if it has one, otherwise normalised."""
        return [self._rows.get(word.lower()) or self._rows.get(normalise(word), UNKNOWN) for word in words]


def read_words(path: Path) -> list[str]:
    """The words of a file, one a line. Only line feeds end a line: word vectors have words such as U+0085."""
    try:
        lines = read_bytes(path).decode("utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise StarccgError(f"{path}: not UTF-8: {error.reason}") from None
    return [line.removesuffix("\r") for line in lines]


class Vectors:
    """Pretrained word vectors: ``vocab.txt``, one word per line, and ``vectors.*.npy``, their rows."""

    def __init__(self, folder: Path) -> None:
        files = sorted(folder.glob("vectors*.npy"))
        if not files or not (folder / "vocab.txt").is_file():
            raise StarccgError(f"{folder}: expected vocab.txt and vectors.npy, the rows of its words")
        self.words = read_words(folder / "vocab.txt")
        self.array = np.load(files[0], allow_pickle=False).astype(np.float32)
        if self.array.ndim != 2 or len(self.array) != len(self.words):
            raise StarccgError(f"{files[0]}: {self.array.shape} is not one row for each of {len(self.words)} words")

    @property
    def dimensions(self) -> int:
        """The dimensions of a vector."""
        return int(self.array.shape[1])


def build_vocabulary(
    sentences: Iterable[Sequence[str]], vectors: Vectors | None = None, *, least: int = 2, most: int = 100_000
) -> tuple[Vocabulary, int]:
    """The words that get rows, and the number of rows, from the first, that training can change.

    First words of the training sentences that occur ``least`` times or have a vector, then the other words with
    vectors, up to ``most``, for words that are not in the treebank.
    """
    known = set() if vectors is None else set(vectors.words)
    counts: Counter[str] = Counter()
    for words in sentences:
        counts.update(lower if (lower := word.lower()) in known else normalise(word) for word in words)
    trained = sorted((word for word, count in counts.items() if count >= least or word in known))
    rest = [] if vectors is None else list(dict.fromkeys(word for word in vectors.words if word not in counts))
    return Vocabulary([*trained, *rest[: max(0, most - len(trained))]]), len(trained) + 1


def embed(vocabulary: Vocabulary, vectors: Vectors, rows: Floats) -> Floats:
    """``rows`` with the pretrained vector of every word that has one."""
    if rows.shape[1] != vectors.dimensions:
        raise StarccgError(f"the vectors have {vectors.dimensions} dimensions, the model's words {rows.shape[1]}")
    found = {word: row for row, word in enumerate(vectors.words)}
    pairs = [(row, found[word]) for row, word in enumerate(vocabulary.words, 1) if word in found]
    rows = rows.copy()
    if pairs:
        ours, theirs = map(list, zip(*pairs, strict=True))
        rows[ours] = vectors.array[theirs]
    return rows
