"""Run ``starccg reproduce`` on a generated treebank in CCGbank's layout, once whole and once killed several times.

    python benchmarks/reproduce.py --out runs/generated --train 1800 --dev 100 --test 100 --kills 3

The second run is killed while it trains the tagger, while it trains global models and while it measures the tables.
All results, the report among them, must be the same byte for byte, once the times that were measured are replaced by
one second each. The settings are the paper's but for a smaller tagger and fewer epochs, so that both runs take minutes.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

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


KILL_AT = {"tagger ...": 5.0, "at a time": 30.0, "Best-first ...": 1.0}
"""Lines of the log, and seconds after them: the tagger trains, global models train, the tables are measured."""


def command(arguments: argparse.Namespace, out: Path) -> list[str]:
    given = ["--ccgbank", arguments.out / "bank", "--out", out, "--tagger", arguments.out / "tagger.toml"]
    fixed = ["--epochs", arguments.epochs, "--seeds", arguments.seeds, "--device", arguments.device]
    return [sys.executable, "-m", "starccg", "reproduce", *map(str, (*given, *fixed))]


def run(arguments: argparse.Namespace, out: Path, kill_at: str = "") -> bool:
    """Run the command, or kill it some seconds after this line of its log; whether it came to its end."""
    with (arguments.out / "log.txt").open("a") as log:
        process = subprocess.Popen(command(arguments, out), stdout=subprocess.DEVNULL, stderr=log)
        while kill_at and process.poll() is None:
            time.sleep(0.5)
            texts = (path.read_text() for path in (out / "log.txt", out / "reports" / "log.txt") if path.exists())
            if any(kill_at in text for text in texts):
                time.sleep(KILL_AT[kill_at])
                process.kill()
        code = process.wait()
    if code and not kill_at:
        sys.exit(f"reproduce ended with exit code {code}: see {arguments.out / 'log.txt'}")
    return code == 0


def same_times(arguments: argparse.Namespace, out: Path) -> None:
    """Give every measurement the same times and write the reports again, so that their bytes can be compared."""
    for path in (out / "reports" / "steps").glob("*.json"):
        record = json.loads(path.read_text())
        if "times" in record["result"]:
            record["result"] |= {"seconds": 1.0, "times": [1.0] * len(record["result"]["times"])}
            path.write_text(json.dumps(record))
    run(arguments, out)


def contents(out: Path) -> dict[str, bytes]:
    """All results: reports with their plots, treebanks, tags, the tagger and the global models."""
    found = [out / "report.md", *(out / "reports").glob("*.*"), *(out / "report").iterdir(), *out.rglob("best/*")]
    found += [path for folder in ("data", "tagger-model") for path in (out / folder).rglob("*") if path.is_file()]
    return {str(path.relative_to(out)): path.read_bytes() for path in found if path.name != "log.txt"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="the folder to write to")
    for name, size in (("train", 1800), ("dev", 100), ("test", 100)):
        parser.add_argument(f"--{name}", type=int, default=size, help="sentences, without the quirks")
    parser.add_argument("--epochs", type=int, default=1, help="epochs of the global models")
    parser.add_argument("--seeds", type=int, default=1, help="trainings of each model")
    parser.add_argument("--kills", type=int, default=3, choices=range(4), help="of the second run; 0: no second run")
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.out, ignore_errors=True)
    arguments.out.mkdir(parents=True)
    count = write_ccgbank(arguments.out / "bank", arguments.train, arguments.dev, arguments.test)
    (arguments.out / "tagger.toml").write_text(TAGGER)
    begin = time.monotonic()
    whole, killed = arguments.out / "whole", arguments.out / "killed"
    run(arguments, whole)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, processor = time.monotonic() - begin, used.ru_utime + used.ru_stime
    print(f"{count} sentences: {seconds:.0f} s, {processor:.0f} s of processor time: {whole / 'report.md'}", flush=True)
    if not arguments.kills:
        return
    shutil.copytree(whole, arguments.out / "whole-same-times")
    whole = arguments.out / "whole-same-times"
    kills = sum(not run(arguments, killed, line) for line in list(KILL_AT)[: arguments.kills])
    run(arguments, killed)
    for out in (whole, killed):
        same_times(arguments, out)
    one, other = contents(whole), contents(killed)
    different = sorted(name for name in {*one, *other} if one.get(name) != other.get(name))
    print(f"killed {kills} times: {len(one)} files, {len(different)} of them different {' '.join(different)}".rstrip())
    sys.exit(bool(different) or kills < arguments.kills)


if __name__ == "__main__":
    main()
