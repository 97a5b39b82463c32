"""The rule table as the native core holds it."""

from __future__ import annotations

import numpy as np

from starccg.ccg.table import RuleTable
from starccg.search.native import core as _core
from starccg.search.signature import chain_length_matters, normal_form_classes


def native_table(table: RuleTable) -> _core.Table:
    """The table in native memory. It never changes, and threads may share it."""
    types = len(table.unary_allowed)
    if not 1 <= types <= 32 or {len(row) for row in table.allowed} != {types} or len(table.allowed) != types:
        raise ValueError(
            f"normal form: allowed must be (T, T) and unary_allowed (T,) with T from 1 to 32; unary_allowed has {types}"
        )
    binary = np.array(table.binary, np.int32).reshape(-1, 5)
    unary = np.array(table.unary, np.int32).reshape(-1, 3)
    for name, rules in (("binary", binary[:, 3]), ("unary", unary[:, 2])):
        if len(rules) and not (rules.min() >= 0 and rules.max() < types):
            raise ValueError(f"{name} rules name rule types outside 0..{types - 1}, the size of the normal form")
    return _core.Table(
        categories=len(table.categories),
        lexical=table.lexical,
        types=types,
        binary=binary,
        unary=unary,
        roots=np.array(table.roots, np.int32),
        root_scores=np.array(table.root_scores, np.float64),
        allowed=np.array(table.allowed, np.uint32),
        unary_allowed=np.array(table.unary_allowed, np.uint32),
        start_only=table.start_only,
        max_unary_chain=table.max_unary_chain,
        unary_at_root=table.unary_at_root,
        classes=np.array(normal_form_classes(table.binary, table.unary, table.allowed, table.unary_allowed), np.int32),
        chain_length_matters=chain_length_matters(table.unary, table.unary_allowed, table.max_unary_chain),
    )
