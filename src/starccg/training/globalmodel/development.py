"""How good a model is on sentences it does not learn from: labelled F1, share of proved parses, subtrees explored."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from starccg.ccg.table import RuleTable
from starccg.evaluation import Analysis, evaluate
from starccg.globalmodel import GlobalModel
from starccg.search import core
from starccg.search.types import Decoder, Limits, Options, Outcome
from starccg.training.data import Example
from starccg.training.trees import Bridge

CHUNK = 256
"""Sentences encoded at once."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the development sentences."""

    f1: float
    precision: float
    recall: float
    supertags: float
    """The share of words with the gold supertag."""
    parsed: float
    """The share of sentences with a parse."""
    optimal: float
    """The share with a parse that is proved best under the model asked for."""
    explored: float
    """Mean number of subtrees."""
    recursive_units: float
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """For a line of metrics."""
        return asdict(self)


class DevelopmentSet:
    """Development sentences, their gold dependencies worked out once."""

    def __init__(self, examples: Sequence[Example], table: RuleTable, threads: int) -> None:
        self.examples, self.table, self.threads = examples, table, threads
        self.native, self.bridge = core.SearchTable(table), Bridge(table)
        self.gold = [Analysis.of_derivation(example.derivation, example.id) for example in examples]

    def look(self, model: GlobalModel | None, limits: Limits) -> Look:
        """Parse with a model; without one with the tags alone (supertag-factored)."""
        begin = time.perf_counter()
        outcomes = self.parse(model, limits)
        scores = evaluate(self.gold, self.analyses(outcomes), resamples=1)
        labelled, count = scores.labelled, max(1, len(outcomes))
        return Look(
            f1=100 * labelled.f1,
            precision=100 * labelled.precision,
            recall=100 * labelled.recall,
            supertags=scores.supertag_accuracy or 0.0,
            parsed=sum(bool(outcome.parses) for outcome in outcomes) / count,
            optimal=sum(outcome.certificate.optimal for outcome in outcomes) / count,
            explored=sum(outcome.certificate.explored for outcome in outcomes) / count,
            recursive_units=sum(outcome.certificate.recursive_units for outcome in outcomes) / count,
            seconds=time.perf_counter() - begin,
        )

    def analyses(self, outcomes: Sequence[Outcome]) -> list[Analysis | None]:
        """What the first parse of each sentence says; None where there is none."""
        return [
            Analysis.of_derivation(self.bridge.derivation(outcome.parses[0].nodes, example.words), example.id)
            if outcome.parses
            else None
            for outcome, example in zip(outcomes, self.examples, strict=True)
        ]

    def parse(self, model: GlobalModel | None, limits: Limits) -> list[Outcome]:
        """The outcome of every sentence."""
        decoder = Decoder.SUPERTAG if model is None else model.decoder
        options = Options(decoder=decoder, limits=limits)
        unit = None if model is None else core.TreeLstm(model.weights(self.table.categories))
        outcomes: list[Outcome] = []
        for first in range(0, len(self.examples), CHUNK):
            chunk = self.examples[first : first + CHUNK]
            sentences = [example.tagged for example in chunk]
            if model is not None:
                encoded = [
                    np.zeros((0, 0), np.float32) if example.encoded is None else example.encoded for example in chunk
                ]
                states = model.leaf_states([example.words for example in chunk], encoded)
                sentences = [replace(tagged, states=own) for tagged, own in zip(sentences, states, strict=True)]
            outcomes += core.search_batch(self.native, sentences, options, unit, threads=self.threads)
        return outcomes
