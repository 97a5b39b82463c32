"""The sentences that every system of an experiment is measured on, tagged once, with their gold dependencies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from starccg.ccg.compiler import compile_grammar
from starccg.ccg.table import RuleTable
from starccg.errors import StarccgError
from starccg.evaluation import Analysis, CcgbankExclusions
from starccg.files import sha256
from starccg.formats.auto import read_treebank
from starccg.globalmodel import GlobalModel
from starccg.model_folder.parts import read_parts
from starccg.search.searcher import Searcher
from starccg.search.types import Floats2d, TaggedSentence
from starccg.tagger.model import MAX_TAGS, Tagger
from starccg.tagger.saved import read_tags, write_tags
from starccg.training.data import Example, states_of
from starccg.training.globalmodel.dev_evaluation import with_states

Words = tuple[str, ...]


@dataclass(frozen=True)
class EvaluationSet:
    """Sentences with tags and gold dependencies; categories are numbers of one rule table."""

    table: RuleTable
    words: Sequence[Words]
    tagged: Sequence[TaggedSentence]
    gold: Sequence[Analysis]
    sources: Sequence[str]
    """The file of each sentence."""
    key: str
    """A fingerprint of everything here."""
    exclusions: CcgbankExclusions | None = None
    """The dependencies that are not scored; None: all are."""
    encoded: Sequence[Floats2d] | None = None
    """The tagger's states of the words, for a global model that reads them."""

    def some(self, numbers: Iterable[int]) -> EvaluationSet:
        """A part of the sentences, by number."""
        chosen = list(numbers)
        return replace(
            self,
            words=[self.words[i] for i in chosen],
            tagged=[self.tagged[i] for i in chosen],
            gold=[self.gold[i] for i in chosen],
            sources=[self.sources[i] for i in chosen],
            encoded=None if self.encoded is None else [self.encoded[i] for i in chosen],
            key=_digest([self.key, *map(str, chosen)]),
        )

    @property
    def tags_per_word(self) -> float:
        """The mean number of tags that the tagger's beam keeps."""
        return sum(len(s.tags) for s in self.tagged) / max(1, sum(s.words for s in self.tagged))

    @property
    def words_per_sentence(self) -> float:
        """The mean length."""
        return sum(map(len, self.words)) / max(1, len(self.words))


@dataclass(frozen=True)
class LoadedModel:
    """The parts of a model folder that an experiment needs."""

    folder: Path
    table: RuleTable
    tagger: Tagger
    global_model: GlobalModel | None
    key: str
    provenance: Mapping[str, Any] = field(default_factory=dict)
    """The provenance of the global model, as recorded in its folder."""

    def training(self) -> str:
        """The provenance in a sentence; empty if the folder has none."""
        learning = self.provenance.get("config", {}).get("learning", {})
        seen = self.provenance.get("sentences_seen")
        if not learning or seen is None:
            return ""
        return (
            f"The global model saw {seen:,} sentences in training, {learning.get('batch')} an update, "
            f"{learning.get('loss')} violations (the paper: 30 epochs of CCGbank, one sentence an update)."
        )

    def encode(self, sentences: Sequence[Sequence[str]]) -> list[Floats2d] | None:
        """The tagger's states of the words; None if the global model does not read them."""
        if self.global_model is None or self.global_model.dimensions.inputs != "encoder":
            return None
        outputs = self.tagger.analyse(sentences, beam=1.0, states=True)
        return [output.states for output in outputs if output.states is not None]

    def tag(
        self, sentences: Sequence[Sequence[str]], beam: float | None = None, max_tags: int = MAX_TAGS
    ) -> list[TaggedSentence]:
        """The sentences with their tags and the leaf states of the global model."""
        tagged = self.tagger.tag(sentences, beam, max_tags)
        return with_states(self.require_global(), sentences, tagged, self.encode(sentences))

    @cached_property
    def searcher(self) -> Searcher:
        """The searches with the global model."""
        return Searcher(self.table, self.require_global().weights(self.table.categories))

    def require_global(self) -> GlobalModel:
        """The global model, or an error if the folder has none."""
        if self.global_model is None:
            raise StarccgError(f"{self.folder} has no global model: the experiments compare it with the tags alone")
        return self.global_model


def load_model(folder: Path) -> LoadedModel:
    """Read a model folder."""
    parts = read_parts(folder)
    manifests = [folder / part / "model.json" for part in ("", "tagger", "global")]
    key = _digest([sha256(path) for path in manifests if path.is_file()])
    table = compile_grammar(parts.grammar, parts.tagger.categories)
    return LoadedModel(folder, table, parts.tagger, parts.global_model, key, parts.provenance)


def load_evaluation_set(
    model: LoadedModel,
    files: Sequence[Path],
    cache: Path,
    *,
    sentences: int | None = None,
    tag_beam: float | None = None,
) -> EvaluationSet:
    """Read and tag treebanks, at most ``sentences`` of each file; tags are kept in the folder ``cache``."""
    words: list[Words] = []
    gold: list[Analysis] = []
    tagged: list[TaggedSentence] = []
    sources: list[str] = []
    keys: list[str] = []
    for path in files:
        found = list(islice(read_treebank(path), sentences))
        own = [tuple(sentence.derivation.words) for sentence in found]
        key = _digest([model.key, sha256(path), str(sentences), str(tag_beam)])
        tagged += tag_once(model.tagger, own, cache / f"{path.stem}-{key[:12]}.npz", tag_beam)
        words += own
        gold += [Analysis.of_derivation(sentence.derivation, sentence.id) for sentence in found]
        sources += [path.stem] * len(found)
        keys.append(key)
    return EvaluationSet(model.table, words, tagged, gold, sources, _digest(keys), encoded=model.encode(words))


def evaluation_set_of(
    table: RuleTable,
    examples: Sequence[Example],
    key: str,
    exclusions: CcgbankExclusions | None = None,
    source: str = "dev",
) -> EvaluationSet:
    """The sentences of a training run, with the tags that it reads."""
    gold = [example.analysis() for example in examples]
    words, tagged = [example.words for example in examples], [example.tagged for example in examples]
    sources = [source] * len(examples)
    return EvaluationSet(table, words, tagged, gold, sources, key, exclusions, states_of(examples))


def tag_once(tagger: Tagger, words: Sequence[Words], path: Path, tag_beam: float | None) -> list[TaggedSentence]:
    """Tags from a file if it exists, else from the tagger, saved to the file without rounding."""
    if not path.exists():
        tagged = enumerate(tagger.tag(words, beam=tag_beam))
        write_tags(
            path, list(map(str, tagger.categories)), [(str(number), tags) for number, tags in tagged], exact=True
        )
    try:
        return list(read_tags(path).sentences.values())
    except StarccgError as error:
        raise StarccgError(f"{error}: delete it to tag the sentences again") from None


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def read_words(files: Sequence[Path]) -> list[Words]:
    """The words of every sentence."""
    return [tuple(sentence.derivation.words) for path in files for sentence in read_treebank(path)]
