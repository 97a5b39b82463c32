"""A trained supertagger: from words to tags for the search. Runs on onnxruntime without torch."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # read at import: newer versions collect telemetry
import onnxruntime

from starccg.ccg.category import Category
from starccg.devices import REMOTE, available_cores
from starccg.errors import ModelError, StarccgError
from starccg.search.types import Floats2d, TaggedSentence
from starccg.tagger.batching import length_sorted_batches
from starccg.tagger.inflection import lemma_of
from starccg.tagger.inputs import EncoderInputs, Feeds, Inputs, LstmInputs, Piece, numbered
from starccg.tagger.lemmas import apply_rule
from starccg.tagger.pruning import KeptTags, check_tag_beam, join, kept_tags
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

Array = npt.NDArray[Any]
Rows = dict[str, Array]
Place = tuple[int, int, Piece]
"""The number of a sentence, the first word of one of its pieces, and the piece."""
Result = TypeVar("Result")


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
        self.session = session
        """The network: a session of onnxruntime, or what has its method ``run``."""
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
        for batch, (kept, others) in self._run(
            sentences, lambda feeds: self._tags(feeds, names, beam, max_tags), threads
        ):
            tagged = kept.sentences([len(piece.kept) for _, _, piece in batch], beam)
            for (sentence, first, piece), own, *values in zip(batch, tagged, *_split(batch, others), strict=True):
                rows = dict(zip(names[1:], values, strict=True))
                words = sentences[sentence][first : first + len(piece.kept)]
                pos, lemmas = self._notes(words, rows) if annotate else (None, None)
                parts.setdefault(sentence, {})[first] = TaggerOutput(own, pos, lemmas, rows.get(STATES))
        return [_joined([part for _, part in sorted(found.items())]) for _, found in sorted(parts.items())]

    def _notes(self, words: Sequence[str], rows: Rows) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Parts of speech and lemmas of words."""
        pos = tuple(self.manifest["pos"][number] for number in rows["pos"].tolist())
        rules = (self.manifest["lemma"][number] for number in rows["lemma"].tolist())
        written = [plain(word) for word in words]
        return pos, tuple(
            lemma_of(word, tag, apply_rule(rule, word), self.inputs.knows)
            for word, tag, rule in zip(written, pos, rules, strict=True)
        )

    def log_probabilities(self, sentences: Sequence[Sequence[str]]) -> list[Floats2d]:
        """For each sentence the log-probability of every tag for every word: (words, categories)."""
        parts: dict[int, dict[int, Floats2d]] = {}
        for batch, arrays in self._run(sentences, lambda feeds: self._arrays(feeds, [LOG_PROBABILITIES])):
            for (sentence, first, _), rows in zip(batch, *_split(batch, arrays), strict=True):
                parts.setdefault(sentence, {})[first] = rows
        return [np.concatenate([part for _, part in sorted(found.items())]) for _, found in sorted(parts.items())]

    def _run(
        self, sentences: Sequence[Sequence[str]], network: Callable[[Feeds], Result], threads: int | None = None
    ) -> Iterator[tuple[Sequence[Place], Result]]:
        """Each batch with what the network gives for it, in the order of the batches."""
        check_words(sentences)
        pieces: list[Place] = []
        for number, words in enumerate(sentences):
            first = 0
            for piece in self.inputs.encode(words):
                pieces.append((number, first, piece))
                first += len(piece.kept)
        lengths = [len(piece.cells) for _, _, piece in pieces]
        batches = [[pieces[k] for k in batch] for batch in length_sorted_batches(lengths, self._most_cells)]

        def run(batch: Sequence[Place]) -> Result:
            return network(self.inputs.collate([piece for _, _, piece in batch]))

        threads = threads or self.threads
        if threads == 1 or len(batches) < 2:
            yield from zip(batches, map(run, batches), strict=True)
            return
        with ThreadPoolExecutor(threads) as pool:
            yield from zip(batches, pool.map(run, batches), strict=True)

    def _tags(self, feeds: Feeds, names: list[str], beam: float, max_tags: int) -> tuple[KeptTags, list[Array]]:
        """The kept tags, and the other outputs. A session with a method ``tag`` drops the other tags itself."""
        check_tag_beam(beam, max_tags)
        words = len(feeds["positions"])
        if not (words and hasattr(self.session, "tag")):
            scores, *others = self._arrays(feeds, names)
            return kept_tags(scores, beam, max_tags), others
        with self._running():
            kept, others = self.session.tag(names, feeds, beam, max_tags)
        if len(kept.counts) != words or kept.tags.max(initial=0) >= len(self.categories):
            raise self._does_not_fit(f"it has no row of {len(self.categories)} log-probabilities for each word")
        self._check(names[1:], others, words)
        return kept, others

    def _arrays(self, feeds: Feeds, names: list[str]) -> list[Array]:
        """The outputs of the network."""
        words = len(feeds["positions"])
        if not words:
            return [np.zeros((0, len(self.categories)), np.float32) for _ in names]
        with self._running():
            found: list[Array] = self.session.run(names, feeds, self._only_asked_for)
        self._check(names, found, words)
        return found

    @contextmanager
    def _running(self) -> Iterator[None]:
        """Whatever the network raises becomes a :class:`ModelError`."""
        try:
            yield
        except MemoryError:  # fewer sentences may fit
            raise
        except Exception as error:
            raise self._does_not_fit(error) from error

    def _does_not_fit(self, reason: object) -> ModelError:
        return ModelError(
            f"the tagger {self.name!r} cannot be run: its tagger.onnx does not fit its model.json ({str(reason)[:300]})"
        )

    def _check(self, names: Sequence[str], found: Sequence[Array], words: int) -> None:
        """Check outputs against what ``model.json`` says of them."""
        for name, array in zip(names, found, strict=True):
            wanted = (words, len(self.categories)) if name == LOG_PROBABILITIES else (words, *array.shape[1:])
            if array.shape != wanted:
                raise ModelError(
                    f"the tagger {self.name!r} gives {name} of the shape {array.shape} instead of {wanted}: its "
                    "tagger.onnx does not fit its model.json"
                )
            if name in NOTES and not (array.min() >= 0 and array.max() < len(self.manifest[name])):
                raise ModelError(f"the tagger {self.name!r} gives a {name} that its model.json does not list")


def _split(batch: Sequence[Place], arrays: Sequence[Array]) -> list[list[Array]]:
    """Each array as one array for each piece of the batch."""
    ends = np.cumsum([len(piece.kept) for _, _, piece in batch])[:-1]
    return [np.split(array, ends) for array in arrays]


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
    """An onnxruntime session on the CPU, the graph on a GPU, or the session of another process.

    The session uses the thread that calls it and no other. Several threads may call it at once, which makes better use
    of several cores than several threads on each small product.

    ``constants``: weights that are stored in another file.
    """
    if device.startswith(REMOTE):
        from starccg.tagger.remote import RemoteSession  # noqa: PLC0415 - only in worker processes

        return RemoteSession(device.removeprefix(REMOTE))
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
