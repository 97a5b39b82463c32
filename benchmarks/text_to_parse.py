"""Sentences a second from text to parse with one thread and with two, and what a first parse costs.

    python benchmarks/text_to_parse.py [--before PYTHON] [--sentences 2000] [--repeat 3] [--model en]

Prints, for this version and for the one that the interpreter PYTHON imports, measured in turn in one run: the best rate
of ``parser.pipe`` with one and two threads and their ratio (target: 1.85); the seconds from a cold start of Python to a
first parse (target: 0.5); the resident memory after it (target: 150 MB), and its maximum, which is reached while the
model is loaded. Linux only.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

RATE = """
import json, sys, time, starccg
from sentences import sentences
texts = list(sentences({sentences}, clauses=2))
parser = starccg.load({model!r}, threads={threads})
list(parser.pipe(texts[:256]))
begin = time.perf_counter()
count = sum(1 for outcome in parser.pipe(texts) if outcome.parses)
print(json.dumps({{"rate": len(texts) / (time.perf_counter() - begin), "parsed": count}}))
"""
FIRST = """
import json, resource, starccg
assert starccg.load({model!r}).parse("The old man saw the dog near the house.").parses
pages = int(open("/proc/self/statm").read().split()[1])
most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({{"memory": pages * resource.getpagesize() / 1e6, "most": most / 1e6}}))
"""
START = "import sys, time; from subprocess import run; b = time.perf_counter(); o = run({command!r}, check=True, \
capture_output=True, text=True).stdout; import json; print(json.dumps({{**json.loads(o), 'seconds': \
time.perf_counter() - b}}))"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--before", help="the Python interpreter of another version's environment")
    arguments.add_argument("--sentences", type=int, default=2000)
    arguments.add_argument("--repeat", type=int, default=3)
    arguments.add_argument("--model", default="en")
    options = arguments.parse_args()
    versions = {**({"before": options.before} if options.before else {}), "now": sys.executable}
    rates: dict[tuple[str, int], list[float]] = {}
    starts: dict[str, list[dict[str, float]]] = {}
    for _ in range(options.repeat):
        for version, python in versions.items():
            for threads in (1, 2):
                code = RATE.format(sentences=options.sentences, model=options.model, threads=threads)
                rates.setdefault((version, threads), []).append(run(python, code)["rate"])
            first = [python, "-c", FIRST.format(model=options.model)]
            starts.setdefault(version, []).append(run(sys.executable, START.format(command=first)))
    for version in versions:
        one, two = max(rates[version, 1]), max(rates[version, 2])
        seconds, memory, most = (min(start[it] for start in starts[version]) for it in ("seconds", "memory", "most"))
        print(f"{version}: {one:,.0f} sentences/s with one thread, {two:,.0f} with two: {two / one:.2f} times")
        print(f"{version}: first parse {seconds:.2f} s after the start (target 0.5)")
        print(f"{version}: resident memory {memory:.0f} MB after it (target 150), {most:.0f} MB at most")


def run(python: str, code: str) -> dict[str, float]:
    done = subprocess.run(
        [python, "-c", code], check=True, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    main()
