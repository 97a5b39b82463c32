"""Checksums, and files that are written atomically."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

UNPACKED_BYTES, UNPACKED_RATIO = 64 << 20, 100
"""A gzip file may be unpacked to this many bytes, or to this many times its size if that is more. Text shrinks to a
fifth or a tenth; a file that is made to fill the memory shrinks to a thousandth."""


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Give errors of reading and writing the name of this file, which the system names only when it opens one."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def sha256(path: Path) -> str:
    """The checksum of a file."""
    with naming(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unpacked(path: Path) -> io.BufferedReader:
    """The bytes of a gzip file. Reading raises :class:`zlib.error` if they are too many for the size of the file."""
    return io.BufferedReader(_Unpacked(path), 1 << 16)


class _Unpacked(io.RawIOBase):
    def __init__(self, path: Path) -> None:
        self._file = gzip.open(path)  # noqa: SIM115 - closed below
        self._left = max(UNPACKED_BYTES, UNPACKED_RATIO * path.stat().st_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._file.readinto1(buffer)
        self._left -= count
        if self._left < 0:
            raise zlib.error(f"it is unpacked to more than {UNPACKED_RATIO} times its size")
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


def read_bytes(path: Path) -> bytes:
    """The content of a file; every error names it."""
    with naming(path):
        return path.read_bytes()


def checksums(paths: Iterable[Path]) -> list[str]:
    """The checksum of each file."""
    return [sha256(path) for path in paths]


def fingerprint_of(value: Any) -> str:
    """The checksum of a plain value, such as a configuration: a saved result is reused only if it is the same."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()


def write_atomically(path: Path, content: bytes, temporary: Path | None = None) -> None:
    """Write a file such that a crash leaves the old file or the new one, never a part of one.

    ``temporary``: where to write first; by default a hidden file with the number of this process in its name, since
    two processes may write the same file.
    """
    temporary = temporary or path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as error:
        if isinstance(error, OSError):
            error.filename = str(path)
        with suppress(OSError):
            temporary.unlink()
        raise
