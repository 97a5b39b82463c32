from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.text import sentences, tokenise, words
from tests.strategies import examples

CASES = {
    "I don't know.": "I do n't know .",
    "She can't, won't and shouldn't!": "She ca n't , wo n't and should n't !",
    "We cannot stay; they're gonna leave.": "We can not stay ; they 're gon na leave .",
    "John's dogs' bowls": "John 's dogs ' bowls",
    'He said "yes" (twice).': 'He said " yes " ( twice ) .',
    "“Curly” ‘quotes’ too": "“ Curly ” ‘ quotes ’ too",
    "Don’t use straight ones": "Do n’t use straight ones",
    "See https://example.org/a?b=c, please.": "See https://example.org/a?b=c , please .",
    "www.example.com.": "www.example.com .",
    "Mail me@example.co.uk now": "Mail me@example.co.uk now",
    "Great :) or :-( or ;)": "Great :) or :-( or ;)",
    "It costs $1,234.56, i.e. 10%.": "It costs $ 1,234.56 , i.e. 10 % .",
    "On 9/11 at 5:30pm": "On 9/11 at 5:30 pm",
    "the 20th of the 1990s": "the 20th of the 1990s",
    "Paris—London–Rome -- far": "Paris — London – Rome -- far",
    "Mr. Smith met Dr. A. B. Jones.": "Mr. Smith met Dr. A. B. Jones .",
    "It is plan B.": "It is plan B .",
    "the U.S. army": "the U.S. army",
    "Wait... what?!": "Wait ... what ?!",
    "a well-known co-worker": "a well-known co-worker",
    "call 555-123-4567": "call 555-123-4567",
    "AT&T and R&D": "AT&T and R&D",
    "rock 'n roll in the '90s": "rock 'n roll in the '90s",
    "#ccg and @parser": "#ccg and @parser",
    "👍🏽👩‍👩‍👧 ok 🇬🇧": "👍🏽 👩‍👩‍👧 ok 🇬🇧",
    "שלום, עולם.": "שלום , עולם .",
    "שָׁלוֹם مُحَمَّد، नमस्ते दुनिया। ไม่ค่ะ": "שָׁלוֹם مُحَمَّد ، नमस्ते दुनिया । ไม่ค่ะ",
    "[a] {b} <c>": "[ a ] { b } < c >",
    "As Lee et al. wrote": "As Lee et al. wrote",
    "Press 1️⃣ or #️⃣.": "Press 1️⃣ or #️⃣ .",
    "\ufeffHello\u200e \u202eworld\u202c\u200b \x1b[0m \0": "Hello world [ 0 m",
    "co\u00adop\u00ad a\u200db": "co\u00adop a\u200db",
    "and so on, etc.": "and so on , etc .",
    "": "",
    " \t\n ": "",
}


@pytest.mark.parametrize("text", CASES)
def test_words_are_parted_as_treebanks_part_them(text: str) -> None:
    assert [token.text for token in tokenise(text)] == CASES[text].split()


def test_hyphenated_words_stay_whole_as_in_ccgbank_unless_asked() -> None:
    text = "a well-known mother-in-law - yes"
    assert [token.text for token in tokenise(text)] == ["a", "well-known", "mother-in-law", "-", "yes"]
    parted = [token.text for token in tokenise("a well-known co-worker", split_hyphens=True)]
    assert parted == ["a", "well", "-", "known", "co-worker"]


TEXT = st.text(st.one_of(st.characters(), st.sampled_from(" \n.'-!?()\"aAbS1$:@/\u200d\0\ud800")), max_size=60)


def visible(text: str) -> str:
    """What words are made of: no blanks, and nothing that Unicode calls a control or a sign of format."""
    return "".join(sign for sign in text if not (sign.isspace() or unicodedata.category(sign) in ("Cc", "Cf", "Mn")))


@examples(300)
@given(TEXT, st.booleans())
def test_tokens_are_pieces_of_the_text_and_lose_nothing_that_is_visible(text: str, split: bool) -> None:
    tokens = tokenise(text, split)
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert all(token.text and not token.text.isspace() for token in tokens)
    end = 0
    for token in tokens:
        assert token.start >= end
        assert not visible(text[end : token.start])
        end = token.end
    assert not visible(text[end:])


@examples(200)
@given(TEXT, st.booleans())
def test_every_token_is_in_exactly_one_sentence(text: str, tokenised: bool) -> None:
    expected = words(text) if tokenised else tokenise(text)
    assert [token for sentence in sentences(text, tokenised) for token in sentence.tokens] == expected


def split(text: str) -> list[str]:
    return [text[sentence.start : sentence.end] for sentence in sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["It rains.", "We stay."],
        ["Really?!", "Yes!", "(Why not?)"],
        ["Mr. Brown lives on St. James St. near Dr. Lee.", "He knows."],
        ['"Stop."', "She did."],
        ["He works for Acme Inc. in the U.S. today.", "It pays."],
        ["They left at 5 p.m.", "The door was open."],
        ["It was 3.5 degrees.", "Cold..."],
        ["Nice. :)", "Thanks."],
        ["1. Wash it.", "2. Dry it."],
    ],
)
def test_sentences_end_where_a_reader_would_end_them(parts: list[str]) -> None:
    assert split(" ".join(parts)) == parts


def test_an_empty_line_ends_a_sentence_and_other_line_ends_do_not() -> None:
    assert [s.words for s in sentences("A title\n\nIt goes\non here")] == [["A", "title"], ["It", "goes", "on", "here"]]


def test_tokenised_text_is_taken_as_it_stands() -> None:
    found = sentences("do n't split-this .\n\nnor this ; ok\n", tokenised=True)
    assert [sentence.words for sentence in found] == [["do", "n't", "split-this", "."], ["nor", "this", ";", "ok"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["a", "a.", "a-", ").", "'s", "!.", "@a", "://", "1.", "👍\u200d", "_a", '"', "\0", "A. "]
)
def test_time_grows_with_the_text_and_not_faster(piece: str) -> None:
    started = time.perf_counter()
    sentences(piece * 20_000)
    assert time.perf_counter() - started < 5.0
