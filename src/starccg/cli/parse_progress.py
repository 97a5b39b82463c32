"""The progress bar of ``parse``, on standard error and only if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Report(Protocol):
    """Called after every batch."""

    def __call__(self, sentences: int, read: int) -> None:
        """``sentences`` have been parsed; ``read`` bytes of the input were read for them."""


@contextmanager
def progress_bar(wanted: bool | None, *, shares_terminal: bool, total: int | None) -> Iterator[Report]:
    """A bar, by default if standard error is a terminal and the results go elsewhere; ``wanted`` overrides that.

    ``total`` is the size of the input in bytes, if it is known.
    """
    if wanted is False or (wanted is None and (shares_terminal or not sys.stderr.isatty())):
        yield _show_nothing
        return
    from rich.console import Console  # noqa: PLC0415 - loaded only for those who see it
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (
        TextColumn("parsing"), BarColumn(), TextColumn("{task.fields[sentences]} sentences"),
        TextColumn("{task.fields[speed]:.0f}/s"), TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=total, sentences=0, speed=0.0)

        def show(sentences: int, read: int) -> None:
            elapsed = bar.tasks[0].elapsed or 0.0
            speed = sentences / elapsed if elapsed else 0.0
            bar.update(task, completed=read if total else 0, sentences=sentences, speed=speed)

        yield show


def _show_nothing(sentences: int, read: int) -> None:
    """Show nothing."""
