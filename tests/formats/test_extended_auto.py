from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Leaf, Sentence
from starccg.formats.auto import format_tree, read_auto, write_auto
from starccg.formats.errors import FormatError, WriteError
from starccg.formats.extended_auto import read_extended_auto, write_extended_auto
from tests.formats.kept import mapped, one_pos, suffixed
from tests.formats.trees import right_branching
from tests.strategies import any_text, examples, sentences

parse = Category.parse
TREE = r"(<T S[dcl] ba 1 2> (<L NP It XX PRP O XX NP>) (<L S[dcl]\NP works XX VBZ O XX S[dcl]\NP>) )"


@given(st.lists(sentences(annotated=True), max_size=2))
@examples(25)
def test_what_is_written_reads_back_but_for_the_original_part_of_speech(some: list[Sentence]) -> None:
    expected = [replace(s, derivation=mapped(s.derivation, one_pos), conj_suffix=suffixed(s)) for s in some]
    assert list(read_extended_auto(write_extended_auto(some))) == expected


def test_it_is_auto_with_more_columns() -> None:
    (sentence,) = read_extended_auto(["ID=1 PARSER=X", TREE])
    assert list(write_extended_auto([sentence])) == ["ID=1 PARSER=X", TREE]
    assert list(write_auto([sentence]))[1] == (
        r"(<T S[dcl] 1 2> (<L NP PRP PRP It NP>) (<L S[dcl]\NP VBZ VBZ works S[dcl]\NP>) )"
    )


def test_conjunctions_are_written_as_they_were_read() -> None:
    tree = "(<T NP ba 0 2> (<L NP we XX X O XX NP>) (<T NP[conj] conj 1 2> (<L conj and XX CC O XX conj>) {} ) )"
    for last in ("(<L NP you XX X O XX NP>)", "(<L NP you all XX X O XX NP_1>)"):
        assert list(write_extended_auto(read_extended_auto([tree.format(last)])))[1] == tree.format(last)


def test_easyccg_and_depccg_write_what_is_read() -> None:
    easyccg = r"(<T S[dcl] ba 1 2> (<L NP It it PRP O O NP>) (<L S[dcl]\NP works work VBZ O O S[dcl]\NP>) ) "
    (ours,) = read_extended_auto(["ID=1", TREE])
    (scored,) = read_extended_auto(["ID=1, log probability=-0.25000000", easyccg])
    assert [leaf.lemma for leaf in scored.derivation.leaves()] == ["it", "work"]
    assert mapped(scored.derivation, lambda leaf: replace(leaf, lemma=None)) == ours.derivation
    assert scored.fields == (("log_probability", "-0.25000000"),)
    (plain,) = read_auto(["ID=7, log probability=-2.5", "(<L N POS POS rain N>)"])
    assert (plain.id, plain.fields) == ("7", (("log_probability", "-2.5"),))


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        (TREE[:-2], len(TREE) - 1, "1 nodes are not closed"),
        (TREE.replace("ba 1 2>", "1 2>"), 14, "expected a number, found '2>'"),
        (TREE.replace("ba 1 2>", "ba 2 2>"), len(TREE), "the head of a node with two children must be 0 or 1, not 2"),
        (TREE.replace("S[dcl] ba", "S[dcl ba"), 6, "not a category"),
        (TREE.replace("PRP O XX NP>)", "PRP NP>)"), 37, "found 4 of these 6"),
        (TREE.replace("XX NP>)", "XX NP"), 45, "expected the end of a leaf"),
        ("(<L N", 6, "the line ends too early: expected a word"),
        ("(<T N", 6, "the line ends too early: expected a rule"),
        ("hello", 1, "expected a header such as ID=1 or a tree"),
    ],
)
def test_every_malformed_line_is_refused_with_its_place_and_the_reason(text: str, column: int, reason: str) -> None:
    with pytest.raises(FormatError, match=re.escape(reason)) as caught:
        list(read_extended_auto(["ID=1", TREE, "", text]))
    assert (caught.value.line, caught.value.column) == (4, column)
    bad: list[FormatError] = []
    assert len(list(read_extended_auto(["ID=1", TREE, text, "ID=2", TREE], bad))) == 2
    assert len(bad) == 1


@given(any_text() | st.text(st.sampled_from("a>)(<L ")), st.sampled_from(["X", "(<L", ">)", "a b", ""]))
@examples(200)
def test_what_is_written_reads_back_or_is_refused(word: str, pos: str) -> None:
    tree = Binary(parse("PP"), Leaf(parse("N/N"), word, pos, pos), Leaf(parse("N"), "end"))
    try:
        lines = list(write_extended_auto([Sentence("1", tree)]))
    except WriteError:
        return
    (read,) = read_extended_auto(lines)
    assert read.derivation == tree


@given(st.lists(st.text(st.sampled_from("(<TL>) 01N/\\ID=x[]")) | st.text(), max_size=3))
@examples(100)
def test_no_text_whatever_crashes_the_reader(lines: list[str]) -> None:
    list(read_extended_auto(lines, []))


@pytest.mark.slow
def test_a_sentence_of_thousands_of_words_does_not_exhaust_the_stack() -> None:
    (read,) = read_extended_auto(write_extended_auto([Sentence("deep", right_branching(3000))]))
    assert format_tree(read.derivation) == format_tree(right_branching(3000))
