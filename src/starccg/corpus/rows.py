"""The input of a corpus run as rows: a line of text, a paragraph, or a JSON object, from plain or gzip files.

A row that cannot be read (bytes that are not UTF-8, damaged JSON, a missing or wrong field) has an error message and
does not affect other rows. Only one row is in memory at a time.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import IO, cast

from starccg.errors import StarccgError
from starccg.files import naming
from starccg.formats.json import dumps

MAX_ROW_BYTES = 1 << 20
"""The maximum length of a line, so that a file without line ends does not fill the memory."""


class InputFormat(StrEnum):
    """How the rows of an input file are read."""

    TEXT = "text"
    """Running text. A row is a paragraph, which ends at an empty line; the parser splits it into sentences."""
    LINES = "lines"
    """One sentence of plain text per line."""
    TOKENS = "tokens"
    """One sentence per line, words separated by spaces."""
    JSONL = "jsonl"
    """One JSON object per line, with a field that is running text, or the words of one sentence as a list."""


ENDINGS = {".txt": InputFormat.TEXT, ".tok": InputFormat.TOKENS, ".jsonl": InputFormat.JSONL}
"""The formats by file name extension, without ``.gz``."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the input: its text, or why there is none."""

    source: str
    """The input file, as the manifest names it."""
    line: int
    """The line where the row begins, from 1."""
    text: str | list[str] | None
    """Plain text, or the words of one sentence; None where ``error`` says why."""
    error: str = ""
    kept: str = ""
    """The fields of a JSON row that are copied to the output, as a JSON object; empty if there are none."""

    @property
    def id(self) -> str:
        """The name of the row: file and line."""
        return f"{self.source}:{self.line}"


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read: the format (None: by file name extension), the field with the text, the fields to copy."""

    format: InputFormat | None = None
    text_field: str = "text"
    keep: tuple[str, ...] = ()

    def format_of(self, path: Path) -> InputFormat:
        """The format of a file."""
        if self.format is not None:
            return self.format
        name = path.name.removesuffix(".gz")
        ending = Path(name).suffix
        if ending not in ENDINGS:
            known = ", ".join(ENDINGS)
            raise StarccgError(
                f"{path}: unknown file name extension (known: {known}, each also with .gz); use --input-format"
            )
        return ENDINGS[ending]


def input_files(paths: Sequence[Path], without: Path | None = None) -> list[Path]:
    """The files to read, in order: for a folder, all files below it with a known extension, sorted by path.

    A file that is named twice, or by a link too, is read once.

    ``without``: a folder whose files are left out, because the run writes them.
    """
    files: list[Path] = []
    output = None if without is None else without.resolve()
    for path in paths:
        if path.is_dir():
            found = sorted(
                p for p in path.rglob("*")
                if p.is_file()
                and Path(p.name.removesuffix(".gz")).suffix in ENDINGS
                and output not in p.resolve().parents
            )  # fmt: skip
            if not found:
                raise StarccgError(f"{path}: no file in this folder ends in {', '.join(ENDINGS)} (or that with .gz)")
            files.extend(found)
        elif path.is_file():
            files.append(path)
        elif path.exists():
            raise StarccgError(f"{path}: not a file, which a run that resumes could read again")
        else:
            raise StarccgError(f"{path}: no such file or folder")
    once: dict[Path, Path] = {}
    for path in files:
        once.setdefault(path.resolve(), path)
    return list(once.values())


class Rows:
    """The rows of some files, in order, and how much of the files has been read."""

    def __init__(self, files: Sequence[Path], sources: Sequence[str], reading: Reading) -> None:
        self.files, self.sources, self.reading = files, sources, reading
        self.bytes_total = sum(path.stat().st_size for path in files)
        self.bytes_read = 0

    def __iter__(self) -> Iterator[Row]:
        before = 0
        for path, source in zip(self.files, self.sources, strict=True):
            with naming(path), path.open("rb") as file:
                for row in self._rows(file, path, source):
                    self.bytes_read = before + file.tell()
                    yield row
                before += file.tell()

    def _rows(self, file: IO[bytes], path: Path, source: str) -> Iterator[Row]:
        lines = _lines(cast(IO[bytes], gzip.GzipFile(fileobj=file)) if path.name.endswith(".gz") else file, source)
        match self.reading.format_of(path):
            case InputFormat.TEXT:
                yield from _paragraphs(lines)
            case InputFormat.LINES:
                yield from lines
            case InputFormat.TOKENS:
                for row in lines:
                    yield row if row.text is None else replace(row, text=str(row.text).split())
            case InputFormat.JSONL:
                for row in lines:
                    if row.text is None:
                        yield row
                    elif str(row.text).strip():
                        yield _json_row(row, self.reading)


def _lines(file: IO[bytes], source: str) -> Iterator[Row]:
    """The lines of a file; a damaged gzip file ends with a row that says so. An error of the disk ends the run."""
    line = 0
    while True:
        line += 1
        try:
            data = file.readline(MAX_ROW_BYTES + 1)
            too_long = len(data) > MAX_ROW_BYTES
            while too_long and data and not data.endswith(b"\n"):
                data = file.readline(MAX_ROW_BYTES + 1)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:  # a gzip file that is cut or damaged
            yield Row(source, line, None, f"the rest of the file cannot be read: {error}")
            return
        if not data and not too_long:
            return
        if too_long:
            yield Row(source, line, None, f"the line is longer than {MAX_ROW_BYTES:,} bytes")
            continue
        try:
            text = data.decode("utf-8-sig" if line == 1 else "utf-8")
        except UnicodeDecodeError as error:
            yield Row(source, line, None, f"not UTF-8: byte 0x{data[error.start]:02x} at position {error.start + 1}")
            continue
        yield Row(source, line, text.rstrip("\r\n"))


def _paragraphs(lines: Iterable[Row]) -> Iterator[Row]:
    """Lines joined up to the next empty one. A line that cannot be read is a row of its own and ends the paragraph."""
    held: list[str] = []
    begin, size, source = 0, 0, ""
    for row in lines:
        text = row.text if isinstance(row.text, str) else None
        if held and (text is None or not text.strip() or size > MAX_ROW_BYTES):
            yield Row(source, begin, "\n".join(held))
            held = []
        if text is None:
            yield row
        elif text.strip():
            if not held:
                begin, size, source = row.line, 0, row.source
            held.append(text)
            size += len(text)
    if held:
        yield Row(source, begin, "\n".join(held))


def _json_row(row: Row, reading: Reading) -> Row:
    def failed(reason: str, kept: str = "") -> Row:
        return Row(row.source, row.line, None, reason, kept)

    try:
        value = json.loads(str(row.text), parse_constant=lambda name: None)  # NaN and Infinity, which JSON has not
        found = {name: value[name] for name in reading.keep if name in value} if isinstance(value, dict) else {}
        kept = dumps(found) if found else ""
    except json.JSONDecodeError as error:
        return failed(f"not JSON: {error}")
    except (ValueError, RecursionError):
        return failed("not JSON that can be read: it is nested too deep, or a number is too long")
    if not isinstance(value, dict):
        return failed(f"expected a JSON object, not {type(value).__name__}")
    if reading.text_field not in value:
        return failed(f"the object has no field {reading.text_field!r}", kept)
    text = value[reading.text_field]
    if not (isinstance(text, str) or (isinstance(text, list) and all(isinstance(word, str) for word in text))):
        kind = "null" if text is None else type(text).__name__
        return failed(f"the field {reading.text_field!r} must be a text or a list of words, not {kind}", kept)
    try:
        "".join(text).encode()
    except UnicodeEncodeError:
        return failed(f"the field {reading.text_field!r} has an unpaired surrogate, which is not a character", kept)
    return Row(row.source, row.line, text, "", kept)
