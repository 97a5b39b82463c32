"""A trained supertagger: words in, the tags a search gets out. Runs on onnxruntime; torch is not needed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # read at import: newer ones keep a record of use to report it
import onnxruntime

from starccg.ccg.category import Category
from starccg.errors import StarccgError
from starccg.folders import ModelError, read_folder
from starccg.search.types import TaggedSentence
from starccg.tagger.batching import length_sorted_batches
from starccg.tagger.inputs import EncoderInputs, Inputs, LstmInputs, numbered
from starccg.tagger.pruning import Floats2d, join, prune
from starccg.tagger.wordpiece import WordPiece

MAX_TAGS = 64
"""More tags than this for one word never helped a parse; it bounds what a word of pure noise can cost."""


class Tagger:
    """Tags sentences with supertags and their log-probabilities.

    What a sentence gets does not depend on the sentences beside it nor on ``threads``: activations are quantised row by
    row, so only the order of floating-point sums, some 1e-6, can differ.
    """

    def __init__(
        self, inputs: Inputs, session: onnxruntime.InferenceSession, manifest: dict[str, Any], name: str = ""
    ) -> None:
        self.inputs = inputs
        self.manifest = manifest
        self.name = name
        self.kind: str = manifest["kind"]
        self.categories = tuple(Category.parse(text) for text in manifest["categories"])
        self.beam: float = manifest["beam"]
        """The default beam, chosen when the model was calibrated."""
        self._session = session

    @classmethod
    def load(cls, folder: str | os.PathLike[str], threads: int = 0) -> Tagger:
        """Load a model folder after checking every file; ``threads`` 0 stands for all cores this process may use."""
        manifest, files = read_folder(folder, "tagger")
        try:
            inputs = read_inputs(manifest, files)
            return cls(inputs, open_session(files["tagger.onnx"].read_bytes(), threads), manifest, Path(folder).name)
        except KeyError as error:
            raise ModelError(f"{folder}: the model lacks {error}: fetch or export it again") from None

    def tag(
        self, sentences: Sequence[Sequence[str]], beam: float | None = None, max_tags: int = MAX_TAGS
    ) -> list[TaggedSentence]:
        """The kept tags of every word: those with at least ``beam`` times the best tag's probability, best first."""
        beam = self.beam if beam is None else beam
        parts: dict[int, dict[int, TaggedSentence]] = {}
        for sentence, part, rows in self._run(sentences):
            parts.setdefault(sentence, {})[part] = prune(rows, beam, max_tags)
        return [join([found[part] for part in sorted(found)]) for _, found in sorted(parts.items())]

    def log_probabilities(self, sentences: Sequence[Sequence[str]]) -> list[Floats2d]:
        """For each sentence the log-probability of every tag for every word: (words, categories)."""
        parts: dict[int, dict[int, Floats2d]] = {}
        for sentence, part, rows in self._run(sentences):
            parts.setdefault(sentence, {})[part] = rows
        return [np.concatenate([found[part] for part in sorted(found)]) for _, found in sorted(parts.items())]

    def _run(self, sentences: Sequence[Sequence[str]]) -> Iterator[tuple[int, int, Floats2d]]:
        """Sentence, number of the piece in it, its rows; in whatever order makes good batches."""
        check_words(sentences)
        pieces = [
            (number, part, piece)
            for number, words in enumerate(sentences)
            for part, piece in enumerate(self.inputs.encode(words))
        ]
        lengths = [len(piece.cells) for _, _, piece in pieces]
        for batch in length_sorted_batches(lengths, self.inputs.most_cells):
            chosen = [pieces[position] for position in batch]
            sizes = [len(piece.kept) for _, _, piece in chosen]
            if sum(sizes):
                feeds = self.inputs.collate([piece for _, _, piece in chosen])
                rows = cast("Floats2d", self._session.run(["log_probabilities"], feeds)[0])
            else:
                rows = np.zeros((0, len(self.categories)), np.float32)
            start = 0
            for (sentence, part, _), size in zip(chosen, sizes, strict=True):
                yield sentence, part, rows[start : start + size]
                start += size


def check_words(sentences: Sequence[Sequence[str]]) -> None:
    """Refuse what cannot be tagged, saying where it is."""
    for number, words in enumerate(sentences, 1):
        if isinstance(words, str):
            raise StarccgError(f"sentence {number} is a text, not a list of words: tokenise it first")
        for position, word in enumerate(words, 1):
            if not isinstance(word, str):
                raise StarccgError(f"sentence {number}, word {position}: {type(word).__name__} is not a word")
            if not word or word.isspace():
                raise StarccgError(f"sentence {number}, word {position} is empty: leave it out")


def read_inputs(manifest: dict[str, Any], files: dict[str, Path]) -> Inputs:
    """How the model reads words, from its vocabulary files."""
    if manifest["kind"] == "encoder":
        return EncoderInputs(WordPiece.read(files["wordpieces.txt"]), manifest["hyperparameters"]["positions"])
    if manifest["kind"] == "lstm":
        vocabulary = json.loads(files["vocabulary.json"].read_text("utf-8"))
        return LstmInputs(numbered(vocabulary["words"]), numbered(vocabulary["affixes"]))
    raise ModelError(f"a tagger of kind {manifest['kind']!r} needs a newer version of starccg")


def open_session(graph: bytes, threads: int = 0) -> onnxruntime.InferenceSession:
    """An onnxruntime session on the CPU that uses ``threads`` threads and no more."""
    if threads < 0:
        raise StarccgError(f"threads must be positive, or 0 for all cores, not {threads}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or available_cores()
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def available_cores() -> int:
    """Cores this process may use, which in a container is fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
