"""Stop searches at every one of their check points, and compare what they claim with all derivations there are.

    python benchmarks/stopped_searches.py --searches 100000

Random dense grammars, sentences, models and options, from a random seed; of each ten grammars one has its best parse
near the first floor of the bound (``tests/search/floors.py``). A result is wrong if its upper bound is below the best
parse, if a parse that it calls optimal is not in its place, or if a score does not add up.
"""

from __future__ import annotations

import argparse
import collections
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.search.floors import case_below_the_floor
from tests.search.stopped import check_result, dense_case, stopped_everywhere


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--searches", type=int, default=10_000, help="the number of searches, all check points counted")
    parser.add_argument("--seed", type=int, default=1, help="the random seed")
    arguments = parser.parse_args()
    random = np.random.default_rng(arguments.seed)
    searches = grammars = proved = wrong = 0
    stops: collections.Counter[str] = collections.Counter()
    while searches < arguments.searches:
        case = dense_case(random) if grammars % 10 else case_below_the_floor(random)
        best = case.best_scores()
        grammars += 1
        for result in stopped_everywhere(case.searcher, case.sentence, case.options):
            searches += 1
            stops[result.certificate.stopped or "finished"] += 1
            proved += result.certificate.optimal
            try:
                check_result(case, result, best)
            except AssertionError:
                wrong += 1
                if wrong <= 10:
                    print(f"wrong: {result.certificate} of {case}", file=sys.stderr)
    counts = ", ".join(f"{number} {name}" for name, number in stops.most_common())
    print(f"{searches} searches of {grammars} grammars ({counts}), {proved} results proved optimal, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
