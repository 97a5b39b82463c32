from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation, Leaf, Sentence
from starccg.ccg.rules import Rule
from starccg.formats.auto import format_tree
from starccg.formats.ptb import write_ptb
from tests.formats.kept import mapped
from tests.formats.trees import left_branching, right_branching
from tests.strategies import categories, derivations, examples

pytest.importorskip("nltk")

from nltk import Tree
from nltk.ccg import chart, lexicon
from nltk.ccg.api import CCGVar, Direction, FunctionalCategory, PrimitiveCategory

from starccg.integrations.nltk import NltkTreeError, from_category, from_ccg, from_tree, to_category, to_ccg, to_tree

parse = Category.parse
LEXICON = lexicon.fromstring(
    r"""
    :- S, NP, N, PP
    I => NP
    you => NP
    and => var\.,var/.,var
    eat => (S\NP)/NP
    cook => (S\NP)/NP
    the => NP/N
    old => N/N
    bacon => N
    that => (N\N)/(S/NP)
    """
)


def bare(leaf: Leaf) -> Leaf:
    return Leaf(leaf.category, leaf.word)


@given(derivations())
@examples(60)
def test_there_and_back_is_the_same_but_for_heads_and_parts_of_speech(derivation: Derivation) -> None:
    expected = mapped(derivation, bare, heads=False)
    assert from_tree(to_tree(derivation)) == expected
    assert from_ccg(to_ccg(derivation)) == expected


@given(categories())
@examples(100)
def test_categories_go_there_and_back(category: Category) -> None:
    assert from_category(to_category(category)) is category


@given(categories().filter(lambda category: all(atom.name.isalpha() for atom in category.atoms)))
@examples(100)
def test_nltk_reads_our_categories_as_the_same_as_we_make_them(category: Category) -> None:
    names = {atom.name for atom in category.atoms}
    read, variable = lexicon.augParseCategory(str(category), names, {})
    assert read == to_category(category)
    assert variable is None


@given(derivations())
@examples(30)
def test_nltk_reads_of_a_ptb_line_what_we_make(derivation: Derivation) -> None:
    (line,) = write_ptb([Sentence("1", derivation)])
    if not any(mark in word for word in derivation.words for mark in ("(", ")", "-LRB-", "-RRB-")):
        assert from_tree(Tree.fromstring(line)) == mapped(derivation, bare, heads=False)


@pytest.mark.parametrize(
    "text",
    [
        "I eat the old bacon",
        "I cook and eat the bacon",
        "I and you eat the bacon",
        "I cook the bacon that you eat",
    ],
)
def test_every_derivation_of_nltk_becomes_ours_and_goes_back(text: str) -> None:
    words = text.split()
    found = list(chart.CCGChartParser(LEXICON, chart.DefaultRuleSet).parse(words))
    assert found
    for tree in found:
        ours = from_ccg(tree)
        assert ours.words == words
        assert [str(node.category) for node in ours if not isinstance(node, Leaf)] == [
            str(from_category(node.label()[0].categ()))
            for node in postorder(tree)
            if isinstance(node.label(), tuple) and node.label()[1] != "Leaf"
        ]
        back = to_ccg(ours)
        assert [node.label()[1] for node in postorder(back) if isinstance(node.label(), tuple)] == [
            node.label()[1] for node in postorder(tree) if isinstance(node.label(), tuple)
        ]


def postorder(tree: Tree) -> list[Tree]:
    return [part for child in tree if isinstance(child, Tree) for part in postorder(child)] + [tree]


def test_nltk_draws_our_derivations(capsys: pytest.CaptureFixture[str]) -> None:
    chart.printCCGDerivation(to_ccg(right_branching(3)))
    assert capsys.readouterr().out.split("\n")[:4] == [
        " very   very   old",
        " (N/N)  (N/N)   N",
        "       ------------>",
        "            N",
    ]


def test_a_conjunction_gets_what_it_conjoins() -> None:
    words = ["I", "and", "you", "eat", "the", "bacon"]
    (tree, *_) = chart.CCGChartParser(LEXICON, chart.ApplicationRuleSet).parse(words)
    ours = from_ccg(tree)
    assert str(ours.supertags[1]) == "(NP\\NP)/NP"
    assert [node.rule for node in ours][3:5] == [Rule.FORWARD_APPLICATION, Rule.BACKWARD_APPLICATION]


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        ("rain", "expected a tree, found 'rain'"),
        (Tree("N", []), "a node must have one or two children, not 0"),
        (Tree("N", ["a", "b"]), "expected a tree, found"),
        (Tree("N", [Tree("N", ["a"])] * 3), "a node must have one or two children, not 3"),
        (Tree("N/", ["a"]), "not a category: 'N/'"),
        (Tree(7, ["a"]), "not a category: 7"),
        (Tree([7], ["a"]), "not a category: [7]"),
    ],
)
def test_trees_that_are_no_derivations_are_refused(tree: object, reason: str) -> None:
    with pytest.raises(NltkTreeError) as caught:
        from_tree(tree)
    assert reason in str(caught.value)


@pytest.mark.parametrize("tree", [Tree("N", ["a"]), Tree(("N", ">"), [Tree("N", ["a"])]), Tree((), []), "x", None])
def test_trees_that_are_no_derivations_of_nltks_ccg_are_refused(tree: object) -> None:
    with pytest.raises(NltkTreeError):
        from_ccg(tree)


def test_variables_are_refused_modalities_dropped_and_restrictions_joined() -> None:
    with pytest.raises(NltkTreeError, match=r"_var.* is a variable"):
        from_category(CCGVar())
    noun, third = PrimitiveCategory("NP", []), PrimitiveCategory("NP", ["sg", "3"])
    assert str(from_category(FunctionalCategory(noun, third, Direction("\\", ".,")))) == "NP\\NP[sg,3]"
    with pytest.raises(NltkTreeError, match="not a category"):
        from_category(PrimitiveCategory("a b"))


def test_a_sentence_of_thousands_of_words_does_not_exhaust_the_stack() -> None:
    for deep in (right_branching(2000), left_branching(2000)):
        assert format_tree(from_tree(to_tree(deep))) == format_tree(deep)
        assert format_tree(from_ccg(to_ccg(deep))) == format_tree(deep)


@given(
    st.recursive(st.text() | st.none(), lambda inner: st.builds(Tree, st.text("N/<>()", max_size=3), st.lists(inner)))
)
@examples(60)
def test_no_tree_whatever_crashes_us(tree: object) -> None:
    for read in (from_tree, from_ccg):
        try:
            read(tree)
        except NltkTreeError:
            continue
