from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence
from starccg.formats.auto import format_tree
from starccg.formats.conll import heads, read_conll, write_conll
from starccg.formats.errors import FormatError, WriteError
from tests.formats.kept import mapped, suffixed
from tests.formats.trees import left_branching, right_branching
from tests.strategies import any_text, derivations, examples, sentences

parse = Category.parse
EXAMPLE = [
    "# ID=1",
    "# PARSER=GOLD",
    "1\tIt\t_\tPRP\tPRP\t_\t2\tNP\t_\t(<T S[dcl] 1 2> (<L NP PRP PRP It NP>)",
    "2\tworks\t_\tVBZ\tVB\t_\t0\tS[dcl]\\NP\t_\t(<L S[dcl]\\NP VBZ VB works S[dcl]\\NP>) )",
    "",
]


def test_a_file_is_written_as_it_was_read() -> None:
    assert list(write_conll(read_conll(EXAMPLE * 2))) == EXAMPLE * 2


@given(st.lists(sentences(annotated=True), max_size=2))
@examples(25)
def test_writing_then_reading_is_the_identity(some: list[Sentence]) -> None:
    expected = [replace(s, derivation=mapped(s.derivation, lambda leaf: leaf), conj_suffix=suffixed(s)) for s in some]
    assert list(read_conll(write_conll(some))) == expected


def test_depccg_writes_no_empty_lines_and_its_lemmas_are_passed_over() -> None:
    lines = ["# ID=1", "# log probability=-0.5", *EXAMPLE[2:4], "# ID=2", *EXAMPLE[2:4]]
    lines[2] = lines[2].replace("It\t_", "It\tit")
    first, second = read_conll(lines)
    assert (first.id, first.fields, second.id) == ("1", (("log_probability", "-0.5"),), "2")
    lines = [*EXAMPLE[2:4], *EXAMPLE[2:4], "", "# ID=failed", "", *EXAMPLE[2:4], "# ID=failed", "# ID=9", *EXAMPLE[2:4]]
    assert [s.id for s in read_conll(lines)] == ["1", "2", "3", "9"]


@pytest.mark.parametrize(("lemma", "written", "read"), [(" ", "_", None), ("XX", "XX", "XX"), ("a b", "a~b", "a~b")])
def test_a_lemma_of_spaces_is_not_known(lemma: str, written: str, read: str | None) -> None:
    lines = list(write_conll([Sentence("1", Leaf(parse("N"), "rain", lemma=lemma))]))
    assert lines[1].split("\t")[2] == written
    assert [next(s.derivation.leaves()).lemma for s in read_conll(lines)] == [read]
    lines[1] = lines[1].replace(f"rain\t{written}", "rain\t")
    assert [next(s.derivation.leaves()).lemma for s in read_conll(lines)] == [None]


@given(derivations())
@examples(50)
def test_every_word_but_one_has_a_head_and_all_lead_to_that_one(derivation: Derivation) -> None:
    found = heads(derivation)
    assert found.count(0) == 1
    for start in range(1, len(found) + 1):
        word, steps = start, 0
        while found[word - 1]:
            word, steps = found[word - 1], steps + 1
            assert steps <= len(found)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The graph doesn't contain a node that depends on the root")
@given(derivations())
@examples(40)
def test_nltk_reads_words_tags_and_heads(derivation: Derivation) -> None:
    graph = pytest.importorskip("nltk.parse").DependencyGraph
    lines = list(write_conll([Sentence("1", derivation)]))
    nodes = graph("\n".join(lines[1:]), cell_separator="\t", top_relation_label="TOP").nodes
    read = [
        tuple(nodes[n][key] for key in ("word", "ctag", "tag", "head", "rel")) for n in range(1, len(derivation) + 1)
    ]
    assert read == [
        (leaf.word, leaf.pos, leaf.original_pos, head, str(leaf.category))
        for leaf, head in zip(derivation.leaves(), heads(derivation), strict=True)
    ]


@pytest.mark.parametrize(
    ("line", "old", "new", "column", "reason"),
    [
        (4, "VBZ\tVB\t", "VBZ\tVB ", 1, "expected 10 columns separated by tabs, found 9"),
        (4, "2\tworks", "3\tworks", 1, "column 1 says '3' where the derivation says '2'"),
        (4, "2\tworks", "2\twork", 3, "column 2 says 'work' where the derivation says 'works'"),
        (3, "_\t2\tNP", "_\t0\tNP", 18, "column 7 says '0' where the derivation says '2'"),
        (4, "0\tS[dcl]\\NP\t", "0\tS\t", 22, "column 8 says 'S' where the derivation says 'S[dcl]\\\\NP'"),
        (3, "(<L NP PRP PRP It NP>)", "(<L N/ PRP PRP It NP>)", 47, "not a category: 'N/'"),
        (4, ">) )", ">)", 72, "1 nodes are not closed"),
        (4, ">) )", ">) ) )", 75, "unexpected ')' after the end of the tree"),
        (3, "(<T S[dcl] 1 2> ", "", 1, "unexpected"),
    ],
)
def test_every_malformed_sentence_is_refused_with_its_place_and_the_reason(
    line: int, old: str, new: str, column: int, reason: str
) -> None:
    broken = EXAMPLE.copy()
    assert old in broken[line - 1]
    broken[line - 1] = broken[line - 1].replace(old, new)
    with pytest.raises(FormatError) as caught:
        list(read_conll(broken))
    assert reason in caught.value.reason
    if reason != "unexpected":
        assert (caught.value.line, caught.value.column) == (line, column)
    bad: list[FormatError] = []
    assert len(list(read_conll([*EXAMPLE, *broken, *EXAMPLE], bad))) == 2
    assert len(bad) == 1


def test_lines_without_words_of_the_derivation_are_refused() -> None:
    whole = "(<T S[dcl] 1 2> (<L NP X X It NP>) (<L S[dcl]\\NP X X works S[dcl]\\NP>) )"
    with pytest.raises(FormatError, match=r":1:1: the sentence has 1 lines and its derivation 2 words"):
        list(read_conll([f"1\tIt\t_\tX\tX\t_\t2\tNP\t_\t{whole}"]))


@given(any_text(), any_text())
@examples(200)
def test_what_is_written_reads_back_or_is_refused(word: str, name: str) -> None:
    tree = Binary(parse("PP"), Leaf(parse("N/N"), word), Leaf(parse("N"), "end"))
    try:
        lines = list(write_conll([Sentence(name, tree)]))
    except WriteError:
        return
    (read,) = read_conll(lines)
    assert (read.id, read.derivation) == (name, tree)


@given(st.lists(st.text(st.sampled_from("#1\t(<TL>) 0N/ID=")) | st.text(), max_size=4))
@examples(100)
def test_no_text_whatever_crashes_the_reader(lines: list[str]) -> None:
    list(read_conll(lines, []))


@pytest.mark.slow
def test_a_sentence_of_thousands_of_words_does_not_exhaust_the_stack() -> None:
    for deep in (right_branching(3000), left_branching(3000)):
        (read,) = read_conll(write_conll([Sentence("deep", deep)]))
        assert format_tree(read.derivation) == format_tree(deep)
