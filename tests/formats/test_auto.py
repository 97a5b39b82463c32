from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Leaf, Sentence
from starccg.formats.auto import read_auto, write_auto
from starccg.formats.errors import FormatError, WriteError
from tests.strategies import examples

parse = Category.parse
HEADER = "ID=1 PARSER=GOLD NUMPARSE=1"
TREE = r"(<T S[dcl] 1 2> (<L NP PRP PRP It NP>) (<L S[dcl]\NP VBZ VBZ works S[dcl]\NP>) )"
CONJUNCTION = "(<T NP 0 2> (<L NP X X we NP>) (<T NP[conj] 1 2> (<L conj CC CC and conj>) (<L NP X X you NP>) ) )"


@pytest.mark.parametrize("tree", [TREE, CONJUNCTION, CONJUNCTION.replace("NP[conj]", "NP\\NP"), "(<L N NN NNS x N_1>)"])
def test_a_file_is_written_as_it_was_read(tree: str) -> None:
    lines = [HEADER, tree, "ID=2", tree]
    assert list(write_auto(read_auto(lines))) == lines


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        (TREE[:-2], len(TREE) - 1, "1 nodes are not closed"),
        (TREE + " )", len(TREE) + 2, "unexpected ')' after the end of the tree"),
        (TREE.replace("1 2>", "1 3>"), len(TREE), "the node should have 3 children, but has 2"),
        (TREE.replace("1 2>", "2 2>"), len(TREE), "the head of a node with two children must be 0 or 1, not 2"),
        (TREE.replace("1 2>", "1 2"), 14, "expected a number and '>', found '2'"),
        (TREE.replace("1 2>", "x 2>"), 12, "expected a number, found 'x'"),
        (TREE.replace("S[dcl] ", "S[dcl "), 6, "not a category"),
        (TREE.replace("(<L NP", "(<M NP"), 17, "expected '(<T', '(<L' or ')', found '(<M'"),
        (TREE.replace("It NP>)", "It"), 35, "expected the end of a leaf"),
        ("(<L N", 6, "the line ends too early: expected a part of speech"),
        (") ", 1, "expected a header such as ID=1 or a tree"),
        ("(<T N 0 0> )", 12, "a node must have one or two children, not 0"),
        ("hello", 1, "expected a header such as ID=1 or a tree"),
    ],
)
def test_every_malformed_line_is_refused_with_its_place_and_the_reason(text: str, column: int, reason: str) -> None:
    with pytest.raises(FormatError, match=re.escape(reason)) as caught:
        list(read_auto([HEADER, TREE, "", text]))
    assert (caught.value.line, caught.value.column) == (4, column)
    bad: list[FormatError] = []
    assert len(list(read_auto([HEADER, TREE, text, HEADER, TREE], bad))) == 2
    assert len(bad) == 1


@given(st.text(st.sampled_from("a>)(<L \t\r\n\u00a0.")), st.text(st.sampled_from("ab =\t\n\u00a0")))
@examples(200)
def test_what_is_written_reads_back_or_is_refused(word: str, name: str) -> None:
    tree = Binary(parse("PP"), Leaf(parse("N/N"), word), Leaf(parse("N"), "end"))
    try:
        lines = list(write_auto([Sentence(name, tree)]))
    except WriteError:
        return
    (read,) = read_auto(lines)
    assert (read.id, read.derivation) == (name, tree)


@pytest.mark.parametrize("key", ["", "a=b", "ID", "a b"])
def test_a_header_that_would_not_read_back_is_refused(key: str) -> None:
    with pytest.raises(WriteError, match="an AUTO header cannot contain"):
        list(write_auto([Sentence("1", Leaf(parse("N"), "rain"), ((key, "x"),))]))


@given(st.lists(st.text(st.sampled_from("(<TL>) 01N/\\ID=x[]")) | st.text(), max_size=3))
@examples(200)
def test_no_text_whatever_crashes_the_reader(lines: list[str]) -> None:
    list(read_auto(lines, []))
