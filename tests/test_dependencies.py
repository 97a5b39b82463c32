"""The lists of dependencies agree: constraints.txt fixes a version of each that pyproject.toml allows."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, ROOT / ".ci" / "dependencies.py"]


def numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def test_every_dependency_of_a_server_has_a_fixed_version_that_is_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    fixed = dict(line.split("==") for line in lines)
    for requirement in [*project["dependencies"], *project["optional-dependencies"]["serve"]]:
        name, lowest = requirement.split(">=")
        assert numbers(fixed[name]) >= numbers(lowest), requirement


def test_the_oldest_versions_are_those_of_the_project() -> None:
    printed = subprocess.run([*COMMAND, "lowest"], capture_output=True, text=True, check=True).stdout.splitlines()
    assert {"numpy==1.26", "h11==0.16"} <= set(printed)


def test_the_licences_of_all_dependencies_are_known() -> None:
    pytest.importorskip("uvicorn")
    done = subprocess.run([*COMMAND, "licences"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "| numpy |" in done.stdout and "| uvicorn |" in done.stdout
