"""WordPiece for single words, after Wu et al. 2016 as BERT reads it: lower case, no accents, longest piece first.

Words repeat, so with a cache this is as fast as a compiled library, and the parser has one dependency less.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path

from starccg.errors import StarccgError
from starccg.text.remembered import LONGEST_WORD, Remembered

_CJK = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class WordPiece:
    """A vocabulary of pieces; ``##`` starts one that continues a word."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        missing = [piece for piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]") if piece not in self._numbers]
        if missing:
            raise StarccgError(f"a WordPiece vocabulary must contain {', '.join(missing)}")
        self.unknown, self.start, self.end = (self._numbers[piece] for piece in ("[UNK]", "[CLS]", "[SEP]"))
        self._longest = max(map(len, pieces))
        self._pieces = Remembered(self._encode)

    @classmethod
    def read(cls, path: Path) -> WordPiece:
        """One piece a line, numbered from 0."""
        return cls(path.read_text("utf-8").rstrip("\n").split("\n"))

    def encode(self, word: str) -> tuple[int, ...]:
        """The numbers of the word's pieces, never none: what cannot be spelt is ``[UNK]``."""
        return self._pieces[word]

    def _encode(self, word: str) -> tuple[int, ...]:
        return tuple(n for part in _parts(word) for n in self._split(part)) or (self.unknown,)

    def _split(self, part: str) -> list[int]:
        if len(part) > LONGEST_WORD:
            return [self.unknown]
        numbers = []
        start = 0
        while start < len(part):
            for end in range(min(len(part), start + self._longest), start, -1):
                number = self._numbers.get(part[start:end] if start == 0 else "##" + part[start:end])
                if number is not None:
                    numbers.append(number)
                    start = end
                    break
            else:
                return [self.unknown]
        return numbers


def _parts(word: str) -> list[str]:
    """The word in lower case and without accents, split at spaces, punctuation and ideographs."""
    if len(word) > 64 * LONGEST_WORD:
        return ["[UNK]"]
    if word.isascii() and word.isalnum():
        return [word.lower()]
    parts = [""]
    for letter in unicodedata.normalize("NFD", word.lower()):
        category = unicodedata.category(letter)
        if category == "Mn" or letter in "\0\ufffd":
            continue
        if letter.isspace() or category == "Zs":
            parts.append("")
        elif category[0] == "C":
            continue
        elif _is_punctuation(letter, category) or any(low <= ord(letter) <= high for low, high in _CJK):
            parts += (letter, "")
        else:
            parts[-1] += letter
    return [part for part in parts if part]


def _is_punctuation(letter: str, category: str) -> bool:
    """As BERT has it: what Unicode calls punctuation, and all signs of ASCII."""
    return category[0] == "P" or (letter.isascii() and letter.isprintable() and not letter.isalnum())
