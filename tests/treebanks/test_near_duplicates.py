from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from starccg.treebanks.duplicates import SHARE, NearDuplicates, word_pairs

DEV = [
    ["The", "committee", "approved", "the", "new", "budget", "for", "the", "school", "on", "Tuesday", "evening", "."],
    ["Thank", "you", "!"],
    ["It", "rained", "for", "3", "days", "."],
]

words = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "."]), max_size=9)


def test_case_digits_and_marks_do_not_make_another_sentence() -> None:
    dev = NearDuplicates(DEV)
    assert ["thank", "you"] in dev
    assert ["IT", "RAINED", "FOR", "5", "DAYS"] in dev
    assert [
        "“",
        "The",
        "committee",
        "approved",
        "the",
        "new",
        "budget",
        "for",
        "the",
        "school",
        "on",
        "Tuesday",
        "evening",
        "”",
    ] in dev


def test_one_word_more_in_a_long_sentence_is_a_near_duplicate_but_not_in_a_short_one() -> None:
    dev = NearDuplicates(DEV)
    assert ["The", "committee", "approved", "the", "new", "budget", "for", "the", "school", "on", "Tuesday", "."] in dev
    assert ["Thank", "you", "all", "!"] not in dev
    assert [
        "The",
        "committee",
        "rejected",
        "the",
        "old",
        "plan",
        "for",
        "the",
        "school",
        "on",
        "Monday",
        "evening",
        ".",
    ] not in dev


def test_a_sentence_of_marks_is_nobodys_duplicate() -> None:
    assert ["...", "!"] not in NearDuplicates([["...", "!"]])


@given(st.lists(words, max_size=6), words)
def test_the_index_finds_what_comparing_with_every_sentence_finds(dev: list[list[str]], sentence: list[str]) -> None:
    own = word_pairs(sentence)
    expected = any(own and (other := word_pairs(one)) and len(own & other) >= SHARE * len(own | other) for one in dev)
    assert (sentence in NearDuplicates(dev)) == expected
