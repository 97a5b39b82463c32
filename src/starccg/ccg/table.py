"""The compiled grammar, in integers: the only form that the search uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from starccg.ccg.category import Category


class BinaryRule(NamedTuple):
    """``left right -> result``, built by a rule type, headed by one of the two (0 left, 1 right)."""

    left: int
    right: int
    result: int
    rule: int
    head: int


class UnaryRule(NamedTuple):
    """``child -> result``, built by a rule type."""

    child: int
    result: int
    rule: int


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A grammar closed over its lexical categories. Category ``i`` is ``categories[i]``.

    The first ``lexical`` categories are the ones a tagger may give to a word. The normal form is two tables of
    bit masks over rule types: ``allowed[a][b]`` has bit ``r`` set if rule ``r`` may join a left child built by
    ``a`` and a right child built by ``b``; ``unary_allowed[a]`` says the same of unary rules over a child built by
    ``a``. The rules in ``start_only`` may only build a node that starts the sentence. A chain of unary
    rules over one span has at most ``max_unary_chain`` links (0: no bound).
    """

    categories: tuple[Category, ...]
    lexical: int
    binary: tuple[BinaryRule, ...]
    unary: tuple[UnaryRule, ...]
    roots: tuple[int, ...]
    allowed: tuple[tuple[int, ...], ...]
    unary_allowed: tuple[int, ...]
    start_only: int
    max_unary_chain: int
    unary_at_root: bool = True
    complete: bool = True
    """False if the closure reached its bound and categories were left out."""
    root_scores: tuple[float, ...] = ()
    """The score of each root, parallel to ``roots``, none above zero. Empty: all are zero."""
