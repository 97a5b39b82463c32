"""From the numbers that a search gives back to a derivation of categories and words."""

from __future__ import annotations

from collections.abc import Sequence

from starccg.ccg.grammar import head_side
from starccg.ccg.rules import Rule
from starccg.ccg.table import RuleTable
from starccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.search.types import Node


def build_derivation(nodes: Sequence[Node], table: RuleTable, words: Sequence[str]) -> Derivation:
    """The derivation whose nodes a search found, children before parents."""
    built: list[Derivation] = []
    for node in nodes:
        category, rule = table.categories[node.category], Rule(node.rule)
        if node.left < 0:
            built.append(Leaf(category, words[node.start]))
        elif node.right < 0:
            built.append(Unary(category, built[node.left], rule))
        else:
            left, right = built[node.left], built[node.right]
            built.append(Binary(category, left, right, rule, head_side(rule, left.category, right.category)))
    return built[-1]
