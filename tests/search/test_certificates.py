"""What a certificate says is true, above all when a search was stopped before its end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.table import RuleTable
from starccg.search.options import Decoder, Limits, Options
from starccg.search.searcher import Searcher
from starccg.search.types import Certificate, TaggedSentence
from tests.search import oracle
from tests.search.cases import EXACT, FOREST, SCORED, Case, cases, without_clock
from tests.search.reference import result as reference
from tests.strategies import examples

TINY = st.builds(
    Limits,
    forest=st.integers(0, 15) | st.just(10**6),
    agenda=st.integers(0, 15) | st.just(10**6),
    recursive_units=st.integers(0, 15) | st.just(10**6),
    words=st.integers(0, 4) | st.just(250),
)


def check_claims(case: Case, certificate: Certificate) -> None:
    """The claims about the best parse."""
    best = max(case.best_scores())
    assert oracle.grid(certificate.upper_bound) >= best
    assert oracle.grid(certificate.score) <= best
    assert oracle.grid(certificate.gap) >= best - oracle.grid(certificate.score)
    assert certificate.gap == certificate.upper_bound - certificate.score
    if certificate.optimal:
        assert oracle.grid(certificate.score) == best


@pytest.mark.parametrize("decoder", EXACT)
def test_a_search_that_was_stopped_claims_nothing_false(decoder: Decoder) -> None:
    @examples(120)
    @given(cases((decoder,), parsed=True), TINY, st.booleans())
    def claim(case: Case, limits: Limits, backoff: bool) -> None:
        case = case.with_options(limits=limits)
        result = case.search(backoff=backoff)
        if not result.parses:
            assert not result.certificate.optimal
            assert result.certificate.stopped not in ("", "exhausted")
            assert oracle.grid(result.certificate.upper_bound) >= max(case.best_scores())
        for parse in result.parses:
            case.check(parse)
            check_claims(case, parse.certificate)

    claim()


@examples(200)
@given(cases(FOREST + SCORED, parsed=True), TINY)
def test_a_stopped_search_backs_off_to_the_best_supertag_factored_parse(case: Case, limits: Limits) -> None:
    case = case.with_options(limits=limits, backoff_beam=False)
    result = case.search()
    (parse,) = result.parses
    if parse.certificate.decoder is case.options.decoder:
        # Not stopped, or stopped while a parse waited for its root score to come to the head: that one is the answer.
        assert parse.certificate.stopped == "" or case.root_score(parse) < 0
        return
    assert parse.certificate.stopped != ""
    assert parse.certificate.decoder is Decoder.SUPERTAG
    unary_cost, distance_cost = case.options.backoff_unary_cost, case.options.backoff_distance_cost
    options = replace(case.options, unary_cost=unary_cost, distance_cost=distance_cost)
    trees = oracle.derivations(case.table, case.sentence, options)
    factored, key = case.scorer(Decoder.SUPERTAG), oracle.key_of(parse.nodes)
    assert factored(oracle.by_key(trees)[key]) == max(map(factored, trees))
    # The score is that of the model and the costs that were asked for.
    assert oracle.grid(parse.certificate.score) == case.scorer()(oracle.by_key(case.trees)[key])


@examples(300)
@given(cases((Decoder.GLOBAL, Decoder.SPAN, Decoder.SPAN_FOREST), parsed=True), TINY, st.integers(1, 8))
def test_a_stopped_search_answers_no_worse_than_the_beam_and_than_the_parses_that_waited(
    case: Case, limits: Limits, beam_size: int
) -> None:
    case = case.with_options(limits=limits, beam_size=beam_size, backoff_beam=True)
    (parse,) = case.search().parses
    waiting = case.search(backoff=False).parses
    assert all(parse.certificate.score >= other.certificate.score for other in waiting)
    if case.options.decoder is Decoder.GLOBAL and parse.certificate.stopped not in ("", "words"):
        beam = case.search(decoder=Decoder.BEAM, limits=Limits()).certificate
        if beam.decoder is Decoder.BEAM:
            assert parse.certificate.score >= beam.score
            assert parse.certificate.gap <= beam.gap
    case.check(parse)
    check_claims(case, parse.certificate)


@examples(150)
@given(st.integers(2, 10).flatmap(lambda nbest: cases(EXACT, nbest=nbest, parsed=True)), TINY, st.booleans())
def test_a_stopped_nbest_list_is_certified_parse_by_parse(case: Case, limits: Limits, backoff: bool) -> None:
    case = case.with_options(limits=limits)
    result = case.search(backoff=backoff)
    best = case.best_scores()
    scores = [oracle.grid(parse.certificate.score) for parse in result.parses]
    assert scores == sorted(scores, reverse=True)
    assert len({oracle.key_of(parse.nodes) for parse in result.parses}) == len(scores)
    for rank, parse in enumerate(result.parses):
        case.check(parse)
        assert oracle.grid(parse.certificate.upper_bound) >= best[rank]
        assert oracle.grid(parse.certificate.score) <= best[rank]
        if parse.certificate.optimal:
            assert scores[rank] == best[rank]
    assert scores[: result.proved] == best[: result.proved]
    if result.certificate.stopped == "":
        assert scores == best[: case.options.nbest]


@examples(200)
@given(cases((Decoder.SUPERTAG, Decoder.SPAN), parsed=True), st.integers(2, 12), st.data())
def test_a_chart_that_was_cut_short_lists_only_parses_that_are_proved(
    case: Case, nbest: int, data: st.DataObject
) -> None:
    """Stopped after the first parse but before the list was final: what is left out may be better than what is in."""
    case = case.with_options(nbest=nbest, backoff=False)
    few, many = case.search(nbest=1).certificate.explored, case.search().certificate.explored
    limits = Limits(forest=data.draw(st.integers(few, max(few, many))))
    result, best = case.with_options(limits=limits).search(), case.best_scores()
    assert result.parses
    for rank, parse in enumerate(result.parses):
        assert not parse.certificate.optimal or oracle.grid(parse.certificate.score) == best[rank]
        assert oracle.grid(parse.certificate.upper_bound) >= best[rank]


@examples(250)
@given(st.integers(1, 3).flatmap(lambda nbest: cases(EXACT, nbest=nbest)), TINY, st.booleans())
def test_native_answers_are_the_reference_answers(case: Case, limits: Limits, backoff: bool) -> None:
    """Nodes, scores, counts, bounds, and why it stopped: all but the clock."""
    decoder = case.options.decoder
    if decoder not in FOREST:
        case = case.with_options(nbest=1)  # with dynamic programming, equals may come in another order
    case = case.with_options(limits=limits, backoff=backoff, backoff_beam=False)
    plain = reference.search(case.table, case.sentence, case.options, case.searcher)
    assert without_clock(case.search()) == without_clock(plain)


@examples(60)
@given(cases(parsed=True))
def test_no_time_at_all_still_gives_an_honest_answer(case: Case) -> None:
    case = case.with_options(limits=Limits(seconds=0.0))
    result = case.search()
    for parse in result.parses:
        case.check(parse)
        check_claims(case, parse.certificate)


@examples(200)
@given(cases(EXACT, parsed=True), st.floats(-8.0, 0.0), st.integers(1, 3))
def test_a_proof_over_all_tags_holds_whatever_tags_were_dropped(case: Case, beam: float, nbest: int) -> None:
    """Drop the tags below a beam: the bound of the dropped tags holds, and what it proves is the best with all tags."""
    whole, score = case.sentence, case.scorer()
    values, words = whole.log_probabilities, range(whole.words)
    spans = [slice(whole.offsets[word], whole.offsets[word + 1]) for word in words]
    kept = np.concatenate([values[span] >= values[span].max() + beam for span in spans])
    tagged = replace(
        whole,
        tags=whole.tags[kept],
        log_probabilities=values[kept],
        offsets=np.array([0, *np.cumsum([kept[span].sum() for span in spans])], np.int32),
        pruned=np.array([max(values[span][~kept[span]], default=-np.inf) for span in spans], np.float32),
    )
    result = case.searcher.search(tagged, replace(case.options, nbest=nbest))
    left = [set(tagged.tags[tagged.offsets[word] : tagged.offsets[word + 1]]) for word in words]
    dropped = [
        tree for tree in case.trees if any(not n.children and n.category not in left[n.start] for n in tree.nodes())
    ]
    assert all(result.pruned_bound >= score(tree) / oracle.GRID for tree in dropped)
    best = case.best_scores()
    for rank, parse in enumerate(result.parses):
        assert parse.certificate.over_all_tags == (parse.certificate.score >= result.pruned_bound)
        assert not parse.certificate.over_all_tags or oracle.grid(parse.certificate.score) == best[rank]


def test_without_dropped_tags_a_proof_holds_over_all_tags_and_without_a_tagger_it_says_nothing() -> None:
    table = RuleTable(("A",), 1, (), (), (0,), ((1,),), (1,), 0, 1)  # type: ignore[arg-type]
    sentence = TaggedSentence(np.zeros(1, np.int32), np.zeros(1, np.float32), np.array([0, 1], np.int32))
    searcher, options = Searcher(table), Options(decoder=Decoder.SUPERTAG)
    assert not searcher.search(sentence, options).certificate.over_all_tags
    known = replace(sentence, pruned=np.array([-np.inf], np.float32), tag_beam=0.5)
    certificate = searcher.search(known, options).certificate
    assert certificate.over_all_tags and certificate.beam == 0.5 and not certificate.widened


@examples(60)
@given(cases(parsed=True))
def test_counts_are_those_of_the_search(case: Case) -> None:
    certificate = case.search().certificate
    assert certificate.explored <= certificate.agenda
    assert certificate.seconds >= 0
    if case.options.decoder in (Decoder.SUPERTAG, Decoder.SUPERTAG_FOREST):
        assert certificate.recursive_units == 0
