"""The tutorial's code runs, and gives what the notebook shows."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

DOCS = Path(__file__).parents[1] / "docs"
NOTEBOOK = json.loads((DOCS / "tutorial.ipynb").read_text("utf-8"))


def shown(cell: dict[str, Any]) -> list[tuple[list[str], str]]:
    """The outputs of a cell: kinds, and text without its numbers, which differ from machine to machine."""
    texts = [(output.get("data", {}), output.get("text", ())) for output in cell["outputs"]]
    return [(sorted(data), _numberless("".join(text or data["text/plain"]))) for data, text in texts]


def _numberless(text: str) -> str:
    return re.sub(r"-?\d+(\.\d+)?", "#", re.sub(r" +", " ", text))


def test_the_tutorial_runs_and_gives_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DOCS)
    run = run_path(str(DOCS / "tools" / "notebook.py"))["run"]
    stored = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
    for cell, now in zip(stored, run(copy.deepcopy(NOTEBOOK)), strict=True):
        assert shown(now) == shown(cell), "python docs/tools/notebook.py docs/tutorial.ipynb stores what it gives now"


def test_the_tutorial_links_to_pages_that_there_are() -> None:
    text = "".join(line for cell in NOTEBOOK["cells"] if cell["cell_type"] == "markdown" for line in cell["source"])
    links = re.findall(r"\]\(([^)#:]+)\)", text)
    assert links
    assert [link for link in links if not (DOCS / link).exists()] == []
