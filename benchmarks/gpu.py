"""Sentences a second with the tagger on a GPU, stage by stage and from text to proved parse.

    python benchmarks/gpu.py TEXT --device cuda --processes 16

TEXT holds one sentence a line, its words separated by spaces; the corpus run tokenises it all the same. Printed are
- the rate of each stage in one process, and how many parses differ from those of the CPU;
- the rate of a corpus run (``starccg corpus``), each process with a parser of its own on the GPU: of the whole run, and
  without the start, from the first finished part to the last.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import starccg
from starccg.corpus.job import Job, Progress, Settings
from starccg.corpus.rows import InputFormat, Reading
from starccg.outcome import Failed, ParseOutcome
from starccg.sentence_input import Words
from starccg.text import tokenise

Result = TypeVar("Result")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("text", type=Path)
    arguments.add_argument("--model", default="en")
    arguments.add_argument("--device", default="cuda")
    arguments.add_argument("--processes", type=int, default=os.cpu_count())
    arguments.add_argument("--staged", type=int, default=4000, help="sentences for the rates of the stages")
    arguments.add_argument("--compared", type=int, default=1000, help="sentences parsed on the CPU as well")
    arguments.add_argument("--copies", type=int, default=1, help="read the text so often in the corpus run")
    arguments.add_argument("--format", default="jsonl", choices=("jsonl", "auto"))
    options = arguments.parse_args()
    lines = options.text.read_text(encoding="utf-8").splitlines()
    words = sum(len(line.split()) for line in lines) / len(lines)
    print(
        f"{len(lines):,} sentences of {words:.1f} words; {platform.machine()}, {os.cpu_count()} cores; {options.device}"
    )
    stages(lines[: options.staged], options.model, options.device)
    compare(lines[: options.compared], options.model, options.device)
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "text.txt"
        text.write_text("".join(f"{line}\n" for line in lines) * options.copies, encoding="utf-8")
        run(text, Path(folder) / "out", options)


def stages(lines: list[str], model: str, device: str) -> None:
    """The rate of each stage in one process; the search on all cores."""
    parser = starccg.load(model, threads=os.cpu_count() or 1, device=device)
    decoder = parser.options.decoder
    parser.tag([line.split() for line in lines[:500]], decoder)  # warm

    def timed(name: str, work: Callable[[], Result]) -> Result:
        start = time.perf_counter()
        result = work()
        print(f"  {name:<42} {len(lines) / (time.perf_counter() - start):>10,.0f} sentences/s")
        return result

    timed("tokenise (from plain text)", lambda: [tokenise(line) for line in lines])
    words = [tuple(line.split()) for line in lines]
    timed("word pieces", lambda: [parser.tagger.inputs.encode(sentence) for sentence in words])
    tagged = timed("tag, and states of the leaves", lambda: parser.tag(words, decoder))
    results = timed("search, all cores", lambda: parser.search(words, tagged, parser.options))
    timed("outcomes", lambda: [parser.outcome(Words(*pair), it) for pair, it in zip(zip(words), results, strict=True)])


def compare(lines: list[str], model: str, device: str) -> None:
    """How many parses differ from those of the CPU."""
    words = [line.split() for line in lines]
    ours = starccg.load(model, threads=os.cpu_count() or 1, device=device).parse(words)
    cpu = starccg.load(model, threads=os.cpu_count() or 1).parse(words)
    other = sum(trees(one) != trees(two) for one, two in zip(ours, cpu, strict=True))
    pairs = [zip(supertags(one), supertags(two), strict=False) for one, two in zip(ours, cpu, strict=True)]
    tags = sum(tag != its for pair in pairs for tag, its in pair)
    print(f"  parses that differ from the CPU's: {other} of {len(lines)}; supertags: {tags} of {sum(map(len, words))}")


def trees(outcome: ParseOutcome) -> str:
    return "" if isinstance(outcome, Failed) else outcome.best.to("auto")


def supertags(outcome: ParseOutcome) -> list[str]:
    return [] if isinstance(outcome, Failed) else [str(tag) for tag in outcome.best.supertags]


def run(text: Path, out: Path, options: argparse.Namespace) -> None:
    """A corpus run, and its rate."""
    settings = Settings(
        Reading(InputFormat.LINES), options.format, options.model, shard_rows=2000, device=options.device
    )
    seen: list[tuple[float, int]] = []

    def report(progress: Progress) -> None:
        seen.append((progress.seconds, progress.counts["sentences"]))

    summary = Job([text], out, settings, processes=options.processes).run(report)
    print(f"corpus run, {options.processes} processes: {summary}")
    first, last = seen[options.processes // 2], seen[-max(1, options.processes // 2)]  # while all processes work
    print(f"without start and end: {(last[1] - first[1]) / (last[0] - first[0]):,.0f} sentences/s")


if __name__ == "__main__":
    main()
