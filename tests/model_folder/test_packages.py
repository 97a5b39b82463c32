from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from starccg.errors import StarccgError
from starccg.model_folder import find
from starccg.model_folder.manifest import write_folder


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package with one model, as pip leaves it."""
    folder = tmp_path / "some_models"
    write_folder(folder / "own", {"model": "parser"}, {})
    (folder / "__init__.py").write_text("raise RuntimeError('imported')")
    about = tmp_path / "some_models-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: some-models\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[starccg_models]\nown = some_models\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    find._installed.cache_clear()
    yield folder
    find._installed.cache_clear()


def test_a_model_of_an_installed_package_is_found_by_name_without_importing_the_package(package: Path) -> None:
    assert find.available()["own"] == package / "own"
    assert find.find("own") == package / "own"


def test_a_package_that_is_gone_is_no_error(package: Path) -> None:
    for path in sorted(package.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    package.rmdir()
    find._installed.cache_clear()
    with pytest.raises(StarccgError, match="no model is called 'own'"):
        find.find("own")


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "\ud800"], ids=["long", "null", "surrogate"])
def test_a_name_that_no_folder_can_have_is_the_name_of_no_model(name: str) -> None:
    with pytest.raises(StarccgError, match="no model is called"):
        find.find(name)
