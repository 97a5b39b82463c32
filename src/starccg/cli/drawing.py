"""Derivations on a terminal, in colour: the drawing of :mod:`starccg.formats.deriv`, a style for each kind of piece."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from starccg.derivation import Derivation
from starccg.formats.deriv import rows

STYLES = {"word": "bold", "category": "cyan", "line": "dim", "rule": "magenta", "part": "yellow", "blank": ""}
"""Colours of the terminal's own palette, so that they can be read on a light ground and on a dark one."""


def coloured(derivation: Derivation, width: int | None = None) -> Text:
    """The drawing, at most ``width`` wide where categories allow; 0 never wraps, None asks the terminal."""
    text = Text(no_wrap=True, overflow="ignore", end="")
    for number, row in enumerate(rows(derivation, width)):
        if number:
            text.append("\n")
        for piece in row:
            text.append(piece.text, STYLES[piece.kind])
    return text


def print_derivation(console: Console, derivation: Derivation, width: int | None = None) -> None:
    """Draw it; a console that is no terminal gets the same letters without colour. None is the console's width."""
    limit = console.width if width is None else width
    console.print(coloured(derivation, limit), soft_wrap=True, highlight=False)
