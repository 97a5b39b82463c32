from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import starccg
from starccg.tagger.inflection import lemma_of
from tests.strategies import any_text

KNOWN = frozenset(
    {
        "add",
        "analysis",
        "bite",
        "carry",
        "chase",
        "city",
        "class",
        "create",
        "die",
        "fill",
        "fir",
        "fire",
        "good",
        "hope",
    }
    | {"large", "man", "movie", "run", "say", "sa", "series", "sing", "sleep", "travel"}
)


@pytest.mark.parametrize(
    ("word", "pos", "chosen", "lemma"),
    [
        ("chased", "VBD", "chas", "chase"),
        ("running", "VBG", "runn", "run"),
        ("Running", "VBG", "runn", "run"),
        ("travelled", "VBN", "travell", "travel"),
        ("carried", "VBD", "carrie", "carry"),
        ("created", "VBN", "creat", "create"),
        ("added", "VBD", "addy", "add"),
        ("cities", "NNS", "citie", "city"),
        ("classes", "NNS", "classe", "class"),
        ("largest", "JJS", "larg", "large"),
        ("died", "VBD", "di", "die"),
        ("bit", "VBD", "bi", "bite"),
        ("sang", "VBD", "sa", "sing"),
        ("slept", "VBN", "sle", "sleep"),
        ("firemen", "NNS", "fireme", "fireman"),
    ],
)
def test_a_lemma_that_is_no_known_word_is_mended(word: str, pos: str, chosen: str, lemma: str) -> None:
    assert lemma_of(word, pos, chosen, KNOWN.__contains__) == lemma


@pytest.mark.parametrize(
    ("word", "pos", "chosen"),
    [
        ("hoping", "VBG", "hope"),
        ("analyses", "NNS", "analysis"),
        ("better", "JJR", "good"),
        ("series", "NNS", "series"),
        ("movies", "NNS", "movie"),
        ("filled", "VBD", "fill"),
        ("chas", "NN", "chas"),
        ("Simpsons", "NNPS", "Simpson"),
        ("Beatles", "NNS", "Beatle"),
    ],
)
def test_other_lemmas_stay(word: str, pos: str, chosen: str) -> None:
    assert lemma_of(word, pos, chosen, KNOWN.__contains__) == chosen


@pytest.mark.parametrize(
    ("word", "pos", "chosen", "lemma"), [("firing", "VBG", "fir", "fire"), ("says", "VBZ", "sa", "say")]
)
def test_a_known_word_that_cannot_have_this_form_is_not_its_lemma(word: str, pos: str, chosen: str, lemma: str) -> None:
    assert lemma_of(word, pos, chosen, KNOWN.__contains__) == lemma


@pytest.mark.parametrize(
    ("word", "pos", "lemma"),
    [
        ("disbanded", "VBN", "disband"),
        ("diagnosed", "VBD", "diagnose"),
        ("rebelling", "VBG", "rebel"),
        ("xyzzes", "NNS", "xyzz"),
    ],
)
def test_an_unknown_verb_or_noun_is_spelt_as_english_spells(word: str, pos: str, lemma: str) -> None:
    assert lemma_of(word, pos, f"{lemma}q", lambda _: False) == lemma


@given(any_text(), st.sampled_from(["VBD", "VBN", "VBG", "VBZ", "NNS", "JJR", "RBS"]), any_text(), st.booleans())
def test_no_word_fails(word: str, pos: str, chosen: str, known: bool) -> None:
    assert isinstance(lemma_of(word, pos, chosen, lambda _: known), str)


def test_the_models_lemmas_are_words() -> None:
    outcome = starccg.load().parse("The mice chased the dog and bit it while Mary was dancing.", annotate=True)
    assert outcome
    lemmas = [leaf.lemma for leaf in outcome.parses[0].leaves()]
    assert lemmas == ["the", "mouse", "chase", "the", "dog", "and", "bite", "it", "while", "Mary", "be", "dance", "."]
