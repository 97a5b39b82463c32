"""Runs the program as a person does, also on a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from collections.abc import Mapping
from functools import cache

import pytest

import starccg
from starccg.model_folder.find import DEFAULT
from starccg.models import load as models_load
from starccg.parser import Parser

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "COLUMNS": "80"}
PROGRAM = (sys.executable, "-m", "starccg")


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command of the shell, in which ``starccg`` is the program under test; every stage of a pipe counts."""
    program = " ".join(PROGRAM)
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", f'starccg() {{ {program} "$@"; }}\n{command}'],
        capture_output=True,
        text=True,
        check=False,
        timeout=280,  # under load a start takes long; pytest stops at 300
        env={**ENVIRONMENT, **environment},
    )


def on_terminal(
    *arguments: str, stdout: bool = True, stdin: str | None = None, environment: Mapping[str, str] | None = None
) -> tuple[str, str]:
    """What is shown on a terminal, and what else goes to standard output; standard error always is the terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, *arguments],
        stdin=subprocess.PIPE,
        stdout=theirs if stdout else subprocess.PIPE,
        stderr=theirs,
        env={**ENVIRONMENT, "TERM": "xterm-256color", **(environment or {})},
    )
    os.close(theirs)
    assert process.stdin is not None
    process.stdin.write((stdin or "").encode())
    process.stdin.close()
    shown, written = b"", b""
    while True:
        readable, _, _ = select.select([ours], [], [], 60)
        if not readable:
            break
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:  # how Linux tells that the other side is closed
            break
        if not piece:
            break
        shown += piece
    if process.stdout is not None:
        written = process.stdout.read()
        process.stdout.close()
    process.wait(60)
    os.close(ours)
    return shown.decode().replace("\r\n", "\n"), written.decode()


@pytest.fixture(autouse=True)
def model_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands run in this process share the parser of a model that no test changes."""

    def load(model: str = DEFAULT, *, threads: int = 1, device: str = "cpu") -> Parser:
        shared = model == DEFAULT and device == "cpu"
        return _shared(threads) if shared else models_load(model, threads=threads, device=device)

    assert starccg.load is models_load  # looked up before, or the package would keep the stand-in for good
    monkeypatch.setattr("starccg.models.load", load)


@cache
def _shared(threads: int) -> Parser:
    return models_load(DEFAULT, threads=threads)
