"""The time of n-best lists beside that of the best parse, in the same run; prints one JSON line.

    python benchmarks/nbest.py FILE.npz [--nbest 100] [--repeat 5]

FILE.npz is a workload of ``benchmarks/peer.py``. Supertag-factored: ``--nbest`` against 1. Global, on random
weights and a small sample: 10 against 1. Seconds are of the processor, so that other work on the machine counts little.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace

import numpy as np
from lazy import global_case
from peer import load

from starccg.search.options import Bound, Decoder, Limits, Options
from starccg.search.searcher import Searcher
from starccg.search.types import TaggedSentence


def seconds(searcher: Searcher, sentences: list[TaggedSentence], options: list[Options], repeat: int) -> list[float]:
    times: list[list[float]] = [[] for _ in options]
    for _ in range(repeat + 1):
        for own, each in zip(times, options, strict=True):
            begin = time.process_time()
            searcher.search_batch(sentences, each)
            own.append(time.process_time() - begin)
    return [float(np.median(own[1:])) for own in times]


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("file")
    ap.add_argument("--nbest", type=int, default=100)
    ap.add_argument("--repeat", type=int, default=5)
    a = ap.parse_args()
    searcher, ids, logps, offsets = load(a.file)
    sentences = [TaggedSentence(i.reshape(-1), p.reshape(-1), offsets) for i, p in zip(ids, logps, strict=True)]
    limits = Limits(forest=10**9, agenda=10**9)
    plain = Options(decoder=Decoder.SUPERTAG, unary_cost=0.1, distance_cost=0.0, limits=limits)
    options = [replace(plain, nbest=n) for n in (1, a.nbest)]
    one, many = seconds(searcher, sentences, options, a.repeat)
    own, own_sentences = global_case(sentences=20, words=12)
    options = [Options(decoder=Decoder.GLOBAL, bound=Bound.TAGS, unary_cost=0.1, nbest=n) for n in (1, 10)]
    global_one, global_ten = seconds(own, own_sentences, options, 2)
    print(
        json.dumps(
            {
                "words": len(offsets) - 1,
                "nbest": a.nbest,
                "one_best_microseconds": one / len(ids) * 1e6,
                "n_best_microseconds": many / len(ids) * 1e6,
                "ratio": many / one,
                "global_10_best_ratio": global_ten / global_one,
            }
        )
    )


if __name__ == "__main__":
    main()
