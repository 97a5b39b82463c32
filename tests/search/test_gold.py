"""Algorithm 1: the gold-guided search against the definition of a violation, taken literally."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.search.options import Decoder, Limits
from starccg.search.searcher import Searcher
from starccg.search.types import Node, TaggedSentence, Trace
from tests.search import oracle
from tests.search import test_bad_input as bad_input
from tests.search.cases import Case, cases
from tests.search.reference import gold as reference_gold
from tests.strategies import examples

Key = tuple[Any, ...]
NO_LIMITS = Limits(forest=10**6, agenda=10**6, recursive_units=10**6)
LN_1000 = oracle.grid(6.907755278982137)


@dataclass
class Step:
    """A violation, and the whole-number parts it is made of."""

    value: int
    constant: int
    """Local scores and heuristics of the two items: what learning cannot change."""
    coefficients: Counter[Key]


def violations_by_definition(case: Case, gold: oracle.Tree, ties: bool = False) -> tuple[list[Step], str]:
    """Look through the whole agenda at every step, with every item fully scored: slow, and plain."""
    score = case.scorer(Decoder.GLOBAL)
    table, words = case.table, case.sentence.words
    gold_keys = {node.key for node in gold.nodes()}
    agenda: list[oracle.Tree] = []
    ages: dict[Key, int] = {}  # a parse that goes back with its root score keeps its age
    goals: dict[int, oracle.Tree] = {}  # by id
    explored: list[oracle.Tree] = []
    steps: list[Step] = []
    floor: int | None = None

    def bound(tree: oracle.Tree) -> int:
        return oracle.outside(case.sentence, tree.start, tree.end) if case.options.heuristic else 0

    def priority(tree: oracle.Tree) -> int:
        return score(tree) + bound(tree)

    def first(items: list[oracle.Tree]) -> oracle.Tree:
        return max(items, key=lambda tree: (priority(tree), tree.end - tree.start, -ages[tree.key]))

    def is_gold(tree: oracle.Tree) -> bool:
        return tree.key == gold.key if id(tree) in goals else tree.key in gold_keys

    for word in range(words):
        agenda += sorted(oracle.leaves(case.sentence, word), key=lambda tree: -tree.local)
    while agenda:
        for tree in agenda:
            ages.setdefault(tree.key, len(ages))
        golds = [tree for tree in agenda if is_gold(tree)]
        if not golds:
            return steps, "lost"
        top, best = first(agenda), first(golds)
        if floor is not None and priority(top) < floor:
            return steps, "margin"
        value = priority(top) - priority(best)
        if value > 0 or (ties and not is_gold(top)):
            paths = Counter(node.key for node in top.nodes())
            paths.subtract(node.key for node in best.nodes())
            constant = sum(node.local for node in top.nodes()) + bound(top)
            constant -= sum(node.local for node in best.nodes()) + bound(best)
            steps.append(Step(value, constant, paths))
        agenda.remove(top)
        whole = top.end - top.start == words
        parse = oracle.as_parse(table, top) if whole else top
        waits = parse.local != top.local and id(top) not in goals
        if top.key == gold.key and not waits:
            return steps, "gold"
        if whole and top.category in table.roots and not waits and floor is None:
            floor = priority(top) - LN_1000
        if id(top) in goals:
            continue
        if waits:
            goals[id(parse)] = parse
            agenda.append(parse)
        explored.insert(0, top)
        if table.unary_at_root or not whole:
            agenda += oracle.raised(table, top, case.options)
        partners = sorted(explored, key=lambda tree: tree.category)  # the newest first of each category
        for right in partners:
            if right.start == top.end:
                agenda += oracle.joined(table, top, right, case.options)
        for left in partners:
            if left.end == top.start:
                agenda += oracle.joined(table, left, top, case.options)
    return steps, "exhausted"


def coefficients_of(trace: Trace) -> dict[Key, tuple[int, int, int]]:
    """The three coefficients of each node of a trace, the node named by its subtree."""
    keys: list[Key] = []
    found: dict[Key, tuple[int, int, int]] = {}
    for place in range(len(trace.rules)):
        below = [int(child) for child in (trace.lefts[place], trace.rights[place]) if child >= 0]
        assert all(child < place for child in below), "children come before parents"
        label = (trace.rules[place], trace.categories[place], trace.starts[place], trace.ends[place])
        keys.append((*map(int, label), *(keys[child] for child in below)))
        assert keys[-1] not in found
        found[keys[-1]] = (int(trace.greedy[place]), int(trace.max[place]), int(trace.all[place]))
    return found


def search_gold(case: Case, gold: oracle.Tree, limits: Limits = NO_LIMITS, *, ties: bool = False) -> Trace:
    options = replace(case.options, limits=limits)
    return case.searcher.search_gold_batch((case.sentence,), (oracle.nodes_of(gold),), options, ties=ties)[0]


GOLD_CASES = cases((Decoder.GLOBAL,), most=120, parsed=True)


@examples(250)
@given(GOLD_CASES, st.data(), st.booleans())
def test_violations_and_coefficients_are_those_of_the_definition(case: Case, data: st.DataObject, ties: bool) -> None:
    gold = data.draw(st.sampled_from(case.trees))
    steps, stopped = violations_by_definition(case, gold, ties)
    trace = search_gold(case, gold, ties=ties)
    assert [oracle.grid(value) for value in trace.violations] == [step.value for step in steps]
    assert trace.stopped == stopped
    assert trace.gold_found == (stopped == "gold")

    found = coefficients_of(trace)
    losses: list[list[Step]] = [[], [], []]
    if steps:
        losses = [steps[:1], [max(steps, key=lambda step: step.value)], steps]
    for which, counted in enumerate(losses):
        expected: Counter[Key] = Counter()
        for step in counted:
            expected.update(step.coefficients)
        nonzero = {key: count for key, count in expected.items() if count}
        assert {key: counts[which] for key, counts in found.items() if counts[which]} == nonzero


@examples(150)
@given(GOLD_CASES, st.data())
def test_a_loss_is_the_sum_of_global_scores_by_coefficient(case: Case, data: st.DataObject) -> None:
    """loss = sum of coefficient * s_global + a constant of local scores and heuristics, to the last bit."""
    gold = data.draw(st.sampled_from(case.trees))
    steps, _ = violations_by_definition(case, gold)
    trace = search_gold(case, gold)
    score = case.scorer(Decoder.GLOBAL)
    everything = oracle.subtrees(case.table, case.sentence, case.options, 10**6)
    trees = {tree.key: tree for span in everything.values() for tree in span}
    learned = sum(counts[2] * score.global_score(trees[key]) for key, counts in coefficients_of(trace).items())
    constant = sum(step.constant for step in steps)
    assert sum(oracle.grid(value) for value in trace.violations) == learned + constant


@examples(200)
@given(
    GOLD_CASES,
    st.data(),
    st.sampled_from(["forest", "agenda", "recursive_units", ""]),
    st.integers(0, 20),
    st.booleans(),
)
def test_native_gold_search_is_the_reference_gold_search(
    case: Case, data: st.DataObject, which: str, limit: int, ties: bool
) -> None:
    gold = data.draw(st.sampled_from(case.trees))
    limits = replace(NO_LIMITS, **{which: limit}) if which else NO_LIMITS
    native = search_gold(case, gold, limits, ties=ties)
    plain = reference_gold.search_gold(
        case.table,
        case.sentence,
        oracle.nodes_of(gold),
        case.searcher,
        replace(case.options, limits=limits),
        ties=ties,
    )
    assert native.violations == plain.violations
    assert coefficients_of(native) == coefficients_of(plain)
    assert native.stopped == plain.stopped
    counts = [(t.explored, t.agenda, t.recursive_units) for t in (native, plain)]
    assert counts[0] == counts[1]


@examples(150)
@given(GOLD_CASES, st.data())
def test_with_ties_counted_every_wrong_pop_is_a_violation_and_the_search_is_the_same(
    case: Case, data: st.DataObject
) -> None:
    """So no violations means that nothing but gold was explored; without ties it need not."""
    gold = data.draw(st.sampled_from(case.trees))
    strict, tied = (search_gold(case, gold, ties=ties) for ties in (False, True))
    assert (strict.explored, strict.agenda, strict.stopped) == (tied.explored, tied.agenda, tied.stopped)
    assert [value for value in tied.violations if value > 0] == list(strict.violations)
    if tied.gold_found:
        gold_nodes = len(list(gold.nodes()))
        # A wrong parse that goes back with its root score is popped twice, and explored once.
        assert len(tied.violations) >= tied.explored - gold_nodes
        if not any(case.table.root_scores):
            assert len(tied.violations) == tied.explored - gold_nodes


@examples(100)
@given(GOLD_CASES)
def test_the_models_own_best_parse_as_gold_is_always_found(case: Case) -> None:
    best = max(case.trees, key=case.scorer(Decoder.GLOBAL))
    assert search_gold(case, best).gold_found


@examples(100)
@given(GOLD_CASES, st.data())
def test_lazy_and_eager_gold_searches_see_the_same_violations(case: Case, data: st.DataObject) -> None:
    gold = data.draw(st.sampled_from(case.trees))
    lazy, eager = (search_gold(case.with_options(lazy=lazy), gold) for lazy in (True, False))
    assert lazy.violations == eager.violations
    assert coefficients_of(lazy) == coefficients_of(eager)
    assert lazy.recursive_units <= eager.recursive_units


@examples(60)
@given(GOLD_CASES, st.data())
def test_gold_that_the_grammar_cannot_build_ends_the_search(case: Case, data: st.DataObject) -> None:
    """A tag that was pruned, or a rule that the normal form forbids: no endless search for what cannot come."""
    gold = data.draw(st.sampled_from(case.trees))
    nodes = oracle.nodes_of(gold)
    other_rule = (nodes[-1].rule + 5) % 18
    wrong = [*nodes[:-1], nodes[-1]._replace(rule=other_rule)]
    options = replace(case.options, limits=NO_LIMITS)
    (trace,) = case.searcher.search_gold_batch((case.sentence,), (wrong,), options)
    assert not trace.gold_found
    assert trace.stopped in ("lost", "exhausted", "margin")


@pytest.mark.parametrize(("below", "stopped"), [(-1, "gold"), (0, "gold"), (1, "margin")])
def test_the_search_gives_up_on_gold_more_than_ln_1000_below_a_parse(below: int, stopped: str) -> None:
    score = -(LN_1000 + below) / oracle.GRID
    sentence = TaggedSentence(
        np.array([0, 1], np.int32),
        np.array([0.0, score], np.float32),
        np.array([0, 2], np.int32),
        np.zeros((1, 4, bad_input.CELLS), np.float32),
    )
    searcher = Searcher(bad_input.table(roots=(0, 1), unary=()), bad_input.weights())
    (trace,) = searcher.search_gold_batch((sentence,), ([Node(0, 1, 0, 1)],))
    assert trace.stopped == stopped
    assert trace.violations == (-score,)


BAD_GOLD: list[tuple[list[Node], str]] = [
    ([], "no nodes"),
    ([Node(0, 0, 0, 2)], "one word"),
    ([Node(0, 0, 1, 2)], "sentence"),
    ([Node(0, 0, 0, 1, left=3)], "before"),
    ([Node(0, 0, 0, 1, left=0)], "before"),
    ([Node(0, 0, 0, 9)], "sentence"),
    ([Node(0, 0, 1, 1)], "sentence"),
    ([Node(0, 0, -1, 0)], "sentence"),
    ([Node(0, 0, 0, 1), Node(0, 0, 0, 1), Node(1, 0, 0, 2, 0, 1)], "span"),
]


@pytest.mark.parametrize(("nodes", "word"), BAD_GOLD)
def test_nodes_that_are_no_derivation_are_refused(nodes: list[Node], word: str) -> None:
    @examples(3)
    @given(cases((Decoder.GLOBAL,), parsed=True).filter(lambda case: case.sentence.words == 2))
    def claim(case: Case) -> None:
        with pytest.raises(ValueError, match=word):
            case.searcher.search_gold_batch((case.sentence,), (nodes,))

    claim()
