"""The models of this repository: their sizes, and the package of its own that holds the large one."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import starccg
from starccg.model_folder.find import GROUP, VARIABLE, available, find

LARGE = Path(__file__).parents[2] / "models" / "en-large"
"""The package of en-large, which is left out of the main package."""


def megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def test_the_models_of_the_package_are_small() -> None:
    assert megabytes(find("en")) <= 32
    assert megabytes(find("en-fast")) <= 8  # more; it shares the rest with en


@pytest.mark.slow
@pytest.mark.skipif(not LARGE.is_dir(), reason="a source package leaves out the large model")
def test_the_large_model_is_a_package_whose_entry_point_leads_to_a_model_that_parses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    points = tomllib.loads((LARGE / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"][GROUP]
    folder = LARGE / "src" / points["en-large"]
    assert megabytes(folder) <= 60
    monkeypatch.setenv(VARIABLE, str(folder))
    assert available()["en-large"] == folder / "en-large"
    outcome = starccg.load("en-large", threads=1).parse("She promised him to leave.")
    assert isinstance(outcome, starccg.Parsed) and outcome.certificate.optimal
    assert str(outcome.best.category) == "S[dcl]"
