"""Files of Penn trees: what is read, what is refused, and what a variant of the format changes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from starccg.formats.errors import FormatError
from starccg.formats.files import convert as convert_file
from starccg.formats.files import read
from starccg.treebanks.penn import convert, read_trees

TREE = "(S (NP-SBJ (DT The) (NN clerk)) (VP (VBD slept)) (. .))"


def categories(text: str) -> list[str]:
    """The words and their categories, of the one tree of a text."""
    (tree,) = read_trees(text.splitlines())
    result = convert(tree)
    assert result.derivation is not None, result.reason
    return [f"{leaf.word}|{leaf.category}" for leaf in result.derivation.leaves()]


@pytest.mark.parametrize("wrapper", ["{}", "( {})", "(TOP {})", "(S1 {})", "(ROOT\n  {})", "({} )"])
def test_any_wrapper_around_a_tree_is_taken_off(wrapper: str) -> None:
    expected = ["The|NP/N", "clerk|N", r"slept|S[dcl]\NP", ".|."]
    assert categories(wrapper.format(TREE)) == expected


def test_sentences_are_numbered_within_the_document_that_a_comment_names() -> None:
    lines = ["% 4711", TREE, TREE, "% second part", f"( {TREE} )"]
    assert [tree.id for tree in read_trees(lines)] == ["4711.1", "4711.2", "second_part.1"]
    assert [tree.id for tree in read_trees([TREE, TREE])] == ["1", "2"]


def test_a_tree_may_take_several_lines() -> None:
    lines = ["(S (NP-SBJ (NNP Ann))", "   (VP (VBD slept)))", TREE]
    assert [tree.line for tree in read_trees(lines)] == [1, 3]


def test_escaped_brackets_and_slashes_are_unescaped() -> None:
    text = r"(NP (NP (NN iron)) (PRN (-LRB- -LRB-) (NP (NN 3\/4)) (-RRB- -RRB-)))"
    (tree,) = read_trees([text])
    assert [leaf.word for leaf in tree.root.leaves()] == ["iron", "(", "3/4", ")"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(S (NP (NN x))", r"<lines>:1:1: the tree lacks 1 closing bracket"),
        ("(S (NP (NN x)) y)", r"<lines>:1:16: the word 'y' is beside another node"),
        ("word", r"<lines>:1:1: expected a bracket, found 'word'"),
        ("(S (NN x (NN y)))", r"<lines>:1:10: a bracket after a word"),
        (")", r"<lines>:1:1: expected a bracket, found '\)'"),
    ],
)
def test_a_malformed_tree_is_an_error_that_says_where(text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        list(read_trees([text]))


def test_malformed_trees_are_passed_over_on_demand() -> None:
    bad: list[FormatError] = []
    lines = ["(S (NP (NN x))", TREE, "word", TREE]
    assert len(list(read_trees(lines, bad))) == 2
    assert [error.line for error in bad] == [1, 3]


def test_a_compressed_file_is_converted_by_its_name(tmp_path: Path) -> None:
    source, target = tmp_path / "x.mrg.gz", tmp_path / "y.auto"
    source.write_bytes(gzip.compress(f"{TREE}\n{TREE}\n".encode()))
    convert_file(source, target)
    assert len(list(read(target))) == 2


def test_a_tree_of_empty_elements_is_no_sentence() -> None:
    assert list(read_trees(["(S (NP-SBJ (-NONE- *)) (VP (-NONE- *?*)))"])) == []


@pytest.mark.parametrize("index", ["9" * 5000, "\u00b2", "\u0663"])
def test_what_is_no_plain_number_is_no_index(index: str) -> None:
    text = f"(S (NP-SBJ-{index} (NN clerk)) (VP (VBD slept) (NP (-NONE- *T*-{index}))))"
    assert categories(text) == ["clerk|N", r"slept|S[dcl]\NP"]


def test_a_word_under_the_label_of_a_phrase_is_read() -> None:
    for label in ("SBAR", "NAC", "CIT", "VP", "S"):
        (tree,) = read_trees([f"(S (NP (PRP it)) (VP (VBD was) ({label} so)))"])
        result = convert(tree)
        assert result.derivation is not None or result.reason
