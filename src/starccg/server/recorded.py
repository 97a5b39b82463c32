"""The answer to ``/api/search``: the search that answered, and a record of its steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from starccg.ccg.rules import Rule
from starccg.outcome import ParseOutcome
from starccg.outcome_json import certificate_to_json
from starccg.parser import Parser
from starccg.search.options import Bound, Decoder, Options
from starccg.search.searcher import Cancellation
from starccg.search.types import Certificate, Event
from starccg.server.answers import encode, summary
from starccg.server.limits import RECORDED_PUSHES
from starccg.server.timeline import Step, TimedItem, Timeline, children, root_scores, timeline

TOGETHER = 256
"""Items or steps that are encoded at once."""


def unrecorded_search(outcome: ParseOutcome, decoder: Decoder, note: str) -> dict[str, Any]:
    """The answer where there is no record."""
    empty = {name: list[Any]() for name in ("parse", "categories", "items", "steps")}
    record = {"record": None, "difference": None, "total_steps": 0, "truncated": False}
    return {**_about(outcome, decoder, note), **record, **empty}


def _about(outcome: ParseOutcome, decoder: Decoder, note: str | None = None) -> dict[str, Any]:
    words = list(outcome.words)
    return {"words": words, "decoder": decoder, "recorded": note is None, "note": note, **summary(outcome, drawn=True)}


def recorded_search(
    parser: Parser, outcome: ParseOutcome, options: Options, max_steps: int, cancellation: Cancellation
) -> list[bytes]:
    """Search the same tags again and record every push and pop: the first ``max_steps`` steps, as chunks of JSON."""
    words, answered = outcome.words, outcome.certificate
    assert answered is not None, "only searches are recorded"
    options = replace(options, backoff=False, limits=replace(options.limits, agenda=RECORDED_PUSHES)).resolved()
    if answered.widened:
        everything = len(parser.tagger.categories)
        (sentence,) = parser.tag([words], options.decoder, beam=answered.beam, max_tags=everything)
        sentence = replace(sentence, widened=True)
    else:
        (sentence,) = parser.tag([words], options.decoder)
    record = parser.searcher.record(sentence, options, cancellation=cancellation)
    certificate = record.result.certificate
    line = timeline(
        record.events,
        len(words),
        root_scores(parser.table),
        scored=options.decoder.needs_model,
        found=bool(record.result.parses) and not certificate.stopped,
        bound=options.bound or Bound.TAGS,
    )
    return list(_chunks(parser, outcome, certificate, line, options.decoder, max_steps))


def _chunks(
    parser: Parser, outcome: ParseOutcome, certificate: Certificate, line: Timeline, decoder: Decoder, max_steps: int
) -> Iterator[bytes]:
    parse = line.parse()
    own = set(parse)
    steps = line.steps[:max_steps]
    kept = {number: item for number, item in line.items.items() if item.pushed_at < len(steps) or number in own}
    categories = sorted({item.event.category for item in kept.values()})
    places = {category: place for place, category in enumerate(categories)}
    head = {
        **_about(outcome, decoder),
        "record": certificate_to_json(certificate),
        "difference": difference(outcome, certificate),
        "total_steps": len(line.steps),
        "truncated": len(steps) < len(line.steps),
        "parse": parse,
        "categories": [str(parser.table.categories[category]) for category in categories],
    }
    yield encode(head)[:-1] + b',"items":['
    yield from _joined(item_answer(item, places, in_parse=number in own) for number, item in kept.items())
    yield b'],"steps":['
    yield from _joined(map(step_answer, steps))
    yield b"]}"


def _joined(values: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """The values in JSON, separated by commas, many in a chunk."""
    values, separator = iter(values), b""
    while together := list(islice(values, TOGETHER)):
        yield separator + encode(together)[1:-1]
        separator = b","


def difference(outcome: ParseOutcome, record: Certificate) -> str | None:
    """How the recorded search differs from the one that answered; None if it does not."""
    answered = outcome.certificate
    assert answered is not None, "only searches are recorded"
    if record.stopped == "agenda":
        return (
            f"The recording stops after {record.agenda:,} pushed items. The search that answered pushed "
            f"{answered.agenda:,} and popped {answered.explored:,}."
        )
    if record.stopped == "seconds" and answered.stopped != "seconds":
        return (
            "The recording is not complete, because it reached the time limit. The search that answered did not record "
            "its steps."
        )
    if answered.stopped:
        return (
            f"The search met a limit ({outcome.reason}), and the answer is from the back-off. "
            "The recording shows the search up to the limit."
        )
    if record.agenda == answered.agenda:
        return None
    same = "the same" if record.explored == answered.explored else f"{record.explored:,} of {answered.explored:,}"
    return (
        f"The search that answered pushed {answered.agenda:,} items, the recorded one {record.agenda:,}. "
        "The recorded search computes its whole bound at the start, so it does not push items that cannot be part of a "
        f"parse; the search that answered computes only what it needs of the bound. Both pop {same} items and find "
        "the same parse."
    )


def item_answer(item: TimedItem, categories: dict[int, int], *, in_parse: bool) -> dict[str, Any]:
    """An item with its history."""
    event = item.event
    return {
        "id": event.item,
        "category": categories[event.category],
        "start": event.start,
        "end": event.end,
        "rule": Rule(event.rule).label,
        "rule_name": str(Rule(event.rule)),
        "children": children(event),
        "word": event.start if event.left < 0 else None,
        **scores(event),
        "global": item.global_score,
        "pushed_at": item.pushed_at,
        "scored_at": item.scored_at,
        "popped_at": item.popped_at,
        "dropped_at": item.dropped_at,
        "in_parse": in_parse,
    }


def step_answer(step: Step) -> dict[str, Any]:
    """A step with the scores after it."""
    event = step.event
    return {
        "kind": step.kind,
        "item": None if event is None else event.item,
        **(dict.fromkeys(SCORES) if event is None else scores(event)),
        "bound": step.bound,
        "returned": step.returned,
        "agenda_size": step.agenda_size,
        "explored": step.explored,
        "recursive_units": step.recursive_units,
        "pushed": [{"item": pushed.item, "priority": priority(pushed)} for pushed in step.pushed],
        "top": step.top,
    }


SCORES = ("inside", "outside", "local", "global", "priority")


def scores(event: Event) -> dict[str, float]:
    """The scores of an item after an event."""
    values = (event.inside, event.outside, event.local_score, event.global_score, priority(event))
    return dict(zip(SCORES, values, strict=True))


def priority(event: Event) -> float:
    """Inside score and outside bound."""
    return event.inside + event.outside
