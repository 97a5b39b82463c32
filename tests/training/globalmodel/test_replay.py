"""The replay against what it replays: the native core, finite differences, and the definitions of the losses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.globalmodel.parameters import Arrays, Dimensions, initial
from starccg.search.options import Bound, Decoder, Limits, Options
from starccg.search.searcher import Searcher
from starccg.search.types import Stop, TaggedSentence, Trace
from starccg.training.globalmodel.levels import build_levels, evened
from tests.search.reference.gold import GoldLoop
from tests.strategies import examples
from tests.training import toy

torch = pytest.importorskip("torch")

from starccg.globalmodel.model import tree_lstm_weights  # noqa: E402
from starccg.training.globalmodel.replay import global_scores, pack, violation_loss  # noqa: E402
from starccg.training.globalmodel.shards import Replayer  # noqa: E402

LOSSES: tuple[Literal["greedy", "max", "all"], ...] = ("greedy", "max", "all")


class Setting:
    """Toy sentences with random weights and leaf states, searched by the native core."""

    def __init__(
        self, seed: int, count: int, *, new_cell: bool = False, structure: str = "tree", cells: int = 6
    ) -> None:
        random = np.random.default_rng(seed)
        self.dimensions = Dimensions.from_json(
            {"cells": cells, "categories": 3, "words": 4, "structure": structure, "output_reads_new_cell": new_cell}
        )
        self.arrays: Arrays = initial(self.dimensions, 2, len(toy.table().categories) + 1, seed)
        self.arrays["tree.output"] *= 3  # scores that differ, so that every loss has something to say
        self.examples = toy.examples(count, seed)
        self.lengths = [len(example.words) for example in self.examples]
        self.states = random.uniform(-1, 1, (sum(self.lengths), 4, cells)).astype(np.float32)
        self.weights = tree_lstm_weights(self.dimensions, self.arrays, range(len(toy.table().categories)))
        self.options = Options(decoder=Decoder.GLOBAL if structure == "tree" else Decoder.SPAN_FOREST)
        self.limits = Limits(forest=300)

    def sentences(self) -> list[TaggedSentence]:
        parts = np.split(self.states, np.cumsum(self.lengths)[:-1])
        return [
            TaggedSentence(e.tagged.tags, e.tagged.log_probabilities, e.tagged.offsets, own)
            for e, own in zip(self.examples, parts, strict=True)
        ]

    def traces(self) -> list[Trace]:
        golds = [example.gold or () for example in self.examples]
        options = replace(self.options, limits=self.limits)
        return Searcher(toy.table(), self.weights).search_gold_batch(self.sentences(), golds, options)

    def replay(self, traces: Sequence[Trace], loss: Literal["greedy", "max", "all"], dtype: object) -> tuple:  # type: ignore[type-arg]
        levels = build_levels(traces, self.lengths, loss, span_factored=self.dimensions.structure == "span")
        parameters = {k: torch.from_numpy(v).to(dtype).requires_grad_() for k, v in self.arrays.items()}
        states = torch.from_numpy(self.states).to(dtype).requires_grad_()
        new_cell = self.dimensions.output_reads_new_cell
        return (
            levels,
            parameters,
            states,
            lambda: global_scores(states, pack(parameters), levels, new_cell=new_cell),
        )


@pytest.mark.parametrize("new_cell", [False, True])
@pytest.mark.parametrize("structure", ["tree", "span"])
@pytest.mark.parametrize("loss", LOSSES)
def test_gradients_agree_with_finite_differences(loss: str, structure: str, new_cell: bool) -> None:
    setting = Setting(1, 3, new_cell=new_cell, structure=structure, cells=4)
    levels, parameters, states, scores = setting.replay(setting.traces(), loss, torch.float64)  # type: ignore[arg-type]
    assert len(levels)
    violation_loss(scores(), levels).backward()
    random = np.random.default_rng(0)
    tensors = {"states": states, **{name: p for name, p in parameters.items() if name.startswith("tree.")}}
    for name, tensor in tensors.items():
        flat, gradient = tensor.detach().view(-1), tensor.grad.reshape(-1)
        touched = torch.nonzero(gradient).view(-1)
        chosen = {*random.integers(0, len(flat), 5).tolist()}
        if len(touched):
            chosen |= {*touched[torch.from_numpy(random.integers(0, len(touched), 8))].tolist()}
        for place in chosen:
            values = []
            for shift in (1e-5, -1e-5):
                flat[place] += shift
                with torch.no_grad():
                    values.append(float(violation_loss(scores(), levels)))
                flat[place] -= shift
            slope = (values[0] - values[1]) / 2e-5
            assert slope == pytest.approx(float(gradient[place]), rel=1e-4, abs=1e-6), name


@examples(15)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(["tree", "span"]), st.sampled_from([3, 16, 64]))
def test_torch_and_native_scores_agree(seed: int, new_cell: bool, structure: str, cells: int) -> None:
    setting = Setting(seed, 2, new_cell=new_cell, structure=structure, cells=cells)
    searcher = Searcher(toy.table(), setting.weights)
    for number, (example, sentence) in enumerate(zip(setting.examples, setting.sentences(), strict=True)):
        assert example.gold is not None
        _, nodes = searcher.score_derivation(sentence, example.gold, setting.options)
        ones = np.ones(len(nodes), np.int32)
        columns = [np.array([getattr(node, name) for node in nodes], np.int32) for name in _NODE]
        trace = Trace(*columns, ones, ones, ones, (), Stop.GOLD, 0, 0, 0, 0.0)
        base = sum(setting.lengths[:number])
        levels = build_levels([trace], [len(example.words)], "all", span_factored=structure == "span")
        states = torch.from_numpy(setting.states[base : base + len(example.words)])
        parameters = {name: torch.from_numpy(array) for name, array in setting.arrays.items()}
        ours = global_scores(states, pack(parameters), levels, new_cell=new_cell).numpy()
        theirs = sorted(node.global_score for node in nodes)
        np.testing.assert_allclose(np.sort(ours), theirs, atol=1e-4)


_NODE = ("rule", "category", "left", "right", "start", "end")


@pytest.mark.parametrize("structure", ["tree", "span"])
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_three_losses_from_one_trace_equal_those_of_the_definitions(seed: int, structure: str) -> None:
    """``sum of coefficient * s_global`` plus the local part is the violation, for each of the three losses."""
    setting = Setting(seed, 1, structure=structure)
    (example,), (sentence,), (trace,) = setting.examples, setting.sentences(), setting.traces()
    assert example.gold is not None
    violations, constants = literal_violations(setting, sentence, example.gold)
    assert violations == pytest.approx(list(trace.violations), abs=1e-4)
    assert len(violations) > 3
    largest = max(range(len(violations)), key=lambda k: trace.violations[k])
    wanted = {
        "greedy": (violations[0], constants[0]),
        "max": (violations[largest], constants[largest]),
        "all": (sum(violations), sum(constants)),
    }
    for loss in LOSSES:
        levels, _, _, scores = setting.replay([trace], loss, torch.float64)
        value, constant = wanted[loss]
        assert float(violation_loss(scores(), levels).detach()) + constant == pytest.approx(value, abs=2e-3), loss


def literal_violations(
    setting: Setting, sentence: TaggedSentence, gold: Sequence[object]
) -> tuple[list[float], list[float]]:
    """Algorithm 1 word for word: v = max over the agenda - max over its gold part, by looking at every item.

    Beside each violation stands the part of it that does not come from global scores.
    """
    options = Options(decoder=setting.options.decoder, bound=Bound.TAGS, lazy=False, limits=setting.limits)
    loop = GoldLoop(toy.table(), sentence, gold, Searcher(toy.table(), setting.weights), options)  # type: ignore[arg-type]
    loop.push_leaves()
    violations, constants, complete = [], [], None
    while loop.waiting and loop.agenda and not loop.limit_hit():
        agenda = [entry[-1] for entry in loop.agenda]
        head = max(agenda, key=lambda item: (loop.priority(item), item.length, -item.age))
        best = max((item for item in agenda if item in loop.gold), key=loop.priority)
        if complete is not None and loop.priority(head) < complete - np.log(1000):
            break
        violation = loop.priority(head) - loop.priority(best)
        if violation > 0:
            violations.append(violation)
            of_head, of_best = (sum(node.global_score or 0.0 for node in item.nodes()) for item in (head, best))
            constants.append(violation - (of_head - of_best))
        loop.pop()
        loop.waiting.discard(head)
        if loop.gold.get(head) == loop.root:
            break
        if complete is None and loop.is_parse(head):
            complete = head.inside
        loop.expand(head)
    return violations, constants


def test_only_what_a_loss_needs_is_replayed() -> None:
    setting = Setting(5, 2)
    traces = setting.traces()
    sizes = {loss: len(build_levels(traces, setting.lengths, loss)) for loss in LOSSES}
    assert sizes["greedy"] < sizes["all"]
    assert sizes["max"] < sizes["all"]
    assert sizes["all"] <= sum(len(trace.rules) for trace in traces)


def test_levels_put_children_before_parents_and_rules_side_by_side() -> None:
    setting = Setting(6, 4)
    levels = build_levels(setting.traces(), setting.lengths, "all")
    n = len(levels)
    places = np.arange(n)
    inner = levels.rights >= 0
    assert (levels.rights[inner] < places[inner]).all()
    lefts = levels.lefts[inner]
    assert ((lefts < places[inner]) | (lefts == n)).all()
    assert levels.heights[0][0].first == 0
    for groups in levels.heights:
        rules = [group.rule for group in groups]
        assert rules == sorted(set(rules))


def test_a_batch_without_violations_has_no_levels() -> None:
    empty = np.zeros(0, np.int32)
    trace = Trace(*[empty] * 9, (), Stop.GOLD, 5, 9, 9, 0.0)
    levels = build_levels([trace, trace], [3, 2], "all")
    assert len(levels) == 0
    assert levels.heights == ()


@pytest.mark.parametrize("new_cell", [False, True])
@pytest.mark.parametrize("structure", ["tree", "span"])
@pytest.mark.parametrize("seed", [5, 6, 7])
def test_levels_evened_for_an_accelerator_give_the_same_loss_and_gradient(
    seed: int, structure: str, new_cell: bool
) -> None:
    setting = Setting(seed, 4, structure=structure, new_cell=new_cell)
    found = []
    for shape in (lambda levels: levels, evened):
        levels, parameters, states, _ = setting.replay(setting.traces(), "all", torch.float64)
        shaped = shape(levels)
        for groups in shaped.heights if shaped.even else ():
            assert len({group.last - group.first for group in groups}) == 1
        loss = violation_loss(global_scores(states, pack(parameters), shaped, new_cell=new_cell), shaped)
        loss.backward()
        found.append({"loss": loss.detach(), "states": states.grad} | {k: p.grad for k, p in parameters.items()})
    for name, gradient in found[0].items():
        if gradient is None:
            assert found[1][name] is None
        else:
            torch.testing.assert_close(found[1][name], gradient, msg=name)


@pytest.mark.parametrize("structure", ["tree", "span"])
def test_shards_give_the_gradient_of_the_whole_batch(structure: str) -> None:
    setting = Setting(8, 19, structure=structure)
    traces = setting.traces()
    levels, parameters, states, scores = setting.replay(traces, "all", torch.float32)
    (violation_loss(scores(), levels) / 19).backward()
    wanted = {name: parameter.grad for name, parameter in [*parameters.items(), ("states", states)]}
    _, parameters, states, _ = setting.replay(traces, "all", torch.float32)
    replayer = Replayer(2, loss="all", span_factored=structure == "span", new_cell=False)
    assert replayer.backward(parameters, states, traces, setting.lengths).nodes == len(levels)
    for name, parameter in [*parameters.items(), ("states", states)]:
        if wanted[name] is not None:
            torch.testing.assert_close(parameter.grad, wanted[name], rtol=1e-3, atol=1e-3, msg=name)
