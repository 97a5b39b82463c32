"""Searches whose best parse lies just below the first floor of the bound, behind a part that the floor leaves out.

The best parse has the node ``V`` over the first two words, made of ``l`` and ``r``. It scores no more than the floor,
so a refined chart leaves ``l`` and ``r`` out and knows ``V`` by its other parts ``a`` and ``b`` alone, which the global
model makes worse than they look. When the floor is lowered, ``l`` and ``r`` must count again. The tags ``D`` occupy the
search until it has refined its bound more than once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from starccg.ccg.table import BinaryRule, RuleTable
from starccg.search.options import Bound, Options
from starccg.search.types import TaggedSentence, TreeLstmWeights
from tests.search import oracle
from tests.search.cases import Case
from tests.search.stopped import EVERY, TYPES

OTHERS = 12
PARTS = ("a", "b", "l", "r", "V", "X", "Y", "S", "z0", "z1", "Z", "e0", "e1", "E")
NAMES = PARTS + tuple(f"D{number}" for number in range(OTHERS))
RULES = (
    *(("a", "b", "V"), ("l", "r", "V"), ("V", "Y", "S"), ("z0", "z1", "Z"), ("Z", "Y", "S"), ("e0", "e1", "E")),
    *(("E", f"D{number}", "S") for number in range(OTHERS)),
)


def case_below_the_floor(random: np.random.Generator | None = None) -> Case:
    """The constructed search, or one with scores near to its scores and with other options."""

    def near(value: float) -> float:
        return value if random is None else min(value + float(random.normal(0, 0.15)), 0.0)

    costs = {"a": -near(-0.8), "b": -near(-0.8), "Z": -near(-1.4), "e0": 10.0}
    others = {f"D{number}": near(-2.83 - 0.008 * number) for number in range(OTHERS)}
    words = (
        {"a": 0.0, "z0": 0.0, "e0": 0.0, "l": near(-1.2)},
        {"b": 0.0, "z1": 0.0, "e1": 0.0, "r": 0.0},
        {"X": 0.0, "Y": near(-2.0), **others},
    )
    options = Options(bound=Bound.GRAMMAR, refine_after=0, unary_cost=0.0, distance_cost=0.0)
    if random is not None:
        options = replace(
            options,
            refine_after=int(random.integers(14)),
            lazy=bool(random.random() < 0.5),
            nbest=int(random.choice([1, 1, 3])),
            backoff=bool(random.random() < 0.5),
            backoff_beam=bool(random.random() < 0.5),
        )
    table, sentence = _table(NAMES, RULES), _sentence(NAMES, words)
    weights = weights_by_category([costs.get(name, 0.0) for name in NAMES])
    return Case(table, sentence, weights, options, oracle.derivations(table, sentence, options))


def weights_by_category(costs: Sequence[float]) -> TreeLstmWeights:
    """A global model of one cell whose score depends on the category alone: minus its cost, about."""

    def zeros(*shape: int) -> Any:
        return np.zeros(shape, np.float32)

    def embedding(cost: float) -> float:
        logit = -math.log(math.expm1(cost)) if cost > 1e-6 else 50.0
        return math.atanh(math.atanh(logit / 100))

    biases, candidate = zeros(TYPES, 4, 1), zeros(TYPES, 1, 3)
    biases[:, 0] = biases[:, 2] = 50.0  # the input and the output gate are open
    candidate[:, :, 2] = 1.0
    return TreeLstmWeights(
        input_gate=zeros(TYPES, 1, 5),
        forget_gate=zeros(TYPES, 1, 5),
        output_gate=zeros(TYPES, 1, 4),
        candidate=candidate,
        biases=biases,
        categories=np.array([[embedding(cost)] for cost in costs], np.float32),
        unary_left=zeros(2, 1),
        output=np.array([100.0], np.float32),
    )


def _table(names: Sequence[str], rules: Sequence[tuple[str, str, str]]) -> RuleTable:
    place = names.index
    return RuleTable(
        categories=cast("Any", tuple(names)),
        lexical=len(names),
        binary=tuple(BinaryRule(place(left), place(right), place(result), 1, 0) for left, right, result in rules),
        unary=(),
        roots=(place("S"),),
        allowed=((EVERY,) * TYPES,) * TYPES,
        unary_allowed=(EVERY,) * TYPES,
        start_only=0,
        max_unary_chain=1,
    )


def _sentence(names: Sequence[str], words: Sequence[Mapping[str, float]]) -> TaggedSentence:
    return TaggedSentence(
        np.array([names.index(name) for word in words for name in word], np.int32),
        np.array([score for word in words for score in word.values()], np.float32),
        np.cumsum([0, *map(len, words)]).astype(np.int32),
        np.zeros((len(words), 4, 1), np.float32),
    )
