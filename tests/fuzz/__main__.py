"""Coverage-guided fuzzing with atheris: ``python -m tests.fuzz --seconds 60 [TARGET ...]``, or ``make fuzz``.

Each target runs in a process of its own, from the files in ``tests/fuzz/corpus/TARGET`` and from what earlier runs
found in ``build/fuzz/TARGET``. A defect is an exception that is not a ``StarccgError``, an input that takes more than 5
seconds of processor time, or more than 1 GB of memory. Its input is stored in the corpus, where
``tests/fuzz/test_corpus.py`` runs it until it is mended and after that. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FunctionType

CORPUS = Path(__file__).parent / "corpus"
WORK = Path("build/fuzz")
SLOWEST, MOST_MEMORY = 5, 1024
"""Seconds of processor time for an input, and MB for a process."""
HANGS = 600
"""Seconds on the clock, which also pass while other programs run, after which libFuzzer ends an input that hangs."""
LONGEST = 4096
"""Bytes of an input."""


class SlowInput(BaseException):
    """An input takes too long. No reader may catch this."""


def fuzz(name: str, seconds: int) -> None:
    """Fuzz one target in this process, and exit."""
    import atheris  # noqa: PLC0415 - it is needed for this alone

    from tests.fuzz.targets import check, load_everything  # noqa: PLC0415

    load_everything()
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and (function.__module__ or "").startswith("starccg"):
            atheris.instrument_func(function)

    def slow(*_: object) -> None:
        raise SlowInput(f"more than {SLOWEST} seconds of processor time")

    def one(data: bytes) -> None:
        nonlocal slowest
        signal.setitimer(signal.ITIMER_PROF, SLOWEST)
        began = time.process_time()
        check(name, data)
        signal.setitimer(signal.ITIMER_PROF, 0)
        if (taken := time.process_time() - began) > slowest:
            slowest = taken
            print(f"slowest: {taken:.2f}", file=sys.stderr)

    slowest = 0.1
    signal.signal(signal.SIGPROF, slow)
    folders = [str(WORK / name), str(CORPUS / name)]
    options = {
        "max_total_time": seconds,
        "timeout": HANGS,
        "report_slow_units": HANGS,
        "rss_limit_mb": MOST_MEMORY,
        "max_len": LONGEST,
        "print_final_stats": 1,
        "verbosity": 1,
        "artifact_prefix": f"{CORPUS / name}/found-",
    }
    atheris.Setup([name, *(f"-{key}={value}" for key, value in options.items()), *folders], one)
    atheris.Fuzz()


def row(name: str, seconds: int) -> bool:
    """Fuzz one target in another process and print its row of the table; whether there was no defect."""
    (WORK / name).mkdir(parents=True, exist_ok=True)
    (CORPUS / name).mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.fuzz", "--one", name, "--seconds", str(seconds)]
    environment = {**os.environ, "TMPDIR": os.environ.get("TMPDIR", "/tmp"), "PYTHONPATH": "."}
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, check=False)
    log = done.stdout + done.stderr

    def number(statistic: str) -> str:
        found = re.search(rf"stat::{statistic}:\s+(\d+)", log)
        return f"{int(found[1]):,}" if found else "?"

    covered, slowest = re.findall(r"cov: (\d+)", log), re.findall(r"slowest: ([\d.]+)", log)
    good = done.returncode == 0
    print(
        f"| {name} | {number('number_of_executed_units')} | {covered[-1] if covered else '?'} "
        f"| {slowest[-1] if slowest else 'below 0.1'} | {number('peak_rss_mb')} | {'no' if good else 'yes'} |",
        flush=True,
    )
    if not good:
        print(log[-4000:], file=sys.stderr)
    return good


def main() -> None:
    """The targets in turn."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("targets", nargs="*", help="default: all")
    arguments.add_argument("--seconds", type=int, default=60, help="of all targets together")
    arguments.add_argument("--one", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.one:
        fuzz(options.one, options.seconds)
    from tests.fuzz.targets import TARGETS  # noqa: PLC0415

    names = options.targets or list(TARGETS)
    print("| target | inputs | coverage | slowest s | memory MB | defect |\n|---|---|---|---|---|---|")
    good = [row(name, max(1, options.seconds // len(names))) for name in names]
    sys.exit(not all(good))


if __name__ == "__main__":
    main()
