"""Checksums, and files that are written atomically."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def sha256(path: Path) -> str:
    """The checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def checksums(paths: Iterable[Path]) -> list[str]:
    """The checksum of each file."""
    return [sha256(path) for path in paths]


def fingerprint_of(value: Any) -> str:
    """The checksum of a plain value, such as a configuration: a saved result is reused only if it is the same."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file such that a crash leaves the old file or the new one, never a part of one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")  # two processes may write the same file
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
