"""docs/gallery.md: its sentences, captions and drawings are those of its tool under the present model."""

from __future__ import annotations

import runpy
from pathlib import Path

import starccg

ROOT = Path(__file__).parents[1]


def test_the_gallery_shows_what_the_model_does() -> None:
    tool = runpy.run_path(str(ROOT / "docs" / "tools" / "gallery.py"))
    text = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    assert tool["page"](starccg.load()) == text, "run python docs/tools/gallery.py and read the page"
