"""What a language brings to the conversion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starccg.ccg.grammar import Grammar
from starccg.treebanks.ud.builder import Builder, Planner
from starccg.treebanks.ud.conllu import Tree


@dataclass(frozen=True, slots=True)
class Profile:
    """A grammar that licenses the derivations, and a planner that says how the phrases of a tree are built."""

    name: str
    grammar: Grammar
    planner: Planner
    prepare: Callable[[Tree], None]
    """Settles what treebanks of the language annotate differently, in place."""
    find_fronts: Callable[[Builder], None]
    """Takes relative and interrogative phrases out of their clauses and notes them where they stand."""
