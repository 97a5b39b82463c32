"""Dev evaluation: labelled F1, share of parses proved optimal and explored subtrees on the development sentences."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from starccg.ccg.table import RuleTable
from starccg.evaluation import Analysis, CcgbankExclusions, evaluate
from starccg.globalmodel import GlobalModel
from starccg.search.options import PAPER_OPTIONS, Decoder, Limits
from starccg.search.searcher import Searcher
from starccg.search.types import Floats2d, SearchResult, TaggedSentence
from starccg.training.data import Example, states_of

CHUNK = 256
"""Sentences encoded at once."""


@dataclass(frozen=True, slots=True)
class DevEvaluation:
    """The scores of a model on the development sentences."""

    f1: float
    precision: float
    recall: float
    supertags: float
    """The share of words with the gold supertag."""
    parsed: float
    """The share of sentences with a parse."""
    optimal: float
    """The share with a parse that is proved optimal under the model."""
    explored: float
    """Mean number of subtrees."""
    recursive_units: float
    seconds: float


class DevelopmentSet:
    """Development sentences; their gold dependencies are computed once."""

    def __init__(
        self, examples: Sequence[Example], table: RuleTable, threads: int, exclusions: CcgbankExclusions | None = None
    ) -> None:
        self.examples, self.table, self.threads, self.exclusions = examples, table, threads, exclusions
        self.searcher = Searcher(table)
        self.gold = [example.analysis() for example in examples]

    def evaluate(self, model: GlobalModel | None, limits: Limits) -> DevEvaluation:
        """Parse with a model; without one with the tags alone (supertag-factored)."""
        begin = time.perf_counter()
        results = self.parse(model, limits)
        scores = evaluate(self.gold, self.analyses(results), exclusions=self.exclusions, resamples=1)
        labelled, count = scores.labelled, max(1, len(results))
        return DevEvaluation(
            f1=100 * labelled.f1,
            precision=100 * labelled.precision,
            recall=100 * labelled.recall,
            supertags=scores.supertag_accuracy or 0.0,
            parsed=sum(bool(result.parses) for result in results) / count,
            optimal=sum(result.certificate.optimal for result in results) / count,
            explored=sum(result.certificate.explored for result in results) / count,
            recursive_units=sum(result.certificate.recursive_units for result in results) / count,
            seconds=time.perf_counter() - begin,
        )

    def analyses(self, results: Sequence[SearchResult]) -> list[Analysis | None]:
        """The first parse of each sentence; None where there is none."""
        return [
            Analysis.of_derivation(self.searcher.derivation(result.parses[0].nodes, example.words), example.id)
            if result.parses
            else None
            for result, example in zip(results, self.examples, strict=True)
        ]

    def parse(self, model: GlobalModel | None, limits: Limits) -> list[SearchResult]:
        """The result of every sentence, searched as in the paper."""
        decoder = Decoder.SUPERTAG if model is None else model.decoder
        options = replace(PAPER_OPTIONS, decoder=decoder, limits=limits)
        searcher = self.searcher if model is None else self.searcher.with_weights(model.weights(self.table.categories))
        sentences = [example.tagged for example in self.examples]
        if model is not None:
            words = [example.words for example in self.examples]
            sentences = with_states(model, words, sentences, states_of(self.examples))
        return searcher.search_batch(sentences, options, threads=self.threads)


def with_states(
    model: GlobalModel,
    words: Sequence[Sequence[str]],
    tagged: Sequence[TaggedSentence],
    encoded: Sequence[Floats2d] | None = None,
) -> list[TaggedSentence]:
    """The sentences with the leaf states that a search with the global model needs."""
    found: list[TaggedSentence] = []
    for first in range(0, len(words), CHUNK):
        chunk = slice(first, first + CHUNK)
        states = model.leaf_states(words[chunk], None if encoded is None else encoded[chunk])
        found += [replace(own, states=state) for own, state in zip(tagged[chunk], states, strict=True)]
    return found
