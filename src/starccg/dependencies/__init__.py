r"""Predicate-argument dependencies, extracted from a derivation.

>>> from starccg.ccg.category import Category
>>> str(coindex(Category.parse(r"(S[dcl]\NP)/(S[b]\NP)")))
'(S[dcl]\\NP_1)/(S[b]_2\\NP_1:B)_2'
"""

from __future__ import annotations

from starccg.dependencies.coindexation import coindex
from starccg.dependencies.extraction import Extraction, extract, extraction
from starccg.dependencies.indexed import IndexedCategory, Slot
from starccg.dependencies.types import Dependency, Reach

__all__ = [
    "Dependency",
    "Extraction",
    "IndexedCategory",
    "Reach",
    "Slot",
    "coindex",
    "extract",
    "extraction",
]
