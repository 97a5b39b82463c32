from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.tagger.lemmas import apply_rule, lemma_rule
from tests.strategies import examples

words = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("word", "lemma", "rule"),
    [
        ("The", "the", "l"),
        ("studies", "study", "l-3+y"),
        ("Simpsons", "Simpson", "k-1"),
        ("was", "be", "=be"),
        ("n't", "not", "l-2+ot"),
        ("NASA", "NASA", "k"),
        ("better", "good", "=good"),
    ],
)
def test_a_rule_says_what_to_cut_and_what_to_add(word: str, lemma: str, rule: str) -> None:
    assert lemma_rule(word, lemma) == rule


@examples(100)
@given(words, words)
def test_the_rule_of_a_word_and_its_lemma_makes_that_lemma_of_that_word(word: str, lemma: str) -> None:
    assert apply_rule(lemma_rule(word, lemma), word) == lemma


@examples(100)
@given(st.text(max_size=8), words)
def test_no_rule_fails_on_any_word(rule: str, word: str) -> None:
    assert isinstance(apply_rule(rule, word), str)


def test_a_word_too_short_for_a_rule_is_its_own_lemma() -> None:
    assert apply_rule("l-3+y", "As") == "as"
