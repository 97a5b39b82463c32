from __future__ import annotations

import itertools
import json
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.ccg.compiler import compile_grammar
from starccg.ccg.english import EASYSRL, ENGLISH
from starccg.ccg.grammar import OTHER_COMBINATORS, Grammar, GrammarError, seen_key
from starccg.ccg.normal_form import FREE, NormalForm
from starccg.ccg.rules import BINARY_RULES, UNARY_RULES, Rule
from starccg.ccg.table import RuleTable
from tests.strategies import categories, examples

parse = Category.parse

TAGS = [
    parse(text)
    for text in (
        "N", "NP", "NP/N", "N/N", "PP", "PP/NP", "conj", ",", ".", "S/S",
        r"S[dcl]\NP", r"(S[dcl]\NP)/NP", r"(S[dcl]\NP)/(S[b]\NP)", r"(S[b]\NP)/NP", r"(S\NP)\(S\NP)",
        r"((S\NP)\(S\NP))/NP", r"(NP\NP)/(S[dcl]\NP)", r"(NP\NP)/(S[dcl]/NP)", r"(S[ng]\NP)/PP",
    )
]  # fmt: skip


def said_by_table(table: RuleTable) -> set[tuple[Category, Category, Category, int, int]]:
    name = table.categories
    return {(name[left], name[right], name[result], rule, head) for left, right, result, rule, head in table.binary}


def said_by_grammar(grammar: Grammar, known: set[Category]) -> set[tuple[Category, Category, Category, int, int]]:
    return {
        (left, right, made.category, int(made.rule), made.head)
        for left, right in itertools.product(known, repeat=2)
        for made in grammar.combine(left, right)
        if made.category in known
    }


@given(st.lists(categories(3), min_size=1, max_size=6, unique=True), st.sampled_from([ENGLISH, EASYSRL]))
@examples(60)
def test_the_rule_table_says_what_the_combinators_say(lexical: list[Category], grammar: Grammar) -> None:
    grammar = replace(grammar, combinators=grammar.combinators | OTHER_COMBINATORS)
    table = compile_grammar(grammar, lexical, max_size=5, max_categories=60)
    known = set(table.categories)
    assert said_by_table(table) == said_by_grammar(grammar, known)
    assert {(table.categories[child], table.categories[result], rule) for child, result, rule in table.unary} == {
        (category, change.result, int(change.rule))
        for category in known
        for change in grammar.change(category)
        if change.result in known
    }


def test_the_table_of_a_small_english_lexicon_says_what_the_combinators_say() -> None:
    table = compile_grammar(ENGLISH, TAGS, max_size=6, max_categories=300)
    assert said_by_table(table) == said_by_grammar(ENGLISH, set(table.categories))
    assert list(table.categories[: table.lexical]) == TAGS
    assert {str(table.categories[root]) for root in table.roots} <= {str(root) for root in ENGLISH.roots}


def test_a_closure_that_ends_is_complete_and_closed() -> None:
    pairs = itertools.product([*TAGS, parse(r"S[dcl]"), parse(r"S[b]\NP"), parse(r"NP\NP")], repeat=2)
    grammar = replace(ENGLISH, seen=frozenset((seen_key(left), seen_key(right)) for left, right in pairs))
    table = compile_grammar(grammar, TAGS, max_size=50)
    assert table.complete
    known = set(table.categories)
    for left, right in itertools.product(known, repeat=2):
        assert all(made.category in known for made in grammar.combine(left, right))


def test_a_closure_without_end_stops_at_its_stated_bound_and_says_so() -> None:
    table = compile_grammar(ENGLISH, TAGS, max_size=6, max_categories=200)
    assert not table.complete
    assert len(table.categories) <= 200
    assert all(category.size <= 6 for category in table.categories[table.lexical :])


def test_the_default_bound_compiles_in_seconds() -> None:
    start = time.perf_counter()
    compile_grammar(ENGLISH, TAGS)
    assert time.perf_counter() - start < 60, "a generous bound for a loaded machine; benchmarks hold the figure"


def test_the_seen_rules_filter_everything_but_punctuation() -> None:
    only = replace(ENGLISH, seen=frozenset({(parse("NP/N"), parse("N"))}))
    assert only.combine(parse("NP[nb]/N"), parse("N"))
    assert not only.combine(parse("N/N"), parse("N"))
    assert only.combine(parse("NP"), parse("."))
    assert only.without_filter() == ENGLISH


@pytest.mark.parametrize("grammar", [ENGLISH, EASYSRL, Grammar(), replace(ENGLISH, normal_form=FREE)])
def test_a_saved_grammar_loads_as_it_was(grammar: Grammar) -> None:
    seen = replace(grammar, seen=frozenset({(parse("NP/N"), parse("N")), (parse("conj"), parse("N"))}))
    for value in (grammar, seen):
        assert Grammar.loads(value.dumps()) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "not JSON: line 1"),
        ("[]", "not a saved grammar"),
        ("{}", "KeyError: 'format'"),
        ('{"format": "other"}', "expected format 'starccg-grammar-1'"),
    ],
)
def test_what_is_not_a_saved_grammar_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(GrammarError, match=reason):
        Grammar.loads(text)


def test_the_costs_of_roots_are_saved_and_compiled_into_scores() -> None:
    grammar = replace(ENGLISH, root_costs={parse("NP"): 1.5, parse("S[dcl]"): 0.0})
    assert Grammar.loads(grammar.dumps()) == grammar
    assert "root_costs" not in ENGLISH.to_json()
    assert compile_grammar(ENGLISH, TAGS, max_size=6).root_scores == ()
    table = compile_grammar(grammar, TAGS, max_size=6)
    scores = {table.categories[root]: score for root, score in zip(table.roots, table.root_scores, strict=True)}
    assert scores[parse("NP")] == -1.5
    assert all(score == 0 for root, score in scores.items() if root != parse("NP"))


@pytest.mark.parametrize("cost", [-0.5, float("nan"), float("inf"), 1e9])
def test_a_root_cannot_be_a_gain_nor_cost_more_than_any_sentence(cost: float) -> None:
    with pytest.raises(GrammarError, match="cost of the root NP must be from 0 to 1000"):
        replace(ENGLISH, root_costs={parse("NP"): cost})
    saved = ENGLISH.to_json() | {"root_costs": {"NP": cost}}
    with pytest.raises(GrammarError, match="cost of the root NP"):
        Grammar.from_json(saved)
    with pytest.raises(GrammarError, match="not a saved grammar"):
        Grammar.from_json(saved | {"root_costs": ["NP"]})


def test_a_saved_grammar_with_a_broken_category_says_which() -> None:
    value = ENGLISH.to_json()
    value["roots"] = ["S[dcl"]
    with pytest.raises(GrammarError, match=r"S\[dcl"):
        Grammar.loads(json.dumps(value))


def test_the_masks_of_the_normal_form_say_what_it_says() -> None:
    form = NormalForm()
    masks, unary = form.binary_masks(), form.unary_masks()
    for left, right, rule in itertools.product(Rule, Rule, BINARY_RULES):
        assert bool(masks[left][right] >> rule & 1) is form.allows(rule, left, right)
    for child, rule in itertools.product(Rule, UNARY_RULES):
        assert bool(unary[child] >> rule & 1) is form.allows_unary(rule, child)


R = Rule


@pytest.mark.parametrize(
    ("rule", "left", "right"),
    [
        (R.FORWARD_APPLICATION, R.FORWARD_COMPOSITION, R.LEXICON),
        (R.GENERALISED_FORWARD_COMPOSITION, R.GENERALISED_FORWARD_COMPOSITION, R.LEXICON),
        (R.BACKWARD_APPLICATION, R.LEXICON, R.BACKWARD_CROSSED_COMPOSITION),
        (R.FORWARD_APPLICATION, R.FORWARD_TYPE_RAISING, R.LEXICON),
        (R.BACKWARD_APPLICATION, R.LEXICON, R.BACKWARD_TYPE_RAISING),
        (R.FORWARD_COMPOSITION, R.FORWARD_TYPE_RAISING, R.GENERALISED_BACKWARD_CROSSED_COMPOSITION),
        (R.BACKWARD_CROSSED_COMPOSITION, R.GENERALISED_FORWARD_COMPOSITION, R.BACKWARD_TYPE_RAISING),
        (R.BACKWARD_APPLICATION, R.CONJUNCTION, R.LEXICON),
        (R.BACKWARD_CROSSED_COMPOSITION, R.LEXICON, R.CONJUNCTION),
        (R.RIGHT_PUNCTUATION, R.FORWARD_TYPE_RAISING, R.LEXICON),
        (R.RIGHT_PUNCTUATION, R.FORWARD_COMPOSITION, R.LEXICON),
        (R.LEFT_PUNCTUATION, R.LEXICON, R.BACKWARD_CROSSED_COMPOSITION),
    ],
)
def test_the_normal_form_blocks_each_spurious_derivation(rule: Rule, left: Rule, right: Rule) -> None:
    assert not NormalForm().allows(rule, left, right)
    assert FREE.allows(rule, left, right)


def test_the_normal_form_lets_the_canonical_derivations_through() -> None:
    form = NormalForm()
    assert form.allows(R.BACKWARD_APPLICATION, R.LEXICON, R.CONJUNCTION)
    assert form.allows(R.FORWARD_COMPOSITION, R.FORWARD_TYPE_RAISING, R.LEXICON)
    assert form.allows(R.FORWARD_APPLICATION, R.LEXICON, R.FORWARD_COMPOSITION)
    assert form.allows_unary(R.FORWARD_TYPE_RAISING, R.TYPE_CHANGE)
    assert not form.allows_unary(R.FORWARD_TYPE_RAISING, R.FORWARD_TYPE_RAISING)
    assert not form.allows_unary(R.TYPE_CHANGE, R.TYPE_CHANGE)
    assert FREE.allows_unary(R.TYPE_CHANGE, R.TYPE_CHANGE)
