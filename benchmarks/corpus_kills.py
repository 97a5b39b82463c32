"""A corpus run that is killed again and again against one that is not: the same bytes, in flat memory.

    python benchmarks/corpus_kills.py [TEXT] [--lines 100000] [--kills 10] [--processes 2] [--seed 1] [--model en-fast]
                                      [--ray]

TEXT has one tokenised sentence a line; a line may have a label before a tab. Without it, sentences are made up. Prints
the figures and which files differ, if any, and then exits with 1. With ``--ray`` the corpus is also run on a local Ray
cluster of as many workers, of which one is killed in mid-run; with ``--kills 0`` and without it, only undisturbed.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from statistics import median

from sentences import sentences


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("text", type=Path, nargs="?")
    arguments.add_argument("--model", default="en-fast")
    arguments.add_argument("--lines", type=int, default=100_000)
    arguments.add_argument("--kills", type=int, default=10)
    arguments.add_argument("--processes", type=int, default=2)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--ray", action="store_true")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "in.tok").open("w", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in islice(source(options), options.lines))
        whole, memory, seconds = run(folder, "whole", options, None)
        print(f"undisturbed: {seconds:.0f} s, {options.lines / seconds:.0f} sentences/s; {whole}")
        print(f"resident memory, all processes, median of each tenth of the time: {tenths(memory, median)} MB")
        print(f"the same, maximum: {tenths(memory, max)} MB")
        if not options.kills and not options.ray:
            return
        generator = random.Random(options.seed)
        for _ in range(options.kills):
            run(folder, "killed", options, generator.uniform(2, 1.5 * seconds / options.kills))
        summary, _, _ = run(folder, "killed", options, None)
        print(f"after {options.kills} kills: {summary}")
        different = compare(folder / "whole", folder / "killed")
        if options.ray:
            summary, _, _ = run(folder, "ray", options, None, kill_worker_after=0.3 * seconds)
            print(f"on Ray, with a worker killed: {summary}")
            different += compare(folder / "whole", folder / "ray")
        print(f"files that differ: {different or 'none'} of {len(list((folder / 'whole').iterdir()))}")
        sys.exit(bool(different))


def source(options: argparse.Namespace) -> Iterator[str]:
    """The sentences."""
    if options.text is None:
        yield from sentences(options.lines, options.seed)
        return
    with gzip.open(options.text, "rt") if options.text.suffix == ".gz" else options.text.open() as lines:
        for line in lines:
            yield line.rstrip().rpartition("\t")[2]


def run(
    folder: Path,
    out: str,
    options: argparse.Namespace,
    kill_after: float | None,
    kill_worker_after: float | None = None,
) -> tuple[str, list[float], float]:
    command = [
        sys.executable, "-m", "starccg", "corpus", str(folder / "in.tok"), "--out", str(folder / out),
        "--processes", str(options.processes), "--model", options.model,
        *(() if kill_worker_after is None else ("--engine", "ray")),
    ]  # fmt: skip
    begin = time.monotonic()
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    memory: list[float] = []
    while process.poll() is None:
        seconds = time.monotonic() - begin
        if kill_after is not None and seconds > kill_after:
            process.kill()
            break
        if kill_worker_after is not None and seconds > kill_worker_after and len(parts(folder / out)) > 1:
            worker = ray_workers()[0]
            print(f"killed Ray worker {worker} after {seconds:.0f} s with {len(parts(folder / out))} parts done")
            os.kill(worker, signal.SIGKILL)
            kill_worker_after = None
        time.sleep(0.25)
        if seconds > 5:  # after the models are loaded
            memory.append(resident(process.pid))
    assert process.stderr is not None
    return process.stderr.read().strip(), memory or [1.0], time.monotonic() - begin


def parts(folder: Path) -> list[Path]:
    return list(folder.glob("*.done.json"))


def ray_workers() -> list[int]:
    """The actors of ``starccg.corpus.ray_workers``, by the name that Ray gives their processes."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().startswith(b"ray::") and b"_Parse" in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:  # it has ended
            continue
    return found


def resident(pid: int) -> float:
    """Resident memory of a process and its children, in MB."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    try:
        own = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1e6
        return own + sum(resident(int(child)) for child in children.read_text().split())
    except (OSError, IndexError):
        return 0.0


def tenths(memory: list[float], of: Callable[[list[float]], float]) -> str:
    """The median or maximum of each tenth. A maximum is that of the hardest sentences, whose searches need the most."""
    ends = [len(memory) * k // 10 for k in range(11)]
    return " ".join(f"{of(memory[first:last] or [0.0]):.0f}" for first, last in pairwise(ends))


def compare(one: Path, other: Path) -> list[str]:
    names = {path.name for path in one.iterdir()} | {path.name for path in other.iterdir() if path.name != ".lock"}
    return [
        name for name in sorted(names)
        if not ((one / name).is_file() and (other / name).is_file())
        or (one / name).read_bytes() != (other / name).read_bytes()
    ]  # fmt: skip


if __name__ == "__main__":
    main()
