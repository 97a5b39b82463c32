"""Races the supertag-factored search on a workload file; prints one JSON line.

    python benchmarks/peer.py FILE.npz [--repeat 3] [--threads 1] [--nbest 1]

The file holds a whole search space as integers: ``categories`` [C], ``binary`` [B, 3] (left, right, result),
``unary`` [U, 2] (child, parent; 0.1 a use, chains allowed, never on the whole sentence), ``roots`` [R], and the 50 best
tags of each word in
``tag_ids`` and ``tag_logp`` [S, N, 50]. Timed is all that a caller waits for: handing over the arrays, the search, and
building the results (what they hold is read when looked at). No normal form: the peer's search space has none.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from starccg.ccg.category import Category
from starccg.ccg.table import BinaryRule, RuleTable, UnaryRule
from starccg.search.options import Decoder, Limits, Options
from starccg.search.searcher import Searcher
from starccg.search.types import TaggedSentence


def load(file: str) -> tuple[Searcher, list[np.ndarray], list[np.ndarray], np.ndarray]:
    d = np.load(file)
    types, everything = 14, 0xFFFFFFFF
    table = RuleTable(
        categories=tuple(Category.parse(f"C{number}") for number in range(len(d["categories"]))),
        lexical=425,
        binary=tuple(BinaryRule(left, right, result, 1, 0) for left, right, result in d["binary"].tolist()),
        unary=tuple(UnaryRule(child, parent, 13) for child, parent in d["unary"].tolist()),
        roots=tuple(d["roots"].tolist()),
        allowed=((everything,) * types,) * types,
        unary_allowed=(everything,) * types,
        start_only=0,
        max_unary_chain=0,
        unary_at_root=False,
    )
    ids, logps = d["tag_ids"].astype(np.int32), d["tag_logp"].astype(np.float32)
    words, tags = ids.shape[1:]
    offsets = np.arange(words + 1, dtype=np.int32) * tags
    return Searcher(table), list(ids), list(logps), offsets


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("file")
    ap.add_argument("--repeat", type=int, default=3, help="runs; the median counts")
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--nbest", type=int, default=1)
    a = ap.parse_args()
    searcher, ids, logps, offsets = load(a.file)
    limits = Limits(forest=10**9, agenda=10**9, words=4000)
    options = Options(decoder=Decoder.SUPERTAG, unary_cost=0.1, distance_cost=0.0, nbest=a.nbest, limits=limits)
    seconds = []
    for _ in range(a.repeat + 1):  # the first run warms up
        begin = time.perf_counter()
        sentences = [TaggedSentence(i.reshape(-1), p.reshape(-1), offsets) for i, p in zip(ids, logps, strict=True)]
        results = searcher.search_batch(sentences, options, threads=a.threads)
        seconds.append(time.perf_counter() - begin)
    median = float(np.median(seconds[1:]))
    scores = [r.certificate.score if r.parses else None for r in results]
    print(
        json.dumps(
            {
                "sentences": len(ids),
                "words": len(offsets) - 1,
                "threads": a.threads,
                "nbest": a.nbest,
                "seconds": median,
                "sentences_per_second": len(ids) / median,
                "search_seconds": sum(r.certificate.seconds for r in results),
                "explored": float(np.mean([r.certificate.explored for r in results])),
                "agenda": float(np.mean([r.certificate.agenda for r in results])),
                "parsed": sum(s is not None for s in scores),
                "optimal": sum(r.certificate.optimal for r in results),
                "scores": scores,
            }
        )
    )


if __name__ == "__main__":
    main()
