"""A progress bar for training, with log lines above it."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from starccg.training.progress import Watch, report_progress


class TerminalBar:
    """A bar on standard error; if that is not a terminal, only the log lines."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
            console=console, disable=not console.is_terminal, redirect_stdout=False,
        )  # fmt: skip
        self._task = self._bar.add_task("starting", total=None)

    def __enter__(self) -> TerminalBar:
        self._bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._bar.stop()

    def show(self, label: str, done: int, total: int) -> None:
        """Update the bar."""
        self._bar.update(self._task, description=label, completed=done, total=total)

    def watch(self) -> Watch:
        """Shows the progress of one training."""
        return report_progress(self.say, self.show)

    def say(self, text: str) -> None:
        """Write a log line above the bar."""
        self._bar.console.print(text, highlight=False, markup=False, soft_wrap=True)
