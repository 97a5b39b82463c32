"""The parser's input: sentences, read into words and their offsets in the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from starccg.ccg.derivation import shorten
from starccg.outcome import Failed, Offsets
from starccg.text import TextSentence, tokenise

Text = str | Sequence[str] | TextSentence
"""A sentence: as written, as its words, or as :func:`starccg.sentences` found it in a text."""
Texts = list[str] | list[list[str]] | list[Sequence[str]] | list[TextSentence] | list[Text] | tuple[Text, ...]
"""Several sentences. A list of strings is this, and never the words of one sentence."""


class Words(NamedTuple):
    """A sentence as the parser reads it."""

    words: tuple[str, ...]
    offsets: Offsets | None = None
    """Where the words stand in the text they come from; None if the words were given as a list."""
    pos: tuple[str, ...] | None = None
    """The part of speech of each word; None if it was not requested."""
    lemmas: tuple[str, ...] | None = None
    """The lemma of each word; None if it was not requested."""


def read_sentence(text: Text) -> Words | Failed:
    """The words of a sentence, or ``Failed`` with the reason: a stream may contain anything."""
    if isinstance(text, str | TextSentence):
        tokens = tokenise(text) if isinstance(text, str) else text.tokens
        sentence = Words(tuple(token.text for token in tokens), tuple((token.start, token.end) for token in tokens))
    elif isinstance(text, bytes | bytearray | Mapping) or not isinstance(text, Iterable):
        return Failed((), f"a sentence is a text or a list of words, not {kind_of(text)}")
    else:
        sentence = Words(tuple(text))
    words, offsets = sentence.words, sentence.offsets
    if not words:
        return Failed((), "there are no words", offsets=offsets)
    for position, word in enumerate(words, 1):
        if not isinstance(word, str):
            return Failed(tuple(map(str, words)), f"word {position} is not a text but {kind_of(word)}")
        if not word or word.isspace():
            return Failed(words, f"word {position} is empty")
    return sentence


def kind_of(value: object) -> str:
    """What a value is, for an error message."""
    return "None" if value is None else f"{type(value).__name__}: {shorten([repr(value)])}"
