"""The plain reference against exhaustive enumeration, each with the plain recursive unit."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.search.options import Decoder
from tests.search import oracle
from tests.search.cases import EXACT, Case, cases
from tests.search.reference.agenda_loop import AgendaLoop
from tests.search.reference.recursive_unit import TreeLstmReference
from tests.strategies import examples


@pytest.mark.parametrize("decoder", EXACT)
def test_reference_finds_the_best_parses_in_order(decoder: Decoder) -> None:
    @examples(60)
    @given(st.integers(1, 6).flatmap(lambda nbest: cases((decoder,), nbest=nbest)))
    def claim(case: Case) -> None:
        unit = TreeLstmReference(case.weights)
        score = oracle.Scorer(decoder, case.sentence, unit.unit)
        best = sorted((score(tree) for tree in case.trees), reverse=True)
        loop = AgendaLoop(case.table, case.sentence, case.options, unit)
        found = list(itertools.islice(loop.parses(), case.options.nbest))
        assert [oracle.grid(item.score) for item in found] == best[: case.options.nbest]

    claim()


@examples(100)
@given(cases())
def test_reference_never_pops_a_higher_priority_than_before(case: Case) -> None:
    loop = AgendaLoop(case.table, case.sentence, case.options, TreeLstmReference(case.weights))
    for _ in loop.parses():
        pass
    priorities = [event.inside + event.outside for event in loop.events if event.kind in ("pop", "goal")]
    assert priorities == sorted(priorities, reverse=True)
