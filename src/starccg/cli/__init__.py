"""The command line: ``starccg COMMAND``. Each command is a file of its own, loaded when it is called."""

from __future__ import annotations

from starccg.cli.root import app

__all__ = ["app"]
