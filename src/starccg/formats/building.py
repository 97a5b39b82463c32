"""Build derivations from files that have only categories: rules and heads are inferred."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Unary
from starccg.ccg.grammar import head_side, unary_rule
from starccg.ccg.licensing import binary_rule


def build_node(
    category: Category, children: Sequence[Derivation], fail: Callable[[str], NoReturn], head: int | None = None
) -> Derivation:
    """A node with its rule type; if ``head`` is not given, the head is the one that CCGbank would mark.

    ``fail`` raises an error at the place of the node.
    """
    match children:
        case [child]:
            return Unary(category, child, unary_rule(child.category, category))
        case [left, right]:
            rule = binary_rule(left.category, right.category, category)
            if head is None:
                head = 0 if rule is None else head_side(rule, left.category, right.category)
            return Binary(category, left, right, rule, head)
        case _:
            return fail(f"a node must have one or two children, not {len(children)}")
