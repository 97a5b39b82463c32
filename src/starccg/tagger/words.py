"""The features of a word that a tagger reads: its spelling in lower case, its affixes, its casing.

Training and parsing both read words through this file, so they can never see different features.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from starccg.text.remembered import Remembered

AFFIX_LENGTHS = (1, 2, 3, 4)

UNKNOWN = 0
"""The number of a word or affix that the vocabulary does not hold."""
SHORT = 1
"""The number of an affix longer than its word."""
RESERVED = 2

CASINGS = ("lower", "initial", "upper", "single", "mixed", "number", "digits", "other")
"""All lower case; only the first letter upper; all upper; one upper letter; any other mixture; a number; letters or
marks with digits among them; no letters with case at all."""

_PLAIN = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
    "LRB": "(", "RRB": ")",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "–": "-", "—": "--", "…": "...",
}  # fmt: skip
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"[+-]?[\d.,:/]*\d[\d.,:/]*%?")
_PART = re.compile(r"[~\-]")


def plain(word: str) -> str:
    """The word as text has it: brackets and quotes not spelt out the Penn Treebank's way, straight apostrophes."""
    return _PLAIN.get(word) or word.replace("’", "'")


def casing(word: str) -> int:
    """Which of :data:`CASINGS` the word has: what an encoder of lower-case text cannot see."""
    return _CASINGS_OF_WORDS[word]


def _casing_of(word: str) -> int:
    if any(map(str.isdigit, word)):
        return 5 if _NUMBER.fullmatch(word) else 6
    letters = [letter for letter in word if letter.isupper() or letter.islower()]
    if not letters:
        return 7
    upper = sum(map(str.isupper, letters))
    if upper == 0:
        return 0
    if len(letters) == 1:
        return 3
    if upper == len(letters):
        return 2
    return 1 if upper == 1 and letters[0].isupper() else 4


_CASINGS_OF_WORDS = Remembered(_casing_of)


def vector_keys(word: str) -> tuple[str, ...]:
    """The spellings under which a word's vector is looked up, best first.

    Lower-cased; with every digit as 0; its last part, which in English is mostly the head (``15-year``, ``Brian~Eno``).
    """
    lowered = plain(word).lower()
    keys = [lowered, _DIGIT.sub("0", lowered)]
    parts = [part for part in _PART.split(lowered) if part]
    if len(parts) > 1:
        keys += [parts[-1], _DIGIT.sub("0", parts[-1])]
    return tuple(dict.fromkeys(keys))


def word_number(word: str, numbers: Mapping[str, int]) -> int:
    """The number of the first spelling that has a vector, or :data:`UNKNOWN`."""
    for key in vector_keys(word):
        number = numbers.get(key)
        if number is not None:
            return number
    return UNKNOWN


def affixes(word: str) -> list[str | None]:
    """Prefixes of one to four letters, then suffixes, in the case they are written; None: the word is too short."""
    prefixes = [word[:length] if len(word) >= length else None for length in AFFIX_LENGTHS]
    suffixes = [word[-length:] if len(word) >= length else None for length in AFFIX_LENGTHS]
    return prefixes + suffixes
