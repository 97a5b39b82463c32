"""What parts of speech and lemmas cost: the same sentences parsed with and without them, in turns, on one thread.

    python benchmarks/annotate.py [--model en] [--rounds 7]

Prints the median time of a round of each kind, and the difference in per cent.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

from look import SENTENCES, read_sentences

from starccg.models import load


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--model", default="en")
    arguments.add_argument("--rounds", type=int, default=7)
    options = arguments.parse_args()
    parser, sentences = load(options.model), [*read_sentences(SENTENCES).values()]
    seconds: dict[bool, list[float]] = {False: [], True: []}
    for number in range(options.rounds + 1):
        for annotate, taken in seconds.items():
            began = time.perf_counter()
            parser.parse(sentences, annotate=annotate)
            if number:  # the first round warms up
                taken.append(time.perf_counter() - began)
    plain, annotated = (median(taken) for taken in seconds.values())
    print(f"{options.model}: {len(sentences)} sentences, {plain:.3f} s without, {annotated:.3f} s with", end="")
    print(f" ({100 * (annotated / plain - 1):+.1f}%)")


if __name__ == "__main__":
    main()
