"""CONTRIBUTING.md names files: they exist, and a sentence visits those that it lists."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType

import pytest

import starccg
from starccg.ccg.grammar import head_side

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "starccg"
NATIVE = ROOT / "native"


def listed() -> set[str]:
    """The files of the section about the path of a sentence."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.partition("## The path of a sentence")[2].partition("\n## ")[0]
    return set(re.findall(r"`([\w/]+\.(?:py|[ch]pp))`", section)) - {"tests/test_contributing.py"}


def visited() -> set[str]:
    """The files of the package whose functions a sentence calls, from the parser to the certificate."""
    parser = starccg.load()
    parser.parse("It works.")  # imports what is imported late
    head_side.cache_clear()
    found: set[str] = set()

    def profile(frame: FrameType, event: str, argument: object) -> None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(PACKAGE):
            found.add(path.relative_to(PACKAGE).as_posix())

    sys.setprofile(profile)
    try:
        outcome = parser.parse("Visiting relatives can be boring.")
        proof = outcome.best.certificate if outcome else None
    finally:
        sys.setprofile(None)
    assert proof is not None and proof.optimal
    return found


def test_the_path_of_a_sentence_lists_the_python_files_that_it_visits() -> None:
    if not PACKAGE.samefile(Path(starccg.__file__).parent):
        pytest.skip("another installation of starccg is tested")
    assert visited() == {name for name in listed() if name.endswith(".py")}


@pytest.mark.parametrize("name", sorted(listed()))
def test_every_file_on_the_path_exists(name: str) -> None:
    assert any((folder / name).is_file() for folder in (ROOT, PACKAGE, NATIVE))
