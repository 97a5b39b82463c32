"""Where tables go: standard output."""

from __future__ import annotations

from rich.console import Console


class Output(Console):
    """Rich's console, which leaves it to the root of the command line to end quietly when nobody reads any more."""

    def on_broken_pipe(self) -> None:
        """Pass the exception on."""
        raise BrokenPipeError
