"""The replay of a batch in shards, one thread each.

One product of a trace is too small to be split over threads; sentences are not. A batch is cut into the same shards
however many threads there are, and their gradients are added in order, so the numbers do not depend on the machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import torch
from torch import Tensor

from starccg.search.types import Node, Trace
from starccg.training.globalmodel.levels import Golds, Levels, Loss, build_levels, evened
from starccg.training.globalmodel.replay import global_scores, pack, violation_loss

SHARD = 8
"""Sentences in a shard."""


class Replayed(NamedTuple):
    """What the replay of a batch computed."""

    nodes: int
    """Recursive units replayed."""
    gold_score: float = 0.0
    """The global scores of the gold derivations, summed; zero where they have no weight in the loss."""


class Replayer:
    """Turns traces into gradients of the parameters."""

    def __init__(
        self, threads: int, *, loss: Loss, span_factored: bool, new_cell: bool, gold_weight: float = 0.0
    ) -> None:
        self.loss, self.span_factored, self.new_cell, self.gold_weight = loss, span_factored, new_cell, gold_weight
        self.pool = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))

    def backward(
        self,
        parameters: Mapping[str, Tensor],
        states: Tensor,
        traces: Sequence[Trace],
        lengths: Sequence[int],
        golds: Sequence[Sequence[Node]] = (),
    ) -> Replayed:
        """Add the gradient of the mean loss of the sentences to those of the parameters and of the leaf encoder.

        ``golds``, the derivation of every sentence, are read where they have a weight; none: they have none now.
        """
        count = math.ceil(len(traces) / SHARD) if not states.is_cuda else 1
        order = sorted(range(len(traces)), key=lambda number: -len(traces[number].rules))
        roots = (states, *pack(parameters))
        leaves = tuple(root.detach().requires_grad_() for root in roots)

        def work(shard: int) -> tuple[Replayed, tuple[Tensor, ...] | None]:
            chosen = frozenset(order[shard::count])  # the longest traces spread over the shards
            own = [trace if number in chosen else None for number, trace in enumerate(traces)]
            terms: Golds | None = None
            if self.gold_weight and golds:
                derivations = [gold if number in chosen else None for number, gold in enumerate(golds)]
                terms = Golds(self.gold_weight, derivations)
            levels = build_levels(own, lengths, self.loss, golds=terms, span_factored=self.span_factored)
            if not len(levels):
                return Replayed(0), None
            gold_score, gradients = self._gradients(leaves, evened(levels) if states.is_cuda else levels, len(traces))
            return Replayed(len(levels), gold_score), gradients

        results = list(self.pool.map(work, range(count)))
        found = [gradients for _, gradients in results if gradients is not None]
        if found:
            total = [
                torch.stack(parts).sum(dim=0) if len(parts) > 1 else parts[0] for parts in zip(*found, strict=True)
            ]
            wanted = [(root, gradient) for root, gradient in zip(roots, total, strict=True) if root.requires_grad]
            torch.autograd.backward([root for root, _ in wanted], [gradient for _, gradient in wanted])
        return Replayed(sum(done.nodes for done, _ in results), sum(done.gold_score for done, _ in results))

    def _gradients(
        self, leaves: tuple[Tensor, ...], levels: Levels, sentences: int
    ) -> tuple[float, tuple[Tensor, ...]]:
        states, *packed = leaves
        scores = global_scores(states, tuple(packed), levels, new_cell=self.new_cell)
        gradients = torch.autograd.grad(violation_loss(scores, levels) / sentences, leaves)
        if not len(levels.gold):
            return 0.0, gradients
        of_gold = scores.detach()[torch.from_numpy(levels.gold).to(scores.device)]
        return float(of_gold.sum()), gradients
