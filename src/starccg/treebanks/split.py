"""Splitting a treebank by hash: the same sentence lands in the same part, whatever else is in the file.

The hash is over the words, so that a sentence that occurs twice is never in training and in development at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from starccg.ccg.derivation import Sentence
from starccg.errors import StarccgError

_SPACE = 1 << 64


class SplitError(StarccgError):
    """Proportions that make no sense."""


def fraction(words: Sequence[str], salt: str = "") -> float:
    """A number from 0 up to 1 that depends on the words alone (and on ``salt``, for another split of the same)."""
    text = "\n".join((salt, *words))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") / _SPACE


def check(proportions: Mapping[str, float]) -> None:
    """Refuse proportions that are not above zero or do not add up to one."""
    for name, share in proportions.items():
        if not 0 < share <= 1:
            raise SplitError(f"the share of {name} is {share}: it must be above 0 and at most 1")
    total = sum(proportions.values())
    if not proportions or abs(total - 1) > 1e-6:
        raise SplitError(
            f"the shares add up to {total:g}, not to 1: give each part its share, such as train=0.9 dev=0.1"
        )


def part(words: Sequence[str], proportions: Mapping[str, float], salt: str = "") -> str:
    """The part that a sentence belongs to."""
    place = fraction(words, salt)
    name = ""
    for name, share in proportions.items():
        place -= share
        if place < 0:
            return name
    return name


def split(sentences: Iterable[Sentence], proportions: Mapping[str, float], salt: str = "") -> dict[str, list[Sentence]]:
    """The parts, each in the order of the treebank."""
    check(proportions)
    parts: dict[str, list[Sentence]] = {name: [] for name in proportions}
    for sentence in sentences:
        parts[part(sentence.derivation.words, proportions, salt)].append(sentence)
    return parts
