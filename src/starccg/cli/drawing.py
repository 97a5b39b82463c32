"""Derivations in colour on a terminal: :mod:`starccg.formats.deriv` with a style for each kind of text."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from starccg.ccg.derivation import Derivation
from starccg.formats.deriv import rows

STYLES = {"word": "bold", "category": "cyan", "line": "dim", "rule": "magenta", "part": "yellow", "blank": ""}
"""Colours of the terminal's palette, which are readable on light and dark backgrounds."""


def coloured(derivation: Derivation, width: int | None = None) -> Text:
    """The drawing, at most ``width`` wide if the categories fit; 0 never wraps, None uses the terminal's width."""
    text = Text(no_wrap=True, overflow="ignore", end="")
    for number, row in enumerate(rows(derivation, width)):
        if number:
            text.append("\n")
        for piece in row:
            text.append(piece.text, STYLES[piece.kind])
    return text


def print_derivation(console: Console, derivation: Derivation, width: int | None = None) -> None:
    """Print the drawing, without colour if the console is not a terminal. ``None`` is the console's width."""
    limit = console.width if width is None else width
    console.print(coloured(derivation, limit), soft_wrap=True, highlight=False)
