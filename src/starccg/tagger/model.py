"""A trained supertagger: from words to tags for the search. Runs on onnxruntime without torch."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # read at import: newer versions collect telemetry
import onnxruntime

from starccg.ccg.category import Category
from starccg.errors import ModelError, StarccgError
from starccg.search.types import TaggedSentence
from starccg.tagger.batching import length_sorted_batches
from starccg.tagger.inputs import EncoderInputs, Feeds, Inputs, LstmInputs, Piece, numbered
from starccg.tagger.lemmas import apply_rule
from starccg.tagger.pruning import Floats2d, join, prune
from starccg.tagger.subwords import TOKENIZER_FILE, Subwords
from starccg.tagger.wordpiece import WordPiece
from starccg.tagger.words import plain

PIECES_FILE = "pieces.safetensors"
"""The embeddings of word pieces, where several taggers share them."""
MAX_TAGS = 64
"""The maximum number of tags per word. More never helped a parse; it bounds the cost of words that are noise."""


NOTES = ("pos", "lemma")
"""The outputs of a tagger for parts of speech and lemmas, and the keys of their values in ``model.json``."""
LOG_PROBABILITIES, STATES = "log_probabilities", "states"

Rows = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class TaggerOutput:
    """A tagger's output for a sentence; None: not requested."""

    tagged: TaggedSentence
    pos: tuple[str, ...] | None = None
    """The Penn Treebank's part of speech of each word."""
    lemmas: tuple[str, ...] | None = None
    states: Floats2d | None = None
    """The network's state of each word: (words, width)."""


class Tagger:
    """Tags sentences with supertags and their log-probabilities.

    The tags of a sentence do not depend on the other sentences or on ``threads``: activations are quantised row by
    row, so only the order of floating-point sums can differ (about 1e-6).
    """

    def __init__(
        self, inputs: Inputs, session: Any, manifest: dict[str, Any], name: str = "", *, threads: int = 1
    ) -> None:
        if threads < 0:
            raise StarccgError(f"threads must be positive, or 0 for all cores, not {threads}")
        self.inputs = inputs
        self.manifest = manifest
        self.name = name
        self.kind: str = manifest["kind"]
        self.categories = tuple(Category.parse(text) for text in manifest["categories"])
        self.beam: float = manifest["beam"]
        """The default beam, chosen when the model was calibrated."""
        self.threads = threads or available_cores()
        """The number of batches that run in parallel."""
        self._session = session
        self._most_cells = max(inputs.most_cells, getattr(session, "most_cells", 0))
        self._only_asked_for = onnxruntime.RunOptions()
        self._only_asked_for.only_execute_path_to_fetches = True

    @property
    def annotates(self) -> bool:
        """Whether it predicts parts of speech and lemmas."""
        return all(name in self.manifest for name in NOTES)

    def tag(
        self,
        sentences: Sequence[Sequence[str]],
        beam: float | None = None,
        max_tags: int = MAX_TAGS,
        threads: int | None = None,
    ) -> list[TaggedSentence]:
        """The kept tags of every word: those with at least ``beam`` times the best tag's probability, best first.

        ``threads`` run batches side by side; by default as many as the tagger was loaded with.
        """
        return [output.tagged for output in self.analyse(sentences, beam, max_tags, threads=threads)]

    def analyse(
        self,
        sentences: Sequence[Sequence[str]],
        beam: float | None = None,
        max_tags: int = MAX_TAGS,
        *,
        annotate: bool = False,
        states: bool = False,
        threads: int | None = None,
    ) -> list[TaggerOutput]:
        """As :meth:`tag`, with parts of speech and lemmas (``annotate``) and the network's states, where asked for."""
        if annotate and not self.annotates:
            raise StarccgError(f"the tagger {self.name!r} was trained without parts of speech and lemmas")
        beam = self.beam if beam is None else beam
        names = [LOG_PROBABILITIES, *(NOTES if annotate else ()), *((STATES,) if states else ())]
        if states and not self.manifest.get(STATES):
            raise StarccgError(f"the tagger {self.name!r} does not output its states: export it again")
        parts: dict[int, dict[int, TaggerOutput]] = {}
        for sentence, first, rows in self._run(sentences, names, threads):
            tagged = prune(rows[LOG_PROBABILITIES], beam, max_tags)
            words = sentences[sentence][first : first + tagged.words]
            pos, lemmas = self._notes(words, rows) if annotate else (None, None)
            parts.setdefault(sentence, {})[first] = TaggerOutput(tagged, pos, lemmas, rows.get(STATES))
        return [_joined([part for _, part in sorted(found.items())]) for _, found in sorted(parts.items())]

    def _notes(self, words: Sequence[str], rows: Rows) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Parts of speech and lemmas of words."""
        pos = tuple(self.manifest["pos"][number] for number in rows["pos"].tolist())
        rules = (self.manifest["lemma"][number] for number in rows["lemma"].tolist())
        return pos, tuple(apply_rule(rule, plain(word)) for rule, word in zip(rules, words, strict=True))

    def log_probabilities(self, sentences: Sequence[Sequence[str]]) -> list[Floats2d]:
        """For each sentence the log-probability of every tag for every word: (words, categories)."""
        parts: dict[int, dict[int, Floats2d]] = {}
        for sentence, first, rows in self._run(sentences, [LOG_PROBABILITIES]):
            parts.setdefault(sentence, {})[first] = rows[LOG_PROBABILITIES]
        return [np.concatenate([part for _, part in sorted(found.items())]) for _, found in sorted(parts.items())]

    def _run(
        self, sentences: Sequence[Sequence[str]], names: Sequence[str], threads: int | None = None
    ) -> Iterator[tuple[int, int, Rows]]:
        """The number of a sentence, the first word of one of its pieces, and the outputs for that piece.

        The pieces come in the order of the batches.
        """
        check_words(sentences)
        pieces: list[tuple[int, int, Piece]] = []
        for number, words in enumerate(sentences):
            first = 0
            for piece in self.inputs.encode(words):
                pieces.append((number, first, piece))
                first += len(piece.kept)
        lengths = [len(piece.cells) for _, _, piece in pieces]
        batches = [[pieces[k] for k in batch] for batch in length_sorted_batches(lengths, self._most_cells)]
        results = self._results([[piece for _, _, piece in batch] for batch in batches], names, threads or self.threads)
        for batch, arrays in zip(batches, results, strict=True):
            ends = np.cumsum([len(piece.kept) for _, _, piece in batch])[:-1]
            rows = [np.split(array, ends) for array in arrays]
            for (sentence, first, _), *own in zip(batch, *rows, strict=True):
                yield sentence, first, dict(zip(names, own, strict=True))

    def _results(
        self, batches: Sequence[Sequence[Piece]], names: Sequence[str], threads: int
    ) -> Iterator[list[npt.NDArray[Any]]]:
        """The outputs of the network for each batch, in order."""

        def run(pieces: Sequence[Piece]) -> list[npt.NDArray[Any]]:
            if not any(len(piece.kept) for piece in pieces):
                return [np.zeros((0, len(self.categories)), np.float32) for _ in names]
            return self._run_network(self.inputs.collate(pieces), list(names))

        if threads == 1 or len(batches) < 2:
            yield from map(run, batches)
            return
        with ThreadPoolExecutor(threads) as pool:
            yield from pool.map(run, batches)

    def _run_network(self, feeds: Feeds, names: list[str]) -> list[npt.NDArray[Any]]:
        """The outputs of the network, checked against what ``model.json`` says of them."""
        try:
            found: list[npt.NDArray[Any]] = self._session.run(names, feeds, self._only_asked_for)
        except Exception as error:
            reason = str(error)[:300]
            raise ModelError(
                f"the tagger {self.name!r} cannot be run: its tagger.onnx does not fit its model.json ({reason})"
            ) from error
        words = len(feeds["positions"])
        for name, array in zip(names, found, strict=True):
            wanted = (words, len(self.categories)) if name == LOG_PROBABILITIES else (words, *array.shape[1:])
            if array.shape != wanted:
                raise ModelError(
                    f"the tagger {self.name!r} gives {name} of the shape {array.shape} instead of {wanted}: its "
                    "tagger.onnx does not fit its model.json"
                )
            if name in NOTES and not (array.min() >= 0 and array.max() < len(self.manifest[name])):
                raise ModelError(f"the tagger {self.name!r} gives a {name} that its model.json does not list")
        return found


def _joined(parts: Sequence[TaggerOutput]) -> TaggerOutput:
    """One sentence from its windows."""
    if len(parts) == 1:
        return parts[0]
    states = [part.states for part in parts if part.states is not None]
    return TaggerOutput(
        join([part.tagged for part in parts]),
        None if parts[0].pos is None else tuple(tag for part in parts for tag in part.pos or ()),
        None if parts[0].lemmas is None else tuple(lemma for part in parts for lemma in part.lemmas or ()),
        np.concatenate(states) if states else None,
    )


def check_words(sentences: Sequence[Sequence[str]]) -> None:
    """Raise for input that cannot be tagged."""
    for number, words in enumerate(sentences, 1):
        if isinstance(words, str):
            raise StarccgError(f"sentence {number} is a text, not a list of words: tokenise it first")
        for position, word in enumerate(words, 1):
            if not isinstance(word, str):
                raise StarccgError(f"sentence {number}, word {position}: {type(word).__name__} is not a word")
            if not word or word.isspace():
                raise StarccgError(f"sentence {number}, word {position} is empty: leave it out")


def read_inputs(manifest: dict[str, Any], files: dict[str, Path]) -> Inputs:
    """The input encoding of the model, from its vocabulary files."""
    if manifest["kind"] == "encoder":
        shape = manifest["hyperparameters"]
        mean = shape.get("pooling", "first") == "mean"
        if (path := files.get(TOKENIZER_FILE)) is not None:
            return EncoderInputs(Subwords(path.read_bytes(), str(path)), shape["positions"], mean=mean)
        return EncoderInputs(WordPiece.read(files["wordpieces.txt"]), shape["positions"], mean=mean)
    if manifest["kind"] == "lstm":
        vocabulary = json.loads(files["vocabulary.json"].read_text("utf-8"))
        return LstmInputs(numbered(vocabulary["words"]), numbered(vocabulary["affixes"]))
    raise StarccgError(f"a tagger of kind {manifest['kind']!r} needs a newer version of starccg")


def open_session(graph: bytes, device: str = "cpu", constants: Mapping[str, npt.NDArray[Any]] | None = None) -> Any:
    """An onnxruntime session on the CPU, or the graph on a GPU.

    The session uses the thread that calls it and no other. Several threads may call it at once, which makes better use
    of several cores than several threads on each small product.

    ``constants``: weights that are stored in another file.
    """
    if device != "cpu":
        from starccg.tagger.torch_graph import TorchGraph  # noqa: PLC0415 - torch and onnx are an extra

        return TorchGraph(graph, device, constants)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = 3
    if constants:
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(array)) for array in constants.values()]
        options.add_external_initializers(list(constants), values)
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def available_cores() -> int:
    """The cores that this process may use; in a container fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
