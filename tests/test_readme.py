"""Every example in the documentation is run, and shows what it says.

``console`` blocks hold commands after ``$`` and what they print (``...`` stands for anything); ``python`` blocks with
prompts are doctests, others are run as they are. Of ``make`` only what it runs is tried: it would set up a second
environment.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", "CONTRIBUTING.md", *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md")))]
NEEDS = {"docs/spacy.md": "starccg.integrations.spacy", "docs/training.md": "starccg.training.pipeline.model"}
"""Pages that are tried only where a library is installed: what imports it."""
BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[tuple[str, str]]:
    return [
        (page, block["text"])
        for page in PAGES
        for block in BLOCK.finditer((ROOT / page).read_text(encoding="utf-8"))
        if block["kind"] == kind
    ]


def commands(text: str) -> list[tuple[str, str]]:
    """Commands with what they are said to print."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def recipe(target: str) -> list[str]:
    """What make runs for a target; raises if there is no such target."""
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").split("\n")
    start = next(index for index, line in enumerate(lines) if line.startswith(f"{target}:"))
    rest = lines[start + 1 :]
    end = next(index for index, line in enumerate(rest) if not line.startswith("\t"))
    return [line.strip().removeprefix("@").replace("$(BIN)/", "") for line in rest[:end]]


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment whose ``starccg`` is the one under test."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "starccg"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m starccg "$@"\n')
    program.chmod(0o755)
    path = os.pathsep.join(sys.path)
    own = {"PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": path, "COLUMNS": "100", "OMP_NUM_THREADS": "1"}
    return {**os.environ, **own}


@pytest.mark.parametrize("page", PAGES)
def test_every_command_in_the_documentation_prints_what_the_page_says(
    page: str, tmp_path: Path, shell: dict[str, str]
) -> None:
    if page in NEEDS:
        pytest.importorskip(NEEDS[page], exc_type=ImportError)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for name, text in blocks("console"):
        for command, expected in commands(text) if name == page else ():
            lines = recipe(command.removeprefix("make ")) if command.startswith("make ") else [command]
            if lines != [command] and not expected:
                continue
            shown = ""
            for line in lines:
                done = subprocess.run(
                    ["bash", "-c", line], cwd=tmp_path, env=shell, capture_output=True, text=True, check=False
                )
                shown += done.stdout + done.stderr
            assert doctest.OutputChecker().check_output(expected, shown, doctest.ELLIPSIS), f"{command}\n{shown}"


@pytest.mark.parametrize(("page", "text"), blocks("python"))
def test_every_python_example_in_the_documentation_runs(page: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for extra in re.findall(r"starccg\.integrations\.(\w+)", text):
        pytest.importorskip(extra)
    monkeypatch.chdir(ROOT)
    if page in NEEDS:
        pytest.importorskip(NEEDS[page], exc_type=ImportError)
    if ">>>" not in text:
        exec(compile(text, page, "exec"), {})
        return
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    failed = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(test).failed
    assert failed == 0


def test_every_link_in_the_documentation_leads_somewhere() -> None:
    for page in PAGES:
        path = ROOT / page
        for link in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / link).exists(), f"{page}: {link}"


def test_every_source_file_that_the_documentation_names_is_there() -> None:
    folders = ("src", "native", "tests", "benchmarks", "configs", "docs")
    files = [path.as_posix() for folder in folders for path in (ROOT / folder).rglob("*.*")]
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        for name in re.findall(r"`([\w.-]+(?:/[\w.-]+)+\.(?:py|cpp|hpp|toml|tsv|patterns))`", text):
            assert any(path.endswith(f"/{name}") for path in files), f"{page}: {name}"


def test_the_extras_that_the_documentation_names_are_those_there_are() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = project.split("[project.optional-dependencies]")[1].split("\n[")[0]
    extras = re.findall(r"^(\w+) = \[", section, re.MULTILINE)
    listed = ", ".join(f"`{extra}`" for extra in extras[:-1]) + f" and `{extras[-1]}`"
    assert f"The extras are {listed}." in (ROOT / "docs" / "installation.md").read_text(encoding="utf-8")
