"""Word lists, written as text in the source and used as sets."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def table(text: str) -> dict[str, frozenset[str]]:
    """Lines of ``key: word word ...``; a line without a key continues the one before."""
    found: dict[str, frozenset[str]] = {}
    key = ""
    for line in text.strip().splitlines():
        name, colon, rest = line.partition(":")
        if colon:
            key = name.strip()
        found[key] = found.get(key, frozenset()) | words(rest if colon else line)
    return found
