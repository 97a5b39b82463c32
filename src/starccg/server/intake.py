"""From the texts of a request to words, within the limits: each refusal says the limit and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from starccg.server.errors import ApiError
from starccg.server.limits import ServerLimits
from starccg.server.requests import ParseRequest, SentenceRequest
from starccg.text import sentences as split
from starccg.text import tokenise

Words = tuple[str, ...]


def sentences_of(request: ParseRequest, limits: ServerLimits) -> list[Words]:
    """The words of each sentence of a request; a text without words is one sentence, for the parser to fail on."""
    if request.text is not None:
        check_characters([request.text], limits, "text")
        found = [tuple(one.words) for one in split(request.text, tokenised=request.tokenized)] or [()]
        check_sentences(found, limits, "text")
        return [check_words(words, limits, "text", place) for place, words in enumerate(found, 1)]
    given = request.sentences or []
    check_sentences(given, limits, "sentences")
    check_characters((part for one in given for part in ((one,) if isinstance(one, str) else one)), limits, "sentences")
    return [
        check_words(_words(one, request.tokenized), limits, f"sentences[{place}]") for place, one in enumerate(given)
    ]


def words_of(request: SentenceRequest, limits: ServerLimits) -> Words:
    """The words of the one sentence of a request."""
    given = request.words if request.text is None else request.text
    where = "words" if request.text is None else "text"
    assert given is not None, "the schema takes a text or words"
    check_characters((given,) if isinstance(given, str) else given, limits, where)
    return check_words(_words(given, tokenized=False), limits, where)


def _words(sentence: str | Sequence[str], tokenized: bool) -> Words:
    if not isinstance(sentence, str):
        return tuple(sentence)
    return tuple(sentence.split()) if tokenized else tuple(token.text for token in tokenise(sentence))


def check_characters(texts: Iterable[str], limits: ServerLimits, where: str) -> None:
    """Refuse more characters than a request may have."""
    count = sum(map(len, texts))
    if count > limits.characters:
        message = f"there are {count} characters; this server takes {limits.characters} at once: send fewer"
        raise ApiError("too_long", message, where)


def check_sentences(sentences: Sequence[object], limits: ServerLimits, where: str) -> None:
    """Refuse more sentences than a request may have."""
    if len(sentences) > limits.sentences:
        message = f"there are {len(sentences)} sentences; this server takes {limits.sentences} at once: send fewer"
        raise ApiError("too_many", message, where)


def check_words(words: Words, limits: ServerLimits, where: str, number: int = 0) -> Words:
    """The words, unless they are more than a sentence may have; ``number`` is that of the sentence in a text."""
    if len(words) > limits.words:
        name = f"sentence {number}" if number else where if where.startswith("sentences") else "the sentence"
        message = f"{name} has {len(words)} words; this server takes {limits.words} in a sentence: split or shorten it"
        raise ApiError("too_long", message, where)
    return words
