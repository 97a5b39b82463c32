"""Fifty sentences learned by heart: zero violations, and then the search explores the gold parse and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from starccg.globalmodel import Dimensions, GlobalModel
from starccg.search.options import Decoder, Options
from starccg.search.searcher import Searcher
from starccg.search.types import Node, SearchResult, Stop, TaggedSentence, Trace
from starccg.training.data import Example
from starccg.training.globalmodel.config import AdamOptions, Config, Learning
from starccg.training.globalmodel.learner import Learner
from starccg.training.globalmodel.levels import build_levels
from starccg.training.globalmodel.replay import global_scores, pack
from starccg.training.globalmodel.trainer import order_of_epoch
from tests.training import toy
from tests.training.globalmodel.test_training import learner

BATCH = 5
EPOCHS = 400
# Near the end gradients are a millionth of what they were at first. Clipped to one small norm they all count alike;
# else Adam would divide the last ones by the memory of the first, and the last few violations would stay.
ADAM = AdamOptions(learning_rate=5e-3, beta2=0.95, epsilon=1e-12, clip=1e-4, decay=0.0)


@dataclass(frozen=True)
class Learned:
    """What was learned from, what was learned, and how many violations each epoch had."""

    examples: list[Example]
    learner: Learner
    violations: list[int]

    @property
    def model(self) -> GlobalModel:
        return self.learner.model()

    def sentences(self) -> list[TaggedSentence]:
        """With the leaf states that a parser would compute, in numpy."""
        states = self.model.leaf_states([example.words for example in self.examples])
        return [replace(example.tagged, states=own) for example, own in zip(self.examples, states, strict=True)]

    def parse(self, options: Options) -> list[SearchResult]:
        searcher = Searcher(toy.table(), self.model.weights(toy.table().categories))
        return searcher.search_batch(self.sentences(), options)


def learn_by_heart(seed: int) -> Learned:
    """Until an epoch has no violations, ties counted. The tags are ambiguous, and some best ones are wrong."""
    examples = toy.examples(50)
    config = Config(
        model=Dimensions(words=32, categories=16, cells=32),
        learning=Learning(batch=BATCH, dropout=0.0, ties=True, seed=seed),
        adam=ADAM,
    )
    learning = learner(config, examples)
    violations: list[int] = []
    while len(violations) < EPOCHS and (not violations or violations[-1]):
        order = order_of_epoch(len(examples), seed, len(violations))
        batches = [[examples[k] for k in order[first : first + BATCH]] for first in range(0, len(order), BATCH)]
        updates = [learning.update(batch) for batch in batches]
        violations.append(sum(len(trace.violations) for update in updates for trace in update.traces))
    return Learned(examples, learning, violations)


@pytest.fixture(scope="module")
def learned() -> Learned:
    return learn_by_heart(seed=1)


def test_fifty_sentences_are_learned_to_zero_violations(learned: Learned) -> None:
    assert learned.violations[0] > 100 * len(learned.examples)
    assert learned.violations[-1] == 0


def test_then_the_search_explores_the_nodes_of_the_gold_parse_and_nothing_else(learned: Learned) -> None:
    """The parser's own search, which does not know what is gold."""
    for example, outcome in zip(learned.examples, learned.parse(Options()), strict=True):
        assert example.gold is not None
        assert outcome.certificate.optimal
        assert outcome.certificate.explored == len(example.gold)
        assert derivation(outcome.parses[0].nodes) == derivation(example.gold)


def test_the_supertags_alone_would_not_do(learned: Learned) -> None:
    """What was learned is not in the tags: without the global model more is explored, and many parses are wrong."""
    outcomes = learned.parse(Options(decoder=Decoder.SUPERTAG_FOREST))
    pairs = list(zip(learned.examples, outcomes, strict=True))
    assert all(outcome.certificate.explored > len(example.gold or ()) for example, outcome in pairs)
    right = sum(derivation(outcome.parses[0].nodes) == derivation(example.gold or ()) for example, outcome in pairs)
    assert right < 0.6 * len(pairs)


def test_torch_and_native_scores_agree_on_trained_weights(learned: Learned) -> None:
    """On gold nodes, whose scores are close to zero, and on wrong ones, far below."""
    parameters = {name: tensor.detach() for name, tensor in learned.learner.dense.parameters.items()}
    outcomes = learned.parse(Options(nbest=4))
    lowest = 0.0
    for sentence, outcome in zip(learned.sentences(), outcomes, strict=True):
        for parse in outcome.parses:
            levels = build_levels([trace_of(parse.nodes)], [sentence.words], "all")
            assert sentence.states is not None
            ours = global_scores(torch.from_numpy(sentence.states), pack(parameters), levels, new_cell=False).numpy()
            theirs = np.sort([node.global_score for node in parse.nodes])
            np.testing.assert_allclose(np.sort(ours), theirs, atol=1e-4)
            lowest = min(lowest, theirs[0])
    assert lowest < -3, "no score that says much"


def trace_of(nodes: tuple[Node, ...]) -> Trace:
    """A trace in which every node counts once."""
    names = ("rule", "category", "left", "right", "start", "end")
    columns = [np.array([getattr(node, name) for node in nodes], np.int32) for name in names]
    return Trace(*columns, *[np.ones(len(nodes), np.int32)] * 3, (), Stop.GOLD, 0, 0, 0, 0.0)


def derivation(nodes: tuple[Node, ...] | list[Node]) -> object:
    """The tree as nested tuples, whatever the order of the nodes."""
    built: list[object] = []
    for node in nodes:
        below = tuple(built[child] for child in (node.left, node.right) if child >= 0)
        built.append((node.rule, node.category, node.start, node.end, below))
    return built[-1]
