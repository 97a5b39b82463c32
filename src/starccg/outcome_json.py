"""The JSON of an outcome, in the format ``jsonl``, from the server and in a spaCy document.

Every outcome has the same keys::

    {"id": "1", "outcome": "Parsed", "words": ["It", "works"], "offsets": [[0, 2], [3, 8]],
     "nbest": 1, "reason": null, "certificate": {"optimal": true, "score": -0.5, ...}, "confidence": null,
     "parses": [{"id": "1", "category": "S[dcl]", "score": -0.5,
                 "tokens": [...], "nodes": [...],
                 "dependencies": [{"head": 1, "category": "S[dcl]\\NP", "slot": 1, "argument": 0,
                                   "reach": "", "relation": "subject"}],
                 "certificate": {...}}]}

``tokens`` and ``nodes`` are those of :mod:`starccg.formats.json`. ``offsets`` and ``reason`` are null where there are
none, ``certificate`` if there was no search, ``confidence`` if it was not requested. JSON has no infinity: where a
certificate or a confidence has one, it is null.
"""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from math import inf, isfinite
from typing import Any, get_args, get_type_hints

from starccg.ccg.derivation import Sentence
from starccg.dependencies.types import Dependency
from starccg.errors import StarccgError
from starccg.formats.json import from_json, to_json
from starccg.outcome import BackedOff, Confidence, Failed, Offsets, Parsed, ParseOutcome
from starccg.parsed_derivation import ParsedDerivation
from starccg.search.types import Certificate

_HINTS: dict[type, dict[str, Any]] = {kind: get_type_hints(kind) for kind in (Certificate, Confidence)}
_WITHOUT_PARSE: dict[str, Any] = {"score": -inf, "upper_bound": -inf, "gap": inf}
"""The fields of a certificate that are null if there is no parse."""


def outcome_to_json(outcome: ParseOutcome, name: str = "1", *, dependencies: bool = True) -> dict[str, Any]:
    """A plain value for :func:`json.dump`; ``name`` is the sentence's ID. Dependencies may be left out to save room."""
    return {
        "id": name,
        "outcome": type(outcome).__name__,
        "words": list(outcome.words),
        "offsets": None if outcome.offsets is None else [list(span) for span in outcome.offsets],
        "nbest": outcome.nbest,
        "reason": outcome.reason or None,
        "certificate": None if outcome.certificate is None else certificate_to_json(outcome.certificate),
        "confidence": None if outcome.confidence is None else _finite_values(asdict(outcome.confidence)),
        "parses": [
            parse_to_json(parse, parse_id(outcome, name, rank), dependencies=dependencies)
            for rank, parse in enumerate(outcome.parses, 1)
        ],
    }


def parse_to_json(parse: ParsedDerivation, name: str, *, dependencies: bool = True) -> dict[str, Any]:
    """One parse of an outcome."""
    derivation = to_json(Sentence(name, parse))
    return {
        "id": name,
        "category": str(parse.category),
        "score": _finite(parse.score),
        **derivation,
        **({"dependencies": [dependency_to_json(it) for it in parse.dependencies]} if dependencies else {}),
        "certificate": certificate_to_json(parse.certificate),
    }


def dependency_to_json(dependency: Dependency) -> dict[str, Any]:
    """A dependency, with the name of the relation."""
    return {
        "head": dependency.head,
        "category": str(dependency.category),
        "slot": dependency.slot,
        "argument": dependency.argument,
        "reach": dependency.reach.value,
        "relation": dependency.relation,
    }


def certificate_to_json(certificate: Certificate) -> dict[str, Any]:
    """A certificate; numbers that are not finite are null."""
    values = {name: getattr(certificate, name) for name in _HINTS[Certificate]}
    return _finite_values({**values, "decoder": certificate.decoder.value})


def outcome_from_json(value: dict[str, Any]) -> ParseOutcome:
    """Read what :func:`outcome_to_json` wrote. The dependencies are computed again on access.

    Raises :class:`StarccgError` for anything else.
    """
    try:
        return _outcome_from_json(value)
    except StarccgError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise StarccgError(f"not the JSON of a parse: {type(error).__name__}: {str(error)[:200]}") from error


def _outcome_from_json(value: dict[str, Any]) -> ParseOutcome:
    words = tuple(_typed(str, word) for word in _typed(list, value["words"]))
    reason, nbest = _typed(str, value.get("reason") or ""), _typed(int, value.get("nbest", 1))
    offsets = _offsets_from_json(value.get("offsets"))
    known = value.get("certificate")
    certificate = None if known is None else _certificate_from_json(known)
    if value["outcome"] == Failed.__name__:
        return Failed(words, reason, certificate, nbest, offsets)
    parses = tuple(
        ParsedDerivation.of(from_json(parse).derivation, _certificate_from_json(parse["certificate"]), rank)
        for rank, parse in enumerate(_typed(list, value["parses"]), 1)
    )
    kind = BackedOff if value["outcome"] == BackedOff.__name__ else Parsed
    sure = _confidence_from_json(value.get("confidence"))
    best = parses[0].certificate  # an outcome without parses is an error
    return kind(words, parses, certificate or best, reason, nbest, offsets, sure)


def parse_id(outcome: ParseOutcome, name: str, rank: int) -> str:
    """The ID of a parse: that of the sentence and, where there are several parses, the rank."""
    return name if len(outcome.parses) == 1 else f"{name}.{rank}"


def named(outcome: Parsed, name: str) -> list[Sentence]:
    """The parses as sentences of a treebank; the header of a back-off says so."""
    header = (("OUTCOME", BackedOff.__name__),) if isinstance(outcome, BackedOff) else ()
    return [Sentence(parse_id(outcome, name, rank), parse, header) for rank, parse in enumerate(outcome.parses, 1)]


def _finite_values(values: dict[str, Any]) -> dict[str, Any]:
    return {name: _finite(held) if isinstance(held, float) else held for name, held in values.items()}


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None


def _offsets_from_json(value: list[list[int]] | None) -> Offsets | None:
    return None if value is None else tuple((_typed(int, start), _typed(int, end)) for start, end in value)


def _confidence_from_json(value: dict[str, Any] | None) -> Confidence | None:
    if value is None:
        return None
    return Confidence(**_fields(Confidence, {**value, "margin": inf if value["margin"] is None else value["margin"]}))


def _certificate_from_json(value: dict[str, Any]) -> Certificate:
    known = {name: _WITHOUT_PARSE.get(name) if held is None else held for name, held in value.items()}
    return Certificate(**_fields(Certificate, {"seconds": 0.0, **known}))  # corpus runs leave the seconds out


def _fields(kind: type, value: dict[str, Any]) -> dict[str, Any]:
    """The fields of a data class, each of its type; other keys are left out."""
    return {name: _typed(hint, value[name]) for name, hint in _HINTS[kind].items() if name in value}


def _typed(kind: Any, value: Any) -> Any:
    """The value as this type; raises an error if it is of another."""
    if get_args(kind):  # number or None
        return None if value is None else _typed(get_args(kind)[0], value)
    if issubclass(kind, StrEnum):
        return kind(value)
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise TypeError(f"expected {kind.__name__}, not {type(value).__name__}")
    return kind(value)
