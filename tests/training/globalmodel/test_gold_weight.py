"""``learning.gold_weight``: what is asked of the gold parse's own scores, beside the violations."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.search.types import Floats2d, Stop, Trace
from starccg.training.globalmodel.levels import Golds, Levels, build_levels, evened
from tests.search.reference.recursive_unit import TreeLstmReference
from tests.strategies import examples
from tests.training import toy

torch = pytest.importorskip("torch")

from starccg.globalmodel.torch_encoder import leaf_states  # noqa: E402
from starccg.training.globalmodel.config import AdamOptions, Config, Learning  # noqa: E402
from starccg.training.globalmodel.replay import global_scores, pack, violation_loss  # noqa: E402
from starccg.training.globalmodel.shards import Replayer  # noqa: E402
from tests.training.globalmodel.test_replay import LOSSES, Setting  # noqa: E402
from tests.training.globalmodel.test_training import SMALL, learner, numbers, run_config, train  # noqa: E402

EMPTY = np.zeros(0, np.int32)
NOTHING = Trace(*[EMPTY] * 9, (), Stop.GOLD, 5, 9, 9, 0.0)
"""Of a sentence without violations."""


def plain_gold_score(setting: Setting) -> float:
    """The global scores of all gold nodes, one after the other, by the equations of the paper."""
    unit, total = TreeLstmReference(setting.weights), 0.0
    for example, sentence in zip(setting.examples, setting.sentences(), strict=True):
        assert example.gold is not None and sentence.states is not None
        states: list[Floats2d] = []
        for node in example.gold:
            left: Floats2d | None = sentence.states[node.end - 1, :2]
            right = sentence.states[node.start, 2:]
            if node.left >= 0 and setting.dimensions.structure == "tree":
                left, right = (None, states[node.left]) if node.right < 0 else (states[node.left], states[node.right])
            state, score = unit.unit(node.rule, node.category, left, right)
            states.append(state)
            total += score
    return total


def golds(setting: Setting, weight: float) -> Golds:
    return Golds(weight, [example.gold for example in setting.examples])


def value(setting: Setting, levels: Levels) -> float:
    parameters = {name: torch.from_numpy(array).double() for name, array in setting.arrays.items()}
    states, new_cell = torch.from_numpy(setting.states).double(), setting.dimensions.output_reads_new_cell
    return float(violation_loss(global_scores(states, pack(parameters), levels, new_cell=new_cell), levels))


@examples(10)
@given(
    st.integers(0, 10_000),
    st.booleans(),
    st.sampled_from(["tree", "span"]),
    st.sampled_from(LOSSES),
    st.floats(0.01, 100),
)
def test_the_loss_is_that_of_the_trace_plus_the_weighted_sum_over_gold_nodes(
    seed: int, new_cell: bool, structure: str, loss: Literal["greedy", "max", "all"], weight: float
) -> None:
    setting = Setting(seed, 3, new_cell=new_cell, structure=structure)
    traces, span = setting.traces(), structure == "span"
    of_traces = value(setting, build_levels(traces, setting.lengths, loss, span_factored=span))
    levels = build_levels(traces, setting.lengths, loss, golds=golds(setting, weight), span_factored=span)
    wanted = of_traces - weight * plain_gold_score(setting)
    assert value(setting, levels) == pytest.approx(wanted, rel=1e-4, abs=1e-4)
    assert value(setting, evened(levels)) == pytest.approx(wanted, rel=1e-4, abs=1e-4)


def test_a_sentence_without_violations_counts_as_well() -> None:
    setting = Setting(3, 2)
    levels = build_levels([NOTHING, NOTHING], setting.lengths, golds=golds(setting, 0.5))
    assert len(levels) == len(levels.gold) == sum(len(example.gold or ()) for example in setting.examples)
    assert value(setting, levels) == pytest.approx(-0.5 * plain_gold_score(setting), rel=1e-4)


def gradients(setting: Setting, weight: float, threads: int = 2) -> tuple[dict[str, Any], float]:
    parameters = {name: torch.from_numpy(array).requires_grad_() for name, array in setting.arrays.items()}
    states = torch.from_numpy(setting.states).requires_grad_()
    span = setting.dimensions.structure == "span"
    replayer = Replayer(threads, loss="all", span_factored=span, new_cell=False, gold_weight=weight)
    derivations = [example.gold or () for example in setting.examples]
    done = replayer.backward(parameters, states, setting.traces(), setting.lengths, derivations)
    return {name: tensor.grad for name, tensor in [*parameters.items(), ("states", states)]}, done.gold_score


@pytest.mark.parametrize("structure", ["tree", "span"])
def test_shards_give_the_gradient_of_the_whole_batch_with_gold_in_it(structure: str) -> None:
    setting = Setting(8, 19, structure=structure)
    ours, gold_score = gradients(setting, 10.0)
    assert gold_score == pytest.approx(plain_gold_score(setting), rel=1e-4)
    parameters = {name: torch.from_numpy(array).requires_grad_() for name, array in setting.arrays.items()}
    states = torch.from_numpy(setting.states).requires_grad_()
    levels = build_levels(
        setting.traces(), setting.lengths, golds=golds(setting, 10.0), span_factored=structure == "span"
    )
    (violation_loss(global_scores(states, pack(parameters), levels, new_cell=False), levels) / 19).backward()
    for name, tensor in [*parameters.items(), ("states", states)]:
        if tensor.grad is not None:
            torch.testing.assert_close(ours[name], tensor.grad, rtol=1e-3, atol=1e-3, msg=name)


@pytest.mark.parametrize("structure", ["tree", "span"])
def test_without_a_weight_gold_derivations_change_no_bit(structure: str) -> None:
    setting = Setting(9, 11, structure=structure)
    traces, lengths = setting.traces(), setting.lengths
    with_golds, score = gradients(setting, 0.0)
    assert score == 0
    parameters = {name: torch.from_numpy(array).requires_grad_() for name, array in setting.arrays.items()}
    states = torch.from_numpy(setting.states).requires_grad_()
    Replayer(2, loss="all", span_factored=structure == "span", new_cell=False).backward(
        parameters, states, traces, lengths
    )
    for name, tensor in [*parameters.items(), ("states", states)]:
        if tensor.grad is not None:
            assert torch.equal(with_golds[name], tensor.grad), name


@pytest.mark.parametrize("change", [{}, {"structure": "span"}, {"leaves": "words"}, {"leaves": "none"}])
def test_steps_of_this_term_alone_raise_the_gold_parse(change: dict[str, Any]) -> None:
    batch = toy.examples(6)
    config = Config(
        model=replace(SMALL, **change),
        learning=Learning(batch=6, dropout=0.0, gold_weight=1.0),
        adam=AdamOptions(learning_rate=1e-2),
    )
    learning = learner(config, batch)
    learning.search = lambda batch, states: [NOTHING] * len(batch)  # type: ignore[method-assign]
    updates = [learning.update(batch) for _ in range(8)]
    scores = [update.gold_score for update in updates]
    assert all(after > before for before, after in pairwise(scores))
    assert scores[-1] < 0
    for update in updates:
        assert update.loss == pytest.approx(-update.gold_score)
        assert update.nodes == sum(len(example.gold or ()) for example in batch)


def test_a_weight_brings_the_gold_parses_nearer_to_zero_than_the_paper_s_loss(tmp_path: Path) -> None:
    def last_gold_score(weight: float) -> float:
        config = run_config(epochs=4, dropout=0.0, gold_weight=weight)
        learning = train(tmp_path / str(weight), config).learner
        probe = Replayer(1, loss="all", span_factored=False, new_cell=False, gold_weight=1.0)
        batch = toy.examples(30)
        lengths = [len(example.words) for example in batch]
        _, _, inputs = learning._inputs(batch)
        states = leaf_states(config.model, learning.dense.parameters, inputs, lengths)
        derivations = [example.gold or () for example in batch]
        return probe.backward(learning.dense.parameters, states, [NOTHING] * 30, lengths, derivations).gold_score

    assert last_gold_score(0.0) < last_gold_score(30.0) < 0
    assert "gold_score" not in numbers(tmp_path / "0.0")[1]
    assert [line["gold_score"] < 0 for line in numbers(tmp_path / "30.0") if line["event"] == "train"] == [True]


def test_gold_counts_over_the_last_share_of_the_run_only(tmp_path: Path) -> None:
    def scores(share: float) -> list[float]:
        lines = numbers(train(tmp_path / str(share), run_config(epochs=4, gold_weight=30.0, gold_share=share)).folder)
        return [line["gold_score"] for line in lines if line["event"] == "train"]

    plain = train(tmp_path / "plain", run_config(epochs=4)).learner.dense.parameters
    never = train(tmp_path / "never", run_config(epochs=4, gold_weight=30.0, gold_share=0.0)).learner.dense.parameters
    assert all(torch.equal(never[name], tensor) for name, tensor in plain.items())
    assert scores(0.0) == [0.0]
    assert scores(1.0)[0] < scores(0.5)[0] < 0  # fewer sentences counted
