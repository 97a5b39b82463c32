"""Races the supertag-factored search on a workload file; prints one JSON line.

    python benchmarks/peer.py FILE.npz [--repeat 3] [--threads 1] [--nbest 1]

The file holds a whole search space as integers: ``categories`` [C], ``binary`` [B, 3] (left, right, result),
``unary`` [U, 2] (child, parent; 0.1 a use, chains allowed, never on the whole sentence), ``roots`` [R], and the 50 best
tags of each word in
``tag_ids`` and ``tag_logp`` [S, N, 50]. Timed is all that a caller waits for: handing over the arrays, the search, and
building the outcomes (what they hold is read when looked at). No normal form: the peer's search space has none.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from starccg.search.core import SearchTable, search_batch
from starccg.search.types import Decoder, Limits, Options, TaggedSentence


def load(file: str) -> tuple[SearchTable, list[np.ndarray], list[np.ndarray], np.ndarray]:
    d = np.load(file)
    binary, unary = d["binary"], d["unary"]
    rules, types = np.full(len(binary), 1), 14
    table = SearchTable.from_arrays(
        categories=len(d["categories"]),
        lexical=425,
        binary=np.column_stack([binary, rules, np.zeros(len(binary))]).astype(np.int32),
        unary=np.column_stack([unary, np.full(len(unary), 13)]).astype(np.int32),
        roots=d["roots"].astype(np.int32),
        allowed=np.full((types, types), 0xFFFFFFFF, np.uint32),
        unary_allowed=np.full(types, 0xFFFFFFFF, np.uint32),
        start_only=0,
        max_unary_chain=0,
        unary_at_root=False,
    )
    ids, logps = d["tag_ids"].astype(np.int32), d["tag_logp"].astype(np.float32)
    words, tags = ids.shape[1:]
    offsets = np.arange(words + 1, dtype=np.int32) * tags
    return table, list(ids), list(logps), offsets


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("file")
    ap.add_argument("--repeat", type=int, default=3, help="runs; the median counts")
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--nbest", type=int, default=1)
    a = ap.parse_args()
    table, ids, logps, offsets = load(a.file)
    limits = Limits(forest=10**9, agenda=10**9, words=4000)
    options = Options(decoder=Decoder.SUPERTAG, unary_cost=0.1, nbest=a.nbest, limits=limits)
    seconds = []
    for _ in range(a.repeat + 1):  # the first run warms up
        begin = time.perf_counter()
        sentences = [TaggedSentence(i.reshape(-1), p.reshape(-1), offsets) for i, p in zip(ids, logps, strict=True)]
        outcomes = search_batch(table, sentences, options, threads=a.threads)
        seconds.append(time.perf_counter() - begin)
    median = float(np.median(seconds[1:]))
    scores = [o.certificate.score if o.parses else None for o in outcomes]
    print(
        json.dumps(
            {
                "sentences": len(ids),
                "words": len(offsets) - 1,
                "threads": a.threads,
                "nbest": a.nbest,
                "seconds": median,
                "sentences_per_second": len(ids) / median,
                "search_seconds": sum(o.certificate.seconds for o in outcomes),
                "explored": float(np.mean([o.certificate.explored for o in outcomes])),
                "agenda": float(np.mean([o.certificate.agenda for o in outcomes])),
                "parsed": sum(s is not None for s in scores),
                "optimal": sum(o.certificate.optimal for o in outcomes),
                "scores": scores,
            }
        )
    )


if __name__ == "__main__":
    main()
