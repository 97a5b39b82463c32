"""Marks have no dependencies: in the gold derivation they stand where the treebank has them."""

from __future__ import annotations

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation
from starccg.ccg.english import ENGLISH
from starccg.ccg.rules import Rule
from starccg.treebanks.gold import GoldOutcome, GoldSearch, in_normal_form
from tests.dependencies.notation import derive

SEARCH = GoldSearch(ENGLISH)


def gold_of(text: str) -> Derivation:
    gold = SEARCH.gold(derive(text))
    assert gold.outcome is GoldOutcome.FOUND and gold.derivation is not None
    assert in_normal_form(gold.derivation, ENGLISH)
    return gold.derivation


def phrase_closed_by(derivation: Derivation, mark: str) -> str:
    for node in derivation.postorder():
        if isinstance(node, Binary) and node.rule is Rule.RIGHT_PUNCTUATION and node.words[-1] == mark:
            return " ".join(node.left.words)
    raise AssertionError(f"{mark} closes nothing")


def test_a_full_stop_closes_the_sentence_and_not_its_last_word() -> None:
    gold = gold_of(r"[[She:NP [[sings:S[dcl]\NP loudly:(S\NP)\(S\NP)] today:(S\NP)\(S\NP)]] .:.]")
    assert phrase_closed_by(gold, ".") == "She sings loudly today"


def test_a_full_stop_stays_inside_where_the_treebank_has_it_inside() -> None:
    gold = gold_of(r"[[=NP Ana:N] [sings:(S[dcl]\NP)/NP [[=NP tunes:N] .:.]]]")
    assert phrase_closed_by(gold, ".") == "tunes"


def test_a_comma_between_two_adjuncts_does_not_become_a_conjunction() -> None:
    gold = gold_of(
        r"[She:NP [[[sang:S[dcl]\NP [in:((S\NP)\(S\NP))/NP [=NP Rome:N]]] ,:,]"
        r" [with:((S\NP)\(S\NP))/NP [=NP joy:N]]]]"
    )
    assert all(node.rule is not Rule.CONJUNCTION for node in gold.postorder())
    assert phrase_closed_by(gold, ",") == "sang in Rome"


def test_an_apposition_joins_noun_phrases_though_joining_nouns_would_save_a_rule() -> None:
    gold = gold_of(r"[[[=NP Ana:N] [=NP\NP ,:, [=NP mayor:N]]] sang:S[dcl]\NP]")
    joined = [node.category for node in gold.postorder() if node.rule is Rule.CONJUNCTION]
    assert joined == [Category.parse(r"NP\NP")]


def test_a_comma_before_a_phrase_in_mid_sentence_finds_another_place() -> None:
    gold = gold_of(r"[She:NP [[sang:S[dcl]\NP loudly:(S\NP)\(S\NP)] [=(S\NP)\(S\NP) ,:, there:(S\NP)\(S\NP)]]]")
    assert phrase_closed_by(gold, ",") == "sang loudly"
