"""Outcomes as plain values: nothing of what was found or proved is lost on the way there and back."""

from __future__ import annotations

import json
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import starccg
from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation, Leaf
from starccg.errors import StarccgError
from starccg.outcome import BackedOff, Failed, Parsed
from starccg.outcome_json import named, outcome_from_json, outcome_to_json
from starccg.parsed_derivation import ParsedDerivation
from starccg.search.options import Decoder
from starccg.search.types import Certificate
from tests.strategies import derivations, examples

scores = st.floats(-1e6, 0.0)
certificates = st.builds(
    Certificate,
    optimal=st.booleans(),
    score=scores,
    upper_bound=scores,
    gap=st.floats(0.0, 1e6) | st.just(inf),
    explored=st.integers(0, 10**9),
    agenda=st.integers(0, 10**9),
    recursive_units=st.integers(0, 10**9),
    decoder=st.sampled_from(Decoder),
    seconds=st.floats(0.0, 1e4),
    stopped=st.sampled_from(["", "forest", "seconds"]),
)


@given(st.lists(st.tuples(derivations(), certificates), min_size=1, max_size=3), st.none() | st.text())
@examples(60)
def test_what_was_parsed_comes_back_whole(found: list[tuple[Derivation, Certificate]], reason: str | None) -> None:
    parses = tuple(ParsedDerivation.of(tree, certificate, rank) for rank, (tree, certificate) in enumerate(found, 1))
    words, certificate = tuple(parses[0].words), parses[0].certificate
    offsets = None if reason is None else tuple((2 * start, 2 * start + 1) for start in range(len(words)))
    kind = Parsed if reason is None else BackedOff
    outcome = kind(words, parses, certificate, reason or "", 5, offsets)
    value = outcome_to_json(outcome, "7", dependencies=False)
    back = outcome_from_json(json.loads(json.dumps(value, allow_nan=False)))
    assert type(back) is type(outcome)
    assert back == outcome
    assert [(it.certificate, it.rank) for it in back.parses] == [(it.certificate, it.rank) for it in parses]


@given(st.lists(st.text()), st.text(), st.none() | certificates)
@examples(40)
def test_a_failure_comes_back_whole(words: list[str], reason: str, certificate: Certificate | None) -> None:
    outcome = Failed(tuple(words), reason, certificate)
    assert outcome_from_json(json.loads(json.dumps(outcome_to_json(outcome), allow_nan=False))) == outcome


def test_a_search_that_found_nothing_is_valid_json_and_keeps_its_infinities() -> None:
    empty = Certificate(False, -inf, -inf, inf, 3, 4, 0, Decoder.GLOBAL, 0.1, "exhausted")
    text = json.dumps(outcome_to_json(Failed(("a",), "nothing", empty)), allow_nan=False)
    assert '"score": null' in text
    assert outcome_from_json(json.loads(text)) == Failed(("a",), "nothing", empty)


def test_a_number_that_is_none_is_written_as_null() -> None:
    strange = Certificate(False, -1.0, -1.0, nan, 0, 0, 0, Decoder.GLOBAL, 0.0)
    assert outcome_to_json(Failed((), "", strange))["certificate"]["gap"] is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("words", "It works"),
        ("words", [1, 2]),
        ("reason", 3),
        ("nbest", "1"),
        ("offsets", [["a", "b"]]),
        ("parses", []),
        ("parses", ""),
        ("confidence", {"posterior": "high", "margin": None, "score": 0.0, "probability": None}),
        ("certificate", {"score": ""}),
        ("certificate", {"optimal": 1}),
        ("certificate", {"explored": 1.5}),
        ("certificate", {"stopped": "bored"}),
        ("certificate", {"score": 10**400}),
    ],
)
def test_values_of_the_wrong_type_are_refused(key: str, value: Any) -> None:
    certificate = Certificate(True, 0.0, 0.0, 0.0, 0, 0, 0, Decoder.GLOBAL, 0.0)
    tree = Leaf(Category.parse("N"), "rain")
    right = outcome_to_json(Parsed(("rain",), (ParsedDerivation.of(tree, certificate),), certificate))
    assert outcome_from_json(right).words == ("rain",)
    wrong = {**right["certificate"], **value} if key == "certificate" else value
    with pytest.raises(StarccgError, match="not the JSON of a parse"):
        outcome_from_json({**right, key: wrong})


@given(derivations())
@examples(20)
def test_ranks_are_part_of_the_names_only_where_there_are_several(derivation: Derivation) -> None:
    parse = ParsedDerivation.of(derivation, Certificate(True, 0.0, 0.0, 0.0, 0, 0, 0, Decoder.GLOBAL, 0.0))
    assert [it.id for it in named(Parsed((), (parse,), parse.certificate), "5")] == ["5"]
    assert [it.id for it in named(Parsed((), (parse, parse), parse.certificate), "5")] == ["5.1", "5.2"]


@given(derivations(), certificates)
@examples(10)
def test_every_outcome_has_the_same_keys(derivation: Derivation, certificate: Certificate) -> None:
    parse = ParsedDerivation.of(derivation, certificate)
    outcomes = (
        Parsed(("a",), (parse,), certificate),
        BackedOff(("a",), (parse,), certificate, "why"),
        Failed(("a",), "why"),
    )
    parsed, backed_off, failed = (outcome.to_dict() for outcome in outcomes)
    assert list(parsed) == list(backed_off) == list(failed)
    assert (parsed["reason"], backed_off["reason"], failed["reason"]) == (None, "why", "why")
    assert (failed["parses"], failed["certificate"]) == ([], None)
    assert list(parsed["parses"][0]) == list(parse.to_dict())


def test_a_parse_says_which_word_stands_in_which_relation() -> None:
    value = starccg.load().parse("Young birds like berries.").to_dict()
    relations = {(it["head"], it["argument"]): it["relation"] for it in value["parses"][0]["dependencies"]}
    assert relations == {(0, 1): "modifier of noun", (2, 1): "subject", (2, 3): "object"}
    assert value["offsets"] == [[0, 5], [6, 11], [12, 16], [17, 24], [24, 25]]


@pytest.mark.parametrize("decoder", Decoder)
def test_only_plain_values_are_used(decoder: Decoder) -> None:
    value = outcome_to_json(Failed(("a",), "why", Certificate(False, 0, 0, 0, 0, 0, 0, decoder, 0.0)))
    assert type(value["certificate"]["decoder"]) is str
