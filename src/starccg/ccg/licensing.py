"""Infer the rule that built a node; treebanks only have its categories."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Unary
from starccg.ccg.english import ENGLISH
from starccg.ccg.grammar import OTHER_COMBINATORS, Combination, Grammar, unary_rule
from starccg.ccg.rules import Rule

PERMISSIVE = Grammar(
    combinators=ENGLISH.combinators | OTHER_COMBINATORS, unary=ENGLISH.unary, comma_rules=ENGLISH.comma_rules
)
"""A grammar with all combinators, to name the rules of any treebank. Not for parsing."""


@lru_cache(maxsize=1 << 16)
def _combine(left: Category, right: Category) -> tuple[Combination, ...]:
    return PERMISSIVE.combine(left, right)


def binary_rule(left: Category, right: Category, result: Category) -> Rule | None:
    """The rule by which two categories make ``result`` in some treebank; None if there is none."""
    return next((rule for category, rule, _ in _combine(left, right) if category is result.bare_nb), None)


def licensed(node: Derivation, grammar: Grammar) -> bool:
    """Whether ``grammar`` builds this node from its children, the normal form aside."""
    match node:
        case Binary(category, (left, right)):
            return any(made.category is category.bare_nb for made in grammar.combine(left.category, right.category))
        case Unary(category, child):
            return any(change.result is category.bare_nb for change in grammar.change(child.category))
        case _:
            return True


def annotate(derivation: Derivation) -> Derivation:
    """The same derivation with the rule type of every node; None where no rule licenses it."""
    return derivation.fold(_with_rule)


def _with_rule(node: Derivation, children: Sequence[Derivation]) -> Derivation:
    match node:
        case Binary(category, (left, right), head=head):
            return Binary(
                category, children[0], children[1], binary_rule(left.category, right.category, category), head
            )
        case Unary(category, child):
            return Unary(category, children[0], unary_rule(child.category, category))
    return node
