"""The README from top to bottom, as a newcomer runs it: in an empty environment, timed.

    python benchmarks/newcomer.py [--keep FOLDER]

Clones the last commit, makes a virtual environment, installs the checkout, and runs every command and every Python
example of the README in order. Prints a Markdown table of seconds; exits with 1 if a command fails. ``make`` commands
are skipped: they set up environments of their own.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(?P<kind>console|python)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--keep", metavar="FOLDER", help="Work in this folder and keep it.")
    options = arguments.parse_args()
    if options.keep:
        Path(options.keep).mkdir(parents=True)
        sys.exit(run(Path(options.keep)))
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(run(Path(folder)))


def run(folder: Path) -> int:
    """Run all steps; the exit code."""
    checkout = folder / "starccg"
    environment = folder / "env"
    path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    around = {**os.environ, "PATH": path, "PYTHONNOUSERSITE": "1"}
    around.pop("PYTHONPATH", None)
    failed = False
    print("| step | seconds |\n|---|---:|")

    def step(name: str, command: list[str], stdin: str | None = None) -> None:
        nonlocal failed
        began = time.perf_counter()
        where = checkout if checkout.is_dir() else folder
        done = subprocess.run(command, cwd=where, env=around, input=stdin, text=True, capture_output=True, check=False)
        seconds = time.perf_counter() - began
        shown = name if len(name) <= 80 else f"{name[:77]}..."
        print(f"| `{shown.replace('|', chr(92) + '|')}` | {seconds:.1f} |", flush=True)
        if done.returncode:
            failed = True
            print(f"failed with {done.returncode}: {name}\n{done.stderr}", file=sys.stderr)

    step("git clone", ["git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", str(checkout)])
    venv.create(environment, with_pip=True)
    step("pip install .", [str(environment / "bin" / "pip"), "install", "--quiet", "."])
    for block in BLOCK.finditer((checkout / "README.md").read_text(encoding="utf-8")):
        if block["kind"] == "python":
            first = block["text"].strip().splitlines()[-1].removeprefix(">>> ")
            script = "import doctest, sys; sys.exit(doctest.testfile('/dev/stdin', module_relative=False).failed)"
            step(f"python: {first}", [str(environment / "bin" / "python"), "-c", script], block["text"])
            continue
        for command in re.findall(r"^\$ (.*)$", block["text"], re.MULTILINE):
            expects_error = "\nerror: " in block["text"]
            if not command.startswith("make "):
                step(command, ["bash", "-c", f"{command} || {'true' if expects_error else 'false'}"])
    return int(failed)


if __name__ == "__main__":
    main()
