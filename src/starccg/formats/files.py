"""Files in any format, from path to path: what ``starccg.read``, ``starccg.write`` and ``starccg convert`` do."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from starccg.derivation import Sentence
from starccg.errors import StarccgError
from starccg.formats.errors import STDIN, FormatError
from starccg.formats.registry import FORMATS, Format, Item, UnknownFormatError, format_named, format_of

STDOUT = STDIN
DRAWING = FORMATS["deriv"]
"""What people want to see when they name no format and no file."""


class ConversionError(StarccgError):
    """A format cannot be made of another."""


def read(path: str | Path, form: str | None = None, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The derivations of a file in the format its ending tells, or the one named.

    A malformed sentence raises :class:`FormatError`; with ``bad`` given, it is added to that list and passed over.
    """
    reader = reading_format(path, form)
    if reader.dependencies_only:
        raise ConversionError(f"{path}: {reader.name} holds no derivations; use starccg.formats.parg.read_parg")
    return (item for item in reader.read(path, bad) if isinstance(item, Sentence))


def write(path: str | Path, sentences: Iterable[Item], form: str | None = None, **options: Any) -> None:
    """Write sentences to a file in the format its ending tells, or the one named; ``-`` is standard output.

    The file appears when it is whole: an error on the way leaves what was there before.
    """
    write_lines(path, writing_format(path, form).write(sentences, **options))


def write_lines(path: str | Path, lines: Iterable[str]) -> None:
    """Write lines to a file, which appears when it is whole, or to standard output, ``-``, one by one."""
    if str(path) == STDOUT:
        for line in lines:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
        return
    target = Path(path).resolve()
    try:
        if target.exists() and not target.is_file():  # a pipe or /dev/null cannot be replaced
            _write_lines(target, lines)
        else:
            _write_whole(target, lines)
    except OSError as error:
        raise FormatError(str(path), 0, 0, f"cannot be written: {error.strerror}") from error
    except UnicodeEncodeError as error:
        raise FormatError(str(path), 0, 0, "cannot be written: a word holds half a character") from error


def _write_whole(target: Path, lines: Iterable[str]) -> None:
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        _write_lines(unfinished, lines)
        if target.exists():
            shutil.copymode(target, unfinished)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _write_lines(target: Path, lines: Iterable[str]) -> None:
    with target.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def convert(
    source: str | Path,
    target: str | Path,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    bad: list[FormatError] | None = None,
    **options: Any,
) -> None:
    """Read one file and write another; a malformed sentence raises, or goes to ``bad`` if it is given."""
    reader, writer = reading_format(source, source_format), writing_format(target, target_format)
    if reader.dependencies_only and not writer.dependencies_only:
        raise ConversionError(f"{reader.name} holds dependencies only: {writer.name} needs derivations")
    write(target, reader.read(source, bad), writer.name, **options)


def reading_format(path: str | Path, form: str | None = None) -> Format:
    """The format to read a path in."""
    if form is not None:
        return format_named(form)
    if str(path) == STDIN:
        raise UnknownFormatError("standard input has no name that would tell its format")
    return format_of(path)


def writing_format(path: str | Path, form: str | None = None) -> Format:
    """The format to write a path in; standard output gets drawings unless another is named."""
    if form is not None:
        return format_named(form)
    return DRAWING if str(path) == STDOUT else format_of(path)
