"""Gold derivations: same dependencies, normal form, right branching, and found again by the search."""

from __future__ import annotations

from dataclasses import replace

import pytest

from starccg.ccg.category import Category
from starccg.ccg.compiler import compile_grammar
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.english import ENGLISH
from starccg.ccg.grammar import Combination, CommaRule
from starccg.ccg.induction import count, induce
from starccg.ccg.licensing import annotate
from starccg.ccg.rules import Rule
from starccg.dependencies import extract
from starccg.treebanks.gold import GoldOutcome, GoldSearch, in_normal_form
from starccg.treebanks.gold_agenda import Item
from starccg.treebanks.head_states import Link, binary_step, leaf_state, unary_step
from tests.dependencies.notation import derive

BANK = {
    "left-branching adverbs": r"[[She:NP [[sings:S[dcl]\NP loudly:(S\NP)\(S\NP)] today:(S\NP)\(S\NP)]] .:.]",
    "adverb inside": r"[She:NP [[sang:(S[dcl]\NP)/NP now:(S\NP)\(S\NP)] [a:NP/N tune:N]]]",
    "object raised out of normal form": (r"[She:NP [sings:(S[dcl]\NP)/NP [=(S[X]\NP)\((S[X]\NP)/NP) [=NP tunes:N]]]]"),
    "subject raised out of normal form": r"[[=S[X]/(S[X]\NP) She:NP] [sings:(S[dcl]\NP)/NP [=NP tunes:N]]]",
    "left-branching auxiliaries": (r"[She:NP [[will:(S[dcl]\NP)/(S[b]\NP) have:(S[b]\NP)/(S[pt]\NP)] sung:S[pt]\NP]]"),
    "compound": r"[[=NP [[tea:N/N kettle:N/N] lid:N]] rattles:S[dcl]\NP]",
    "mark inside": r"[[=NP [Ana:N ,:,]] [sings:(S[dcl]\NP)/NP [[=NP tunes:N] .:.]]]",
    "object relative": (
        r"[[the:NP/N tune:N] [that:(NP\NP)/(S[dcl]/NP) [[=S[X]/(S[X]\NP) she:NP] sang:(S[dcl]\NP)/NP]]]"
    ),
    "reduced relative": r"[[[the:NP/N girl:N] [=NP\NP singing:S[ng]\NP]] left:S[dcl]\NP]",
    "coordination": r"[She:NP [sang:S[dcl]\NP [and:conj [danced:S[dcl]\NP slowly:(S\NP)\(S\NP)]]]]",
    "right node raising": (
        r"[[[[=S[X]/(S[X]\NP) I:NP] make:(S[dcl]\NP)/NP] [and:conj [[=S[X]/(S[X]\NP) you:NP] fly:(S[dcl]\NP)/NP]]]"
        r" [=NP kites:N]]"
    ),
    "control": r"[She:NP [[told:((S[dcl]\NP)/(S[to]\NP))/NP me:NP] [to:(S[to]\NP)/(S[b]\NP) sing:S[b]\NP]]]",
    "subject control": r"[She:NP [wants:(S[dcl]\NP)/(S[to]\NP) [to:(S[to]\NP)/(S[b]\NP) sing:S[b]\NP]]]",
    "question": r"[What:S[wq]/(S[q]/NP) [[did:(S[q]/(S[b]\NP))/NP she:NP] sing:(S[b]\NP)/NP]]",
    "fronted adjunct": r"[[At:(S/S)/NP [=NP night:N]] [[she:NP sings:S[dcl]\NP] .:.]]",
}
SEARCH = GoldSearch(ENGLISH)


def links(derivation: Derivation) -> set[Link]:
    return {(d.head, d.slot, d.argument) for d in extract(derivation)}


@pytest.mark.parametrize("name", BANK)
def test_the_gold_derivation_has_the_dependencies_of_the_treebank_and_is_in_normal_form(name: str) -> None:
    own = derive(BANK[name])
    gold = SEARCH.gold(own)
    assert gold.outcome is GoldOutcome.FOUND and gold.derivation is not None
    assert links(gold.derivation) == links(own)
    assert gold.derivation.words == own.words and gold.derivation.supertags == own.supertags
    assert in_normal_form(gold.derivation, ENGLISH)


@pytest.mark.parametrize("name", BANK)
def test_the_gold_derivation_of_a_gold_derivation_is_itself(name: str) -> None:
    first = SEARCH.gold(derive(BANK[name])).derivation
    assert first is not None
    assert SEARCH.gold(first).derivation == first


def test_few_unary_rules_first() -> None:
    gold = SEARCH.gold(derive(BANK["object raised out of normal form"])).derivation
    assert gold == derive(r"[She:NP [sings:(S[dcl]\NP)/NP [=NP tunes:N]]]")
    assert SEARCH.gold(derive(BANK["subject raised out of normal form"])).derivation == gold


def test_then_the_right_most_branching() -> None:
    gold = SEARCH.gold(derive(BANK["compound"])).derivation
    assert gold == derive(r"[[=NP [tea:N/N [kettle:N/N lid:N]]] rattles:S[dcl]\NP]")
    gold = SEARCH.gold(derive(BANK["left-branching auxiliaries"])).derivation
    assert gold == derive(r"[She:NP [will:(S[dcl]\NP)/(S[b]\NP) [have:(S[b]\NP)/(S[pt]\NP) sung:S[pt]\NP]]]")


def test_where_dependencies_cannot_tell_type_changes_apart_the_treebank_chooses() -> None:
    inside = derive(r"[[the:NP/N [girl:N [=N\N singing:S[ng]\NP]]] left:S[dcl]\NP]")
    outside = derive(BANK["reduced relative"])
    for own, wanted in ((inside, r"N\N"), (outside, r"NP\NP")):
        gold = SEARCH.gold(own).derivation
        assert gold is not None
        changes = [str(node.category) for node in gold.postorder() if isinstance(node, Unary)]
        assert changes == [wanted]


def test_dependencies_that_no_derivation_has_are_not_satisfied_by_another() -> None:
    own = derive(BANK["adverb inside"])
    missing = extract(own)[1:]
    assert SEARCH.search(list(own.leaves()), frozenset((d.head, d.slot, d.argument) for d in missing))[0] is None
    assert SEARCH.gold(own, missing).outcome is GoldOutcome.OWN


def test_a_chain_of_type_changes_gives_way_to_the_one_change_that_does_it() -> None:
    chain = derive(r"[[=NP [kites:N [=N\N [=NP\NP flying:S[ng]\NP]]]] please:S[dcl]\NP]")
    gold = SEARCH.gold(chain)
    assert gold.outcome is GoldOutcome.FOUND and gold.derivation is not None
    assert in_normal_form(gold.derivation, ENGLISH) and links(gold.derivation) == links(chain)


def test_what_the_grammar_does_not_license_is_set_aside() -> None:
    gold = SEARCH.gold(derive(r"[[=NP kites:PP] please:S[dcl]\NP]"))
    assert gold.outcome is GoldOutcome.UNLICENSED and gold.derivation is None


def test_a_mark_in_mid_sentence_closes_what_precedes_it() -> None:
    mid = annotate(
        Binary(
            Category.parse("S[dcl]"),
            Leaf(Category.parse("NP"), "she"),
            Binary(
                Category.parse(r"S[dcl]\NP"),
                Leaf(Category.parse(","), ","),
                Leaf(Category.parse(r"S[dcl]\NP"), "sang"),
                head=1,
            ),
            head=1,
        )
    )
    found = SEARCH.gold(mid)
    assert found.outcome is GoldOutcome.FOUND and found.derivation is not None
    assert [node.rule for node in found.derivation.postorder()].count(Rule.RIGHT_PUNCTUATION) == 1


def test_a_sentence_whose_category_is_no_root_is_set_aside_for_that() -> None:
    assert SEARCH.gold(derive(r"[She:NP singing:S[ng]\NP]")).outcome is GoldOutcome.ROOT


def test_a_search_that_would_not_end_is_given_up_and_said_to_be() -> None:
    assert GoldSearch(ENGLISH, max_nodes=3).gold(derive(BANK["control"])).outcome is GoldOutcome.TOO_LARGE


def test_comma_rules_pass_heads_in_the_treebank_as_they_do_in_the_search() -> None:
    rule = CommaRule(Category.parse("LRB"), Category.parse("NP"), Category.parse(r"NP\NP"))
    grammar = replace(ENGLISH, comma_rules=(*ENGLISH.comma_rules, rule))
    own = derive(r"[[[the:NP/N kite:N] [=NP\NP (:LRB [the:NP/N toy:N]]] flew:S[dcl]\NP]")
    gold = GoldSearch(grammar).gold(own)
    assert gold.outcome is GoldOutcome.FOUND and gold.derivation is not None
    assert Rule.COMMA in {node.rule for node in gold.derivation.postorder()}


def test_every_gold_derivation_is_a_derivation_of_the_compiled_grammar() -> None:
    golds = [SEARCH.gold(derive(text)).derivation for text in BANK.values()]
    found = [gold for gold in golds if gold is not None]
    induced = induce(count(found))
    table = compile_grammar(induced.grammar, induced.lexical)
    numbers = {category: number for number, category in enumerate(table.categories)}
    binary = {rule[:4] for rule in table.binary}
    unary = set(table.unary)
    for gold in found:
        for node in gold.postorder():
            assert node.rule is not None
            if isinstance(node, Binary):
                left, right = numbers[node.left.category], numbers[node.right.category]
                assert (left, right, numbers[node.category], int(node.rule)) in binary
            elif isinstance(node, Unary):
                assert (numbers[node.child.category], numbers[node.category], int(node.rule)) in unary


@pytest.mark.parametrize("name", BANK)
def test_dependencies_a_node_at_a_time_are_those_of_the_whole(name: str) -> None:
    whole = derive(BANK[name])
    states = []
    resolved: set[Link] = set()
    for start, _, node in whole.spans():
        if isinstance(node, Leaf):
            states.append(leaf_state(node.category, start, node.word))
            continue
        if isinstance(node, Unary):
            step = unary_step(states.pop(), node.child.category, node.category)
        else:
            assert isinstance(node, Binary)
            right, left = states.pop(), states.pop()
            assert node.rule is not None
            pair = [
                Item(0, 0, child.category, Rule.LEXICON, state, 0)
                for child, state in zip(node.children, (left, right), strict=True)
            ]
            step = binary_step(*pair, Combination(node.category, node.rule, node.head))
        assert step is not None
        states.append(step.state)
        assert not step.resolved & resolved
        resolved |= step.resolved
    assert resolved == links(whole)
