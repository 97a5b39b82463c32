"""What goes wrong with what we are given: every message says where, what, and what to do about it.

The command line prints these as one line and exits with 1; any other exception is a bug of ours.
"""

from __future__ import annotations


class StarccgError(ValueError):
    """The input is at fault, not the program."""


class FormatError(StarccgError):
    """A place in a file that cannot be read: ``file:line:column: reason``, counting from 1 as editors do."""

    def __init__(self, source: str, line: int, column: int, reason: str) -> None:
        super().__init__(f"{source}:{line}:{column}: {reason}")
        self.source = source
        self.line = line
        self.column = column
        self.reason = reason

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, int, int, str]]:
        return FormatError, (self.source, self.line, self.column, self.reason)  # to cross processes whole
