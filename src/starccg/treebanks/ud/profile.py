"""What a language brings to the conversion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starccg.ccg.grammar import Grammar
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.conllu import Tree
from starccg.treebanks.ud.planner import Planner


@dataclass(frozen=True, slots=True)
class Profile:
    """Grammars that license the derivations, and a planner that says how the phrases of a tree are built."""

    name: str
    grammars: tuple[Grammar, ...]
    """From the narrowest to the widest: a sentence is converted with the first that derives it."""
    planner: Planner
    prepare: Callable[[Tree], None]
    """Settles what treebanks of the language annotate differently, in place."""
    find_fronts: Callable[[Builder], None]
    """Takes relative and interrogative phrases out of their clauses and notes them where they stand."""

    @property
    def grammar(self) -> Grammar:
        """The widest grammar, which licenses every converted derivation."""
        return self.grammars[-1]
