"""Why a search stopped early, in words: which limit it met, its value, and whether the back-off found a parse."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from starccg.errors import counted
from starccg.search.native import core
from starccg.search.options import Decoder, Options
from starccg.search.types import Certificate

MAX_WORDS = core.max_words
"""The core refuses longer sentences, whatever the limits say."""

NO_DERIVATION = "no derivation covers all words with the tags that were kept"


_LIMITS: dict[str, Callable[[int, Options], str]] = {
    "exhausted": lambda words, options: NO_DERIVATION,
    "forest": lambda words, options: f"the forest reached its limit of {counted(options.limits.forest, 'subtree')}",
    "agenda": lambda words, options: f"the agenda reached its limit of {counted(options.limits.agenda, 'item')}",
    "recursive_units": lambda words, options: (
        f"the search reached its limit of {counted(options.limits.recursive_units, 'recursive unit')}"
    ),
    "words": lambda words, options: (
        f"the sentence has {counted(words, 'word')}, and the limit is "
        f"{options.limits.words if words <= MAX_WORDS else MAX_WORDS:,}"
    ),
    "seconds": lambda words, options: (
        f"the search reached its time limit of {options.limits.seconds:g} second"
        f"{'' if options.limits.seconds == 1 else 's'}"
    ),
    "interrupted": lambda words, options: "the search was interrupted",
}


def stop_reason(certificate: Certificate, words: int, options: Options, *, parsed: bool) -> str:
    """The reason; empty if the search met no limit.

    Without a parse the limit does not explain everything: the back-off was tried after it, and found none either.
    """
    if not certificate.stopped:
        return ""
    reason = _LIMITS[certificate.stopped](words, options)
    if parsed or certificate.stopped in ("exhausted", "interrupted"):
        return reason
    if certificate.upper_bound == -inf:
        return NO_DERIVATION  # proved by the back-off, which has no limit on words
    if options.backoff and options.decoder is not Decoder.SUPERTAG and words <= MAX_WORDS:
        return f"{reason}; the back-off found no parse within its limits of time and memory"
    return reason
