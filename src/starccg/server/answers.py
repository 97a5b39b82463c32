"""From the parser's outcomes to the bodies of answers."""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

from starccg.derivation import Derivation, Sentence
from starccg.formats.json import to_json
from starccg.formats.svg import arcs_svg, derivation_svg
from starccg.outcome import BackedOff, Failed, ParsedDerivation, ParseOutcome
from starccg.search.types import Certificate
from starccg.server import schemas


class Found(NamedTuple):
    """What answers say of an outcome as a whole."""

    outcome: schemas.OutcomeName
    reason: str | None
    certificate: schemas.CertificateAnswer | None
    category: str | None
    score: float | None
    derivation: Derivation | None


def found(outcome: ParseOutcome) -> Found:
    """An outcome with its best parse."""
    certificate = None if outcome.certificate is None else certificate_answer(outcome.certificate)
    if isinstance(outcome, Failed):
        return Found("Failed", outcome.reason, certificate, None, None, None)
    best = outcome.parses[0]
    name: schemas.OutcomeName = "BackedOff" if isinstance(outcome, BackedOff) else "Parsed"
    reason = outcome.reason if isinstance(outcome, BackedOff) else None
    return Found(name, reason, certificate, str(best.category), finite(best.score), best.derivation)


def sentence_answer(outcome: ParseOutcome, nbest: int, *, drawn: bool) -> schemas.SentenceAnswer:
    """All that was found of a sentence; the reranker found more than was asked for."""
    whole = found(outcome)
    parses = () if isinstance(outcome, Failed) else outcome.parses[:nbest]
    return schemas.SentenceAnswer(
        outcome=whole.outcome,
        words=list(outcome.words),
        reason=whole.reason,
        certificate=whole.certificate,
        parses=[
            parse_answer(parse, "1" if nbest == 1 else f"1.{rank}", drawn=drawn) for rank, parse in enumerate(parses, 1)
        ],
    )


def parse_answer(parse: ParsedDerivation, name: str, *, drawn: bool) -> schemas.ParseAnswer:
    """One parse."""
    return schemas.ParseAnswer(
        derivation=to_json(Sentence(name, parse.derivation)),
        category=str(parse.category),
        score=finite(parse.score),
        dependencies=[
            schemas.DependencyAnswer(
                head=d.head, category=str(d.category), slot=d.slot, argument=d.argument, reach=d.reach
            )
            for d in parse.dependencies
        ],
        certificate=certificate_answer(parse.certificate),
        svg=derivation_svg(parse.derivation) if drawn else None,
        arcs=arcs_svg(parse.words, parse.dependencies) if drawn else None,
    )


def certificate_answer(certificate: Certificate) -> schemas.CertificateAnswer:
    """A certificate; a failure's score is minus infinity, which JSON does not know."""
    return schemas.CertificateAnswer(
        optimal=certificate.optimal,
        score=finite(certificate.score),
        upper_bound=finite(certificate.upper_bound),
        gap=finite(certificate.gap),
        explored=certificate.explored,
        agenda=certificate.agenda,
        recursive_units=certificate.recursive_units,
        decoder=certificate.decoder,
        seconds=certificate.seconds,
        stopped=certificate.stopped,
    )


def finite(number: float) -> float | None:
    """The number, if it is one."""
    return number if isfinite(number) else None
