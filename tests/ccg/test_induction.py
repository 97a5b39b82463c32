"""Grammars read off a treebank."""

from __future__ import annotations

import math

import pytest

from starccg.ccg.category import Category
from starccg.ccg.compiler import compile_grammar
from starccg.ccg.english import ENGLISH
from starccg.ccg.grammar import CommaRule, Grammar, UnaryChange
from starccg.ccg.induction import count, induce, raised_with_variable, root_costs
from starccg.ccg.licensing import licensed
from starccg.ccg.rules import Rule
from tests.dependencies.notation import derive

parse = Category.parse
SONG = r"[[[=NP Ana:N] [sings:(S[dcl]\NP)/NP [a:NP[nb]/N tune:N]]] .:.]"
VOCATIVE = r"[[=S/S [=NP Ana:N]] [she:NP sings:S[dcl]\NP]]"
BRACKET = r"[[[=NP Ana:N] [=NP\NP (:LRB [the:NP/N girl:N]]] sings:S[dcl]\NP]"
CROSSED = r"[she:NP [=S[dcl]\NP then:S/S sings:S[dcl]\NP]]"


def test_categories_come_most_frequent_first_without_nb() -> None:
    induced = induce(count(map(derive, (SONG, SONG, r"[she:NP sings:S[dcl]\NP]"))))
    assert list(map(str, induced.lexical)) == ["N", r"(S[dcl]\NP)/NP", ".", "NP/N", "NP", r"S[dcl]\NP"]


def test_a_treebank_is_licensed_by_the_grammar_read_off_it() -> None:
    bank = [derive(text) for text in (SONG, VOCATIVE, BRACKET)] * 2
    grammar = induce(count(bank)).grammar
    assert all(licensed(node, grammar) for tree in bank for node in tree.postorder())


def test_the_filter_holds_to_the_pairs_that_were_seen_marks_aside() -> None:
    grammar = induce(count([derive(SONG)])).grammar
    assert grammar.seen is not None and (parse("NP/N"), parse("N")) in grammar.seen
    assert not any(mark in pair for pair in grammar.seen for mark in (parse("."), parse(",")))
    assert not grammar.combine(parse("NP"), parse(r"S[b]\NP"))
    assert grammar.combine(parse("NP"), parse(","))
    assert induce(count([derive(SONG)]), seen=False).grammar.seen is None


@pytest.mark.parametrize(("times", "known"), [(1, False), (2, True)])
def test_unary_and_comma_rules_need_their_minimum(times: int, known: bool) -> None:
    grammar = induce(count([derive(VOCATIVE), derive(BRACKET)] * times)).grammar
    assert (UnaryChange(parse("NP"), parse("S/S")) in grammar.unary) is known
    assert (CommaRule(parse("LRB"), parse("NP"), parse(r"NP\NP")) in grammar.comma_rules) is known


def test_known_rules_stay_and_are_not_doubled() -> None:
    grammar = induce(count([derive(SONG)] * 3)).grammar
    assert grammar.unary[: len(ENGLISH.unary)] == ENGLISH.unary
    assert len(set(grammar.unary)) == len(grammar.unary)


def test_roots_need_their_minimum() -> None:
    fragment = derive("[=PP at:PP/NP night:NP]")
    assert parse("PP") not in induce(count([fragment] * 4)).grammar.roots
    assert parse("PP") in induce(count([fragment] * 5)).grammar.roots


def test_the_commonest_root_is_free_and_the_others_cost_by_how_rare_they_are() -> None:
    counts = count([derive(SONG)] * 8 + [derive("[=PP at:PP/NP night:NP]")] * 2)
    (commonest, _), _ = counts.roots.most_common(2)
    assert root_costs(counts, 0.5) == {commonest: 0.0, parse("PP"): pytest.approx(0.5 * math.log(4))}
    assert root_costs(counts, 1.0, [commonest, parse("NP")]) == {
        commonest: 0.0,
        parse("NP"): pytest.approx(math.log(8)),
    }
    assert root_costs({}, 1.0) == {}
    grammar = induce(counts, min_root=2, root_weight=2.0).grammar
    assert set(grammar.root_costs) == grammar.roots
    assert grammar.root_costs[parse("PP")] == pytest.approx(2 * math.log(4))
    assert induce(counts).grammar.root_costs == {}


def test_new_combinators_join_only_on_request() -> None:
    counts = count([derive(CROSSED)] * 3)
    assert counts.rules[Rule.FORWARD_CROSSED_COMPOSITION] == 3
    assert Rule.FORWARD_CROSSED_COMPOSITION not in induce(counts).grammar.combinators
    assert Rule.FORWARD_CROSSED_COMPOSITION in induce(counts, min_combinator=3).grammar.combinators
    assert Rule.FORWARD_CROSSED_COMPOSITION not in induce(counts, min_combinator=4).grammar.combinators


def test_raising_is_counted_with_the_variable() -> None:
    plain = UnaryChange(parse("NP"), parse(r"S[dcl]/(S[dcl]\NP)"))
    assert raised_with_variable(plain) == UnaryChange(parse("NP"), parse(r"S[X]/(S[X]\NP)"))
    change = UnaryChange(parse("N"), parse("NP"))
    assert raised_with_variable(change) == change


def test_nodes_no_rule_makes_are_counted_apart() -> None:
    counts = count([derive(r"[=NP she:NP he:NP]")])
    assert counts.unlicensed == {(parse("NP"), parse("NP"), parse("NP")): 1}
    assert not counts.pairs


def test_the_same_treebank_gives_the_same_grammar_in_any_order() -> None:
    bank = [derive(text) for text in (SONG, VOCATIVE, BRACKET)] * 2
    one, other = induce(count(bank)), induce(count(bank[::-1]))
    assert one.grammar.dumps() == other.grammar.dumps()
    assert Grammar.loads(one.grammar.dumps()) == one.grammar
    assert compile_grammar(one.grammar, one.lexical) == compile_grammar(other.grammar, other.lexical)


@pytest.mark.parametrize(
    "change", [r"S[dcl] -> NP\NP", r"S[dcl]\NP -> NP\NP", "NP -> S/S", r"NP -> NP\NP", r"S[b]\NP -> (S\NP)\(S\NP)"]
)
def test_a_type_change_that_a_linguist_would_refuse_can_be_left_out(change: str) -> None:
    child, result = (Category.parse(part.strip()) for part in change.split("->"))
    counts = count([])
    counts.unary[UnaryChange(child, result)] = 1000
    assert induce(counts, refuse=True).grammar.change(child) == ENGLISH.change(child)


def test_type_changes_of_the_treebank_that_ccgbank_could_have_are_induced() -> None:
    change = UnaryChange(Category.parse(r"S[to]\NP"), Category.parse("NP"))
    counts = count([])
    counts.unary[change] = 2
    assert change in induce(counts, refuse=True).grammar.unary


def test_the_barn_does_not_fall_in_the_garden_path_sentence() -> None:
    r"""*fell* is ``S[dcl]\NP``: as a modifier of *the barn* it would leave *raced* the finite verb."""
    fell = Category.parse(r"S[dcl]\NP")
    counts = count([])
    counts.unary[UnaryChange(fell, Category.parse(r"NP\NP"))] = 1000
    assert all(not change.result.is_modifier for change in induce(counts, refuse=True).grammar.change(fell))
