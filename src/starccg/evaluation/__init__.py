"""Evaluation of CCG parsers by the dependencies they recover."""

from __future__ import annotations

from starccg.dependencies.relations import relation_name
from starccg.evaluation.alignment import AlignmentError, align
from starccg.evaluation.analyses import Analysis, read_analyses
from starccg.evaluation.comparison import Comparison, compare
from starccg.evaluation.exclusions import CcgbankExclusions, count_relations
from starccg.evaluation.scores import Interval, RelationScore, Scores, Tally, evaluate

__all__ = [
    "AlignmentError",
    "Analysis",
    "CcgbankExclusions",
    "Comparison",
    "Interval",
    "RelationScore",
    "Scores",
    "Tally",
    "align",
    "compare",
    "count_relations",
    "evaluate",
    "read_analyses",
    "relation_name",
]
