"""The output of ``parse``: the lines of one format for a stream of outcomes, one result for every sentence, in order.

JSON, AUTO, PARG and CoNLL have an entry for a sentence without a parse. For all other formats the sentences go through
one call of the writer, which may write a header and a footer around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from starccg.errors import counted
from starccg.formats.json import dumps
from starccg.formats.registry import format_named
from starccg.outcome import Failed, ParseOutcome
from starccg.outcome_json import named, outcome_to_json
from starccg.parsed_derivation import ParsedDerivation

Numbered = tuple[int, ParseOutcome]

JSON = ("json", "jsonl")
"""Formats whose entry for a failed sentence contains the reason."""
WITH_PLACES = ("auto", "auto_extended", "parg", "conll")
"""Formats that are written sentence by sentence, with an entry for one that has no parse."""


def lines(outcomes: Iterable[Numbered], form: str, width: int | None = None, *, verbose: bool = False) -> Iterator[str]:
    """The lines of a format."""
    if form == "deriv":
        for _, outcome in outcomes:
            yield from _drawn(outcome, width, verbose=verbose)
    elif form in JSON:
        for number, outcome in outcomes:
            yield dumps(outcome_to_json(outcome, str(number)))
    elif form in WITH_PLACES:
        for number, outcome in outcomes:
            if isinstance(outcome, Failed):
                yield from _empty(form, number)
            else:
                yield from format_named(form).write(named(outcome, str(number)))
    else:
        parsed = ((number, outcome) for number, outcome in outcomes if not isinstance(outcome, Failed))
        yield from format_named(form).write(
            sentence for number, outcome in parsed for sentence in named(outcome, str(number))
        )


def describe(outcome: ParseOutcome, parse: ParsedDerivation, *, verbose: bool = False) -> str:
    """The certificate of a parse in one line; with ``verbose``, also the cost of the search."""
    text = parse.proof
    if parse.rank == 1 and outcome.confidence is not None and outcome.confidence.probability is not None:
        text += f"; right with probability {_share(outcome.confidence.probability)}"
    if verbose:
        certificate = parse.certificate
        work = f"{certificate.explored} explored, {counted(certificate.recursive_units, 'recursive unit')}"
        text += f"; {certificate.decoder}, {work}, {certificate.seconds * 1000:.1f} ms"
    if parse.rank == len(outcome.parses) and not isinstance(outcome, Failed) and outcome.remark:
        text += f"; {outcome.remark}"
    return text


def _share(probability: float) -> str:
    """A probability, which is never certain."""
    return "over 0.99" if probability > 0.99 else "under 0.01" if probability < 0.01 else f"{probability:.2f}"


def _drawn(outcome: ParseOutcome, width: int | None, *, verbose: bool) -> Iterator[str]:
    for parse in outcome.parses:
        yield parse.draw(width)
        yield describe(outcome, parse, verbose=verbose)
        yield ""


def _empty(form: str, number: int) -> list[str]:
    """The entry of a sentence without a parse: a header with nothing below it, which readers skip."""
    if form == "parg":
        return [f'<s id="{number}"> 0', "<\\s>"]
    if form == "conll":
        return [f"# ID={number}", ""]
    return [f"ID={number} PARSER=starccg NUMPARSE=0"]
