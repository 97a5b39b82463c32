"""Sentences a second with the tagger on a GPU, stage by stage and from text to proved parse.

    python benchmarks/gpu.py TEXT --device cuda --processes 16
    python benchmarks/gpu.py TEXT --prepared --processes 2

TEXT holds one sentence a line, its words separated by spaces; the corpus run tokenises it all the same. Printed are
- the rate of each stage in one process, and how many parses differ from those of the CPU;
- the rate of a corpus run (``starccg corpus``), of the whole run and from the first finished part to the last, and the
  time on a core that a sentence takes in the processes that read, search and write, and in the one that tags.

With ``--prepared`` no GPU is needed: the CPU tags the text in a first run, and in the second, which is measured, the
process that tags has all answers ready. This is the rate that everything but the network sustains.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import pickle
import platform
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import starccg
from starccg.corpus import workers
from starccg.corpus.job import Job, Progress, Settings
from starccg.corpus.rows import InputFormat, Reading
from starccg.corpus.tagging import TaggingProcesses
from starccg.model_folder.find import find
from starccg.model_folder.tagger import load_tagger
from starccg.outcome import Failed, ParseOutcome
from starccg.sentence_input import Words
from starccg.tagger.pruning import KeptTags, kept_tags
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
    arguments.add_argument("--prepared", action="store_true", help="measure all but the network, without a GPU")
    arguments.add_argument("--format", default="jsonl", choices=("jsonl", "auto"))
    options = arguments.parse_args()
    lines = options.text.read_text(encoding="utf-8").splitlines()
    words = sum(len(line.split()) for line in lines) / len(lines)
    print(
        f"{len(lines):,} sentences of {words:.1f} words; {platform.machine()}, {os.cpu_count()} cores; {options.device}"
    )
    if not options.prepared:
        stages(lines[: options.staged], options.model, options.device)
        compare(lines[: options.compared], options.model, options.device)
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "text.txt"
        text.write_text("".join(f"{line}\n" for line in lines) * options.copies, encoding="utf-8")
        if options.prepared:
            options.device = "cuda"  # how the work is divided; the process that tags has no GPU
            answers = Path(folder) / "answers"
            answers.mkdir()
            workers.on_gpus = lambda model, device, processes: TaggingProcesses([partial(Recording, model, answers)])
            Job([text], Path(folder) / "first", settings(options), processes=options.processes).run()
            workers.on_gpus = lambda model, device, processes: TaggingProcesses([partial(Prepared, answers)])
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


class Recording:
    """The network of the CPU, whose answers are stored."""

    def __init__(self, model: str, folder: Path) -> None:
        self.session, self.folder = load_tagger(find(model) / "tagger", threads=1).session, folder

    def tag(self, names: list[str], feeds: dict[str, Any], beam: float, max_tags: int) -> tuple[KeptTags, list[Any]]:
        scores, *others = self.session.run(names, feeds)
        answer = kept_tags(scores, beam, max_tags), others
        (self.folder / key(feeds, beam)).write_bytes(pickle.dumps(answer))
        return answer


class Prepared:
    """A network that knows its answers."""

    def __init__(self, folder: Path) -> None:
        self.answers = {path.name: pickle.loads(path.read_bytes()) for path in folder.iterdir()}

    def tag(self, names: list[str], feeds: dict[str, Any], beam: float, max_tags: int) -> tuple[KeptTags, list[Any]]:
        answer: tuple[KeptTags, list[Any]] = self.answers[key(feeds, beam)]
        return answer


def key(feeds: dict[str, Any], beam: float) -> str:
    return hashlib.sha1(feeds["cells"].tobytes() + str(beam).encode()).hexdigest()


def settings(options: argparse.Namespace) -> Settings:
    return Settings(Reading(InputFormat.LINES), options.format, options.model, shard_rows=2000, device=options.device)


def run(text: Path, out: Path, options: argparse.Namespace) -> None:
    """A corpus run, and its rate."""
    seen: list[tuple[float, int, dict[str, float]]] = []

    def report(progress: Progress) -> None:
        seen.append((progress.seconds, progress.counts["sentences"], core_seconds()))

    summary = Job([text], out, settings(options), processes=options.processes).run(report)
    print(f"corpus run, {options.processes} processes: {summary}")
    first, last = seen[options.processes // 2], seen[-max(1, options.processes)]  # while all processes work
    number = last[1] - first[1]
    print(f"without start and end: {number / (last[0] - first[0]):,.0f} sentences/s")
    for name, seconds in last[2].items():
        each = (seconds - first[2].get(name, 0.0)) / number
        print(f"  {name:<42} {1e6 * each:>6,.0f} us of a core a sentence, {1 / each:,.0f} sentences/s a core")


def core_seconds() -> dict[str, float]:
    """The time on a core that the process that tags and the others have used."""
    used = {"tag": 0.0, "read, search and write": 0.0}
    for process in multiprocessing.active_children():
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        name = "tag" if process.name == "tagging" else "read, search and write"
        used[name] += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return {name: seconds for name, seconds in used.items() if seconds}


if __name__ == "__main__":
    main()
