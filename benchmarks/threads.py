"""One thread against two and more on a workload of ``benchmarks/peer.py``, in turn; prints one JSON line.

python benchmarks/threads.py FILE.npz [--threads 2] [--repeat 9]
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np
from peer import load

from starccg.search.options import Decoder, Limits, Options
from starccg.search.types import TaggedSentence


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("file")
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--repeat", type=int, default=9)
    a = ap.parse_args()
    searcher, ids, logps, offsets = load(a.file)
    limits = Limits(forest=10**9, agenda=10**9)
    options = Options(decoder=Decoder.SUPERTAG, unary_cost=0.1, distance_cost=0.0, limits=limits)
    sentences = [TaggedSentence(i.reshape(-1), p.reshape(-1), offsets) for i, p in zip(ids, logps, strict=True)] * 4
    seconds: dict[int, list[float]] = {1: [], a.threads: []}
    scores = {}
    for _ in range(a.repeat + 1):
        for threads, own in seconds.items():
            begin = time.perf_counter()
            results = searcher.search_batch(sentences, options, threads=threads)
            own.append(time.perf_counter() - begin)
            scores[threads] = [r.certificate.score for r in results]
    best = {threads: float(np.min(own[1:])) for threads, own in seconds.items()}
    print(
        json.dumps(
            {
                "threads": a.threads,
                "sentences_per_second": {t: len(sentences) / s for t, s in best.items()},
                "speed_up": best[1] / best[a.threads],
                "same_scores": scores[1] == scores[a.threads],
            }
        )
    )


if __name__ == "__main__":
    main()
