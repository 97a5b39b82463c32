"""Errors in files, with their position, and how readers get lines."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from starccg.errors import StarccgError, shortened
from starccg.files import unpacked

STDIN = "-"
"""The path that stands for standard input (and, for writers, standard output)."""


class FormatError(StarccgError):
    """An error in a file: ``file:line:column: reason``, counting from 1; line 0: the whole file."""

    def __init__(self, source: str, line: int, column: int, reason: str) -> None:
        reason = shortened(reason)
        super().__init__(f"{source}:{line}:{column}: {reason}" if line else f"{source}: {reason}")
        self.source = source
        self.line = line
        self.column = column
        self.reason = reason


MAX_MISTAKES = 100_000
"""The maximum number of errors that are collected: a file in which every byte is wrong must not fill the memory."""


def report(mistake: FormatError, bad: list[FormatError] | None) -> None:
    """Raise the error or, if ``bad`` is given, add it to that list, which ends at :data:`MAX_MISTAKES`."""
    if bad is None:
        raise mistake
    if len(bad) == MAX_MISTAKES:
        reason = f"there are {MAX_MISTAKES:,} errors before this one: is the file in another format?"
        raise FormatError(mistake.source, mistake.line, mistake.column, reason)
    bad.append(mistake)


class Misread(ValueError):  # noqa: N818 - becomes a FormatError
    """A mistake found where the file is not known. Line and column count from 1; line 0: only the caller knows it."""

    def __init__(self, column: int, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.column, self.reason, self.line = column, reason, line

    def located(self, name: str, line: int = 0) -> FormatError:
        """The error with the name of the file and, if it has none, with the line."""
        return FormatError(name, self.line or line, self.column, self.reason)


class FormatWarning(UserWarning):
    """A warning about a file that is not malformed."""


class WriteError(StarccgError):
    """A sentence that cannot be written in a format."""

    def __init__(self, sentence: str, reason: str) -> None:
        reason = shortened(reason)
        super().__init__(f"sentence {shortened(sentence)}: {reason}")
        self.sentence = sentence
        self.reason = reason


Source = str | Path | Iterable[str]
"""A path (``-`` is standard input, ``.gz`` files are decompressed), or an iterable of lines."""


def name_of(source: Source) -> str:
    """The name of a source in errors."""
    if not isinstance(source, (str, Path)):
        return "<lines>"
    return "<stdin>" if str(source) == STDIN else str(source)


def no_sentences(source: Source) -> FormatError:
    """The error of a file that must have sentences."""
    return FormatError(name_of(source), 0, 0, "the file has no sentences")


def numbered_lines(source: Source, bad: list[FormatError] | None = None) -> Iterator[tuple[str, int, str]]:
    """Name of the source, line number from 1, and line without its line end; bytes that are not UTF-8 are an error.

    With ``bad`` given, a line that cannot be decoded is added to it and skipped.
    """
    name = name_of(source)
    if not isinstance(source, (str, Path)):
        for number, text in enumerate(source, 1):
            yield name, number, text.rstrip("\r\n")
        return
    if str(source) == STDIN:
        yield from _decoded(name, sys.stdin.buffer, bad)
        return
    try:
        with unpacked(Path(source)) if name.endswith(".gz") else Path(source).open("rb") as file:
            yield from _decoded(name, file, bad)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(name, 0, 0, f"cannot be read: {reason}") from error


def _decoded(name: str, file: Iterable[bytes], bad: list[FormatError] | None) -> Iterator[tuple[str, int, str]]:
    for number, line in enumerate(file, 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            column = len(line[: error.start].decode("utf-8", "replace")) + 1
            report(FormatError(name, number, column, "not UTF-8"), bad)
            continue
        yield name, number, text.rstrip("\r\n")
