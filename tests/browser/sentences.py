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
SLOW = " ".join(["to", "of", "that", "is", "was", "had", "in", "be", "like", "as"] * 20)
"""No sentence: each word has many tags, and nothing fits, so that the search takes its time."""


def query(sentence: str, **rest: object) -> str:
    """The address of a sentence on the page."""
    return "?" + urlencode({"s": sentence, **rest})


@cache
def parser() -> Parser:
    """The parser that the server has too."""
    return starccg.load()
