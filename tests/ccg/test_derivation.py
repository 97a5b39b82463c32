from __future__ import annotations

from hypothesis import given

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.english import ENGLISH
from starccg.ccg.licensing import annotate, licensed
from starccg.ccg.rules import Rule
from starccg.formats.auto import format_tree, parse_tree
from tests.strategies import derivations, examples

parse = Category.parse


@given(derivations())
@examples(200)
def test_printing_then_parsing_is_the_identity_on_derivations(derivation: Derivation) -> None:
    assert parse_tree(format_tree(derivation))[0] == annotate(derivation)


@given(derivations())
@examples(100)
def test_spans_cover_the_words_and_nest(derivation: Derivation) -> None:
    spans = list(derivation.spans())
    assert spans[-1][:2] == (0, len(derivation))
    assert [node.word for start, end, node in spans if isinstance(node, Leaf)] == derivation.words
    for start, end, node in spans:
        assert end - start == len(node)


def test_a_sentence_of_thousands_of_words_does_not_exhaust_the_stack() -> None:
    tree: Derivation = Leaf(parse("N"), "end")
    for _ in range(5000):
        tree = Binary(parse("N"), Leaf(parse("N/N"), "very"), tree, head=1)
    read, _ = parse_tree(format_tree(tree))
    assert len(read) == 5001
    assert all(node.head == 1 for node in read if isinstance(node, Binary))
    assert {node.rule for node in read} == {Rule.LEXICON, Rule.FORWARD_APPLICATION}


def test_nodes_know_the_rule_that_built_them_and_whether_the_grammar_licenses_it() -> None:
    tree, _ = parse_tree(
        r"(<T S[dcl] 1 2> (<T NP 0 1> (<L N X X Mary N>) )"
        r" (<T S[dcl]\NP 0 2> (<L (S[dcl]\NP)/NP X X saw (S[dcl]\NP)/NP>) (<L NP X X me NP>) ) )"
    )
    assert [node.rule.label for node in tree if node.rule is not None] == ["lex", "<U>", "lex", "lex", ">", "<"]
    assert all(licensed(node, ENGLISH) for node in tree)
    wrong = Binary(parse("PP"), Leaf(parse("N"), "a"), Leaf(parse("N"), "b"))
    assert not licensed(wrong, ENGLISH)
    assert annotate(wrong).rule is None


def test_derivations_match_as_patterns() -> None:
    tree = Binary(parse("NP"), Leaf(parse("NP/N"), "the"), Leaf(parse("N"), "cat"))
    match tree:
        case Binary(category, (Leaf(word="the"), Leaf(word=noun))):
            assert (str(category), noun) == ("NP", "cat")
    match Unary(parse("NP"), Leaf(parse("N"), "cats")):
        case Unary(_, Leaf(word=word)):
            assert word == "cats"


def test_rules_print_their_names_and_derivations_are_plain_values() -> None:
    assert f"{Rule.FORWARD_APPLICATION}" == str(Rule.FORWARD_APPLICATION) == "forward application"
    assert f"{Rule.CONJUNCTION:>12}" == " conjunction"
    tree = Unary(Category.parse("NP"), Leaf(Category.parse("N"), "rain"), Rule.TYPE_CHANGE)
    assert tree.to_dict() == {
        "id": "1",
        "tokens": [{"word": "rain", "category": "N"}],
        "nodes": [{"category": "NP", "rule": "<U>", "children": [0]}],
    }
