"""Many sentences at once: in order, the same on any number of threads, and stopped at once by Ctrl-C."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.search.options import Decoder, Limits, Options
from starccg.search.searcher import Searcher
from starccg.search.types import TaggedSentence
from tests import strategies
from tests.search import oracle
from tests.search.cases import EXACT, SCORED, Case, cases, without_clock
from tests.strategies import examples


@examples(60)
@given(cases((*EXACT, Decoder.BEAM, Decoder.RERANK)), st.data(), st.integers(1, 5))
def test_results_do_not_change_with_the_number_of_threads(case: Case, data: st.DataObject, nbest: int) -> None:
    cells = len(case.weights.output)
    some = data.draw(st.lists(strategies.tagged_sentences(case.table, cells=cells), max_size=8))
    limits = Limits(forest=data.draw(st.integers(5, 2000)), agenda=20_000)
    options = replace(case.options, nbest=nbest, limits=limits)
    sentences = [case.sentence, *some]
    alone = [case.searcher.search(one, options) for one in sentences]
    for threads in (1, 2, 4):
        together = case.searcher.search_batch(sentences, options, threads=threads)
        assert list(map(without_clock, together)) == list(map(without_clock, alone))


@examples(40)
@given(cases(parsed=True), st.integers(1, 4))
def test_a_result_outlives_its_search_and_travels_between_processes(case: Case, nbest: int) -> None:
    """Parses are made when first looked at; by then the search that found them is long over."""
    kept = case.search(nbest=nbest)
    case.search(decoder=Decoder.SUPERTAG_FOREST, nbest=3)
    again = case.search(nbest=nbest)
    assert without_clock(kept) == without_clock(again)
    assert pickle.loads(pickle.dumps(again)) == again


@examples(40)
@given(cases(SCORED, parsed=True), st.integers(1, 12), st.randoms(use_true_random=False))
def test_a_search_leaves_nothing_behind_for_the_next(case: Case, repeats: int, random) -> None:  # type: ignore[no-untyped-def]
    """One thread reuses its memory: whatever decoder ran before, the answer is the same."""
    first = without_clock(case.search())
    for _ in range(repeats):
        case.search(decoder=random.choice(EXACT), nbest=random.choice([1, 3]))
    assert without_clock(case.search()) == first


@examples(30)
@given(cases((Decoder.GLOBAL,), parsed=True), st.integers(1, 6))
def test_gold_searches_do_not_change_with_the_number_of_threads(case: Case, number: int) -> None:
    golds = [oracle.nodes_of(case.trees[i % len(case.trees)]) for i in range(number)]
    runs = [
        case.searcher.search_gold_batch([case.sentence] * number, golds, case.options, threads=threads)
        for threads in (1, 2, 4)
    ]
    for run in runs[1:]:
        for one, other in zip(runs[0], run, strict=True):
            assert one.violations == other.violations
            assert np.array_equal(one.all, other.all)
            assert one.stopped == other.stopped


def empty() -> TaggedSentence:
    none = np.zeros(0, np.int32)
    return TaggedSentence(none, np.zeros(0, np.float32), np.zeros(1, np.int32), np.zeros((0, 4, 3), np.float32))


@examples(20)
@given(strategies.rule_tables(), st.data())
@pytest.mark.parametrize("decoder", list(Decoder))
def test_a_sentence_of_no_words_has_no_parse_and_does_no_harm(decoder: Decoder, table, data) -> None:  # type: ignore[no-untyped-def]
    weights = data.draw(strategies.tree_lstm_weights(len(table.categories), 3).filter(lambda w: len(w.output) == 3))
    options = Options(decoder=decoder, nbest=data.draw(st.integers(1, 3)))
    result = Searcher(table, weights).search(empty(), options)
    assert result.parses == ()
    assert not result.certificate.optimal or result.certificate.stopped == ""


@examples(40)
@given(cases(most_words=1), st.integers(1, 4))
def test_a_sentence_of_one_word_is_searched_like_any_other(case: Case, nbest: int) -> None:
    result = case.search(nbest=nbest)
    assert [parse.certificate.score * 2**20 for parse in result.parses] == case.best_scores()[:nbest]


def test_an_empty_batch_is_an_empty_list() -> None:
    @examples(5)
    @given(cases())
    def claim(case: Case) -> None:
        assert case.searcher.search_batch([], case.options, threads=4) == []

    claim()


HARD_BATCH = textwrap.dedent(
    """
    import sys
    import numpy as np
    from starccg.ccg.table import BinaryRule, RuleTable
    from starccg.search.searcher import Searcher
    from starccg.search.options import Decoder, Limits, Options
    from starccg.search.types import TaggedSentence
    every = (1 << 18) - 1
    table = RuleTable(
        categories=("A", "B"), lexical=2,
        binary=(BinaryRule(0, 0, 0, 1, 0), BinaryRule(0, 0, 0, 2, 1), BinaryRule(0, 1, 0, 3, 0)),
        unary=(), roots=(1,), allowed=((every,) * 18,) * 18, unary_allowed=(every,) * 18,
        start_only=0, max_unary_chain=2)
    words = 40
    sentence = TaggedSentence(np.array([0, 1] * words, np.int32), np.zeros(2 * words, np.float32),
                              np.arange(0, 2 * words + 1, 2, dtype=np.int32))
    limits = Limits(forest=10**7, agenda=4 * 10**7)
    options = Options(decoder=Decoder.SUPERTAG_FOREST, limits=limits, backoff=False)
    print("ready", flush=True)
    try:
        Searcher(table).search_batch([sentence] * 1000, options, threads=int(sys.argv[1]))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    """
)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_long_batch_at_once(threads: int) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", HARD_BATCH, str(threads)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=Path(__file__).parent
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        assert process.poll() is None, "the batch was meant to be long"
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        try:
            output, errors = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            pytest.fail("the batch went on after Ctrl-C")
        took = time.monotonic() - sent
    assert output == "interrupted\n", errors
    assert process.returncode == 0
    assert took < 3
