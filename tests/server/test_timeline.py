"""A recorded search replayed: what the steps say is what the search did."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given

from starccg.search.options import Decoder, Options
from starccg.search.types import Recording, SearchResult
from starccg.server.timeline import TOP, Timeline, root_scores, timeline
from starccg.text import tokenise
from tests.search.cases import EXACT, Case, cases
from tests.server.serving import parser
from tests.strategies import examples


def check(line: Timeline, record: Recording, *, exact_units: bool) -> None:
    certificate = record.result.certificate
    steps = line.steps
    assert [step.kind for step in steps].count("start") == 1 and steps[0].kind == "start"
    # Each step takes what the one before said is the head of the agenda.
    for before, step in pairwise(steps):
        assert step.event is not None
        assert before.top[0] == step.event.item
        back = (step.kind == "rescore") + (step.returned is not None)
        assert step.agenda_size == before.agenda_size - 1 + back + len(step.pushed)
        assert len(step.top) == min(step.agenda_size, TOP)
        assert step.bound is not None and step.bound <= (before.bound if before.bound is not None else 0)
    assert steps[-1].explored == certificate.explored
    if exact_units:
        assert steps[-1].recursive_units == certificate.recursive_units
    assert len(line.items) == certificate.agenda
    # What the items say of themselves is what the steps say of them.
    for number, item in line.items.items():
        assert item.event in steps[item.pushed_at].pushed
        for kinds, at in (({"pop", "goal"}, item.popped_at), ({"drop"}, item.dropped_at)):
            if at is not None:
                event = steps[at].event
                assert steps[at].kind in kinds and event is not None and event.item == number
        assert item.popped_at is None or item.dropped_at is None
        assert item.popped_at is None or (item.scored_at is not None and item.scored_at <= item.popped_at)
        assert all(
            line.items[child].popped_at is not None for child in (item.event.left, item.event.right) if child >= 0
        )


def parse_of(line: Timeline) -> list[tuple[int, int, int, int]]:
    events = [line.items[number].event for number in line.parse()]
    return [(event.rule, event.category, event.start, event.end) for event in events]


def nodes_of(outcome: SearchResult) -> list[tuple[int, int, int, int]]:
    return [(node.rule, node.category, node.start, node.end) for node in outcome.parses[0].nodes]


@given(cases(EXACT, lazy=True, heuristic=True))
@examples(150)
def test_replaying_a_random_search_takes_the_head_of_the_agenda_at_every_step(case: Case) -> None:
    scored = case.options.decoder.needs_model
    record = case.searcher.record(case.sentence, replace(case.options, backoff=False))
    found = bool(record.result.parses) and not record.result.certificate.stopped
    roots, bound = root_scores(case.table), case.options.bound
    line = timeline(record.events, case.sentence.words, roots, scored=scored, found=found, bound=bound)
    check(line, record, exact_units=not case.options.decoder.is_span_factored)
    assert parse_of(line) == (nodes_of(record.result) if found else [])


@pytest.mark.parametrize("decoder", EXACT)
@pytest.mark.parametrize("text", ["It works", "She gave the dog that barked a bone, but it didn't eat it."])
def test_replaying_a_search_of_the_default_model_leads_to_its_parse(decoder: Decoder, text: str) -> None:
    words = tuple(token.text for token in tokenise(text))
    (sentence,) = parser().tag([words], decoder)
    record = parser().searcher.record(sentence, Options(decoder=decoder))
    line = timeline(record.events, len(words), root_scores(parser().table), scored=decoder.needs_model, found=True)
    check(line, record, exact_units=not decoder.is_span_factored)
    assert line.steps[-1].kind == "goal"
    assert parse_of(line) == nodes_of(record.result)
    assert ("drop" in {step.kind for step in line.steps}) <= (decoder in (Decoder.SUPERTAG, Decoder.SPAN))
