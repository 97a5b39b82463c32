"""Configuration files: one may build on another, and mistakes are named."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from starccg.training.toml import ConfigError, Texts, load_toml


@dataclass(frozen=True)
class Inner:
    size: int = 1
    rate: float = 0.5


@dataclass(frozen=True)
class Outer:
    name: str
    files: Texts = ()
    inner: Inner = field(default_factory=Inner)


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)


def test_a_file_replaces_single_keys_of_its_base(tmp_path: Path) -> None:
    write(
        tmp_path,
        first='name = "first"\nfiles = ["a", "b"]\n[inner]\nsize = 2\nrate = 3',
        second='base = "first.toml"\nfiles = "c"\n[inner]\nsize = 4',
        third='base = "second.toml"\nname = "third"',
    )
    assert load_toml(Outer, tmp_path / "second.toml") == Outer("first", ("c",), Inner(4, 3.0))
    assert load_toml(Outer, tmp_path / "third.toml", ["inner.rate=1"]) == Outer("third", ("c",), Inner(4, 1.0))


def test_a_base_that_is_missing_or_built_on_the_file_itself_is_refused(tmp_path: Path) -> None:
    write(tmp_path, one='base = "two.toml"', two='base = "one.toml"', lost='base = "none.toml"', odd="base = 3")
    for name, message in (("one", "the file itself"), ("lost", r"none\.toml: cannot be read"), ("odd", "not 3")):
        with pytest.raises(ConfigError, match=message):
            load_toml(Outer, tmp_path / f"{name}.toml")
