"""Progress on standard error, for a person who waits at a terminal; nothing is shown where nobody does."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Watch(Protocol):
    """Told after every batch how far things are."""

    def __call__(self, sentences: int, read: int) -> None:
        """``sentences`` are done; ``read`` is how much of the whole was read for them."""


@contextmanager
def progress(wanted: bool | None, *, shares_terminal: bool, total: int | None) -> Iterator[Watch]:
    """A bar, if standard error is a terminal that the results do not go to as well; ``wanted`` overrules that.

    ``total`` is the size of the whole in the units of ``read``, if it is known.
    """
    if wanted is False or (wanted is None and (shares_terminal or not sys.stderr.isatty())):
        yield _nothing
        return
    from rich.console import Console  # noqa: PLC0415 - who shows no bar need not wait for it to load
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


def _nothing(sentences: int, read: int) -> None:
    """Show nothing."""
