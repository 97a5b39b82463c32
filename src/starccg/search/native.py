"""The compiled core, and the rule table and the recursive unit as it holds them."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from starccg.ccg.table import RuleTable
from starccg.errors import StarccgError
from starccg.search.signature import chain_length_matters, normal_form_classes
from starccg.search.types import TreeLstmWeights

try:
    from starccg import _core as core
except ImportError as error:
    if not str(error).startswith("STARCCG_ISA"):
        raise
    raise StarccgError(str(error)) from error

__all__ = ["core", "native_model", "native_table"]


def native_table(table: RuleTable) -> core.Table:
    """The table in native memory. It never changes, and threads may share it."""
    types = len(table.unary_allowed)
    if not types or len(table.allowed) != types or {len(row) for row in table.allowed} != {types}:
        raise ValueError(
            f"normal form: allowed must be (T, T) and unary_allowed (T,) with T from 1 to 32; unary_allowed has {types}"
        )
    binary = np.array(table.binary, np.int32).reshape(-1, 5)
    unary = np.array(table.unary, np.int32).reshape(-1, 3)
    for name, rules in (("binary", binary[:, 3]), ("unary", unary[:, 2])):
        if len(rules) and not (rules.min() >= 0 and rules.max() < types):
            raise ValueError(f"{name} rules name rule types outside 0..{types - 1}, the size of the normal form")
    return core.Table(
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


def native_model(weights: TreeLstmWeights) -> core.Model:
    """The weights in native memory. The core checks shapes and values, and raises ``ValueError``."""
    flag = "output_reads_new_cell"
    arrays = {field.name: getattr(weights, field.name) for field in fields(weights) if field.name != flag}
    arrays = {name: np.ascontiguousarray(array, np.float32) for name, array in arrays.items()}
    return core.Model(**arrays, output_reads_new_cell=weights.output_reads_new_cell)
