"""What ``parse`` writes: the lines of one format for a stream of outcomes, one result for every sentence, in order.

JSON, AUTO, PARG and CoNLL have a place for a sentence without a parse. For all other formats the sentences go through
one call of the writer, which may put a head and a foot around them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from starccg.formats.registry import format_named
from starccg.outcome import BackedOff, Failed, Parsed, ParseOutcome
from starccg.outcome_json import named, outcome_to_json

Numbered = tuple[int, ParseOutcome]

JSON = ("json", "jsonl")
"""They tell failures themselves, as part of what they write."""
WITH_PLACES = ("auto", "auto_extended", "parg", "conll")
"""Written sentence by sentence, with a place for one that has no parse."""


def lines(outcomes: Iterable[Numbered], form: str, width: int | None = None) -> Iterator[str]:
    """The lines of a format."""
    if form == "deriv":
        for _, outcome in outcomes:
            yield from _drawn(outcome, width)
    elif form in JSON:
        for number, outcome in outcomes:
            yield json.dumps(outcome_to_json(outcome, str(number)), ensure_ascii=False)
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


def describe(outcome: Parsed, rank: int = 1) -> str:
    """The certificate of a parse in one line for people."""
    certificate = outcome.parses[rank - 1].certificate
    place = "best" if rank == 1 else f"number {rank}"
    proof = f"proved {place}" if certificate.optimal else f"not proved {place}: at most {certificate.gap:.3f} below it"
    work = f"{certificate.explored} explored, {certificate.recursive_units} recursive units"
    why = f"; backed off: {outcome.reason}" if isinstance(outcome, BackedOff) else ""
    took = f"{certificate.seconds * 1000:.1f} ms"
    return f"score {certificate.score:.3f}, {proof} ({certificate.decoder}, {work}, {took}{why})"


def _drawn(outcome: ParseOutcome, width: int | None) -> Iterator[str]:
    if not isinstance(outcome, Failed):
        for rank, parse in enumerate(outcome.parses, 1):
            yield parse.draw(width)
            yield describe(outcome, rank)
            yield ""


def _empty(form: str, number: int) -> list[str]:
    """The place of a sentence without a parse: a header with nothing under it, which readers pass over."""
    if form == "parg":
        return [f'<s id="{number}"> 0', "<\\s>"]
    if form == "conll":
        return [f"# ID={number}", ""]
    return [f"ID={number} PARSER=starccg NUMPARSE=0"]
