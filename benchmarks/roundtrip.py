"""Whether treebanks come back from the reader and the writer token for token.

    python benchmarks/roundtrip.py PATH...

A path is an AUTO or PARG file, or a folder to look for them in. Each file is read and written again in memory and
compared with what it holds, how much blank there is between tokens apart. A JSON line says what was found;
the exit code is 1 if anything differs.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from starccg.formats.errors import FormatError
from starccg.formats.registry import FORMATS, format_of

SHOWN = 10


def files(paths: list[str]) -> Iterator[Path]:
    endings = (*FORMATS["auto"].extensions, *FORMATS["parg"].extensions)
    for path in map(Path, paths):
        yield from sorted(file for file in path.rglob("*") if file.suffix in endings) if path.is_dir() else [path]


def tokens_of(lines: Iterable[str]) -> list[list[str]]:
    """Lines split at spaces and tabs (no-break spaces belong to words), without the empty ones."""
    return [tokens for line in lines if (tokens := [part for part in line.replace("\t", " ").split(" ") if part])]


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    began = time.perf_counter()
    seen = {"files": 0, "sentences": 0, "tokens": 0, "different_lines": 0, "malformed": 0}
    for path in files(sys.argv[1:]):
        bad: list[FormatError] = []
        form = format_of(path)
        sentences = list(form.read(path, bad))
        original = tokens_of(path.read_text(encoding="utf-8").split("\n"))
        again = tokens_of(form.write(sentences))
        different = abs(len(original) - len(again)) + sum(a != b for a, b in zip(original, again, strict=False))
        for a, b in zip(original, again, strict=False):
            if a != b and seen["different_lines"] < SHOWN:
                print(f"{path}\n- {' '.join(a)[:200]}\n+ {' '.join(b)[:200]}", file=sys.stderr)
        for mistake in bad[:SHOWN]:
            print(mistake, file=sys.stderr)
        seen["files"] += 1
        seen["sentences"] += len(sentences)
        seen["tokens"] += sum(map(len, original))
        seen["different_lines"] += different
        seen["malformed"] += len(bad)
    print(json.dumps({**seen, "seconds": round(time.perf_counter() - began, 2)}))
    return int(bool(seen["different_lines"] or seen["malformed"]))


if __name__ == "__main__":
    sys.exit(main())
