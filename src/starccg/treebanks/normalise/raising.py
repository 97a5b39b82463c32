r"""Type raising undone: an object is an argument, not a function over its verb, unless something is extracted."""

from __future__ import annotations

from collections import Counter

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.rules import Rule
from starccg.treebanks.normalise.editing import join, rebuild, relabel


def undo_raising(derivation: Derivation, tally: Counter[str]) -> Derivation:
    """A raised phrase that applies to its functor is handed to it as the argument it was; so are reflexives."""

    def edit(node: Derivation) -> Derivation:
        if not isinstance(node, Binary):
            return node
        if node.rule in (Rule.BACKWARD_APPLICATION, None):
            lowered = _lower(node.right, tally, "object")
            if lowered is not None:
                return join(node.left, lowered, node.category)
        if node.rule is Rule.FORWARD_APPLICATION and isinstance(node.left, Unary):
            lowered = _lower(node.left, tally, "subject")
            if lowered is not None:
                return join(lowered, node.right, node.category)
        return node

    return rebuild(derivation, edit)


def _lower(node: Derivation, tally: Counter[str], what: str) -> Derivation | None:
    """The phrase under the raising, with the marks that stood over it; None if it was not raised."""
    marks: list[Derivation] = []
    while isinstance(node, Binary) and node.rule is Rule.RIGHT_PUNCTUATION:
        marks.append(node.right)
        node = node.left
    result: Derivation
    if isinstance(node, Unary) and node.rule in (Rule.FORWARD_TYPE_RAISING, Rule.BACKWARD_TYPE_RAISING):
        tally[f"raised {what} lowered"] += 1
        result = node.child
    elif isinstance(node, Leaf) and node.category.is_type_raised and what == "object":
        tally["raised pronoun (himself) lowered"] += 1
        result = relabel(node, _argument(node.category))
    else:
        return None
    for mark in reversed(marks):
        result = join(result, mark, result.category)
    return result


def _argument(raised: Category) -> Category:
    assert isinstance(raised, Functor)
    assert isinstance(raised.argument, Functor)
    return raised.argument.argument
