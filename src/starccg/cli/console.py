"""Where tables go: standard output."""

from __future__ import annotations

from rich.console import Console


class Output(Console):
    """Rich's console, but a broken pipe is handled by the root of the command line."""

    def on_broken_pipe(self) -> None:
        """Raise the exception again."""
        raise BrokenPipeError
