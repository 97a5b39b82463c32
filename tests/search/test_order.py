"""The native core does exactly what the plain reference does, step by step."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.search.options import Bound, Decoder
from starccg.search.types import Event, Parse, Recording, SearchResult
from tests.search import oracle
from tests.search.cases import EXACT, FOREST, Case, cases
from tests.strategies import examples


def recorded(case: Case) -> Recording:
    return case.searcher.record(case.sentence, case.options)


@pytest.mark.parametrize("decoder", EXACT)
def test_native_core_pushes_and_pops_as_the_reference_does(decoder: Decoder) -> None:
    @examples(250)
    @given(cases((decoder,)))
    def claim(case: Case) -> None:
        loop = case.reference(whole_bound=True)
        best = next(loop.parses(), None)
        run = recorded(case)
        assert list(run.events) == loop.events
        certificate = run.result.certificate
        assert certificate.explored == loop.explored
        assert certificate.agenda == loop.pushed
        assert certificate.recursive_units == loop.recursive_units
        assert (best is None) == (not run.result.parses)

    claim()


@examples(200)
@given(st.integers(2, 6).flatmap(lambda nbest: cases(FOREST, nbest=nbest)))
def test_native_nbest_over_the_forest_pops_as_the_reference_does(case: Case) -> None:
    loop = case.reference(whole_bound=True)
    found = list(itertools.islice(loop.parses(), case.options.nbest))
    run = recorded(case)
    assert list(run.events) == loop.events
    assert [parse.certificate.score for parse in run.result.parses] == [item.score for item in found]


@examples(200)
@given(
    cases(backoff=False),
    st.sampled_from(["forest", "agenda", "recursive_units"]),
    st.integers(0, 12),
)
def test_native_limits_stop_where_the_reference_stops(case: Case, which: str, limit: int) -> None:
    case = case.with_options(limits=replace(case.options.limits, **{which: limit}))
    loop = case.reference(whole_bound=True)
    best = next(loop.parses(), None)
    run = recorded(case)
    assert list(run.events) == loop.events
    certificate = run.result.certificate
    if best is None:
        assert certificate.stopped == (loop.stopped or "exhausted")
        assert certificate.upper_bound == loop.upper_bound
    else:
        assert certificate.stopped == ""


@examples(150)
@given(cases(FOREST))
def test_priorities_of_pops_never_rise(case: Case) -> None:
    priorities = [event.inside + event.outside for event in recorded(case).events if event.kind in ("pop", "goal")]
    assert priorities == sorted(priorities, reverse=True)


@examples(150)
@given(cases(FOREST))
def test_the_bound_of_an_item_is_never_less_than_any_parse_that_holds_it(case: Case) -> None:
    score = case.scorer()
    best_above: dict[object, int] = {}
    for tree in case.trees:
        total = score(tree)
        for node in tree.nodes():
            best_above[node.key] = max(best_above.get(node.key, total), total)
    keys: dict[int, tuple[object, ...]] = {}
    for event in recorded(case).events:
        if event.kind == "goal":  # a parse, and no part of any other
            continue
        below = tuple(keys[child] for child in (event.left, event.right) if child >= 0)
        keys[event.item] = (event.rule, event.category, event.start, event.end, *below)
        if keys[event.item] in best_above:
            assert oracle.grid(event.inside + event.outside) >= best_above[keys[event.item]]
        if case.options.heuristic:
            tags = oracle.outside(case.sentence, event.start, event.end)
            grammar = case.options.bound is Bound.GRAMMAR  # which is never looser
            assert oracle.grid(event.outside) <= tags if grammar else oracle.grid(event.outside) == tags


@examples(250)
@given(cases(FOREST, bound=Bound.GRAMMAR, heuristic=True, refine_after=None))
def test_floors_of_the_bound_change_nothing_that_is_popped(case: Case) -> None:
    loop = case.reference()
    next(loop.parses(), None)
    with_floors = [_without_numbers(event) for event in loop.events if event.kind != "push"]
    assert [_without_numbers(event) for event in recorded(case).events if event.kind != "push"] == with_floors


@pytest.mark.parametrize("decoder", EXACT)
def test_native_core_does_as_much_as_the_reference_where_the_bound_has_floors(decoder: Decoder) -> None:
    @examples(120)
    @given(cases((decoder,), bound=Bound.GRAMMAR, heuristic=True, backoff=False), st.integers(0, 12))
    def claim(case: Case, limit: int) -> None:
        for which in ("forest", "agenda", "recursive_units", "words"):
            tried = case.with_options(
                limits=replace(case.options.limits, **({which: limit} if which != "words" else {}))
            )
            loop = tried.reference()
            best = next(loop.parses(), None)
            certificate = tried.search().certificate
            assert certificate.explored == loop.explored
            assert certificate.agenda == loop.pushed
            assert certificate.recursive_units == loop.recursive_units
            assert best is None or certificate.score == best.score
            assert best is not None or certificate.upper_bound == loop.upper_bound

    claim()


def _without_numbers(event: Event) -> Event:
    """The numbers of items count those that the whole chart would not have let in."""
    return replace(event, item=0, left=min(event.left, 0), right=min(event.right, 0))


@examples(300)
@given(st.integers(1, 3).flatmap(lambda nbest: cases(EXACT, nbest=nbest, refine_after=None)), st.integers(0, 30))
def test_recording_a_search_does_not_change_it(case: Case, limit: int) -> None:
    """But for what is pushed: a search that is not recorded has floors, and pushes what the whole chart would drop."""
    for limits in (case.options.limits, replace(case.options.limits, forest=limit)):
        tried = case.with_options(limits=limits, backoff_beam=False)
        assert _without_pushes(tried.search(), tried) == _without_pushes(recorded(tried).result, tried)


def _without_pushes(result: SearchResult, case: Case) -> SearchResult:
    """Eager scoring scores what is pushed, so that its units count pushes too."""
    counts = {"seconds": 0.0, "agenda": 0} | ({} if case.options.lazy else {"recursive_units": 0})
    parses = tuple(Parse(p.nodes, replace(p.certificate, **counts)) for p in result.parses)
    return SearchResult(parses, replace(result.certificate, **counts))
