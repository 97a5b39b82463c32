from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.dependencies.types import Dependency, Reach
from starccg.formats.errors import FormatError, WriteError
from starccg.formats.parg import PargSentence, read_parg, write_parg
from tests.strategies import categories, examples, words

parse = Category.parse

CATS = r"""<s id="cats.1"> 4
1 	 0 	 NP[nb]/N 	 1 	 cat the
1 	 2 	 (S[dcl]\NP)/(S[b]\NP) 	 1 	 cat wants
1 	 3 	 (S[b]\NP)/NP 	 1 	 cat eat <XB>
4 	 3 	 (S[b]\NP)/NP 	 2 	 what eat <XU>
<\s>
"""


@st.composite
def parg_sentences(draw: st.DrawFn) -> PargSentence:
    names = draw(st.lists(words(), min_size=1, max_size=6))
    index = st.integers(0, len(names) - 1)
    functors = categories(4).filter(lambda category: category.arity > 0)
    dependencies = []
    for category in draw(st.lists(functors, max_size=6)):
        slot = draw(st.integers(1, category.arity))
        dependencies.append(Dependency(draw(index), category, slot, draw(index), draw(st.sampled_from(Reach))))
    mentioned = {place for dependency in dependencies for place in (dependency.head, dependency.argument)}
    known = tuple(word if place in mentioned else None for place, word in enumerate(names))
    return PargSentence(draw(words()).replace('"', "'"), known, tuple(dependencies))


@given(st.lists(parg_sentences(), max_size=2))
@examples(50)
def test_writing_then_reading_is_the_identity(sentences: list[PargSentence]) -> None:
    assert list(read_parg(write_parg(sentences))) == sentences


def test_a_file_is_written_as_it_was_read() -> None:
    lines = CATS.splitlines()
    assert list(write_parg(read_parg(lines))) == lines


def test_a_line_says_which_word_fills_which_slot_of_which_head() -> None:
    (sentence,) = read_parg(CATS.splitlines())
    assert sentence.id == "cats.1"
    assert sentence.words == ("the", "cat", "wants", "eat", "what")
    assert sentence.dependencies[2] == Dependency(3, parse(r"(S[b]\NP)/NP"), 1, 1, Reach.BOUNDED)
    assert sentence.dependencies[3].reach is Reach.UNBOUNDED


def test_columns_may_be_separated_by_blanks_or_tabs_or_both() -> None:
    narrow = [re.sub(r" \t ", " ", line) for line in CATS.splitlines()]
    tabbed = [re.sub(r" \t ", "\t", line) for line in CATS.splitlines()]
    assert list(read_parg(narrow)) == list(read_parg(tabbed)) == list(read_parg(CATS.splitlines()))


def test_a_no_break_space_belongs_to_its_word() -> None:
    (sentence,) = read_parg(['<s id="1"> 1', "1 0 N/N 1 a\u00a0b c", "<\\s>"])
    assert sentence.words == ("c", "a\u00a0b")


def test_a_blank_inside_a_word_is_written_so_that_the_columns_stay_whole() -> None:
    sentence = PargSentence("1", ("one to", "nil"), (Dependency(0, parse("N/N"), 1, 1),))
    assert list(write_parg([sentence]))[1].endswith("nil one~to")


MALFORMED = [
    (2, "1 0 N/N 1 b", 1, "6 or 7 columns"),
    (2, "1 0 N/N 1 b a <XB> more", 1, "6 or 7 columns"),
    (2, "x 0 N/N 1 b a", 1, "expected a number, found 'x'"),
    (2, "1 -1 N/N 1 b a", 3, "expected a number, found '-1'"),
    (2, "1 ² N/N 1 b a", 3, "expected a number"),
    (2, "9 0 N/N 1 b a", 1, "word 9 is outside the sentence, which has 2 words"),
    (2, "1 0 N/(N 1 b a", 9, "a bracket is not closed"),
    (2, "1 0 N/N 2 b a", 9, "N/N has 1 slots, not a slot 2"),
    (2, "1 0 N/N 0 b a", 9, "not a slot 0"),
    (2, "1 0 N/N 1 b a <XC>", 15, "expected <XB> or <XU>"),
    (2, "1 1 N/N 1 b a", 13, "word 1 is 'a' here and 'b' above"),
    (2, '<s id="2"> 1', 1, "sentence 1 has no <\\s>"),
    (1, "<s id=1> 1", 1, "expected <s id="),
    (1, '<s id="1">', 1, "expected <s id="),
    (1, "1 0 N/N 1 b a", 1, "expected <s id="),
    (3, "", 1, "the file ends before the <\\s> of sentence 1"),
]


@pytest.mark.parametrize(("line", "text", "column", "reason"), MALFORMED)
def test_every_malformed_line_is_refused_with_its_place_and_the_reason(
    line: int, text: str, column: int, reason: str
) -> None:
    lines = ['<s id="1"> 1', "1 0 N/N 1 b a", "<\\s>"]
    lines[line - 1] = text
    with pytest.raises(FormatError, match=re.escape(reason)) as caught:
        list(read_parg(lines))
    assert caught.value.column == column
    assert caught.value.line == line


def test_with_bad_sentences_skipped_the_good_ones_come_whole_and_the_bad_ones_not_at_all() -> None:
    good = CATS.splitlines()
    broken = [line.replace("N 	 1", "N 	 7") for line in good]
    bad: list[FormatError] = []
    read = list(read_parg([*good, *broken, "stray", *good, *good[:-1]], bad))
    assert [len(sentence.dependencies) for sentence in read] == [4, 4]
    assert [mistake.line for mistake in bad] == [8, 13, 24]


def test_a_line_that_is_not_utf_8_spoils_its_sentence(tmp_path: Path) -> None:
    path = tmp_path / "cats.parg"
    path.write_bytes(CATS.replace("cat eat <XB>", "c\xe9t eat").encode("latin-1") + CATS.replace("s.1", "s.2").encode())
    bad: list[FormatError] = []
    assert [sentence.id for sentence in read_parg(path, bad)] == ["cats.2"]
    assert [str(error) for error in bad] == [f"{path}:4:29: not UTF-8"]


def test_a_sentence_without_dependencies_or_words_is_read_all_the_same() -> None:
    assert [len(sentence) for sentence in read_parg(['<s id="1"> 0', "<\\s>", '<s id="2"> -1', "<\\s> "])] == [1, 0]


def test_what_the_format_cannot_hold_is_refused_by_name() -> None:
    with pytest.raises(WriteError, match="quotation mark"):
        list(write_parg([PargSentence('a"b', (), ())]))
    with pytest.raises(WriteError, match="sentence 1: a dependency names word 3"):
        list(write_parg([PargSentence("1", ("a",), (Dependency(0, parse("N/N"), 1, 3),))]))


@given(st.lists(st.text(), max_size=4))
@examples(200)
def test_no_text_whatever_crashes_the_reader(lines: list[str]) -> None:
    list(read_parg(lines, []))
