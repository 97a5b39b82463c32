"""Lazy against eager global scoring on random weights: recursive units and seconds saved; prints one JSON line.

    python benchmarks/lazy.py [--sentences 50] [--words 12]

A small grammar of application and composition with their normal form, made here; tags with one clear favourite, as a
trained tagger gives them.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np
from random_weights import random_weights

from starccg.ccg.category import Category
from starccg.ccg.rules import Rule
from starccg.ccg.table import BinaryRule, RuleTable, UnaryRule
from starccg.search.options import Bound, Decoder, Options
from starccg.search.searcher import Searcher
from starccg.search.types import TaggedSentence

TYPES = 18
# S, NP, N, NP/N, S\NP, (S\NP)/NP, NP\NP, (NP\NP)/NP, (S\NP)\(S\NP), ((S\NP)\(S\NP))/NP, N/N
S, NP, N, DET, IV, TV, NM, PN, VM, PV, ADJ = range(11)
FORWARD = [(DET, N, NP), (TV, NP, IV), (PN, NP, NM), (PV, NP, VM), (ADJ, N, N)]
BACKWARD = [(NP, IV, S), (NP, NM, NP), (IV, VM, IV)]
COMPOSED = [(DET, ADJ, DET), (ADJ, ADJ, ADJ), (TV, DET, TV)]
LEXICON = [(DET, 0.2), (ADJ, 0.15), (N, 0.3), (TV, 0.1), (IV, 0.05), (PN, 0.1), (PV, 0.1)]


def small_table() -> RuleTable:
    everything = 0xFFFFFFFF
    composed, application = int(Rule.FORWARD_COMPOSITION), int(Rule.FORWARD_APPLICATION)
    allowed = [(everything,) * TYPES] * TYPES
    allowed[composed] = (everything & ~(1 << application | 1 << composed),) * TYPES  # the usual normal form
    binary = (
        [BinaryRule(*r, application, 0) for r in FORWARD]
        + [BinaryRule(*r, int(Rule.BACKWARD_APPLICATION), 1) for r in BACKWARD]
        + [BinaryRule(*r, composed, 0) for r in COMPOSED[:2]]
    )
    return RuleTable(
        categories=tuple(Category.parse(f"C{number}") for number in range(11)),
        lexical=11,
        binary=tuple(binary),
        unary=(UnaryRule(N, NP, int(Rule.TYPE_CHANGE)),),
        roots=(S, NP),
        allowed=tuple(allowed),
        unary_allowed=(everything,) * TYPES,
        start_only=0,
        max_unary_chain=1,
    )


def global_case(*, sentences: int, words: int, cells: int = 64, seed: int = 0) -> tuple[Searcher, list[TaggedSentence]]:
    rng = np.random.default_rng(seed)
    pattern = [DET, N, TV, DET, ADJ, N, PV, DET, N, PN, DET, N]
    weights = random_weights(TYPES, cells, 11, 16, seed, output=0.3)
    out = []
    for _ in range(sentences):
        logits = rng.normal(0, 1, (words, 11))
        logits[np.arange(words), [pattern[i % len(pattern)] for i in range(words)]] += 6
        logp = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
        tags = np.tile(np.arange(11, dtype=np.int32), words)
        states = rng.uniform(-1, 1, (words, 4, cells)).astype(np.float32)
        offsets = np.arange(words + 1, dtype=np.int32) * 11
        out.append(TaggedSentence(tags, logp.astype(np.float32).ravel(), offsets, states))
    return Searcher(small_table(), weights), out


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--sentences", type=int, default=50)
    ap.add_argument("--words", type=int, default=12)
    a = ap.parse_args()
    searcher, sentences = global_case(sentences=a.sentences, words=a.words)
    units, seconds, scores = {}, {}, {}
    for lazy in (True, False):
        options = Options(decoder=Decoder.GLOBAL, bound=Bound.TAGS, unary_cost=0.1, lazy=lazy)
        begin = time.process_time()
        results = searcher.search_batch(sentences, options)
        seconds[lazy] = time.process_time() - begin
        units[lazy] = sum(r.certificate.recursive_units for r in results)
        scores[lazy] = [r.certificate.score for r in results]
    print(
        json.dumps(
            {
                "sentences": a.sentences,
                "words": a.words,
                "same_scores": scores[True] == scores[False],
                "lazy_units": units[True] / a.sentences,
                "eager_units": units[False] / a.sentences,
                "units_saved": 1 - units[True] / units[False],
                "speed_up": seconds[False] / seconds[True],
            }
        )
    )


if __name__ == "__main__":
    main()
