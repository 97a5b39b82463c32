"""Work in several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from starccg.training.pipeline.processes import run_in_processes


def ends(process: int) -> bool:
    for _ in range(100):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    os.kill(process, signal.SIGKILL)
    return False


def work_for_long(file: Path) -> None:
    file.write_text(str(os.getpid()))
    time.sleep(300)


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX test")
@pytest.mark.timeout(60)
def test_workers_end_when_the_run_is_killed(tmp_path: Path) -> None:
    code = "import sys; from tests.training.pipeline.test_processes import start; start(sys.argv[1])"
    run = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "pid")], cwd=Path(__file__).parents[3])
    while not ((tmp_path / "pid").exists() and (tmp_path / "pid").read_text()):
        assert run.poll() is None
        time.sleep(0.1)
    worker = int((tmp_path / "pid").read_text())
    run.kill()
    run.wait()
    assert ends(worker), "it would go on beside the run that resumes"


def start(file: str) -> None:
    run_in_processes({"one": partial(work_for_long, Path(file))}, 1)
