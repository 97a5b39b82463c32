"""Sentences and addresses that the tests share."""

from __future__ import annotations

from functools import cache
from urllib.parse import urlencode

import starccg
from starccg.parser import Parser

FRUIT = "Fruit flies like bananas."
HORSE = "The horse raced past the barn fell."
HARD = (
    "I know the teacher who the students from the small town that we visited last summer admired was kind,"
    " but nobody believed me."
)


def query(sentence: str, **rest: object) -> str:
    """The address of a sentence on the page."""
    return "?" + urlencode({"s": sentence, **rest})


@cache
def parser() -> Parser:
    """The parser that the server has too."""
    return starccg.load()
