"""Read, write and convert files in any format: ``starccg.read``, ``starccg.write`` and ``starccg convert``."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from starccg.ccg.derivation import Sentence
from starccg.ccg.grammar import Grammar, GrammarError
from starccg.errors import StarccgError
from starccg.formats.errors import STDIN, FormatError
from starccg.formats.registry import FORMATS, Format, Item, UnknownFormatError, format_named, format_of

STDOUT = STDIN
DRAWING = FORMATS["deriv"]
"""The format of standard output if no other is named."""


class ConversionError(StarccgError):
    """A format that cannot be converted to another."""


def read(path: str | Path, form: str | None = None, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The derivations of a file; the format is that of the extension, or the one named.

    A malformed sentence raises :class:`FormatError`; with ``bad`` given, it is added to that list and skipped.
    """
    reader = reading_format(path, form)
    if reader.dependencies_only:
        raise ConversionError(f"{path}: {reader.name} has no derivations; use starccg.formats.parg.read_parg")
    return (item for item in reader.read(path, bad) if isinstance(item, Sentence))


def read_grammar(path: Path) -> Grammar:
    """A grammar that was saved as JSON."""
    try:
        return Grammar.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FormatError(str(path), 0, 0, f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FormatError(str(path), 0, 0, f"not UTF-8 at byte {error.start + 1}") from error
    except GrammarError as error:
        raise FormatError(str(path), 0, 0, str(error)) from error


def write(path: str | Path, sentences: Iterable[Item], form: str | None = None, **options: Any) -> None:
    """Write sentences to a file; the format is that of the extension, or the one named. ``-`` is standard output.

    The file is written atomically: after an error the old file is unchanged.
    """
    write_lines(path, writing_format(path, form).write(sentences, **options))


def write_lines(path: str | Path, lines: Iterable[str], *, partial: bool = False) -> None:
    """Write lines to a file, which appears when it is complete, or to standard output, ``-``, one by one.

    ``partial``: the lines written before an interrupt or an error stay in ``PATH.partial``, if there are any.
    """
    if str(path) == STDOUT:
        for line in lines:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
        return
    target = Path(os.path.realpath(path))  # Path.resolve raises an error of its own for a link to itself
    try:
        if target.exists() and not target.is_file():  # a pipe or /dev/null cannot be replaced
            _write_lines(target, lines)
        else:
            _write_whole(target, lines, partial=partial)
    except OSError as error:
        raise FormatError(str(path), 0, 0, f"cannot be written: {error.strerror}") from error
    except UnicodeEncodeError as error:
        raise FormatError(str(path), 0, 0, "cannot be written: a word has an unpaired surrogate") from error


def partial_of(path: str | Path) -> Path:
    """The file that holds what was written before an interrupt or an error."""
    return Path(f"{path}.partial")


def _write_whole(target: Path, lines: Iterable[str], *, partial: bool) -> None:
    unfinished = partial_of(target) if partial else target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        _write_lines(unfinished, lines)
        if target.exists():
            shutil.copymode(target, unfinished)
        unfinished.replace(target)
    finally:
        if unfinished.exists() and not (partial and unfinished.stat().st_size):
            unfinished.unlink()


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
        raise ConversionError(f"{reader.name} has only dependencies; {writer.name} needs derivations")
    write(target, reader.read(source, bad), writer.name, **options)


def reading_format(path: str | Path, form: str | None = None) -> Format:
    """The format to read a path in."""
    if form is not None:
        return format_named(form)
    if str(path) == STDIN:
        raise UnknownFormatError("the format of standard input is unknown")
    return format_of(path)


def writing_format(path: str | Path, form: str | None = None) -> Format:
    """The format to write a path in; standard output gets drawings unless another is named."""
    if str(path).endswith(".gz"):
        raise UnknownFormatError(f"{path}: files are not written compressed; leave out .gz")
    if form is not None:
        return format_named(form)
    return DRAWING if str(path) == STDOUT else format_of(path)
