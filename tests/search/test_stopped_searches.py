"""A search that is stopped at any of its check points claims nothing false."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.table import RuleTable
from starccg.search.options import Bound, Decoder, Options
from starccg.search.searcher import Searcher
from starccg.search.types import TaggedSentence
from tests.search.floors import case_below_the_floor, weights_by_category
from tests.search.stopped import EVERY, TYPES, check_result, dense_case, stopped_everywhere
from tests.strategies import examples

BEST, UNLIKELY = 0, 1


def two_tags() -> RuleTable:
    """Two categories, both roots, and no rules."""
    return RuleTable(
        categories=cast("Any", ("A", "B")),
        lexical=2,
        binary=(),
        unary=(),
        roots=(BEST, UNLIKELY),
        allowed=((EVERY,) * TYPES,) * TYPES,
        unary_allowed=(EVERY,) * TYPES,
        start_only=0,
        max_unary_chain=1,
    )


@pytest.mark.parametrize("backoff", [True, False])
def test_tags_that_wait_below_the_floor_count_when_the_clock_stops_the_search(backoff: bool) -> None:
    """The best tag is punished by the global model; the other one waits below the first floor of the bound."""
    sentence = TaggedSentence(
        np.array([BEST, UNLIKELY], np.int32),
        np.array([0.0, -3.5], np.float32),
        np.array([0, 2], np.int32),
        np.zeros((1, 4, 1), np.float32),
    )
    searcher = Searcher(two_tags(), weights_by_category([76.0, 0.0]))
    options = Options(bound=Bound.GRAMMAR, backoff=backoff)
    *stopped, finished = stopped_everywhere(searcher, sentence, options)
    assert finished.certificate.optimal
    assert finished.certificate.score == pytest.approx(-3.5, abs=1e-3)
    assert len(stopped) > 5
    for result in stopped:
        assert result.certificate.upper_bound >= finished.certificate.score
        assert not result.certificate.optimal or result.certificate.score == finished.certificate.score


@examples(20)
@given(st.integers(0, 2**63))
def test_a_search_that_is_stopped_near_a_floor_claims_nothing_false(seed: int) -> None:
    case = case_below_the_floor(np.random.default_rng(seed))
    best = case.best_scores()
    for result in stopped_everywhere(case.searcher, case.sentence, case.options):
        check_result(case, result, best)


@pytest.mark.parametrize("decoder", list(Decoder))
def test_whatever_check_point_stops_a_search_its_bound_is_no_lower_than_the_best_parse(decoder: Decoder) -> None:
    @examples(100)
    @given(st.integers(0, 2**63))
    def claim(seed: int) -> None:
        case = dense_case(np.random.default_rng(seed), (decoder,))
        best = case.best_scores()
        for result in stopped_everywhere(case.searcher, case.sentence, case.options):
            check_result(case, result, best)

    claim()
