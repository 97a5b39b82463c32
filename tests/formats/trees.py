"""Derivations that several tests draw, write and read."""

from __future__ import annotations

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf
from starccg.ccg.licensing import annotate

parse = Category.parse


def right_branching(words: int) -> Derivation:
    """``very very ... old``: as deep as it is long."""
    tree: Derivation = Leaf(parse("N"), "old")
    for _ in range(words - 1):
        tree = Binary(parse("N"), Leaf(parse("N/N"), "very"), tree, head=1)
    return annotate(tree)


def left_branching(words: int) -> Derivation:
    """``rain and and ...``, deep to the left."""
    tree: Derivation = Leaf(parse("N"), "rain")
    for _ in range(words - 1):
        tree = Binary(parse("N"), tree, Leaf(parse("N\\N"), "again"))
    return annotate(tree)


def balanced(depth: int) -> Derivation:
    """Two of everything, all the way down."""
    if depth == 0:
        return Leaf(parse("N"), "leaf")
    left, right = balanced(depth - 1), balanced(depth - 1)
    return Binary(parse("N"), left, right)
