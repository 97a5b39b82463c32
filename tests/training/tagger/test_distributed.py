"""A tagger trained by two processes of torchrun, with gloo on CPUs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from safetensors.torch import load_file  # noqa: E402

from starccg.training.tagger.config import config_from  # noqa: E402
from starccg.training.tagger.run import run_training  # noqa: E402
from tests.tagger.models import config_table, write_data  # noqa: E402

SCRIPT = """
import json, sys
from pathlib import Path
from starccg.training.tagger.config import config_from
from starccg.training.tagger.run import run_training
table, data, out, stop = json.loads(sys.argv[1]), *map(Path, sys.argv[2:4]), int(sys.argv[4]) or None
run_training(config_from(table), data, out, "cpu", stop_after=stop)
"""


def test_two_processes_learn_what_one_with_twice_the_batches_a_step_learns(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    table = config_table("lstm", epochs=3, batch=48)
    table["lstm"] |= {"dropout": 0.0, "unknown": 0.0}
    (tmp_path / "train.py").write_text(SCRIPT, "utf-8")
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    for stop in (1, 0):  # stopped after an epoch, then resumed
        own = [str(tmp_path / "train.py"), json.dumps(table), str(data), str(tmp_path / "two"), str(stop)]
        env = {**os.environ, "OMP_NUM_THREADS": "1"}
        done = subprocess.run([*command, *own], capture_output=True, text=True, check=False, env=env)
        assert done.returncode == 0, done.stderr
    doubled = {**table, "schedule": {**table["schedule"], "accumulate": 2}}
    run_training(config_from(doubled), data, tmp_path / "one", "cpu")
    one, two = (load_file(tmp_path / name / "checkpoint.safetensors") for name in ("one", "two"))
    assert one.keys() == two.keys()
    for name, tensor in one.items():
        torch.testing.assert_close(two[name], tensor, atol=1e-4, rtol=1e-3, msg=name)
    lines = (tmp_path / "two" / "metrics.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["epoch"] for line in lines] == [1, 2, 3]  # only one process writes
