"""docs/gallery.md: its sentences, links and captions are those of its tool under the present model."""

from __future__ import annotations

import runpy
from pathlib import Path

import starccg

ROOT = Path(__file__).parents[1]


def test_the_captions_say_what_the_model_does() -> None:
    tool = runpy.run_path(str(ROOT / "docs" / "tools" / "gallery.py"))
    text = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    captions = [line for line in tool["page"](starccg.load()).splitlines() if "localhost" in line or line[:2] == "##"]
    assert len(captions) == 20
    missing = [line for line in captions if line not in text.splitlines()]
    assert missing == [], "run python docs/tools/gallery.py and read the page"
