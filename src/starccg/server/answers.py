"""Outcomes as the JSON of answers. The shape of an outcome is that of :mod:`starccg.outcome_json`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from statistics import median
from typing import Any

from starccg.ccg.rules import Rule
from starccg.formats.svg import arcs_svg, derivation_svg
from starccg.outcome import ParseOutcome
from starccg.outcome_json import outcome_to_json
from starccg.search.options import Decoder


def encode(value: Any) -> bytes:
    """JSON in UTF-8, without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def outcome_answer(outcome: ParseOutcome, *, drawn: bool) -> dict[str, Any]:
    """An outcome with two drawings of each parse, which are null unless they were requested."""
    value = outcome_to_json(outcome)
    for parse, found in zip(value["parses"], outcome.parses, strict=True):
        parse["svg"] = derivation_svg(found) if drawn else None
        parse["arcs"] = arcs_svg(found.words, found.dependencies, names=True) if drawn else None
    return value


def summary(outcome: ParseOutcome, *, drawn: bool) -> dict[str, Any]:
    """An outcome without its trees: what was found and proved, and a drawing of the best parse."""
    value = outcome_to_json(outcome, dependencies=False)
    best = outcome.parses[0] if outcome.parses else None
    return {
        "outcome": value["outcome"],
        "reason": value["reason"],
        "category": None if best is None else str(best.category),
        "score": None if best is None else value["parses"][0]["score"],
        "certificate": value["certificate"],
        "svg": derivation_svg(best) if drawn and best is not None else None,
    }


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
