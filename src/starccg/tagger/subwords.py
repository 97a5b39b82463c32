"""The tokeniser of any encoder, from its ``tokenizer.json``: WordPiece, byte-level BPE, Unigram.

It is run by the package ``tokenizers``, which needs no torch. It is an extra and not a dependency, because the models
that we ship have BERT's word pieces, which :mod:`.wordpiece` reads alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starccg.errors import ModelError, install_extra
from starccg.text.remembered import Remembered

TOKENIZER_FILE = "tokenizer.json"


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Whatever the package raises becomes a :class:`ModelError`; its panics are no :class:`Exception`."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:
        reason = str(error)[:200]
        raise ModelError(f"{name} is not a file that the package tokenizers can use: {reason}") from None


class Subwords:
    """Splits single words; the same interface as :class:`~starccg.tagger.wordpiece.WordPiece`.

    Words are read with a space before them, as in running text: byte-level BPE and Unigram have other pieces for the
    beginning of a word than for its middle.
    """

    def __init__(self, content: bytes, name: str = TOKENIZER_FILE) -> None:
        """``content`` of the file ``name``."""
        try:
            from tokenizers import Tokenizer  # noqa: PLC0415 - an extra
        except ImportError:
            raise ModelError(
                f"{name}: reading words with this model needs the package tokenizers: {install_extra('encoder')}"
            ) from None
        self._name = name
        with _reading(name):
            self._tokenizer: Any = Tokenizer.from_buffer(content)
            self._tokenizer.no_truncation()
            self._tokenizer.no_padding()
            marks = self._tokenizer.encode("a")
        special = [number for number, mark in zip(marks.ids, marks.special_tokens_mask, strict=True) if mark]
        if len(special) != 2 or [marks.ids[0], marks.ids[-1]] != special:
            raise ModelError(f"{name}: expected one mark before a sentence and one after it, such as [CLS] and [SEP]")
        self.start, self.end = special
        with _reading(name):
            self.unknown = _unknown(json.loads(content)["model"], self._tokenizer)
        self._pieces = Remembered(self._split)

    def encode(self, word: str) -> tuple[int, ...]:
        """The numbers of the word's pieces; a word without pieces (control characters) is unknown."""
        return self._pieces[word]

    def _split(self, word: str) -> tuple[int, ...]:
        with _reading(self._name):
            found = self._tokenizer.encode(f" {word}", add_special_tokens=False).ids
        return tuple(found) or (self.unknown,)


def _unknown(model: dict[str, Any], tokenizer: Any) -> int:
    """The number of the unknown piece; byte-level BPE has none and reads an asterisk instead."""
    if model.get("unk_id") is not None:
        return int(model["unk_id"])
    found = tokenizer.token_to_id(model["unk_token"]) if model.get("unk_token") else None
    return int(tokenizer.encode(" *", add_special_tokens=False).ids[0]) if found is None else int(found)
