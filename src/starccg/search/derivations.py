"""From the numbers that a search gives back to a derivation of categories and words."""

from __future__ import annotations

from collections.abc import Sequence

from starccg.ccg.derivation import UNKNOWN_POS, Binary, Derivation, Leaf, Unary
from starccg.ccg.grammar import head_side
from starccg.ccg.rules import Rule
from starccg.ccg.table import RuleTable
from starccg.search.types import Node

_RULES = tuple(map(Rule, range(len(Rule))))
"""The rules by their number."""


def build_derivation(
    nodes: Sequence[Node],
    table: RuleTable,
    words: Sequence[str],
    pos: Sequence[str] | None = None,
    lemmas: Sequence[str] | None = None,
) -> Derivation:
    """The derivation whose nodes a search found, children before parents."""
    built: list[Derivation] = []
    for node in nodes:
        category, rule = table.categories[node.category], _RULES[node.rule]
        if node.left < 0:
            tag = UNKNOWN_POS if pos is None else pos[node.start]
            lemma = None if lemmas is None else lemmas[node.start]
            built.append(Leaf(category, words[node.start], tag, tag, None, lemma))
        elif node.right < 0:
            built.append(Unary(category, built[node.left], rule))
        else:
            left, right = built[node.left], built[node.right]
            built.append(Binary(category, left, right, rule, head_side(rule, left.category, right.category)))
    return built[-1]
