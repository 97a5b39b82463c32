"""Every policy that claims optimality, against all derivations there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.search.options import Decoder
from tests.search import oracle
from tests.search.cases import EXACT, FOREST, SCORED, Case, cases
from tests.search.reference.recursive_unit import TreeLstmReference
from tests.strategies import examples


@pytest.mark.parametrize("decoder", EXACT)
def test_the_parse_found_is_the_best_of_all_derivations(decoder: Decoder) -> None:
    @examples(250)
    @given(cases((decoder,)))
    def claim(case: Case) -> None:
        result = case.search()
        best = case.best_scores()
        if not best:
            assert not result.parses
            assert result.certificate.stopped == "exhausted"
            return
        (parse,) = result.parses
        case.check(parse)
        assert oracle.grid(parse.certificate.score) == best[0]
        assert parse.certificate.optimal
        assert parse.certificate.gap == 0
        assert parse.certificate.upper_bound == parse.certificate.score
        assert parse.certificate.decoder is decoder
        assert parse.certificate.stopped == ""

    claim()


@pytest.mark.parametrize("decoder", EXACT)
def test_nbest_is_the_top_of_all_derivations(decoder: Decoder) -> None:
    @examples(150)
    @given(st.integers(2, 40).flatmap(lambda nbest: cases((decoder,), nbest=nbest)))
    def claim(case: Case) -> None:
        result = case.search()
        scores = [oracle.grid(parse.certificate.score) for parse in result.parses]
        assert scores == case.best_scores()[: case.options.nbest]
        assert len({oracle.key_of(parse.nodes) for parse in result.parses}) == len(scores)
        for parse in result.parses:
            case.check(parse)
            assert parse.certificate.optimal
            assert parse.certificate.gap == 0

    claim()


@examples(150)
@given(cases(SCORED), st.integers(1, 4))
def test_lazy_scoring_finds_the_same_parses_as_eager_scoring(case: Case, nbest: int) -> None:
    lazy, eager = case.search(lazy=True, nbest=nbest), case.search(lazy=False, nbest=nbest)
    if case.options.decoder in FOREST or nbest == 1:
        assert [parse.nodes for parse in lazy.parses] == [parse.nodes for parse in eager.parses]
        assert lazy.certificate.recursive_units <= eager.certificate.recursive_units
    scores = [[parse.certificate.score for parse in result.parses] for result in (lazy, eager)]
    assert scores[0] == scores[1]


@examples(150)
@given(cases((Decoder.SUPERTAG, Decoder.SPAN)), st.integers(1, 4))
def test_dynamic_programming_changes_no_score(case: Case, nbest: int) -> None:
    forest = {Decoder.SUPERTAG: Decoder.SUPERTAG_FOREST, Decoder.SPAN: Decoder.SPAN_FOREST}[case.options.decoder]
    case = case.with_options(nbest=nbest, refine_after=None)  # only forest searches refine their bound
    packed, unpacked = case.search(), case.search(decoder=forest)
    scores = [[parse.certificate.score for parse in result.parses] for result in (packed, unpacked)]
    assert scores[0] == scores[1]
    if nbest == 1:
        assert packed.certificate.explored <= unpacked.certificate.explored


@examples(150)
@given(cases())
def test_heuristic_changes_no_score_and_explores_no_more_than_ties_allow(case: Case) -> None:
    with_bound, without = case.search(heuristic=True), case.search(heuristic=False)
    assert with_bound.certificate.score == without.certificate.score


@examples(100)
@given(cases((Decoder.BEAM,), most_words=3, beam_size=10_000, parsed=True))
def test_beam_without_end_finds_the_best_parse(case: Case) -> None:
    result = case.search()
    assert oracle.grid(result.parses[0].certificate.score) == max(map(case.scorer(Decoder.GLOBAL), case.trees))
    case.check(result.parses[0], Decoder.GLOBAL)


@examples(100)
@given(cases((Decoder.BEAM,), parsed=True), st.integers(1, 4))
def test_beam_gives_a_licensed_parse_that_is_no_better_than_the_best(case: Case, beam: int) -> None:
    result = case.search(beam_size=beam)
    for parse in result.parses:
        if parse.certificate.decoder is Decoder.BEAM:
            case.check(parse, Decoder.GLOBAL)
        best = max(map(case.scorer(Decoder.GLOBAL), case.trees))
        assert best <= oracle.grid(parse.certificate.upper_bound)
        assert not parse.certificate.optimal or oracle.grid(parse.certificate.score) == best


@examples(100)
@given(cases((Decoder.RERANK,), parsed=True), st.integers(1, 500))
def test_reranking_gives_the_best_of_the_nbest_list_by_the_global_model(case: Case, nbest: int) -> None:
    result = case.search(rerank_size=nbest, nbest=2)
    listed = case.search(decoder=Decoder.SUPERTAG, nbest=max(2, nbest))
    score, trees = case.scorer(Decoder.GLOBAL), oracle.by_key(case.trees)
    expected = sorted((score(trees[oracle.key_of(parse.nodes)]) for parse in listed.parses), reverse=True)
    found = [oracle.grid(parse.certificate.score) for parse in result.parses]
    assert found == expected[:2]
    best = max(map(score, case.trees))
    certificate = result.parses[0].certificate
    assert best <= oracle.grid(certificate.upper_bound)
    assert not certificate.optimal or found[0] == best
    if nbest >= len(case.trees):
        assert found[0] == best


@examples(100)
@given(cases(parsed=True))
def test_scoring_a_given_derivation_is_exact(case: Case) -> None:
    score = case.scorer()
    for tree in case.trees[:5]:
        nodes = oracle.nodes_of(tree)
        total, scored = case.searcher.score_derivation(case.sentence, nodes, case.options)
        assert oracle.grid(total) == score(tree)
        assert oracle.key_of(scored) == tree.key
        own = [oracle.grid(node.local_score) + oracle.grid(node.global_score) for node in scored]
        assert own == [sub.local + score.global_score(sub) for sub in tree.nodes()]


@examples(100)
@given(cases((Decoder.GLOBAL,)), st.data())
def test_native_recursive_unit_computes_the_equations_of_the_paper(case: Case, data: st.DataObject) -> None:
    cells = len(case.weights.output)
    random = np.random.default_rng(data.draw(st.integers(0, 2**31)))
    left, right = random.uniform(-2, 2, (2, 2, cells)).astype(np.float32)
    rule = data.draw(st.integers(0, case.weights.biases.shape[0] - 1))
    category = data.draw(st.integers(0, len(case.weights.categories) - 1))
    for below in (left, None):
        state, score = case.searcher.unit(rule, category, below, right)
        plain_state, plain_score = TreeLstmReference(case.weights).unit(rule, category, below, right)
        np.testing.assert_allclose(state, plain_state, atol=1e-5, rtol=1e-5)
        assert score == pytest.approx(plain_score, abs=1e-5, rel=1e-5)
        assert score <= 0
        assert oracle.grid(score) / oracle.GRID == score
