"""What the global model learns from: gold derivations paired with the tags a jackknifed tagger gave their words."""

from __future__ import annotations

import gzip
import hashlib
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from starccg.ccg.category import Category, CategoryError
from starccg.ccg.table import RuleTable
from starccg.derivation import Derivation, Sentence
from starccg.errors import StarccgError
from starccg.formats.auto import read_auto
from starccg.search.types import Floats2d, Ints1d, Node, TaggedSentence
from starccg.tagger.saved import SavedTags, read_tags
from starccg.training.trees import Bridge, NotInGrammarError


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence to learn from, or to measure on."""

    id: str
    words: tuple[str, ...]
    tagged: TaggedSentence
    derivation: Derivation
    gold: tuple[Node, ...] | None = None
    """The derivation in numbers; None where the search could never build it."""
    encoded: Floats2d | None = None
    """The tagger's states of the words, for models that read those."""


@dataclass(slots=True)
class Report:
    """How many sentences can be learned from, and why the others cannot."""

    sentences: int = 0
    usable: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    gold_tag_missing: int = 0
    """Usable sentences where the tagger's beam dropped the gold tag of some word."""

    def __str__(self) -> str:
        reasons = "; ".join(f"{count} × {reason}" for reason, count in self.left_out.most_common(5))
        text = f"{self.usable} of {self.sentences} sentences, {self.gold_tag_missing} lack a gold tag"
        return f"{text}; left out: {reasons}" if reasons else text


def pair(
    sentences: Iterable[Sentence],
    tags: SavedTags,
    table: RuleTable,
    encoded: dict[str, Floats2d] | None = None,
    source: str = "tags",
) -> tuple[list[Example], Report]:
    """Every sentence with its tags, by id. A sentence that has none, or another number of words, is an error."""
    bridge, report = Bridge(table), Report()
    renumbered = _renumbered(tags, table, source)
    examples: list[Example] = []
    for sentence in sentences:
        words = tuple(sentence.derivation.words)
        given = tags.sentences.get(sentence.id)
        if given is None:
            raise StarccgError(f"{source}: no tags for sentence {sentence.id}: tag the very file that is trained on")
        if given.words != len(words):
            raise StarccgError(
                f"{source}: sentence {sentence.id} has {given.words} tagged words, its derivation {len(words)}"
            )
        tagged = _in_table(given, renumbered)
        report.sentences += 1
        gold: tuple[Node, ...] | None = None
        try:
            gold = bridge.nodes(sentence.derivation)
            report.usable += 1
            report.gold_tag_missing += not has_gold_tags(tagged, gold)
        except NotInGrammarError as error:
            report.left_out[str(error)] += 1
        states = None if encoded is None else encoded.get(sentence.id)
        if encoded is not None and states is None:
            raise StarccgError(f"no encoder states for sentence {sentence.id}")
        examples.append(Example(sentence.id, words, tagged, sentence.derivation, gold, states))
    return examples, report


def _renumbered(tags: SavedTags, table: RuleTable, source: str) -> Ints1d:
    """The number in the table of each category of the tags; -1 where the table has none."""
    lexical = {category: number for number, category in enumerate(table.categories[: table.lexical])}
    try:
        categories = [Category.parse(text) for text in tags.categories]
    except CategoryError as error:
        raise StarccgError(f"{source}: {error}") from error
    renumbered = np.array([lexical.get(category.bare_nb, -1) for category in categories], np.int32)
    if not len(renumbered) or (renumbered < 0).all():
        raise StarccgError(f"{source}: none of its categories is a lexical category of the grammar")
    return renumbered


def _in_table(given: TaggedSentence, renumbered: Ints1d) -> TaggedSentence:
    tags = renumbered[given.tags]
    known = (tags >= 0) & np.isfinite(given.log_probabilities)
    kept = np.concatenate(([0], np.cumsum(known)))[given.offsets]
    return TaggedSentence(tags[known], np.minimum(given.log_probabilities[known], 0), kept.astype(np.int32))


def read_treebank(path: Path) -> Iterator[Sentence]:
    """The sentences of an AUTO file, plain or ``.gz``."""
    if path.suffix != ".gz":
        yield from read_auto(path)
        return
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from read_auto(file)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise StarccgError(f"{path}: cannot be read: {error}") from error


def read_examples(
    auto: Path, tags: Path, table: RuleTable, encoded: Path | None = None
) -> tuple[list[Example], Report]:
    """The examples of an AUTO file and its tags."""
    states = None if encoded is None else load_encoded(encoded)
    return pair(read_treebank(auto), read_tags(tags), table, states, str(tags))


def has_gold_tags(tagged: TaggedSentence, gold: Sequence[Node]) -> bool:
    """Whether the tags of every word hold the gold one."""
    return all(
        (tagged.tags[tagged.offsets[node.start] : tagged.offsets[node.end]] == node.category).any()
        for node in gold
        if node.left < 0
    )


def load_encoded(path: Path) -> dict[str, Floats2d]:
    """The tagger's states by sentence, from an ``.npz`` of ``states`` (words, w), ``sentence_offsets`` and ``ids``."""
    arrays = _load_npz(path, ("states", "sentence_offsets", "ids"))
    states, offsets = arrays["states"], arrays["sentence_offsets"]
    if states.ndim != 2 or not _rises(offsets, len(states)) or len(arrays["ids"]) != len(offsets) - 1:
        raise StarccgError(f"{path}: sentence_offsets must rise from 0 to the number of states, one more than ids")
    parts = np.split(states.astype(np.float32), offsets[1:-1])
    return dict(zip(map(str, arrays["ids"].tolist()), parts, strict=True))


def synthetic_tags(
    sentences: Sequence[Sentence], seed: int = 0, *, wrong: float = 0.06, strangers: int = 2, most: int = 6
) -> SavedTags:
    """Tags as a tagger with an error rate of ``wrong`` might give them, for development: gold with plausible rivals.

    A rival is a category that the same word has elsewhere in these sentences, or one of so many ``strangers``,
    categories of any word.
    """
    by_word: dict[str, Counter[Category]] = {}
    overall: Counter[Category] = Counter()
    for sentence in sentences:
        for leaf in sentence.derivation.leaves():
            by_word.setdefault(leaf.word.lower(), Counter())[leaf.category.bare_nb] += 1
            overall[leaf.category.bare_nb] += 1
    categories = tuple(category for category, _ in overall.most_common())
    numbers = {category: number for number, category in enumerate(categories)}
    common = range(min(40, len(categories)))
    random = np.random.default_rng([seed, 11])
    tagged: dict[str, TaggedSentence] = {}
    for sentence in sentences:
        tags: list[int] = []
        scores: list[float] = []
        offsets = [0]
        for leaf in sentence.derivation.leaves():
            gold = numbers[leaf.category.bare_nb]
            own = [numbers[category] for category, _ in by_word[leaf.word.lower()].most_common(most)]
            rivals = dict.fromkeys([*own, *random.choice(common, strangers).tolist()])
            rivals.pop(gold, None)
            names = [gold, *rivals][:most]
            logits = np.append(0.0, -random.gamma(2.0, 2.0, len(names) - 1) - 0.5)
            if len(names) > 1 and random.random() < wrong:
                logits[0], logits[1] = logits[1], logits[0]
            log_probabilities = logits - np.logaddexp.reduce(logits)
            order = np.argsort(-log_probabilities, kind="stable")
            tags += [names[k] for k in order]
            scores += log_probabilities[order].tolist()
            offsets.append(len(tags))
        tagged[sentence.id] = TaggedSentence(
            np.array(tags, np.int32), np.array(scores, np.float32), np.array(offsets, np.int32)
        )
    return SavedTags(tuple(map(str, categories)), tagged)


def fingerprint(*paths: Path) -> str:
    """A SHA-256 over files, so that a resumed run can tell whether its data changed."""
    digest = hashlib.sha256()
    for path in paths:
        try:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            raise StarccgError(f"{path}: cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def _load_npz(path: Path, names: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    try:
        with np.load(path, allow_pickle=False) as file:
            if missing := [name for name in names if name not in file]:
                raise StarccgError(f"{path}: the array {missing[0]!r} is missing")
            return {name: file[name] for name in names}
    except OSError as error:
        raise StarccgError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, zipfile.BadZipFile) as error:
        if isinstance(error, StarccgError):
            raise
        raise StarccgError(f"{path}: not an .npz of plain arrays: {error}") from error


def _rises(offsets: npt.NDArray[Any], end: int) -> bool:
    plain = np.asarray(offsets, np.int64)
    return bool(plain.ndim == 1 and len(plain) and plain[0] == 0 and plain[-1] == end and (np.diff(plain) >= 0).all())
