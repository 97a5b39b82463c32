"""Progress of a training: a bar on a terminal, and a line of text whenever there is something to report."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

Bar = Callable[[str, int, int], None]
"""Shows a label, how much is done, and of how much."""
Say = Callable[[str], None]
"""Reports a line of text."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a training is; reported after every few batches."""

    epoch: int
    epochs: int
    done: int
    """Of this epoch, in ``units``."""
    total: int
    loss: float
    line: str = ""
    """What was just measured, for people; empty between two measurements."""
    name: str = ""
    """Which one of several trainings it is, such as ``fold 2/5``."""
    units: str = "batches"


Watch = Callable[[Progress], None]


def ignore(progress: Progress) -> None:
    """Report nothing."""


def no_bar(label: str, done: int, total: int) -> None:
    """Show nothing."""


def report_progress(say: Say, bar: Bar = no_bar, name: str = "") -> Watch:
    """A watcher that shows epoch, loss, rate and the time left, and says each line as it comes."""
    began: dict[str, tuple[float, int]] = {}

    def watch(progress: Progress) -> None:
        label = " ".join(part for part in (name, progress.name) if part)
        now, done = time.monotonic(), (progress.epoch - 1) * progress.total + progress.done
        start, first = began.setdefault(label, (now, done))
        speed = ""
        if done > first and now > start:
            rate = (done - first) / (now - start)
            left = int((progress.epochs * progress.total - done) / rate)
            speed = f"  {rate:.3g} {progress.units}/s, {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"
        label = f"{label} epoch {progress.epoch}/{progress.epochs}  loss {progress.loss:.3f}{speed}".strip()
        bar(label, progress.done, progress.total)
        if progress.line:
            say(f"{label}  {progress.line}")

    return watch
