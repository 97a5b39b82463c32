"""Word vectors in the formats that they are distributed in, for taggers and global models.

A text file (``.txt``, also ``.gz``) has a word and its numbers on each line, as those of Turian et al. (2010), GloVe
and word2vec (whose first line is a count). A folder has ``vocab.txt`` and ``vectors.npy``, the rows of its words.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from starccg.errors import StarccgError
from starccg.files import write_atomically
from starccg.formats.errors import numbered_lines
from starccg.globalmodel import Vectors
from starccg.globalmodel.parameters import Floats

FILES = ("vectors.npy", "vocab.txt")


def read_vectors(path: Path) -> tuple[list[str], Floats]:
    """Words and their rows. Words are looked up in lower case: of the spellings of a word, the first one counts.

    A line that is not UTF-8 is left out: no word of a text is written like that. Words may contain spaces.
    """
    if path.is_dir():
        found = Vectors(path)
        return found.words, found.array
    rows: dict[str, Floats] = {}
    width = 0
    for name, number, line in numbered_lines(path, []):
        word, *numbers = line.rstrip(" \t").rsplit(" ", width or -1)
        if not line.strip() or (number == 1 and len(numbers) == 1):
            continue
        try:
            row = np.array([float(text) for text in numbers], np.float32)
        except ValueError:
            raise StarccgError(f"{name}:{number}: expected a word and its numbers, separated by spaces") from None
        width = width or len(row)
        if not width or len(row) != width:
            raise StarccgError(f"{name}:{number}: {len(row)} numbers, where the lines above have {width}")
        rows.setdefault(word.lower(), row)
    if not rows:
        raise StarccgError(f"{path}: it has no word vectors")
    return list(rows), np.stack(list(rows.values()))


def check_vectors(path: Path) -> None:
    """Raise an error if there are no word vectors at a path."""
    if path.is_dir():
        Vectors(path)
    elif not path.is_file():
        raise StarccgError(f"{path}: there is no such file or folder of word vectors")


def random_vectors(words: Iterable[str], width: int) -> tuple[list[str], Floats]:
    """A random vector for each word, the same in every run."""
    names = list(dict.fromkeys(words))
    return names, np.random.default_rng(0).normal(0, 0.1, (len(names), width)).astype(np.float32)


def write_vectors(folder: Path, words: Iterable[str], rows: Floats) -> None:
    """Write a folder of vectors."""
    folder.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    np.save(buffer, rows)
    write_atomically(folder / FILES[0], buffer.getvalue())
    write_atomically(folder / FILES[1], "".join(f"{word}\n" for word in words).encode())
