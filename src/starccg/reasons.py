"""Why a search ended without a proof, in words: which limit, how much it was, and what became of the back-off."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from starccg.search.types import Certificate, Decoder, Options

MOST_WORDS = 4095
"""More words than this no search takes, whatever the limits say."""

NO_DERIVATION = "no derivation covers all words with the tags that were kept"

_LIMITS: dict[str, Callable[[int, Options], str]] = {
    "exhausted": lambda words, options: NO_DERIVATION,
    "forest": lambda words, options: f"the forest reached its limit of {options.limits.forest:,} subtrees",
    "agenda": lambda words, options: f"the agenda reached its limit of {options.limits.agenda:,} items",
    "recursive_units": lambda words, options: (
        f"the limit of {options.limits.recursive_units:,} recursive units is used up"
    ),
    "words": lambda words, options: (
        f"the sentence has {words:,} words, and "
        + (f"the limit is {options.limits.words:,}" if words <= MOST_WORDS else f"no search takes over {MOST_WORDS:,}")
    ),
    "seconds": lambda words, options: f"the time limit of {options.limits.seconds:g} seconds is used up",
    "interrupted": lambda words, options: "it was interrupted",
}


def reason_of(certificate: Certificate, words: int, options: Options, *, parsed: bool) -> str:
    """The reason; empty where a search ran to its end.

    Without a parse a limit is only half of it: after one the back-off is asked, and what it proved or not is the rest.
    """
    if not certificate.stopped:
        return ""
    reason = _LIMITS[certificate.stopped](words, options)
    if parsed or certificate.stopped in ("exhausted", "interrupted"):
        return reason
    if certificate.upper_bound == -inf:
        return NO_DERIVATION  # the back-off has no limit on words, and proved it
    if options.backoff and options.decoder is not Decoder.SUPERTAG and words <= MOST_WORDS:
        return f"{reason}; the back-off found no parse in the time and room it had"
    return reason
