from __future__ import annotations

import pytest

from starccg.ccg.category import Category
from starccg.ccg.combinators import COMBINATORS
from starccg.ccg.english import EASYSRL, ENGLISH
from starccg.ccg.grammar import OTHER_COMBINATORS, Combination, Grammar, head_side, unary_rule
from starccg.ccg.rules import RULE_BY_LABEL, Rule

parse = Category.parse

EXAMPLES = [
    # rule, left, right, result, which child is the head
    (">", "NP[nb]/N", "N", "NP", 1),
    (">", r"(S[dcl]\NP)/NP", "NP", r"S[dcl]\NP", 0),
    (">", "S/S", "S[dcl]", "S[dcl]", 1),
    (">", "PP/NP", "NP", "PP", 0),
    ("<", "NP", r"S[dcl]\NP", "S[dcl]", 1),
    ("<", r"S[b]\NP", r"(S\NP)\(S\NP)", r"S[b]\NP", 0),
    ("<", r"(S[dcl]\NP)/NP", r"(S[X]\NP)\((S[X]\NP)/NP)", r"S[dcl]\NP", 0),
    (">B", r"S[X]/(S[X]\NP)", r"(S[dcl]\NP)/NP", "S[dcl]/NP", 1),
    (">B", r"(S[dcl]\NP)/(S[b]\NP)", r"(S[b]\NP)/NP", r"(S[dcl]\NP)/NP", 0),
    ("<Bx", r"(S[dcl]\NP)/PP", r"(S\NP)\(S\NP)", r"(S[dcl]\NP)/PP", 0),
    (">B2", r"(S[dcl]\NP)/(S[b]\NP)", r"((S[b]\NP)/PP)/NP", r"((S[dcl]\NP)/PP)/NP", 0),
    ("<Bx2", r"((S[dcl]\NP)/PP)/NP", r"(S\NP)\(S\NP)", r"((S[dcl]\NP)/PP)/NP", 0),
    ("<B", r"S[dcl]\NP", r"S\S", r"S[dcl]\NP", 0),
    (">Bx", "S/S", r"S[dcl]\NP", r"S[dcl]\NP", 1),
    ("<B2", r"(S[dcl]\NP)/NP", r"S\S", r"(S[dcl]\NP)/NP", 0),
    (">Bx2", "S/S", r"(S[dcl]\NP)/NP", r"(S[dcl]\NP)/NP", 1),
]


@pytest.mark.parametrize(("label", "left", "right", "result", "head"), EXAMPLES)
def test_each_combinator_makes_what_the_textbook_says(
    label: str, left: str, right: str, result: str, head: int
) -> None:
    rule = RULE_BY_LABEL[label]
    assert COMBINATORS[rule](parse(left), parse(right)) is parse(result)
    assert head_side(rule, parse(left), parse(right)) == head
    everything = Grammar(combinators=frozenset(COMBINATORS))
    assert Combination(parse(result), rule, head) in everything.combine(parse(left), parse(right))


@pytest.mark.parametrize(
    ("label", "left", "right"),
    [
        (">", "N", "NP/N"),
        ("<", r"S[dcl]\NP", "NP"),
        (">B", "NP/N", r"N\N"),
        ("<Bx", "NP/PP", r"NP\NP"),
        ("<Bx", "N/PP", r"N\N"),
        ("<Bx2", "(NP/PP)/N", r"NP\NP"),
        (">", "S[dcl]/S[em]", "S[dcl]"),
        ("<", r"S[dcl]\NP", r"S[b]\S[b]"),
    ],
)
def test_what_must_not_combine_does_not(label: str, left: str, right: str) -> None:
    assert COMBINATORS[RULE_BY_LABEL[label]](parse(left), parse(right)) is None


def test_backward_harmonic_and_forward_crossed_composition_are_switches() -> None:
    pair = (parse("S/S"), parse(r"S[dcl]\NP"))
    assert not ENGLISH.combine(*pair)
    wider = Grammar(combinators=ENGLISH.combinators | OTHER_COMBINATORS)
    assert [made.rule.label for made in wider.combine(*pair)] == [">Bx"]


def test_conjunction_builds_a_modifier_of_whatever_follows() -> None:
    made = ENGLISH.combine(parse("conj"), parse(r"(S[dcl]\NP)/NP"))
    assert made == (Combination(parse(r"((S[dcl]\NP)/NP)\((S[dcl]\NP)/NP)"), Rule.CONJUNCTION, 1),)
    assert made[0].rule.label == "<Φ>"


@pytest.mark.parametrize("right", [".", "conj", r"S[X]/(S[X]\NP)"])
def test_punctuation_conjunctions_and_raised_phrases_do_not_coordinate(right: str) -> None:
    assert not ENGLISH.conjoins(parse("conj"), parse(right))


def test_nouns_coordinate_in_ccgbank_but_not_in_easysrl() -> None:
    assert ENGLISH.conjoins(parse("conj"), parse("N"))
    assert not EASYSRL.conjoins(parse("conj"), parse("N"))


def test_a_comma_joins_in_each_of_its_ways() -> None:
    made = {(str(category), rule) for category, rule, _ in ENGLISH.combine(parse(","), parse(r"S[ng]\NP"))}
    assert made == {
        (r"(S[ng]\NP)\(S[ng]\NP)", Rule.CONJUNCTION),
        (r"(S\NP)\(S\NP)", Rule.COMMA),
        (r"S[ng]\NP", Rule.LEFT_PUNCTUATION),
    }


def test_marks_attach_on_either_side_and_never_to_each_other() -> None:
    assert [made.rule for made in ENGLISH.combine(parse("NP"), parse("."))] == [Rule.RIGHT_PUNCTUATION]
    assert [made.rule for made in ENGLISH.combine(parse("LQU"), parse("NP"))] == [Rule.LEFT_PUNCTUATION]
    assert not ENGLISH.combine(parse("."), parse("RRB"))


def test_unary_rules_are_named_by_what_they_do() -> None:
    assert unary_rule(parse("N"), parse("NP")) is Rule.TYPE_CHANGE
    assert unary_rule(parse("NP"), parse(r"S[X]/(S[X]\NP)")) is Rule.FORWARD_TYPE_RAISING
    assert unary_rule(parse("PP"), parse(r"(S\NP)\((S\NP)/PP)")) is Rule.BACKWARD_TYPE_RAISING
    assert unary_rule(parse("N"), parse(r"S[X]/(S[X]\NP)")) is Rule.TYPE_CHANGE, "it raises an NP, not an N"


def test_every_rule_has_a_label_of_its_own() -> None:
    assert len(RULE_BY_LABEL) == len(Rule)
