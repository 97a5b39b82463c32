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
from recursive_unit import random_weights

from starccg.ccg.rules import Rule
from starccg.search.core import SearchTable, TreeLstm, search_batch
from starccg.search.types import Decoder, Options, TaggedSentence

TYPES = 18
# S, NP, N, NP/N, S\NP, (S\NP)/NP, NP\NP, (NP\NP)/NP, (S\NP)\(S\NP), ((S\NP)\(S\NP))/NP, N/N
S, NP, N, DET, IV, TV, NM, PN, VM, PV, ADJ = range(11)
FORWARD = [(DET, N, NP), (TV, NP, IV), (PN, NP, NM), (PV, NP, VM), (ADJ, N, N)]
BACKWARD = [(NP, IV, S), (NP, NM, NP), (IV, VM, IV)]
COMPOSED = [(DET, ADJ, DET), (ADJ, ADJ, ADJ), (TV, DET, TV)]
LEXICON = [(DET, 0.2), (ADJ, 0.15), (N, 0.3), (TV, 0.1), (IV, 0.05), (PN, 0.1), (PV, 0.1)]


def small_table() -> SearchTable:
    everything = np.full((TYPES, TYPES), 0xFFFFFFFF, np.uint32)
    composed, application = int(Rule.FORWARD_COMPOSITION), int(Rule.FORWARD_APPLICATION)
    everything[composed, :] = ~np.uint32(1 << application | 1 << composed)  # the usual normal form
    binary = (
        [(*r, application, 0) for r in FORWARD]
        + [(*r, int(Rule.BACKWARD_APPLICATION), 1) for r in BACKWARD]
        + [(*r, composed, 0) for r in COMPOSED[:2]]
    )
    return SearchTable.from_arrays(
        categories=11,
        lexical=11,
        binary=np.array(binary, np.int32),
        unary=np.array([(N, NP, int(Rule.TYPE_CHANGE))], np.int32),
        roots=np.array([S, NP], np.int32),
        allowed=everything,
        unary_allowed=np.full(TYPES, 0xFFFFFFFF, np.uint32),
        start_only=0,
        max_unary_chain=1,
        unary_at_root=True,
    )


def global_case(
    *, sentences: int, words: int, cells: int = 64, seed: int = 0
) -> tuple[SearchTable, list[TaggedSentence], TreeLstm]:
    rng = np.random.default_rng(seed)
    pattern = [DET, N, TV, DET, ADJ, N, PV, DET, N, PN, DET, N]
    model = TreeLstm(random_weights(TYPES, cells, 11, 16, seed, output=0.3))
    out = []
    for _ in range(sentences):
        logits = rng.normal(0, 1, (words, 11))
        logits[np.arange(words), [pattern[i % len(pattern)] for i in range(words)]] += 6
        logp = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
        tags = np.tile(np.arange(11, dtype=np.int32), words)
        states = rng.uniform(-1, 1, (words, 4, cells)).astype(np.float32)
        offsets = np.arange(words + 1, dtype=np.int32) * 11
        out.append(TaggedSentence(tags, logp.astype(np.float32).ravel(), offsets, states))
    return small_table(), out, model


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--sentences", type=int, default=50)
    ap.add_argument("--words", type=int, default=12)
    a = ap.parse_args()
    table, sentences, model = global_case(sentences=a.sentences, words=a.words)
    units, seconds, scores = {}, {}, {}
    for lazy in (True, False):
        options = Options(decoder=Decoder.GLOBAL, unary_cost=0.1, lazy=lazy)
        begin = time.process_time()
        outcomes = search_batch(table, sentences, options, model)
        seconds[lazy] = time.process_time() - begin
        units[lazy] = sum(o.certificate.recursive_units for o in outcomes)
        scores[lazy] = [o.certificate.score for o in outcomes]
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
