"""The bound that is refined by what a search has explored: never below the truth, and the same parses are found."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.search.options import Bound, Decoder
from tests.search import oracle
from tests.search.cases import Case, cases
from tests.search.floors import case_below_the_floor
from tests.search.reference.agenda_loop import AgendaLoop
from tests.strategies import examples

FORESTS_SCORED = (Decoder.GLOBAL, Decoder.SPAN_FOREST)
OFTEN = st.sampled_from([0, 1, 2, 3, 5, 8])


class CheckedLoop(AgendaLoop):
    """A search that compares each new bound with all parses there are."""

    case: Case
    refinements = 0

    def refine_bound(self) -> None:
        super().refine_bound()
        CheckedLoop.refinements += 1

    def change_priorities(self) -> None:
        assert self.bound is not None
        score = self.case.scorer()
        for tree in self.case.trees:
            total = score(tree)
            if total > oracle.GRID * self.bound.floor:  # of the others it says only that they are not above it
                self.check(tree, total, score)
        super().change_priorities()

    def check(self, tree: oracle.Tree, total: int, score: oracle.Scorer) -> None:
        """No subtree of a parse scores more than the bound on its inside, nor the rest more than on its outside."""
        assert self.bound is not None
        for node in tree.nodes():
            inside = score(node)
            if node is tree:  # the score of the root is part of the rest
                inside -= oracle.grid(self.roots[tree.category])
            place = node.start, node.end, node.category
            assert oracle.grid(self.bound.most_inside(*place)) >= inside
            assert oracle.grid(self.bound.outside(*place)) >= total - inside


@examples(400)
@given(cases(FORESTS_SCORED, bound=Bound.GRAMMAR, heuristic=True, most_words=5), OFTEN, st.integers(1, 4))
def test_every_refined_bound_is_at_least_what_any_parse_above_the_floor_scores(
    case: Case, after: int, nbest: int
) -> None:
    case = case.with_options(refine_after=after)
    loop = CheckedLoop(case.table, case.sentence, case.options, case.searcher)
    loop.case = case
    found = [oracle.grid(item.score) for item in islice(loop.parses(), nbest)]
    assert found == case.best_scores()[:nbest]


@pytest.mark.slow
def test_the_checked_searches_do_refine_their_bounds() -> None:
    CheckedLoop.refinements = 0
    test_every_refined_bound_is_at_least_what_any_parse_above_the_floor_scores()
    assert CheckedLoop.refinements > 100


@examples(300)
@given(cases(FORESTS_SCORED, bound=Bound.GRAMMAR, heuristic=True, most_words=6, most=2000), OFTEN, st.integers(1, 5))
def test_a_refined_bound_changes_no_score_of_an_nbest_list(case: Case, after: int, nbest: int) -> None:
    refined, plain = (case.search(refine_after=choice, nbest=nbest) for choice in (after, None))
    assert [parse.certificate.score for parse in refined.parses] == [parse.certificate.score for parse in plain.parses]
    assert refined.certificate.optimal == plain.certificate.optimal


def proves_the_truth(case: Case) -> None:
    """The native search and the plain Python one, with the bound refined at any time."""
    best = case.best_scores()[0]
    for after in (0, 3, 6, 9, 12):
        for lazy in (True, False):
            own = case.with_options(refine_after=after, lazy=lazy, nbest=1)
            found = own.search().certificate
            assert (found.optimal, oracle.grid(found.score)) == (True, best), own.options
            assert oracle.grid(next(own.reference().parses()).score) == best, own.options


def test_a_lower_floor_counts_again_what_the_charts_above_left_out() -> None:
    proves_the_truth(case_below_the_floor())


@examples(30)
@given(st.integers(0, 2**63))
def test_the_same_with_other_scores_near_the_floor(seed: int) -> None:
    proves_the_truth(case_below_the_floor(np.random.default_rng(seed)))
