"""The base of the package's exceptions. The message says where, what is wrong, and what to do about it.

The command line prints these as one line and exits with 1; any other exception is a bug.
"""

from __future__ import annotations

import unicodedata

MAX_REASON, MAX_MESSAGE = 400, 1000
"""The maximum length of a reason that quotes a file, and of a whole message. Longer ones are cut in the middle."""


class StarccgError(ValueError):
    """An error in the input, the options or the environment, not in starccg. Its message is one visible line."""

    def __str__(self) -> str:
        return visible(" ".join(shortened(super().__str__(), MAX_MESSAGE).splitlines()))


class ModelError(StarccgError):
    """A model folder that is incomplete or damaged; the message says what to do about it."""


def install_extra(name: str) -> str:
    """How to install an extra. As long as starccg is on no package index, a checkout is needed."""
    return f"in a checkout of starccg, run pip install '.[{name}]'"


def shortened(text: str, most: int = MAX_REASON) -> str:
    """The text, with its middle left out if it is too long."""
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-(most // 2) :]}"


def visible(text: str) -> str:
    """The text with control characters replaced, so that a file cannot send escape sequences to the terminal."""
    if text.isprintable():
        return text
    return "".join("\ufffd" if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") else sign for sign in text)
