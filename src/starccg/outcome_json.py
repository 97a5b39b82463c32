"""Outcomes as plain values and back: what ``starccg parse -f json`` writes and a spaCy document carries.

Everything that was found and proved is in it: the derivations as :mod:`starccg.formats.json` writes them, their
dependencies and their certificates. JSON knows no infinity; where a certificate has one, it holds null.
"""

from __future__ import annotations

from dataclasses import asdict
from math import inf, isfinite
from typing import Any

from starccg.dependencies.types import Dependency
from starccg.derivation import Sentence
from starccg.formats.json import from_json, to_json
from starccg.outcome import BackedOff, Failed, Parsed, ParsedDerivation, ParseOutcome
from starccg.search.types import Certificate, Decoder

_WITHOUT_PARSE: dict[str, Any] = {"score": -inf, "upper_bound": -inf, "gap": inf}
"""What a certificate holds where there is no parse to bound."""


def outcome_to_json(outcome: ParseOutcome, name: str = "1", *, dependencies: bool = True) -> dict[str, Any]:
    """A plain value for :func:`json.dump`; ``name`` is the sentence's ID. Dependencies can be left out: they follow."""
    value: dict[str, Any] = {"id": name, "outcome": type(outcome).__name__, "words": list(outcome.words)}
    if isinstance(outcome, Failed):
        known = None if outcome.certificate is None else _certificate_to_json(outcome.certificate)
        return {**value, "reason": outcome.reason, "certificate": known}
    if isinstance(outcome, BackedOff):
        value["reason"] = outcome.reason
    value["parses"] = [
        {
            **to_json(sentence),
            **({"dependencies": [_dependency_to_json(it) for it in parse.dependencies]} if dependencies else {}),
            "certificate": _certificate_to_json(parse.certificate),
        }
        for sentence, parse in zip(named(outcome, name), outcome.parses, strict=True)
    ]
    return value


def outcome_from_json(value: dict[str, Any]) -> ParseOutcome:
    """Read what :func:`outcome_to_json` wrote. The dependencies are worked out again when they are asked for."""
    words = tuple(value["words"])
    if value["outcome"] == Failed.__name__:
        known = value.get("certificate")
        return Failed(words, value["reason"], None if known is None else _certificate_from_json(known))
    parses = tuple(
        ParsedDerivation(from_json(parse).derivation, _certificate_from_json(parse["certificate"]))
        for parse in value["parses"]
    )
    certificate = parses[0].certificate
    if value["outcome"] == BackedOff.__name__:
        return BackedOff(words, parses, certificate, value["reason"])
    return Parsed(words, parses, certificate)


def named(outcome: Parsed, name: str) -> list[Sentence]:
    """The parses as sentences of a treebank; where there are several, their rank is part of the ID."""
    of = len(outcome.parses)
    return [
        Sentence(name if of == 1 else f"{name}.{rank}", parse.derivation)
        for rank, parse in enumerate(outcome.parses, 1)
    ]


def _dependency_to_json(dependency: Dependency) -> dict[str, Any]:
    return {**dependency._asdict(), "category": str(dependency.category), "reach": dependency.reach.value}


def _certificate_to_json(certificate: Certificate) -> dict[str, Any]:
    values = {**asdict(certificate), "decoder": certificate.decoder.value}
    return {name: held if name not in _WITHOUT_PARSE or isfinite(held) else None for name, held in values.items()}


def _certificate_from_json(value: dict[str, Any]) -> Certificate:
    values = {name: _WITHOUT_PARSE[name] if held is None else held for name, held in value.items()}
    return Certificate(**{**values, "decoder": Decoder(value["decoder"])})
