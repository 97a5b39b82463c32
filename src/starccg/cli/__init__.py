"""The command line: ``starccg COMMAND``. Each command is a file of its own, loaded when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starccg.cli.root import app as app

__all__ = ["app"]


def __getattr__(name: str) -> Any:
    """Load the commands when they are asked for: the program handles signals before that."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from starccg.cli.root import app  # noqa: PLC0415

    return app
