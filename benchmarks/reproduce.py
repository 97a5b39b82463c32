"""Run ``starccg reproduce`` on a generated treebank in CCGbank's layout, once whole and once killed several times.

    python benchmarks/reproduce.py --out runs/generated --train 1800 --dev 100 --test 100 --kills 3

The figures of both reports must be the same; times may differ. The settings are the paper's but for a smaller tagger
and fewer epochs, so that both runs take minutes.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.treebanks.generated import write_ccgbank

TAGGER = """
kind = "lstm"
min_count = 10
source = [{ path = "set by the command" }]
dev = [{ name = "dev", path = "set by the command" }]
schedule = { epochs = 12, batch = 1024, learning_rate = 1e-2 }
lstm = { affix = 16, cells = 48, layers = 1, hidden = 64, dropout = 0.3 }
"""


def command(arguments: argparse.Namespace, out: Path) -> list[str]:
    given = ["--ccgbank", arguments.out / "bank", "--out", out, "--tagger", arguments.out / "tagger.toml"]
    fixed = ["--epochs", arguments.epochs, "--seeds", arguments.seeds, "--device", arguments.device]
    return [sys.executable, "-m", "starccg", "reproduce", *map(str, (*given, *fixed))]


def run(arguments: argparse.Namespace, out: Path, kill_after: float | None = None) -> bool:
    """Run the command, or kill it after some seconds; whether it came to its end."""
    with (arguments.out / "log.txt").open("a") as log:
        process = subprocess.Popen(command(arguments, out), stdout=subprocess.DEVNULL, stderr=log)
        try:
            code = process.wait(kill_after)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return False
    if code:
        sys.exit(f"reproduce ended with exit code {code}: see {arguments.out / 'log.txt'}")
    return True


def figures(out: Path) -> dict[str, Any]:
    """The figures of all reports without times."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(own) for key, own in value.items() if "second" not in key}
        return value

    return {path.stem: plain(json.loads(path.read_text())["data"]) for path in sorted((out / "reports").glob("*.json"))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="the folder to write to")
    for name, size in (("train", 1800), ("dev", 100), ("test", 100)):
        parser.add_argument(f"--{name}", type=int, default=size, help="sentences, without the quirks")
    parser.add_argument("--epochs", type=int, default=1, help="epochs of the global models")
    parser.add_argument("--seeds", type=int, default=1, help="trainings of each model")
    parser.add_argument("--kills", type=int, default=3, help="kills of the second run; 0: only the first run")
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.out, ignore_errors=True)
    arguments.out.mkdir(parents=True)
    count = write_ccgbank(arguments.out / "bank", arguments.train, arguments.dev, arguments.test)
    (arguments.out / "tagger.toml").write_text(TAGGER)
    begin = time.monotonic()
    run(arguments, arguments.out / "whole")
    seconds = time.monotonic() - begin
    print(f"{count} sentences: {seconds:.0f} s, {arguments.out / 'whole' / 'report.md'}", flush=True)
    if not arguments.kills:
        return
    kills = 0
    for _ in range(arguments.kills):
        share = random.Random(kills).uniform(0.5, 1.0) / (arguments.kills + 1)
        kills += not run(arguments, arguments.out / "killed", share * seconds)
    run(arguments, arguments.out / "killed")
    same = figures(arguments.out / "whole") == figures(arguments.out / "killed")
    print(f"killed {kills} times: {'the same figures' if same else 'OTHER FIGURES'}")
    sys.exit(not same)


if __name__ == "__main__":
    main()
