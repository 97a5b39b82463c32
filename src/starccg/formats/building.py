"""Build derivations from files that have only categories: rules and heads are inferred."""

from __future__ import annotations

from collections.abc import Sequence

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Unary
from starccg.ccg.grammar import head_side, unary_rule
from starccg.ccg.licensing import binary_rule


class ArityError(ValueError):
    """A node with no children, or more than two."""

    def __init__(self, arity: int) -> None:
        super().__init__(f"a node must have one or two children, not {arity}")


def build_node(category: Category, children: Sequence[Derivation], head: int | None = None) -> Derivation:
    """A node with its rule type; if ``head`` is not given, the head is the one that CCGbank would mark."""
    match children:
        case [child]:
            return Unary(category, child, unary_rule(child.category, category))
        case [left, right]:
            rule = binary_rule(left.category, right.category, category)
            if head is None:
                head = 0 if rule is None else head_side(rule, left.category, right.category)
            return Binary(category, left, right, rule, head)
        case _:
            raise ArityError(len(children))
