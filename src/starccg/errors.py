"""The base of the package's exceptions. The message says where, what is wrong, and what to do about it.

The command line prints these as one line and exits with 1; any other exception is a bug.
"""

from __future__ import annotations

import unicodedata
from typing import Any

MAX_REASON, MAX_MESSAGE = 400, 1000
"""The maximum length of a reason that quotes a file, and of a whole message. Longer ones are cut in the middle."""


class StarccgError(ValueError):
    """An error in the input, the options or the environment, not in starccg. Its message is one visible line."""

    def __str__(self) -> str:
        return visible(" ".join(shortened(super().__str__(), MAX_MESSAGE).splitlines()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__)  # whatever the parameters of the class are


def _restored(kind: type[StarccgError], arguments: tuple[Any, ...], fields: dict[str, Any]) -> StarccgError:
    """An error that comes from another process."""
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(fields)
    return error


class ModelError(StarccgError):
    """A model folder that is incomplete or damaged; the message says what to do about it."""


def install_extra(name: str) -> str:
    """How to install an extra. As long as starccg is on no package index, a checkout is needed."""
    return f"in a checkout of starccg, run pip install '.[{name}]'"


def shortened(text: str, most: int = MAX_REASON) -> str:
    """The text, with its middle left out if it is too long."""
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-(most // 2) :]}"


def counted(number: int, noun: str) -> str:
    """A number and its noun, which is plural unless the number is 1."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def visible(text: str) -> str:
    """The text with control characters replaced, so that a file cannot send escape sequences to the terminal."""
    if text.isprintable():
        return text
    return "".join("\ufffd" if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") else sign for sign in text)
