"""The rule table as the native core holds it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from starccg.ccg.table import BinaryRule, RuleTable, UnaryRule
from starccg.search.native import core as _core
from starccg.search.signature import chain_length_matters, normal_form_classes
from starccg.search.types import Ints1d

Ints2d = npt.NDArray[np.int32]
Floats64 = npt.NDArray[np.float64]
Masks1d = npt.NDArray[np.uint32]
Masks2d = npt.NDArray[np.uint32]


class SearchTable:
    """A rule table held by the native core: built once, never changed, shared by threads."""

    __slots__ = ("native",)

    def __init__(self, table: RuleTable) -> None:
        self.native = _native_table(
            categories=len(table.categories),
            lexical=table.lexical,
            binary=np.array(table.binary, np.int32).reshape(-1, 5),
            unary=np.array(table.unary, np.int32).reshape(-1, 3),
            roots=np.array(table.roots, np.int32),
            root_scores=np.array(table.root_scores, np.float64),
            allowed=np.array(table.allowed, np.uint32),
            unary_allowed=np.array(table.unary_allowed, np.uint32),
            start_only=table.start_only,
            max_unary_chain=table.max_unary_chain,
            unary_at_root=table.unary_at_root,
        )

    @classmethod
    def from_arrays(
        cls,
        *,
        categories: int,
        lexical: int,
        binary: Ints2d,  # (B, 5): left, right, result, rule, head
        unary: Ints2d,  # (U, 3): child, result, rule
        roots: Ints1d,
        allowed: Masks2d,  # (T, T)
        unary_allowed: Masks1d,  # (T,)
        start_only: int,
        max_unary_chain: int,
        unary_at_root: bool,
        root_scores: Floats64 | None = None,  # of each root, none above 0
    ) -> SearchTable:
        """The same from plain arrays, as a model folder or a benchmark holds them."""
        self = cls.__new__(cls)
        self.native = _native_table(
            categories=categories,
            lexical=lexical,
            binary=binary,
            unary=unary,
            roots=roots,
            root_scores=np.zeros(0) if root_scores is None else root_scores,
            allowed=allowed,
            unary_allowed=unary_allowed,
            start_only=start_only,
            max_unary_chain=max_unary_chain,
            unary_at_root=unary_at_root,
        )
        return self


def _native_table(
    *,
    categories: int,
    lexical: int,
    binary: Ints2d,
    unary: Ints2d,
    roots: Ints1d,
    root_scores: Floats64,
    allowed: Masks2d,
    unary_allowed: Masks1d,
    start_only: int,
    max_unary_chain: int,
    unary_at_root: bool,
) -> _core.Table:
    binary = np.ascontiguousarray(binary, np.int32).reshape(-1, 5)
    unary = np.ascontiguousarray(unary, np.int32).reshape(-1, 3)
    allowed = np.ascontiguousarray(allowed, np.uint32)
    unary_allowed = np.ascontiguousarray(unary_allowed, np.uint32)
    types = len(unary_allowed)
    if not 1 <= types <= 32 or allowed.shape != (types, types):
        raise ValueError(
            f"normal form: allowed must be (T, T) and unary_allowed (T,) with T from 1 to 32, "
            f"not {allowed.shape} and {unary_allowed.shape}"
        )
    for name, rules in (("binary", binary[:, 3]), ("unary", unary[:, 2])):
        if len(rules) and not (rules.min() >= 0 and rules.max() < types):
            raise ValueError(f"{name} rules name rule types outside 0..{types - 1}, the size of the normal form")
    binary_rules = [BinaryRule(*row) for row in binary.tolist()]
    unary_rules = [UnaryRule(*row) for row in unary.tolist()]
    classes = normal_form_classes(binary_rules, unary_rules, allowed.tolist(), unary_allowed.tolist())
    matters = chain_length_matters(unary_rules, unary_allowed.tolist(), max_unary_chain)
    return _core.Table(
        categories,
        lexical,
        binary,
        unary,
        np.ascontiguousarray(roots, np.int32),
        np.ascontiguousarray(root_scores, np.float64),
        allowed,
        unary_allowed,
        start_only,
        max_unary_chain,
        unary_at_root,
        np.array(classes, np.int32),
        matters,
    )
