"""The parser of the package, loaded once for all tests of this folder."""

from __future__ import annotations

from functools import cache
from typing import Any

import starccg
from starccg.outcome import Parsed
from starccg.parser import Parser

SENTENCES = ["Time flies like an arrow.", "The report that she wrote surprised everyone.", "Where is the station?"]


@cache
def parser() -> Parser:
    return starccg.load()


def parsed(text: str, **options: Any) -> Parsed:
    """The outcome of a sentence that has a parse."""
    outcome = parser().parse(text, **options)
    assert isinstance(outcome, Parsed)
    return outcome
