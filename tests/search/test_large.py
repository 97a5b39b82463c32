"""Sizes that the enumeration cannot reach: many categories, long sentences, rules that lead back to their start."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.table import BinaryRule, RuleTable, UnaryRule
from starccg.search.options import Bound, Decoder, Limits, Options
from starccg.search.searcher import Searcher
from starccg.search.types import TaggedSentence, TreeLstmWeights
from tests.search import oracle
from tests.search.cases import EXACT, Case, cases
from tests.search.reference.agenda_loop import AgendaLoop
from tests.strategies import RULE_TYPES, examples

EVERY = (1 << RULE_TYPES) - 1


def wide_table(random: np.random.Generator, density: int = 20) -> RuleTable:
    """A grammar of up to 200 categories: rules cross the borders of machine words in every bit set."""
    number = int(random.integers(60, 200))
    rules = density * number
    binary = np.column_stack((random.integers(0, number, (rules, 3)), random.choice([1, 2, 3, 7], rules)))
    binary = np.unique(binary, axis=0)
    binary = np.column_stack((binary, random.integers(0, 2, len(binary))))
    unary = np.column_stack((random.integers(0, number, (number // 4, 2)), random.choice([11, 13], number // 4)))
    allowed = np.full((RULE_TYPES, RULE_TYPES), EVERY)
    for _ in range(30):
        allowed[random.integers(RULE_TYPES), random.integers(RULE_TYPES)] &= ~(1 << int(random.choice([1, 2, 3, 7])))
    roots = tuple(sorted({*map(int, random.integers(0, number, 5))}))
    return RuleTable(
        categories=cast("Any", tuple(map(str, range(number)))),
        lexical=int(random.integers(number // 2, number + 1)),
        binary=tuple(itertools.starmap(BinaryRule, random.permutation(binary).tolist())),
        unary=tuple(itertools.starmap(UnaryRule, np.unique(unary, axis=0).tolist())),
        roots=roots,
        root_scores=tuple(-float(random.choice([0.0, 0.5, 2.0])) for _ in roots) if random.integers(2) else (),
        allowed=tuple(tuple(map(int, row)) for row in allowed),
        unary_allowed=tuple(EVERY & ~int(random.integers(2) << 13) for _ in range(RULE_TYPES)),
        start_only=int(random.choice([0, 1 << 3])),
        max_unary_chain=int(random.integers(1, 4)),
        unary_at_root=bool(random.integers(2)),
    )


def wide_sentence(random: np.random.Generator, table: RuleTable, words: int, cells: int) -> TaggedSentence:
    counts = random.integers(1, 8, words)
    tags = np.concatenate([random.choice(table.lexical, count, replace=False) for count in counts])
    scores = -random.exponential(2.0, len(tags))
    if random.integers(2):
        scores = np.round(scores)  # many ties
    offsets = np.concatenate(([0], np.cumsum(counts)))
    states = random.uniform(-1, 1, (words, 4, cells))
    return TaggedSentence(
        tags.astype(np.int32), scores.astype(np.float32), offsets.astype(np.int32), states.astype(np.float32)
    )


def wide_weights(random: np.random.Generator, categories: int, cells: int) -> TreeLstmWeights:
    def normal(*shape: int) -> Any:
        return random.normal(0, 0.7, shape).astype(np.float32)

    return TreeLstmWeights(
        normal(RULE_TYPES, cells, 4 * cells + 3),
        normal(RULE_TYPES, cells, 4 * cells + 3),
        normal(RULE_TYPES, cells, 3 * cells + 3),
        normal(RULE_TYPES, cells, 2 * cells + 3),
        normal(RULE_TYPES, 4, cells),
        normal(categories, 3),
        normal(2, cells),
        normal(cells),
    )


@examples(60)
@given(st.integers(0, 2**32), st.integers(1, 12), st.sampled_from(EXACT), st.booleans(), st.booleans())
def test_native_core_follows_the_reference_where_grammars_are_wide_and_sentences_long(
    seed: int, words: int, decoder: Decoder, heuristic: bool, lazy: bool
) -> None:
    follows_the_reference(seed, words, decoder, heuristic, lazy, Bound.TAGS)


@examples(20)
@given(st.integers(0, 2**32), st.integers(1, 5), st.sampled_from(EXACT), st.booleans())
def test_the_bound_that_knows_the_grammar_is_the_reference_s_where_grammars_are_wide(
    seed: int, words: int, decoder: Decoder, lazy: bool
) -> None:
    follows_the_reference(seed, words, decoder, True, lazy, Bound.GRAMMAR)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_bound_whose_chart_has_millions_of_edges_is_as_exact_as_any(seed: int) -> None:
    random = np.random.default_rng(seed)
    table = wide_table(random)
    sentence = wide_sentence(random, table, 40, 1)
    flat = replace(sentence, log_probabilities=sentence.log_probabilities * np.float32(0.05))
    tags, grammar = (
        Searcher(table)
        .search(flat, Options(decoder=Decoder.SUPERTAG, bound=bound, unary_cost=0.0, distance_cost=0.0))
        .certificate
        for bound in (Bound.TAGS, Bound.GRAMMAR)
    )
    assert grammar.optimal and grammar.score == tags.score
    assert grammar.explored < tags.explored


def follows_the_reference(seed: int, words: int, decoder: Decoder, heuristic: bool, lazy: bool, bound: Bound) -> None:
    """The same pushes and pops, with a grammar, a sentence and a model that the seed stands for."""
    random = np.random.default_rng(seed)
    table, cells = wide_table(random), int(random.choice([1, 7, 16, 20]))
    sentence = wide_sentence(random, table, words, cells)
    searcher = Searcher(table, wide_weights(random, len(table.categories), cells))
    options = Options(
        decoder=decoder,
        heuristic=heuristic,
        bound=bound,
        lazy=lazy,
        unary_cost=0.1,
        distance_cost=float(random.choice([0.0, 1e-3])),
        limits=Limits(forest=400, agenda=4000, recursive_units=1000),
        backoff=False,
    )
    loop = AgendaLoop(table, sentence, options, searcher, whole_bound=True)
    best = next(loop.parses(), None)
    run = searcher.record(sentence, options)
    assert list(run.events) == loop.events
    assert best is None or run.result.certificate.score == best.score


@examples(40)
@given(st.integers(0, 2**32), st.integers(2, 14), st.integers(1, 60))
def test_nbest_lists_are_in_order_distinct_and_begin_with_each_other(seed: int, words: int, nbest: int) -> None:
    """The n best of the chart are the first n of the n + 20 best, and every one adds up."""
    random = np.random.default_rng(seed)
    table = wide_table(random)
    sentence = wide_sentence(random, table, words, 2)
    searcher = Searcher(table)
    options = Options(decoder=Decoder.SUPERTAG, unary_cost=0.1, distance_cost=1e-3, nbest=nbest)
    few = searcher.search(sentence, options)
    many = searcher.search(sentence, replace(options, nbest=nbest + 20))
    scores = [[parse.certificate.score for parse in result.parses] for result in (few, many)]
    assert scores[0] == scores[1][:nbest]
    assert scores[1] == sorted(scores[1], reverse=True)
    assert len({oracle.key_of(parse.nodes) for parse in many.parses}) == len(many.parses)
    for parse in [*many.parses[:5], *many.parses[-5:]]:
        total, _ = searcher.score_derivation(sentence, parse.nodes, options)
        assert total == parse.certificate.score


@examples(60)
@given(cases((Decoder.SUPERTAG, Decoder.SUPERTAG_FOREST)), st.integers(1, 8), st.data())
def test_spreading_the_categories_over_a_huge_vocabulary_changes_nothing(
    case: Case, nbest: int, data: st.DataObject
) -> None:
    """Categories are numbers in sets of bits: which numbers they are may not matter, as long as their order stays."""
    number = len(case.table.categories)
    size = data.draw(st.sampled_from([65, 4097, 9000]))
    place = sorted(data.draw(st.lists(st.integers(0, size - 1), min_size=number, max_size=number, unique=True)))
    spread = replace(
        case.table,
        categories=cast("Any", ("",) * size),
        lexical=size,
        binary=tuple(
            BinaryRule(place[rule.left], place[rule.right], place[rule.result], rule.rule, rule.head)
            for rule in case.table.binary
        ),
        unary=tuple(UnaryRule(place[rule.child], place[rule.result], rule.rule) for rule in case.table.unary),
        roots=tuple(place[root] for root in case.table.roots),
    )
    sentence = replace(case.sentence, tags=np.array([place[tag] for tag in case.sentence.tags], np.int32))
    options = replace(case.options, nbest=nbest)
    few, many = case.search(nbest=nbest), Searcher(spread).search(sentence, options)
    assert [[node._replace(category=place[node.category]) for node in parse.nodes] for parse in few.parses] == [
        list(parse.nodes) for parse in many.parses
    ]
    assert few.certificate.explored == many.certificate.explored


def cyclic(binary: bool) -> RuleTable:
    """A -> B -> C -> A, and no bound on chains."""
    return RuleTable(
        categories=cast("Any", ("A", "B", "C")),
        lexical=3,
        binary=(BinaryRule(0, 0, 0, 1, 0), BinaryRule(1, 2, 1, 2, 1)) if binary else (),
        unary=(UnaryRule(0, 1, 13), UnaryRule(1, 2, 11), UnaryRule(2, 0, 13), UnaryRule(1, 0, 12)),
        roots=(0, 2),
        allowed=((EVERY,) * RULE_TYPES,) * RULE_TYPES,
        unary_allowed=(EVERY,) * RULE_TYPES,
        start_only=0,
        max_unary_chain=0,
    )


def few_words(words: int) -> TaggedSentence:
    tags = np.array([0, 1] * words, np.int32)
    scores = np.array([-0.5, -0.75] * words, np.float32)
    return TaggedSentence(tags, scores, np.arange(0, 2 * words + 1, 2, dtype=np.int32))


@pytest.mark.timeout(60)
@pytest.mark.parametrize(("words", "nbest"), list(itertools.product([1, 2, 3], [1, 2, 3, 10, 30])))
def test_unary_rules_that_lead_back_neither_hang_the_chart_nor_spoil_its_nbest_list(words: int, nbest: int) -> None:
    table, sentence = cyclic(binary=True), few_words(words)
    options = Options(decoder=Decoder.SUPERTAG, unary_cost=0.5, distance_cost=0.0, nbest=nbest)
    result = Searcher(table).search(sentence, options)
    bounded = replace(table, max_unary_chain=8)  # a longer chain costs more than any of the list
    loop = AgendaLoop(bounded, sentence, replace(options, decoder=Decoder.SUPERTAG_FOREST))
    best = [item.inside for item in itertools.islice(loop.parses(), nbest)]
    assert [parse.certificate.score for parse in result.parses] == best
    assert len({oracle.key_of(parse.nodes) for parse in result.parses}) == nbest


@pytest.mark.timeout(60)
@pytest.mark.parametrize("decoder", EXACT[:2])
def test_free_unary_rules_that_lead_back_end_in_a_parse_or_at_a_limit(decoder: Decoder) -> None:
    """Chains that cost nothing and never end: infinitely many parses, all equally good."""
    limits = Limits(forest=2000, agenda=20_000)
    options = Options(decoder=decoder, nbest=5, unary_cost=0.0, distance_cost=0.0, limits=limits)
    result = Searcher(cyclic(binary=True)).search(few_words(3), options)
    best = result.parses[0].certificate.score
    assert best == -1.5
    assert len({oracle.key_of(parse.nodes) for parse in result.parses}) == len(result.parses)


@pytest.mark.parametrize("decoder", list(Decoder))
def test_a_sentence_over_the_word_limit_is_answered_by_the_back_off(decoder: Decoder) -> None:
    """Under the model that was asked for, where a beam can use it."""
    random = np.random.default_rng(5)
    words, cells = 41, 4
    table = replace(cyclic(binary=True), unary=(), roots=(0,))
    sentence = replace(few_words(words), states=random.uniform(-1, 1, (words, 4, cells)).astype(np.float32))
    searcher = Searcher(table, wide_weights(random, 3, cells))
    limits = Limits(words=words - 1)
    (parse,) = searcher.search(sentence, Options(decoder=decoder, limits=limits)).parses
    assert parse.nodes[-1].end == words
    uses_beam = decoder in (Decoder.GLOBAL, Decoder.SPAN, Decoder.SPAN_FOREST)
    assert parse.certificate.decoder is (Decoder.BEAM if uses_beam else Decoder.SUPERTAG)
    if uses_beam:
        (plain,) = searcher.search(sentence, Options(decoder=decoder, limits=limits, backoff_beam=False)).parses
        assert plain.certificate.decoder is Decoder.SUPERTAG
        assert parse.certificate.score >= plain.certificate.score
    assert parse.certificate.gap >= 0
    expected = "" if decoder is Decoder.SUPERTAG else "words"
    assert parse.certificate.stopped == expected


def test_a_very_long_sentence_is_parsed_or_refused_but_never_wrong() -> None:
    right_branching = replace(cyclic(binary=False), binary=(BinaryRule(0, 1, 1, 1, 0),), unary=(), roots=(1,))
    for words in (2000, 4095, 4096, 70_000):
        tags = np.zeros(words, np.int32)
        tags[-1] = 1
        sentence = TaggedSentence(tags, np.full(words, -0.5, np.float32), np.arange(words + 1, dtype=np.int32))
        result = Searcher(right_branching).search(sentence, Options(decoder=Decoder.SUPERTAG, distance_cost=0.0))
        if result.parses:
            assert result.certificate.score == -0.5 * words
            assert result.parses[0].nodes[-1].end == words
        else:
            assert words > 2000
            assert result.certificate.stopped == "words"


FLAT_TAGS = textwrap.dedent(
    """
    import re
    from pathlib import Path
    import numpy as np
    from starccg.search.searcher import Searcher
    from starccg.search.options import Limits, Options
    from starccg.search.types import TaggedSentence
    from tests.search.test_large import wide_table, wide_weights
    random = np.random.default_rng(1)
    table = wide_table(random, density=5)
    words, tags, cells = 250, 20, 64
    sentence = TaggedSentence(
        np.concatenate([random.choice(table.lexical, tags, replace=False) for _ in range(words)]).astype(np.int32),
        np.full(words * tags, -3.0, np.float32), np.arange(0, words * tags + 1, tags, dtype=np.int32),
        random.uniform(-1, 1, (words, 4, cells)).astype(np.float32))
    searcher = Searcher(table, wide_weights(random, len(table.categories), cells))
    result = searcher.search(sentence, Options(limits=Limits(seconds=10)))
    certificate = result.certificate
    # Of this program alone: what getrusage tells begins with what the process that started it held.
    (peak,) = re.findall(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
    print(len(result.parses), certificate.decoder, certificate.stopped != "", certificate.gap > 0, int(peak) < 2**19)
    """
)


@pytest.mark.slow
def test_a_long_sentence_with_flat_tags_stays_under_half_a_gigabyte_and_backs_off() -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([*sys.path, str(Path(__file__).parents[2])])}
    run = subprocess.run(
        [sys.executable, "-c", FLAT_TAGS], capture_output=True, text=True, env=environment, timeout=200, check=False
    )
    assert run.stdout.split() == ["1", "beam", "True", "True", "True"], run.stdout + run.stderr
