"""What taggers and global models learn from: sentences of treebanks, and the tags that a tagger gives their words."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from starccg.ccg.category import Category, CategoryError
from starccg.ccg.derivation import Derivation, Sentence
from starccg.ccg.table import RuleTable
from starccg.dependencies.types import Dependency
from starccg.errors import StarccgError
from starccg.evaluation import Analysis
from starccg.formats.auto import read_auto, read_treebank
from starccg.formats.errors import numbered_lines
from starccg.formats.parg import read_parg
from starccg.search.types import Floats2d, Ints1d, Node, TaggedSentence
from starccg.tagger.saved import SavedTags, read_tags
from starccg.training.trees import Bridge, NotInGrammarError

UNTAGGED = TaggedSentence(np.zeros(0, np.int32), np.zeros(0, np.float32), np.zeros(1, np.int32))


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence to learn from or to evaluate on, for taggers and for global models."""

    id: str
    words: tuple[str, ...]
    supertags: tuple[str, ...]
    """The gold ones."""
    derivation: Derivation | None = None
    """The gold one; taggers do not keep it."""
    dependencies: tuple[Dependency, ...] | None = None
    """The gold ones, where they are not simply those of the derivation (PARG files)."""
    tagged: TaggedSentence = UNTAGGED
    """The tags from a tagger."""
    gold: tuple[Node, ...] | None = None
    """The derivation as nodes of the search; None where the search could never build it."""
    encoded: Floats2d | None = None
    """The tagger's states of the words, for models that read those."""

    @classmethod
    def of(cls, sentence: Sentence) -> Example:
        """The words and supertags of a sentence."""
        leaves = list(sentence.derivation.leaves())
        supertags = tuple(str(leaf.category.bare_nb) for leaf in leaves)
        return cls(sentence.id, tuple(leaf.word for leaf in leaves), supertags)

    def analysis(self) -> Analysis:
        """The gold analysis that parses are scored against."""
        if self.dependencies is not None:
            supertags = tuple(Category.parse(tag) for tag in self.supertags)
            return Analysis(self.id, self.words, self.dependencies, supertags, from_parg=True)
        assert self.derivation is not None
        return Analysis.of_derivation(self.derivation, self.id)


@dataclass(slots=True)
class Report:
    """How many sentences can be learned from, and why the others are skipped."""

    sentences: int = 0
    usable: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    gold_tag_missing: int = 0
    """Usable sentences where the tagger's beam dropped the gold tag of some word."""

    def __str__(self) -> str:
        reasons = "; ".join(f"{count} × {reason}" for reason, count in self.skipped.most_common(5))
        text = f"{self.usable} of {self.sentences} sentences, {self.gold_tag_missing} lack a gold tag"
        return f"{text}; skipped: {reasons}" if reasons else text


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
        example = replace(Example.of(sentence), derivation=sentence.derivation)
        given = tags.sentences.get(sentence.id)
        if given is None:
            raise StarccgError(f"{source}: no tags for sentence {sentence.id}: tag the file that is trained on")
        if given.words != len(example.words):
            raise StarccgError(
                f"{source}: sentence {sentence.id} has {given.words} tagged words, its derivation {len(example.words)}"
            )
        tagged = _in_table(given, renumbered)
        report.sentences += 1
        gold: tuple[Node, ...] | None = None
        try:
            gold = bridge.nodes(sentence.derivation)
            report.usable += 1
            report.gold_tag_missing += not has_gold_tags(tagged, gold)
        except NotInGrammarError as error:
            report.skipped[str(error)] += 1
        states = None if encoded is None else encoded.get(sentence.id)
        if encoded is not None and states is None:
            raise StarccgError(f"no encoder states for sentence {sentence.id}")
        examples.append(replace(example, tagged=tagged, gold=gold, encoded=states))
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


def states_of(examples: Sequence[Example]) -> list[Floats2d] | None:
    """The tagger's states of all examples; None if some have none."""
    found = [example.encoded for example in examples if example.encoded is not None]
    return found if len(found) == len(examples) else None


def check_file(path: Path) -> None:
    """Raise an error if a file that a configuration names does not exist."""
    if not path.is_file():
        raise StarccgError(f"{path} does not exist: paths in a configuration are relative to --data")


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a text file, plain or ``.gz``, without their ends."""
    check_file(path)
    for _, _, line in numbered_lines(path):
        yield line


def read_examples(path: Path, limit: int | None = None) -> list[Example]:
    """The words and supertags of an AUTO file, at most ``limit`` sentences."""
    check_file(path)
    return [Example.of(sentence) for sentence in islice(read_treebank(path), limit)]


def read_tagged_examples(
    auto: Path, tags: Path, table: RuleTable, encoded: Path | None = None, parg: Path | None = None
) -> tuple[list[Example], Report]:
    """The examples of an AUTO file with its tags and, with ``parg``, the gold dependencies of a PARG file."""
    states = None if encoded is None else load_encoded(encoded)
    examples, report = pair(read_auto(auto), read_tags(tags), table, states, str(tags))
    if parg is not None:
        gold = {sentence.id: sentence.dependencies for sentence in read_parg(parg)}
        if missing := [example.id for example in examples if example.id not in gold]:
            raise StarccgError(f"{parg}: no dependencies of sentence {missing[0]} of {auto}")
        examples = [replace(example, dependencies=gold[example.id]) for example in examples]
    return examples, report


def learnable(examples: Iterable[Example], longest: int) -> list[Example]:
    """The sentences that can be learned from: those whose gold derivation the search could build, and not too long.

    Where the tagger's beam dropped a gold tag, the search goes on until the gold derivation is lost.
    """
    return [example for example in examples if example.gold is not None and len(example.words) <= longest]


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
