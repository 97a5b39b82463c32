"""Bad input says file, line and reason; odd input converts or says why not, and never breaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import MAX_ATOMS
from starccg.ccg.licensing import licensed
from starccg.formats.errors import FormatError
from starccg.treebanks.ud import ENGLISH, Tree, Word, convert, convert_conllu, read_conllu
from starccg.treebanks.ud.lists import words
from tests.strategies import examples

GOOD = "1\tBirds\tbird\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"


def write(path: Path, text: str) -> Path:
    file = path / "some.conllu"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("# only a comment\n\n", 1, "no words"),
        (GOOD + "1\ta\ta\tX\n", 4, "expected 10 columns"),
        (GOOD.replace("\t0\troot", "\t1\troot"), 1, "no root"),
        (GOOD.replace("\t2\tnsubj", "\t0\tnsubj"), 2, "second root"),
        (GOOD.replace("\t2\tnsubj", "\t7\tnsubj"), 1, "not a word of this sentence"),
        (GOOD.replace("\t2\tnsubj", "\tx\tnsubj"), 1, "not a word of this sentence"),
        (GOOD.replace("\t2\tnsubj", "\t2\t_"), 1, "relation is missing"),
        (GOOD.replace("2\tsing", "3\tsing"), 2, "expected word 2"),
        (
            "1\ta\ta\tX\t_\t_\t2\tdep\t_\t_\n2\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n3\tc\tc\tX\t_\t_\t0\troot\t_\t_\n",
            1,
            "cycle",
        ),
    ],
)
def test_a_broken_file_names_file_line_and_reason(tmp_path: Path, text: str, line: int, reason: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(FormatError, match=reason) as caught:
        list(read_conllu(file))
    assert caught.value.line == line
    assert str(file) in str(caught.value)


def test_a_missing_file_and_a_binary_one_are_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="nowhere"):
        list(read_conllu(tmp_path / "nowhere.conllu"))
    file = tmp_path / "binary.conllu"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="UTF-8"):
        list(read_conllu(file))


def test_a_tower_of_words_is_refused(tmp_path: Path) -> None:
    rows = "".join(f"{n}\tw\tw\tX\t_\t_\t{n - 1}\t{'root' if n == 1 else 'dep'}\t_\t_\n" for n in range(1, 2000))
    with pytest.raises(FormatError, match="deep"):
        list(read_conllu(write(tmp_path, rows)))


def test_bad_sentences_can_be_skipped(tmp_path: Path) -> None:
    file = write(tmp_path, "1\tbroken\n\n" + GOOD)
    bad: list[FormatError] = []
    assert [len(tree.words) for tree in read_conllu(file, bad)] == [2]
    assert len(list(convert_conllu(file, bad=bad))) == 1
    assert [error.line for error in bad] == [1, 1]


def test_a_sentence_without_a_name_is_named_by_its_number(tmp_path: Path) -> None:
    file = write(tmp_path, GOOD + "# sent_id = two words\n" + GOOD + GOOD)
    assert [tree.id for tree in read_conllu(file)] == ["1", "two_words", "3"]


def test_multiword_ranges_and_empty_nodes_are_passed_over(tmp_path: Path) -> None:
    extra = "1-2\tBirds'\t_\t_\t_\t_\t_\t_\t_\t_\n"
    empty = "2.1\tsong\t_\t_\t_\t_\t_\t_\t2:obj\t_\n"
    file = write(tmp_path, extra + GOOD.rstrip("\n") + "\n" + empty + "\n")
    assert [word.form for tree in read_conllu(file) for word in tree.words] == ["Birds", "sing"]


def test_failures_are_kept_with_their_reason(tmp_path: Path) -> None:
    failures: list[object] = []
    file = write(tmp_path, "1\t***\t***\tPUNCT\tNFP\t_\t0\troot\t_\t_\n")
    assert list(convert_conllu(file, failures=failures)) == []  # type: ignore[arg-type]
    assert [failure.reason for failure in failures] == ["the sentence has only punctuation"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("relation", ["nmod", "conj", "amod", "appos", "compound"])
@pytest.mark.parametrize("kind", ["NOUN", "ADJ", "ADV"])
def test_a_chain_of_words_is_converted_or_refused_at_once(tmp_path: Path, relation: str, kind: str) -> None:
    rows = (f"{n}\tw\tw\t{kind}\t_\t_\t{n - 1}\t{relation if n > 1 else 'root'}\t_\t_\n" for n in range(1, 80))
    (tree,) = read_conllu(write(tmp_path, "".join(rows)))
    result = convert(tree)
    if result.derivation is None:
        assert result.reason
    else:
        assert max(category.size for category in result.derivation.supertags) <= MAX_ATOMS


RELATIONS = words(
    "nsubj obj iobj obl advmod amod det case mark aux cop conj cc punct acl acl:relcl advcl xcomp ccomp csubj expl "
    "nmod nmod:poss compound flat fixed parataxis appos nummod discourse nsubj:outer goeswith compound:prt dep"
)
FORMS = words("what that who to of and the is there it how dog runs 's , ( because not , which in")
TAGS = ("VBZ", "VB", "VBG", "VBN", "MD", "NN", "NNP", "PRP", "IN", "WDT", "WP", "WRB", "JJ", "RB", "TO", "CC", "", ".")
KINDS = (
    "VERB",
    "AUX",
    "NOUN",
    "PROPN",
    "PRON",
    "ADJ",
    "ADV",
    "ADP",
    "DET",
    "NUM",
    "SCONJ",
    "CCONJ",
    "PART",
    "PUNCT",
    "X",
)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    size = draw(st.integers(1, 12))
    order = draw(st.permutations(range(size)))
    heads = {order[0]: -1} | {word: order[draw(st.integers(0, place))] for place, word in enumerate(order[1:])}
    odd_root = draw(st.integers(0, 9)) == 0  # a file may give the root any relation
    words = [
        Word(
            index=index,
            form=(form := draw(st.sampled_from(sorted(FORMS)))),
            lemma=form,
            upos=draw(st.sampled_from(KINDS)),
            xpos=draw(st.sampled_from(TAGS)),
            features={},
            head=heads[index],
            relation=draw(st.sampled_from(sorted(RELATIONS))) if heads[index] >= 0 or odd_root else "root",
            space_after=draw(st.booleans()),
        )
        for index in range(size)
    ]
    tree = Tree("random", words)
    tree.index_children()
    return tree


@examples(400)
@given(trees())
def test_any_tree_converts_to_a_licensed_derivation_of_its_words_or_says_why_not(tree: Tree) -> None:
    result = convert(tree)
    if result.derivation is None:
        assert result.reason
        return
    assert all(licensed(node, ENGLISH.grammar) and node.rule is not None for node in result.derivation.postorder())
    assert "".join(result.derivation.words) == "".join(word.form for word in tree.words)
