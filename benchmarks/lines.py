"""Count the lines of each package before and after, with the features that came in between counted apart.

    git worktree add ../before 3249e68
    python benchmarks/lines.py ../before

Counted are all lines of Python and C++ in ``src/`` and ``native/``, without the native tests.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

NEW = (
    "src/starccg/corpus/",
    "src/starccg/treebanks/penn/",
    "src/starccg/tagger/torch_graph.py",
    "src/starccg/tagger/remote.py",
    "src/starccg/training/tagger/exported.py",
    "src/starccg/globalmodel/torch_encoder.py",
    "src/starccg/devices.py",
    "src/starccg/text/blocks.py",
    "src/starccg/cli/corpus.py",
)
"""Whole features of later issues: corpus runs, the Penn converter, GPUs, fine-tuning, Markdown input. What later issues
added inside other files (the server's limits, confidence, the UD converter's constructions) is not counted apart."""


def count(root: Path) -> tuple[Counter[str], Counter[str]]:
    """Lines by package: of the features that ``NEW`` names, and of everything else."""
    new: Counter[str] = Counter()
    rest: Counter[str] = Counter()
    for path in sorted(root.glob("src/**/*.py")) + sorted(root.glob("native/*.?pp")):
        name = path.relative_to(root).as_posix()
        parts = name.split("/")
        package = "native" if parts[0] == "native" else parts[2] if len(parts) > 3 else "top level"
        lines = path.read_text(encoding="utf-8").count("\n")
        (new if name.startswith(NEW) else rest)[package] += lines
    return new, rest


def main() -> None:
    _, before = count(Path(sys.argv[1]))
    new, after = count(Path(__file__).parent.parent)
    print("| package | before | after | new features |\n|---|---|---|---|")
    for package in sorted(before.keys() | after.keys() | new.keys()):
        print(f"| {package} | {before[package]:,} | {after[package]:,} | {new[package]:,} |")
    print(f"| total | {before.total():,} | {after.total():,} | {new.total():,} |")


if __name__ == "__main__":
    main()
