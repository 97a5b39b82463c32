"""Which prediction belongs to which gold sentence."""

from __future__ import annotations

import pytest

from starccg.evaluation import AlignmentError, Analysis, align


def sentence(name: str, *words: str | None) -> Analysis:
    return Analysis(name, words, ())


GOLD = [sentence("a", "It", "works"), sentence("b", "So", "what"), sentence("c", "Why")]


def names(aligned: list[Analysis | None]) -> list[str | None]:
    return [None if analysis is None else analysis.id for analysis in aligned]


def test_names_decide_whatever_the_order_and_what_is_missing_has_failed() -> None:
    assert names(align(GOLD, [GOLD[2], GOLD[0]])) == ["a", None, "c"]


def test_numbers_are_places_where_the_gold_has_other_names() -> None:
    assert names(align(GOLD, [sentence("3", "Why"), sentence("1", "It", "works")])) == ["1", None, "3"]


def test_order_decides_where_names_mean_nothing() -> None:
    predicted = [sentence("x", "It", "works"), sentence("y", "So", "what"), sentence("z", "Why")]
    assert names(align(GOLD, predicted)) == ["x", "y", "z"]


def test_nothing_predicted_is_all_failed() -> None:
    assert align(GOLD, []) == [None, None, None]


def test_words_must_be_the_same() -> None:
    with pytest.raises(
        AlignmentError, match=r"sentence 'b': word 1 .* is 'what' in the gold file and 'whatever' in p\.auto"
    ):
        align(GOLD, [GOLD[0], sentence("b", "So", "whatever"), GOLD[2]], "p.auto")


def test_sentences_must_have_as_many_words() -> None:
    with pytest.raises(AlignmentError, match="has 2 words in the gold file and 3 in"):
        align(GOLD, [sentence("a", "It", "works", ".")])


def test_words_that_a_parg_file_does_not_say_are_not_compared() -> None:
    assert names(align([sentence("a", None, "works")], [sentence("a", "It", "works")])) == ["a"]


def test_blanks_in_words_are_tildes_in_parg() -> None:
    assert names(align([sentence("a", "New York")], [sentence("a", "New~York")])) == ["a"]


def test_strangers_are_named() -> None:
    with pytest.raises(AlignmentError, match="sentence 'x' is not in the gold file"):
        align(GOLD, [sentence("x", "It", "works")])


def test_names_must_differ() -> None:
    with pytest.raises(AlignmentError, match="2 sentences with the ID 'a'"):
        align(GOLD, [GOLD[0], GOLD[0]])
