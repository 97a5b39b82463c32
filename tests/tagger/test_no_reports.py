"""Parsing asks for no network: onnxruntime would keep a record of its use, to report to its makers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import os, starccg
starccg.load().parse("It works.")
for name in os.listdir("/proc/self/fd"):
    path = "/proc/self/fd/" + name
    print(os.readlink(path) if os.path.lexists(path) else "")
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells what a process holds open")
def test_parsing_opens_no_connection_and_keeps_no_record_of_use() -> None:
    environment = {name: value for name, value in os.environ.items() if "TELEMETRY" not in name}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert not [path for path in done.stdout.splitlines() if path.startswith("socket:") or ".onnxruntime" in path]
