"""What the global model learns from: gold derivations paired with the tags a jackknifed tagger gave their words.

Tags come as one ``.npz``: word ``i`` of all words has the tags ``tags[offsets[i]:offsets[i + 1]]``, numbers of
``categories``, best first, with ``log_probabilities`` of the same positions; sentence ``k``, named ``ids[k]``, has the
words ``sentence_offsets[k]`` to ``sentence_offsets[k + 1]``.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from starccg.ccg.category import Category, CategoryError
from starccg.ccg.table import RuleTable
from starccg.derivation import Derivation, Sentence
from starccg.errors import StarccgError
from starccg.formats.auto import read_auto
from starccg.search.types import Floats1d, Floats2d, Ints1d, Node, TaggedSentence
from starccg.training.trees import Bridge, NotInGrammarError


@dataclass(frozen=True, slots=True)
class Tags:
    """The kept tags of many sentences."""

    tags: Ints1d
    log_probabilities: Floats1d
    offsets: Ints1d
    sentence_offsets: Ints1d
    ids: tuple[str, ...]
    categories: tuple[Category, ...]
    source: str = "tags"

    def __post_init__(self) -> None:
        wrong = None
        if len(self.tags) != len(self.log_probabilities):
            wrong = f"{len(self.tags)} tags but {len(self.log_probabilities)} log-probabilities"
        elif not _rises(self.offsets, len(self.tags)):
            wrong = "offsets must rise from 0 to the number of tags"
        elif (
            not _rises(self.sentence_offsets, len(self.offsets) - 1) or len(self.ids) != len(self.sentence_offsets) - 1
        ):
            wrong = "sentence_offsets must rise from 0 to the number of words, one more than there are ids"
        elif len(self.tags) and not (self.tags.min() >= 0 and self.tags.max() < len(self.categories)):
            wrong = f"a tag is not a number of one of the {len(self.categories)} categories"
        elif len(self.tags) and not (
            np.isfinite(self.log_probabilities).all() and self.log_probabilities.max() <= 1e-6
        ):
            wrong = "log-probabilities must be finite and at most 0"
        if wrong:
            raise StarccgError(f"{self.source}: {wrong}")

    def sentence(self, number: int, renumbered: Ints1d) -> TaggedSentence:
        """One sentence, its tags numbered anew (-1: a tag the grammar does not have, left out)."""
        first, last = self.sentence_offsets[number], self.sentence_offsets[number + 1]
        offsets = self.offsets[first : last + 1]
        tags = renumbered[self.tags[offsets[0] : offsets[-1]]]
        scores = self.log_probabilities[offsets[0] : offsets[-1]]
        known = tags >= 0
        kept = np.concatenate(([0], np.cumsum(known)))[offsets - offsets[0]]
        return TaggedSentence(
            np.ascontiguousarray(tags[known], np.int32), np.ascontiguousarray(scores[known]), kept.astype(np.int32)
        )

    def save(self, path: Path) -> None:
        """Write the ``.npz``."""
        np.savez_compressed(
            path,
            tags=self.tags,
            log_probabilities=self.log_probabilities,
            offsets=self.offsets,
            sentence_offsets=self.sentence_offsets,
            ids=np.array(self.ids, np.str_),
            categories=np.array([str(category) for category in self.categories], np.str_),
        )

    @classmethod
    def load(cls, path: Path) -> Tags:
        """Read the ``.npz``."""
        arrays = _load_npz(path, ("tags", "log_probabilities", "offsets", "sentence_offsets", "ids", "categories"))
        try:
            categories = tuple(Category.parse(str(text)) for text in arrays["categories"].tolist())
        except CategoryError as error:
            raise StarccgError(f"{path}: {error}") from error
        return cls(
            arrays["tags"].astype(np.int32),
            arrays["log_probabilities"].astype(np.float32),
            arrays["offsets"].astype(np.int32),
            arrays["sentence_offsets"].astype(np.int32),
            tuple(map(str, arrays["ids"].tolist())),
            categories,
            str(path),
        )


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
    sentences: Iterable[Sentence], tags: Tags, table: RuleTable, encoded: dict[str, Floats2d] | None = None
) -> tuple[list[Example], Report]:
    """Every sentence with its tags, by id. A sentence that has none, or another number of words, is an error."""
    bridge, report = Bridge(table), Report()
    numbers = {name: number for number, name in enumerate(tags.ids)}
    lexical = {category: number for number, category in enumerate(table.categories[: table.lexical])}
    renumbered = np.array([lexical.get(category.bare_nb, -1) for category in tags.categories], np.int32)
    if len(renumbered) and (renumbered < 0).all():
        raise StarccgError(f"{tags.source}: none of its categories is a lexical category of the grammar")
    examples: list[Example] = []
    for sentence in sentences:
        words = tuple(sentence.derivation.words)
        number = numbers.get(sentence.id)
        if number is None:
            raise StarccgError(
                f"{tags.source}: no tags for sentence {sentence.id}: tag the same file that is trained on"
            )
        tagged = tags.sentence(number, renumbered)
        if tagged.words != len(words):
            raise StarccgError(
                f"{tags.source}: sentence {sentence.id} has {tagged.words} tagged words, its derivation {len(words)}"
            )
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


def read_examples(
    auto: Path, tags: Tags, table: RuleTable, encoded: Path | None = None
) -> tuple[list[Example], Report]:
    """The examples of an AUTO file."""
    return pair(read_auto(auto), tags, table, None if encoded is None else load_encoded(encoded))


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


def synthetic_tags(sentences: Sequence[Sentence], seed: int = 0, *, wrong: float = 0.06, most: int = 6) -> Tags:
    """Tags as a tagger with an error rate of ``wrong`` might give them, for development: gold with plausible rivals.

    A rival is a category that the same word, or else any word, has elsewhere in these sentences.
    """
    by_word: dict[str, Counter[Category]] = {}
    overall: Counter[Category] = Counter()
    for sentence in sentences:
        for leaf in sentence.derivation.leaves():
            by_word.setdefault(leaf.word.lower(), Counter())[leaf.category.bare_nb] += 1
            overall[leaf.category.bare_nb] += 1
    categories = tuple(category for category, _ in overall.most_common())
    numbers = {category: number for number, category in enumerate(categories)}
    common = [numbers[category] for category in categories[:40]]
    random = np.random.default_rng([seed, 11])
    tags: list[int] = []
    scores: list[float] = []
    offsets, sentence_offsets = [0], [0]
    for sentence in sentences:
        for leaf in sentence.derivation.leaves():
            gold = numbers[leaf.category.bare_nb]
            own = [numbers[category] for category, _ in by_word[leaf.word.lower()].most_common(most)]
            rivals = dict.fromkeys([*own, *random.choice(common, 2).tolist()])
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
        sentence_offsets.append(len(offsets) - 1)
    return Tags(
        np.array(tags, np.int32),
        np.array(scores, np.float32),
        np.array(offsets, np.int32),
        np.array(sentence_offsets, np.int32),
        tuple(sentence.id for sentence in sentences),
        categories,
        "synthetic tags",
    )


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


def _load_npz(path: Path, names: Sequence[str]) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]:
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


def _rises(offsets: np.ndarray[tuple[int, ...], np.dtype[np.generic]], end: int) -> bool:
    plain = np.asarray(offsets, np.int64)
    return bool(plain.ndim == 1 and len(plain) and plain[0] == 0 and plain[-1] == end and (np.diff(plain) >= 0).all())
