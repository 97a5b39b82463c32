"""One update (Algorithm 1): encode the words, search together with gold, replay the traces, step.

The leaf states are computed once, with their dropout mask; the search reads their numbers and the replay continues
their graph, so both see the same model.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

import numpy as np
import torch
from torch import Tensor

from starccg.ccg.table import RuleTable
from starccg.globalmodel import GlobalModel, Vocabulary
from starccg.globalmodel.model import checked_inputs, tree_lstm_weights
from starccg.globalmodel.parameters import Arrays, Floats
from starccg.globalmodel.torch_encoder import leaf_states
from starccg.search.options import PAPER_OPTIONS, Decoder, Limits
from starccg.search.searcher import Searcher
from starccg.search.types import Trace
from starccg.training.data import Example
from starccg.training.globalmodel.config import Config
from starccg.training.globalmodel.optimiser import Adam, Dense, Rows
from starccg.training.globalmodel.shards import Replayer


@dataclass(frozen=True, slots=True)
class Update:
    """What one batch showed."""

    traces: tuple[Trace, ...]
    loss: float
    """Summed over the sentences: the violations, local scores included, and the weighted scores of gold nodes."""
    gold_score: float
    """The global scores of the gold derivations, summed; zero where they have no weight in the loss."""
    nodes: int
    """Recursive units replayed."""
    norm: float
    seconds: tuple[float, float, float]
    """Encoding, search, replay (with the step)."""


class Learner:
    """The model while it learns."""

    def __init__(
        self, config: Config, table: RuleTable, vocabulary: Vocabulary, trained_rows: int, arrays: Arrays, threads: int
    ) -> None:
        self.config, self.table, self.vocabulary, self.threads = config, table, vocabulary, threads
        self.device = torch.device(config.learning.device)
        self.searcher = Searcher(table)
        self.options = replace(
            PAPER_OPTIONS,
            decoder=Decoder.GLOBAL if config.model.structure == "tree" else Decoder.SPAN_FOREST,
            limits=Limits(forest=config.learning.forest, seconds=inf),
        )
        arrays = dict(arrays)
        words = arrays.pop("words", None)
        self.dense = Dense(arrays, self.device)
        self.rows = None if words is None else Rows(torch.from_numpy(words.copy()).to(self.device), trained_rows)
        self.adam = Adam(config.adam, self.dense, self.rows)
        self.replayer = Replayer(
            threads,
            loss=config.learning.loss,
            span_factored=config.model.structure == "span",
            new_cell=config.model.output_reads_new_cell,
            gold_weight=config.learning.gold_weight,
        )

    def update(self, batch: Sequence[Example], share: float = 1.0, *, gold_counts: bool = True) -> Update:
        """Learn from a batch of sentences, at a share of the learning rate; ``gold_counts``: with ``gold_weight``."""
        clock = [time.perf_counter()]
        lengths = [len(example.words) for example in batch]
        touched, own_rows, inputs = self._inputs(batch)
        states = leaf_states(self.config.model, self.dense.parameters, inputs, lengths)
        clock.append(time.perf_counter())
        traces = self.search(batch, states.detach().cpu().numpy())
        clock.append(time.perf_counter())
        golds = [example.gold or () for example in batch] if gold_counts else []
        nodes, gold_score = self.replayer.backward(self.dense.parameters, states, traces, lengths, golds)
        norm = self.adam.update(touched, None if own_rows is None else own_rows.grad, share) if nodes else 0.0
        clock.append(time.perf_counter())
        encoding, searching, replaying = (after - before for before, after in pairwise(clock))
        loss = sum(self._loss(trace) for trace in traces) - self.config.learning.gold_weight * gold_score
        return Update(tuple(traces), loss, gold_score, nodes, norm, (encoding, searching, replaying))

    def search(self, batch: Sequence[Example], states: Floats) -> list[Trace]:
        """The gold-guided search of every sentence, over threads."""
        ends = np.cumsum([len(example.words) for example in batch])[:-1]
        sentences = [
            replace(example.tagged, states=own) for example, own in zip(batch, np.split(states, ends), strict=True)
        ]
        golds = [example.gold or () for example in batch]
        weights = tree_lstm_weights(self.config.model, self._tree(), range(len(self.table.categories)))
        return self.searcher.with_weights(weights).search_gold_batch(
            sentences, golds, self.options, ties=self.config.learning.ties, threads=self.threads
        )

    def model(self) -> GlobalModel:
        """A snapshot to save or to parse with."""
        arrays = {name: tensor.detach().cpu().numpy().copy() for name, tensor in self.dense.parameters.items()}
        if self.rows is not None:
            arrays["words"] = self.rows.values.cpu().numpy().copy()
        return GlobalModel(self.config.model, self.vocabulary, tuple(map(str, self.table.categories)), arrays)

    def _tree(self) -> Arrays:
        parameters = self.dense.parameters.items()
        return {name: tensor.detach().cpu().numpy() for name, tensor in parameters if name.startswith("tree.")}

    def _inputs(self, batch: Sequence[Example]) -> tuple[Tensor | None, Tensor | None, Tensor]:
        """Which rows of words the batch touches, those rows (to gather a gradient), and x_t (W, w) after dropout."""
        lengths, width = [len(example.words) for example in batch], self.config.model.words
        touched: Tensor | None = None
        own_rows: Tensor | None = None
        if self.config.model.leaves == "none":
            return None, None, torch.zeros(sum(lengths), 0, device=self.device)
        if self.rows is None:
            encoded = [np.zeros((0, 0), np.float32) if e.encoded is None else e.encoded for e in batch]
            inputs = torch.from_numpy(checked_inputs(encoded, lengths, width)).to(self.device)
        else:
            numbers = torch.tensor([row for example in batch for row in self.vocabulary.rows(example.words)])
            unique, place = torch.unique(numbers, return_inverse=True)
            touched = unique.to(self.device)
            own_rows = self.rows.values[touched].requires_grad_()
            inputs = own_rows[place.to(self.device)]
        dropout = self.config.learning.dropout
        if dropout:
            mask = dropout_mask((len(inputs), width), dropout, self.config.learning.seed, self.adam.steps)
            inputs = inputs * mask.to(self.device)
        return touched, own_rows, inputs

    def _loss(self, trace: Trace) -> float:
        if not trace.violations:
            return 0.0
        return {"greedy": trace.violations[0], "max": max(trace.violations), "all": sum(trace.violations)}[
            self.config.learning.loss
        ]


def dropout_mask(shape: tuple[int, int], dropout: float, seed: int, step: int) -> Tensor:
    """The inverted dropout mask of a step: 0, or 1 / (1 - dropout)."""
    kept = np.random.default_rng([seed, step, 5]).random(shape, np.float32) >= dropout
    return torch.from_numpy(kept.astype(np.float32) / np.float32(1 - dropout))
