"""The output folder of a corpus run: its lock, its manifest, and the shards that are done.

| file | what |
|---|---|
| ``manifest.json`` | input files and model with their checksums, settings, version; at the end the counts |
| ``part-00000.jsonl.gz``, ... | the parses, in the order of the input |
| ``part-00000.failed.jsonl`` | the sentences and rows of that shard without a parse, each with its reason |
| ``part-00000.done.json`` | the counts of a finished shard and the checksums of its files; written last |

Every file is written under a temporary name and renamed, so a kill leaves a file either absent or complete.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import IO, Any

from starccg.corpus.shards import Written
from starccg.errors import StarccgError
from starccg.files import read_bytes, write_atomically

LOCK = ".lock"
MANIFEST = "manifest.json"
DONE = ".done.json"
TEMPORARY = ".tmp"


class CorpusError(StarccgError):
    """A corpus run that cannot start, with what to do about it."""


class OutputFolder:
    """The files of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder for this process, because two runs in one folder would write the same files."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise CorpusError(f"{self.path}: a file is in the way; choose another output folder") from None
        path = self.path / LOCK
        with path.open("w") as lock:
            if not _obtained(lock, path):
                raise CorpusError(f"{self.path}: another run writes to this folder; wait until it ends")
            try:
                yield
            finally:
                path.unlink(missing_ok=True)

    def begin(self, identity: Mapping[str, Any]) -> bool:
        """Write the manifest of a new run, or check that of the run to resume. True if there was one."""
        path = self.path / MANIFEST
        if not path.exists():
            foreign = [p.name for p in self.path.iterdir() if p.name not in (LOCK, f"{MANIFEST}{TEMPORARY}")]
            if foreign:
                raise CorpusError(
                    f"{self.path}: the folder contains other files ({foreign[0]}, ...); choose an empty one"
                )
            self.write(MANIFEST, _json({"run": dict(identity)}))
            return False
        try:
            before = dict(json.loads(read_bytes(path))["run"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise CorpusError(f"{path} is damaged: delete the folder to start again") from None
        now = json.loads(json.dumps(identity))
        different = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
        if different:
            name = different[0]
            there, here = before.get(name), now.get(name)
            if isinstance(there, list) and isinstance(here, list):
                there, here = next(pair for pair in zip_longest(there, here) if pair[0] != pair[1])
            raise CorpusError(
                f"{self.path} belongs to a run with a different {name!r}: {_short(there)} there, {_short(here)} now; "
                "give the same input and options to resume it, or choose another folder"
            )
        for left_over in self.path.glob(f"part-*{TEMPORARY}"):
            left_over.unlink()
        return True

    def finish(self, counts: Mapping[str, int], shards: int) -> None:
        """Add the counts to the manifest: the run is complete."""
        identity = json.loads(read_bytes(self.path / MANIFEST))["run"]
        self.write(MANIFEST, _json({"run": identity, "shards": shards, "counts": dict(sorted(counts.items()))}))

    def counts_of(self, shard: int) -> dict[str, int] | None:
        """The counts of a shard that is done with all its files complete; None if it must be parsed."""
        try:
            done = json.loads((self.path / f"{_stem(shard)}{DONE}").read_text("utf-8"))
            whole = all(_checksum((self.path / name).read_bytes()) == its for name, its in done["sha256"].items())
            return {str(name): int(count) for name, count in done["counts"].items()} if whole else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def write_shard(self, shard: int, written: Written) -> None:
        """Write the files of a shard, then the file that marks it as done."""
        names = {f"{_stem(shard)}{ending}": content for ending, content in written.files.items()}
        for name, content in names.items():
            self.write(name, content)
        checksums = {name: _checksum(content) for name, content in names.items()}
        self.write(f"{_stem(shard)}{DONE}", _json({"counts": written.counts, "sha256": checksums}))

    def write(self, name: str, content: bytes) -> None:
        """Write a file atomically."""
        write_atomically(self.path / name, content, self.path / f"{name}{TEMPORARY}")


def _obtained(lock: IO[str], path: Path) -> bool:
    """Whether this process could lock a file that was opened just now. A run that ends removes its own."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(lock.fileno()), path.stat())
    except (BlockingIOError, FileNotFoundError):
        return False


def _stem(shard: int) -> str:
    return f"part-{shard:05}"


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
