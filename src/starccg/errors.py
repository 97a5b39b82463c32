"""The base of the package's exceptions. The message says where, what is wrong, and what to do about it.

The command line prints these as one line and exits with 1; any other exception is a bug.
"""

from __future__ import annotations


class StarccgError(ValueError):
    """An error in the input, the options or the environment, not in starccg."""


class ModelError(StarccgError):
    """A model folder that is incomplete or damaged; the message says what to do about it."""


def install_extra(name: str) -> str:
    """How to install an extra. As long as starccg is on no package index, a checkout is needed."""
    return f"in a checkout of starccg, run pip install '.[{name}]'"
