"""What is wrong with a file, and where."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from starccg.errors import StarccgError

STDIN = "-"
"""The path that stands for standard input (and, for writers, standard output)."""


class FormatError(StarccgError):
    """A place in a file that cannot be read: ``file:line:column: reason``, counting from 1; line 0: the whole file."""

    def __init__(self, source: str, line: int, column: int, reason: str) -> None:
        super().__init__(f"{source}:{line}:{column}: {reason}" if line else f"{source}: {reason}")
        self.source = source
        self.line = line
        self.column = column
        self.reason = reason

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, int, int, str]]:
        return FormatError, (self.source, self.line, self.column, self.reason)  # to cross processes whole


def report(mistake: FormatError, bad: list[FormatError] | None) -> None:
    """Raise, or add to ``bad`` if it is given: what a reader does with a sentence that it cannot read."""
    if bad is None:
        raise mistake
    bad.append(mistake)


class FormatWarning(UserWarning):
    """Something about a file that its reader should tell, though nothing in it is wrong."""


class WriteError(StarccgError):
    """A sentence that a format cannot hold."""

    def __init__(self, sentence: str, reason: str) -> None:
        super().__init__(f"sentence {sentence}: {reason}")
        self.sentence = sentence
        self.reason = reason

    def __reduce__(self) -> tuple[type[WriteError], tuple[str, str]]:
        return WriteError, (self.sentence, self.reason)


Source = str | Path | Iterable[str]
"""A path (``-`` is standard input), or lines already at hand."""


def numbered_lines(source: Source, bad: list[FormatError] | None = None) -> Iterator[tuple[str, int, str]]:
    """Name of the source, line number from 1, and line without its end; bytes that are not UTF-8 are an error.

    With ``bad`` given, a line that cannot be decoded is added to it and passed over.
    """
    if not isinstance(source, (str, Path)):
        for number, text in enumerate(source, 1):
            yield "<lines>", number, text.rstrip("\r\n")
        return
    if str(source) == STDIN:
        yield from _decoded("<stdin>", sys.stdin.buffer, bad)
        return
    name = str(source)
    try:
        with Path(source).open("rb") as file:
            yield from _decoded(name, file, bad)
    except OSError as error:
        raise FormatError(name, 0, 0, f"cannot be read: {error.strerror}") from error


def _decoded(name: str, file: Iterable[bytes], bad: list[FormatError] | None) -> Iterator[tuple[str, int, str]]:
    for number, line in enumerate(file, 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            column = len(line[: error.start].decode("utf-8", "replace")) + 1
            mistake = FormatError(name, number, column, "not UTF-8")
            if bad is None:
                raise mistake from error
            bad.append(mistake)
            continue
        yield name, number, text.rstrip("\r\n")
