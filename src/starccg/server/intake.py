"""The sentences of a request, within the limits. An error names the limit and says what to do."""

from __future__ import annotations

from starccg.outcome import Failed
from starccg.sentence_input import Words, read_sentence
from starccg.server.errors import ApiError
from starccg.server.limits import ServerLimits
from starccg.server.requests import ParseRequest, SentenceRequest
from starccg.text import sentences as split

Sentence = Words | Failed
"""The words of a sentence; a failure if it has none, or if a word is empty."""

LONG_TEXT = 2_000
"""Characters. A longer text is split into sentences on a thread of its own."""


def sentences_of(request: ParseRequest, limits: ServerLimits) -> list[Sentence]:
    """The sentences of a request. A text without words is one sentence, which fails."""
    if request.text is not None:
        check_count(len(request.text), "characters", limits.characters, "text")
        found = [read_sentence(one) for one in split(request.text, tokenised=request.tokenized)] or [read_sentence("")]
        check_count(len(found), "sentences", limits.sentences, "text")
        return [check_words(sentence, limits, "text", number) for number, sentence in enumerate(found, 1)]
    given = request.sentences or []
    check_count(len(given), "sentences", limits.sentences, "sentences")
    check_count(sum(map(characters, given)), "characters", limits.characters, "sentences")
    return [
        check_words(
            read_sentence(one.split() if request.tokenized and isinstance(one, str) else one),
            limits,
            f"sentences[{place}]",
        )
        for place, one in enumerate(given)
    ]


def sentence_of(request: SentenceRequest, limits: ServerLimits) -> Sentence:
    """The one sentence of a request."""
    given = request.words if request.text is None else request.text
    where = "words" if request.text is None else "text"
    assert given is not None, "the schema requires a text or words"
    check_count(characters(given), "characters", limits.characters, where)
    return check_words(read_sentence(given), limits, where)


def characters(sentence: str | list[str]) -> int:
    """How many characters a sentence, or all of its words together, have."""
    return len(sentence) if isinstance(sentence, str) else sum(map(len, sentence))


def check_count(count: int, what: str, limit: int, where: str) -> None:
    """Refuse more characters, sentences or decoders than a request may have."""
    if count > limit:
        message = f"there are {count} {what}; the limit is {limit} for a request: send fewer"
        raise ApiError("too_long" if what == "characters" else "too_many", message, where)


def check_words(sentence: Sentence, limits: ServerLimits, where: str, number: int = 0) -> Sentence:
    """Refuse a sentence with too many words; ``number`` is its place in a text."""
    count = len(sentence.words)
    if count > limits.words:
        name = f"sentence {number}" if number else where if where.startswith("sentences") else "the sentence"
        message = f"{name} has {count} words; the limit is {limits.words} for a sentence: split or shorten it"
        raise ApiError("too_long", message, where)
    return sentence
