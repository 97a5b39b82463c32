"""Sentences that several treebanks have."""

from __future__ import annotations

from starccg.ccg.derivation import Sentence
from starccg.treebanks.duplicates import without_copies
from tests.dependencies.notation import derive

GARDEN = Sentence("garden", derive(r"[[the:NP/N [old:N/N garden:N]] [sleeps:S[dcl]\NP .:.]]"))
KITE = Sentence("kite", derive(r"[[the:NP/N [old:N/N kite:N]] [flies:S[dcl]\NP .:.]]"))
THANKS = Sentence("thanks", derive(r"[=NP thanks:N]"))


def test_a_sentence_of_an_earlier_source_is_left_out() -> None:
    assert without_copies([GARDEN, KITE], [GARDEN]) == [KITE]


def test_capitals_and_joined_expressions_make_no_difference() -> None:
    same = Sentence("same", derive(r"[[The:NP/N old~garden:N] [sleeps:S[dcl]\NP .:.]]"))
    assert without_copies([same], [GARDEN]) == []
    assert without_copies([GARDEN], [same]) == []


def test_repetitions_within_a_source_and_short_sentences_are_kept() -> None:
    assert without_copies([GARDEN, GARDEN], []) == [GARDEN, GARDEN]
    assert without_copies([THANKS], [THANKS]) == [THANKS]
