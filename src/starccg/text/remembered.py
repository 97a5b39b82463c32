"""A cache by words: words repeat, so what is computed for a word is mostly known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

REMEMBERED = 50_000
LONGEST_WORD = 100
"""Letters. A longer word is not remembered, and as in BERT it is not split into pieces."""

T = TypeVar("T")


class Remembered(dict[str, T]):
    """What ``compute`` gives for a word, computed once. It is emptied when it is full."""

    def __init__(self, compute: Callable[[str], T]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, word: str) -> T:
        found = self._compute(word)
        if len(word) <= LONGEST_WORD:
            if len(self) >= REMEMBERED:
                self.clear()
            self[word] = found
        return found
