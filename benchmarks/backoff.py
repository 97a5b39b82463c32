"""What the back-off answers where a limit stops the search, against the best parse and against beam search alone.

    python benchmarks/backoff.py [--model en] [--units 50] FILE.auto...

Only sentences whose search meets the limit of ``--units`` recursive units, and whose best parse is known (proved by a
search with the usual limits), count. Prints for the back-off and for the 8-best beam how many answers are the best
parse, the mean loss and the mean gap. The exit code is 1 if a bound is below the best parse, or if an answer of the
back-off has a larger gap than that of the beam.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

from starccg.experiments.evaluation_set import read_words
from starccg.models import load
from starccg.search.options import Decoder, Limits, Options


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="+", type=Path, metavar="FILE.auto")
    arguments.add_argument("--model", default="en", help="a model with a global model")
    arguments.add_argument("--units", type=int, default=50, help="the limit on recursive units")
    options = arguments.parse_args()
    parser = load(options.model, threads=1)
    tagged = parser.tag(read_words(options.files), Decoder.GLOBAL)
    ways = {
        "best": Options(),
        "back-off": Options(limits=Limits(recursive_units=options.units)),
        "8-best beam": Options(decoder=Decoder.BEAM),
    }
    found = {
        name: [result.certificate for result in parser.searcher.search_batch(tagged, way)] for name, way in ways.items()
    }
    stopped = [
        place
        for place, (best, backed_off) in enumerate(zip(found["best"], found["back-off"], strict=True))
        if best.optimal and backed_off.stopped
    ]
    answers = {name: [own[place] for place in stopped] for name, own in found.items()}
    best = answers.pop("best")
    print(f"| {len(stopped)} stopped searches | best parse found | loss, mean | gap, mean |\n|---|---|---|---|")
    wrong = 0
    for name, own in answers.items():
        losses = [right.score - answer.score for right, answer in zip(best, own, strict=True)]
        wrong += sum(answer.upper_bound < right.score for right, answer in zip(best, own, strict=True))
        gap = statistics.fmean(answer.gap for answer in own)
        print(f"| {name} | {losses.count(0.0)} | {statistics.fmean(losses):.3f} | {gap:.2f} |")
    behind = sum(one.gap > other.gap for one, other in zip(*answers.values(), strict=True))
    print(f"{wrong} bounds below the best parse; {behind} answers of the back-off with a larger gap than the beam's")
    sys.exit(wrong > 0 or behind > 0)


if __name__ == "__main__":
    main()
