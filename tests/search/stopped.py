"""Searches stopped at every check point, and the claims of their results held against all derivations.

The clock is injected: with ``Searcher.search_counting_checks`` a limit of k seconds stops a search at its k-th check
point. ``benchmarks/stopped_searches.py`` runs as many of these searches as it is asked for.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import numpy as np

from starccg.ccg.rules import Rule
from starccg.ccg.table import BinaryRule, RuleTable, UnaryRule
from starccg.search.options import Bound, Decoder, Limits, Options
from starccg.search.searcher import Searcher
from starccg.search.types import SearchResult, TaggedSentence, TreeLstmWeights
from tests.search import oracle
from tests.search.cases import Case, without_clock

TYPES = len(Rule)
EVERY = (1 << TYPES) - 1


def stopped_everywhere(searcher: Searcher, sentence: TaggedSentence, options: Options) -> Iterator[SearchResult]:
    """The results of a search stopped at its first check point, at its second and so on; the last is not stopped."""

    def search(checks: float) -> SearchResult:
        limits = replace(options.limits, seconds=checks)
        return without_clock(searcher.search_counting_checks(sentence, replace(options, limits=limits)))

    finished = search(math.inf)
    yield from itertools.takewhile(lambda result: result != finished, map(search, itertools.count()))
    yield finished


def check_result(case: Case, result: SearchResult, best: list[int]) -> None:
    """Every claim of a result holds, where ``best`` holds the scores of all parses, best first."""
    assert oracle.grid(result.certificate.upper_bound) >= best[0]
    if not result.parses:
        assert not result.certificate.optimal
        assert result.certificate.stopped != ""
        assert result.certificate.stopped != "exhausted" or not case.options.decoder.is_exact
    scores = [oracle.grid(parse.certificate.score) for parse in result.parses]
    assert scores == sorted(scores, reverse=True)
    for rank, parse in enumerate(result.parses):
        case.check(parse)
        assert scores[rank] <= best[rank] <= oracle.grid(parse.certificate.upper_bound)
        assert not parse.certificate.optimal or scores[rank] == best[rank]


def dense_case(random: np.random.Generator, decoders: tuple[Decoder, ...] = tuple(Decoder), most: int = 300) -> Case:
    """A search with many parses, whose global model may cost more than the first floors lie below the best tags.

    Some searches have other limits too: where one of them comes first, the clock stops the back-off.
    """
    while True:
        table = _dense_table(random)
        cells = int(random.integers(1, 4))
        sentence = _sentence(random, table, cells)
        as_usual = random.random() < 0.5
        options = Options(
            decoder=decoders[random.integers(len(decoders))],
            heuristic=bool(as_usual or random.random() < 0.8),
            bound=Bound.GRAMMAR if as_usual or random.random() < 0.5 else Bound.TAGS,
            refine_after=[None, 0, 2, 1000][random.integers(4)],
            lazy=bool(as_usual or random.random() < 0.5),
            nbest=int(random.choice([1, 1, 1, 2, 5])),
            rerank_size=int(random.choice([1, 5, 100])),
            beam_size=int(random.choice([1, 8])),
            unary_cost=float(random.choice([0.0, 0.1])),
            distance_cost=float(random.choice([0.0, 0.3])),
            backoff=bool(random.random() < 0.7),
            backoff_beam=bool(random.random() < 0.7),
            backoff_unary_cost=float(random.choice([0.0, 0.1])),
            backoff_distance_cost=float(random.choice([0.0, 0.3])),
            limits=Limits(forest=int(random.choice([10**6, 10**6, random.integers(20)]))),
        )
        try:
            trees = oracle.derivations(table, sentence, options, most)
        except oracle.TooMany:
            continue
        if trees:
            return Case(table, sentence, _weights(random, len(table.categories), cells), options, trees)


def _dense_table(random: np.random.Generator) -> RuleTable:
    number = int(random.integers(2, 5))
    triples = list(itertools.product(range(number), repeat=3))
    chosen = random.choice(len(triples), min(len(triples), int(random.integers(3, 12))), replace=False)
    binary = [BinaryRule(*triples[i], int(random.integers(1, 3)), int(random.integers(2))) for i in chosen]
    unary = [UnaryRule(a, b, 13) for a, b in itertools.permutations(range(number), 2) if random.random() < 0.15]
    roots = tuple(range(int(random.integers(1, number + 1))))
    return RuleTable(
        categories=cast("Any", tuple(f"C{index}" for index in range(number))),
        lexical=number,
        binary=tuple(binary),
        unary=tuple(unary),
        roots=roots,
        allowed=((EVERY,) * TYPES,) * TYPES,
        unary_allowed=(EVERY,) * TYPES,
        start_only=0,
        max_unary_chain=1,
        root_scores=tuple(-4 * random.random() for _ in roots) if random.random() < 0.5 else (),
    )


def _sentence(random: np.random.Generator, table: RuleTable, cells: int) -> TaggedSentence:
    words = int(random.choice([1, 2, 2, 3, 3, 4]))
    counts = random.integers(1, table.lexical + 1, words)
    tags = [random.choice(table.lexical, count, replace=False) for count in counts]
    # The bound's floors lie 3, 4.5, 6.75 and so on below the sum of the best tags.
    scores = [-random.choice([0.5, 5.0, 10.0, 40.0]) * random.random(count) for count in counts]
    for own in scores:
        own[0] *= random.choice([0.0, 1.0])
    if random.random() < 0.3:  # ties, and sums that are exactly a floor
        scores = [1.5 * np.round(own / 1.5) for own in scores]
    return TaggedSentence(
        np.concatenate(tags).astype(np.int32),
        np.concatenate(scores).astype(np.float32),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        random.uniform(-1, 1, (words, 4, cells)).astype(np.float32),
    )


def _weights(random: np.random.Generator, categories: int, cells: int) -> TreeLstmWeights:
    embedding = 2

    def uniform(*shape: int) -> Any:
        return random.uniform(-3, 3, shape).astype(np.float32)

    biases = uniform(TYPES, 4, cells)
    biases[:, [0, 2]] += random.choice([0.0, 10.0])  # with open input and output gates, scores differ more
    return TreeLstmWeights(
        input_gate=uniform(TYPES, cells, 4 * cells + embedding),
        forget_gate=uniform(TYPES, cells, 4 * cells + embedding),
        output_gate=uniform(TYPES, cells, 3 * cells + embedding),
        candidate=uniform(TYPES, cells, 2 * cells + embedding),
        biases=biases,
        categories=uniform(categories, embedding),
        unary_left=uniform(2, cells),
        output=uniform(cells) * np.float32(random.choice([0.1, 1.0, 10.0, 30.0, 1e5, 1e30])),
    )
