"""The root of our exceptions: the input is at fault, and the message says where, what, and what to do about it.

The command line prints these as one line and exits with 1; any other exception is a bug of ours.
"""

from __future__ import annotations


class StarccgError(ValueError):
    """Something we were given cannot be used."""
