"""``python -m starccg`` is ``starccg``."""

from __future__ import annotations

from starccg.cli import app

app(prog_name="starccg")
