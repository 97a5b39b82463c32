"""A long sentence with flat tags under the global model: memory, seconds, and the gap of the back-off; one JSON line.

python benchmarks/bounded.py [FILE.npz] [--words 250]

With a workload of ``benchmarks/peer.py`` its grammar and tags are used (sentences of it laid end to end), else a
small grammar made here.
"""

from __future__ import annotations

import argparse
import json
import resource
import time

import numpy as np
from lazy import global_case
from peer import load
from random_weights import random_weights

from starccg.search.options import Bound, Decoder, Options
from starccg.search.types import TaggedSentence


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("file", nargs="?")
    ap.add_argument("--words", type=int, default=250)
    a = ap.parse_args()
    cells = 64
    if a.file:
        searcher, ids, logps, offsets = load(a.file)
        need = -(-a.words // (len(offsets) - 1))
        tags = np.concatenate(ids[:need])[: a.words]
        logp = np.concatenate(logps[:need])[: a.words] * 0.2  # flat
        states = np.random.default_rng(0).uniform(-1, 1, (a.words, 4, cells)).astype(np.float32)
        own_offsets = np.arange(a.words + 1, dtype=np.int32) * tags.shape[1]
        sentence = TaggedSentence(tags.ravel(), logp.astype(np.float32).ravel(), own_offsets, states)
        searcher = searcher.with_weights(random_weights(18, cells, len(searcher.table.categories), 16, seed=0))
    else:
        searcher, (sentence,) = global_case(sentences=1, words=a.words)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.perf_counter()
    result = searcher.search(sentence, Options(decoder=Decoder.GLOBAL, bound=Bound.TAGS, unary_cost=0.1))
    c = result.certificate
    print(
        json.dumps(
            {
                "words": a.words,
                "parses": len(result.parses),
                "decoder": c.decoder,
                "stopped": c.stopped,
                "score": c.score,
                "upper_bound": c.upper_bound,
                "gap": c.gap,
                "explored": c.explored,
                "agenda": c.agenda,
                "recursive_units": c.recursive_units,
                "seconds": time.perf_counter() - begin,
                "megabytes_before": before / 1024,
                "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
    )


if __name__ == "__main__":
    main()
