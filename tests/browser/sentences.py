"""Sentences and addresses that the tests share."""

from __future__ import annotations

from urllib.parse import urlencode

FRUIT = "Fruit flies like bananas."
HORSE = "The horse raced past the barn fell."
HARD = (
    "I know the teacher who the students from the small town that we visited last summer admired was kind,"
    " but nobody believed me."
)


def query(sentence: str, **rest: object) -> str:
    """The address of a sentence on the page."""
    return "?" + urlencode({"s": sentence, **rest})
