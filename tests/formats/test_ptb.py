from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence
from starccg.formats.auto import format_tree, parse_tree
from starccg.formats.errors import FormatError, WriteError
from starccg.formats.ptb import read_ptb, write_ptb
from tests.formats.kept import mapped, suffixed
from tests.formats.trees import left_branching, right_branching
from tests.strategies import any_text, derivations, examples, sentences

parse = Category.parse
TREE = r"(ROOT (S[dcl] (NP It) (S[dcl]\NP (<S[dcl]\NP>/NP needs) (NP rain))))"


def bare(leaf: Leaf) -> Leaf:
    return Leaf(leaf.category, unescaped(leaf.word))


def unescaped(word: str) -> str:
    return word.replace("-LRB-", "(").replace("-RRB-", ")")


@given(st.lists(sentences(annotated=True), max_size=3))
@examples(25)
def test_what_is_written_reads_back_but_for_names_heads_and_parts_of_speech(some: list[Sentence]) -> None:
    expected = [
        Sentence(str(number), mapped(s.derivation, bare, heads=False), conj_suffix=suffixed(s))
        for number, s in enumerate(some, 1)
    ]
    assert list(read_ptb(write_ptb(some))) == expected


def test_a_file_is_written_as_it_was_read() -> None:
    assert list(write_ptb(read_ptb([TREE, TREE]))) == [TREE, TREE]


def test_heads_are_those_that_ccgbank_would_mark() -> None:
    (read,) = read_ptb([TREE])
    assert isinstance(read.derivation, Binary)
    (_, predicate) = read.derivation.children
    assert isinstance(predicate, Binary)
    assert (read.derivation.head, predicate.head, predicate.left.words) == (1, 0, ["needs"])


def test_the_brackets_of_words_and_labels_are_escaped() -> None:
    tree = Binary(parse("N"), Leaf(parse("N/(N/N)"), "(a)(b"), Leaf(parse("N/N"), "New York"))
    assert list(write_ptb([Sentence("1", tree)])) == ["(ROOT (N (N/<N/N> -LRB-a-RRB--LRB-b) (N/N New~York)))"]


def test_trees_of_many_lines_of_other_tops_and_of_depccg_are_read() -> None:
    lines = [
        "( (NP",
        "   (NP[nb]/N the)",
        "  (N rain",
        "  ) ) )",
        "((NP (NP[nb]/N the) (N sun)))",
        "(TOP (N/N a)) (N b)",
    ]
    lines += ["ID=x, log probability=-1.5", r"(ROOT (S[dcl] (NP It) ((S[dcl]\NP)/NP works)))", "(N (N c))"]
    found = list(read_ptb(lines))
    words = [["the", "rain"], ["the", "sun"], ["a"], ["b"], ["It", "works"], ["c"]]
    assert [sentence.derivation.words for sentence in found] == words
    assert [sentence.id for sentence in found] == ["1", "2", "3", "4", "x", "6"]
    assert found[4].fields == (("log_probability", "-1.5"),)
    assert str(found[4].derivation.supertags[1]) == r"(S[dcl]\NP)/NP"


def test_conjunctions_are_written_as_they_were_read() -> None:
    tree, suffix = parse_tree(
        "(<T NP 0 2> (<L NP X X a NP>) (<T NP[conj] 1 2> (<L conj X X or conj>) (<L NP X X b NP>) ) )"
    )
    sentence = Sentence("1", tree, (), suffix)
    assert list(write_ptb([sentence])) == ["(ROOT (NP (NP a) (NP[conj] (conj or) (NP b))))"]
    assert list(read_ptb(write_ptb([sentence]))) == [sentence]
    assert list(write_ptb([replace(sentence, conj_suffix=False)])) == ["(ROOT (NP (NP a) (NP\\NP (conj or) (NP b))))"]


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        (TREE[:-1], 1, "1 brackets are not closed"),
        (TREE + ")", len(TREE) + 1, "expected a tree, '(', found a closing bracket without an opening one"),
        ("hello", 1, "expected a tree, '(', found 'hello'"),
        ("(ROOT (N/ rain))", 10, "not a category: 'N/': a category is missing at the end"),
        ("(ROOT (<N/N rain))", 12, "a bracket is not closed"),
        ("(ROOT (N a b))", 7, "a bracket must contain one word or its children, not 'a b'"),
        ("(ROOT (N a (N b)))", 7, "a bracket must contain one word or its children, not 'a'"),
        ("(ROOT (N (N a) (N b) (N c)))", 7, "a node must have one or two children, not 3"),
        ("(ROOT (N ) )", 7, "a node must have one or two children, not 0"),
        ("(ROOT (N a) (N b))", 1, "the outermost bracket must contain one tree, not 2"),
        ("(ROOT rain)", 1, "the outermost bracket must contain one tree, not 0"),
        ("( rain)", 1, "the outermost bracket must contain one tree, not 0"),
    ],
)
def test_every_malformed_tree_is_refused_with_its_place_and_the_reason(text: str, column: int, reason: str) -> None:
    with pytest.raises(FormatError, match=re.escape(reason)) as caught:
        list(read_ptb([TREE, "", text]))
    assert (caught.value.line, caught.value.column) == (3, column)
    bad: list[FormatError] = []
    assert len(list(read_ptb([TREE, text, TREE], bad))) in (2, 3)
    assert len(bad) == 1


@given(any_text())
@examples(300)
def test_every_word_stays_one_word_or_is_refused(word: str) -> None:
    tree = Binary(parse("PP"), Leaf(parse("N/N"), word), Leaf(parse("N"), "end"))
    try:
        lines = list(write_ptb([Sentence("1", tree)]))
    except WriteError:
        assert not word.strip()
        return
    (read,) = read_ptb(lines)
    assert read.derivation.words == [re.sub(r"\s+", "~", unescaped(word)), "end"]


@given(st.lists(st.text(st.sampled_from("() <>N/ROT")) | st.text(), max_size=4))
@examples(200)
def test_no_text_whatever_crashes_the_reader(lines: list[str]) -> None:
    list(read_ptb(lines, []))


@pytest.mark.slow
def test_a_sentence_of_thousands_of_words_does_not_exhaust_the_stack() -> None:
    for deep in (right_branching(3000), left_branching(3000)):
        (read,) = read_ptb(write_ptb([Sentence("deep", deep)]))
        assert format_tree(read.derivation) == format_tree(deep)


@pytest.mark.slow
@given(derivations())
@examples(50)
def test_nltk_reads_every_tree(derivation: Derivation) -> None:
    nltk = pytest.importorskip("nltk")
    (line,) = write_ptb([Sentence("1", derivation)])
    (tree,) = nltk.Tree.fromstring(line)
    assert [unescaped(word) for word in tree.leaves()] == [unescaped(word) for word in derivation.words]
    labels = [node.label().replace("<", "(").replace(">", ")") for node in tree.subtrees()]
    assert sorted(labels) == sorted(str(node.category) for node in derivation)


@pytest.mark.slow
@given(any_text())
@examples(200)
def test_nltk_reads_every_word(word: str) -> None:
    nltk = pytest.importorskip("nltk")
    try:
        (line,) = write_ptb([Sentence("1", Leaf(parse("N/(N/N)"), word))])
    except WriteError:
        return
    assert len(nltk.Tree.fromstring(line).leaves()) == 1
