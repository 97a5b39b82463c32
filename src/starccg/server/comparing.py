"""The answer to ``/api/compare``: what several decoders find for one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from starccg.ccg.rules import Rule
from starccg.outcome import ParseOutcome
from starccg.search.options import Decoder
from starccg.server.answers import summary


def compared(
    decoders: Sequence[Decoder], found: Sequence[tuple[ParseOutcome, list[float]]], *, drawn: bool
) -> list[dict[str, Any]]:
    """A result for each decoder: its outcome, the median time of its searches, and whether it agrees with the first."""
    first = shape(found[0][0])
    results = []
    for decoder, (outcome, seconds) in zip(decoders, found, strict=True):
        own = shape(outcome)
        results.append(
            {
                "decoder": decoder,
                **summary(outcome, drawn=drawn),
                "seconds": median(seconds) if seconds else None,
                "runs": len(seconds),
                "same_as_first": None if own is None or first is None else own == first,
            }
        )
    return results


def shape(outcome: ParseOutcome) -> list[tuple[str, Rule | None, int]] | None:
    """The best derivation as a list, since trees may be too deep for ``==``; None without a parse."""
    if not outcome.parses:
        return None
    return [(str(node.category), node.rule, len(node.children)) for node in outcome.parses[0].postorder()]
