"""The answer to ``/api/search``: a search run with its every step kept."""

from __future__ import annotations

from dataclasses import replace

from starccg.ccg.rules import Rule
from starccg.formats.svg import derivation_svg
from starccg.outcome import ParseOutcome
from starccg.parser import NEED_NO_MODEL, Parser, refuse
from starccg.search.core import recording
from starccg.search.types import Decoder, Event, Options
from starccg.server import schemas
from starccg.server.answers import found
from starccg.server.describe import rule_name
from starccg.server.limits import RECORDED_PUSHES
from starccg.server.timeline import Step, TimedItem, Timeline, children, root_scores, timeline


def recorded_search(parser: Parser, words: tuple[str, ...], options: Options, max_steps: int) -> schemas.SearchAnswer:
    """Search one sentence and tell of the first ``max_steps`` steps."""
    if (failure := refuse(words)) is not None:
        return search_answer(parser, failure, options.decoder, None, max_steps)
    options = replace(options, record=True, limits=replace(options.limits, agenda=RECORDED_PUSHES))
    scored = options.decoder not in NEED_NO_MODEL
    (sentence,) = parser.tag([words], options.decoder)
    record = recording(parser.search_table, sentence, options, parser.tree_lstm if scored else None)
    certificate = record.outcome.certificate
    proved = bool(record.outcome.parses) and not certificate.stopped
    steps = timeline(
        record.events, len(words), root_scores(parser.table), scored=scored, found=proved, bound=options.bound
    )
    return search_answer(parser, parser.outcome(words, record.outcome, options), options.decoder, steps, max_steps)


def search_answer(
    parser: Parser,
    outcome: ParseOutcome,
    decoder: Decoder,
    line: Timeline | None,
    max_steps: int,
    note: str | None = None,
) -> schemas.SearchAnswer:
    """The answer for an outcome and, where there is one, the way to it."""
    line = line or Timeline({}, [])
    parse = line.parse()
    own = set(parse)
    steps = line.steps[:max_steps]
    kept = {number: item for number, item in line.items.items() if item.pushed_at < len(steps) or number in own}
    categories = sorted({item.event.category for item in kept.values()})
    places = {category: place for place, category in enumerate(categories)}
    whole = found(outcome)
    return schemas.SearchAnswer(
        words=list(outcome.words),
        decoder=decoder,
        recorded=note is None,
        note=note,
        categories=[str(parser.table.categories[category]) for category in categories],
        items=[item_answer(item, places, in_parse=number in own) for number, item in kept.items()],
        steps=[step_answer(step) for step in steps],
        total_steps=len(line.steps),
        truncated=len(steps) < len(line.steps),
        parse=parse,
        outcome=whole.outcome,
        reason=whole.reason,
        category=whole.category,
        score=whole.score,
        certificate=whole.certificate,
        svg=None if whole.derivation is None else derivation_svg(whole.derivation),
    )


def item_answer(item: TimedItem, categories: dict[int, int], *, in_parse: bool) -> schemas.ItemAnswer:
    """An item with its history."""
    event = item.event
    return schemas.ItemAnswer(
        id=event.item,
        category=categories[event.category],
        start=event.start,
        end=event.end,
        rule=Rule(event.rule).label,
        rule_name=rule_name(Rule(event.rule)),
        children=children(event),
        word=event.start if event.left < 0 else None,
        inside=event.inside,
        outside=event.outside,
        local=event.local_score,
        global_=item.global_score,
        priority=priority(event),
        pushed_at=item.pushed_at,
        scored_at=item.scored_at,
        popped_at=item.popped_at,
        dropped_at=item.dropped_at,
        in_parse=in_parse,
    )


def step_answer(step: Step) -> schemas.StepAnswer:
    """A step with the scores after it."""
    answer = schemas.StepAnswer(
        kind=step.kind,
        global_=None,
        bound=step.bound,
        returned=step.returned,
        agenda_size=step.agenda_size,
        explored=step.explored,
        recursive_units=step.recursive_units,
        pushed=[schemas.PushedAnswer(item=pushed.item, priority=priority(pushed)) for pushed in step.pushed],
        top=step.top,
    )
    if (event := step.event) is not None:
        answer.item, answer.inside, answer.outside = event.item, event.inside, event.outside
        answer.local, answer.global_, answer.priority = event.local_score, event.global_score, priority(event)
    return answer


def priority(event: Event) -> float:
    """Inside score and outside bound."""
    return event.inside + event.outside
