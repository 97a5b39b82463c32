"""The progress bar of all commands."""

from __future__ import annotations

import sys

import typer


class ProgressBar:
    """A text and a bar on standard error, by default only if that is a terminal, with log lines above it."""

    def __init__(self, shown: bool | None = None) -> None:
        self._bar = None
        if sys.stderr.isatty() if shown is None else shown:
            # rich is loaded only for those who see the bar
            from rich.console import Console  # noqa: PLC0415
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415

            text = TextColumn("{task.description}", markup=False)
            self._bar = Progress(
                text, BarColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
                console=Console(stderr=True), transient=True, redirect_stdout=False,
            )  # fmt: skip
            self._task = self._bar.add_task("starting", total=None)

    def __enter__(self) -> ProgressBar:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._bar:
            self._bar.stop()

    def show(self, text: str, done: int, total: int | None) -> None:
        """Update the bar; without a total it only shows that work goes on."""
        if self._bar:
            self._bar.update(self._task, description=text, completed=done, total=total)

    def say(self, text: str) -> None:
        """Write a log line above the bar."""
        if self._bar:
            self._bar.console.print(text, highlight=False, markup=False, soft_wrap=True)
        else:
            typer.echo(text, err=True)
