"""What a language brings to the conversion: kinds of marks, a planner of phrases, grammars, two repairs of trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation
from starccg.ccg.grammar import Grammar
from starccg.treebanks.ud.conllu import Tree, Word
from starccg.treebanks.ud.steps import Gap, Plan

if TYPE_CHECKING:
    from starccg.treebanks.ud.builder import Builder

JOINING = frozenset({",", ";", ":"})
"""The categories of marks that may stand for a conjunction."""
OPENING, QUOTES = frozenset({"LRB", "LQU"}), frozenset({"LQU", "RQU"})
"""Those that belong to what follows them, and quotation marks."""
FUNCTORS = frozenset({"LRB", ":", "."})
"""Those that may be functors over the phrase next to them: brackets, dashes, colons, stops inside."""


class Planner(Protocol):
    """What a language profile provides."""

    def plan(self, builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...]) -> Plan:
        """The steps by which the phrase of ``head`` becomes a ``target``."""

    def natural(self, builder: Builder, head: int) -> Category:
        """The category a phrase has by itself, as an argument or a conjunct."""

    def suits(self, builder: Builder, conjunct: int, category: Category) -> bool:
        """Whether a conjunct is of this category by itself."""

    def is_adverbial(self, builder: Builder, conjunct: int) -> bool:
        """Whether a conjunct that is unlike the first one is a modifier by itself: *and back*, *but not in London*."""

    def lexical(self, builder: Builder, head: int, category: Category) -> Derivation:
        """The head word, with what belongs to it as one expression."""

    def mark_category(self, word: Word) -> Category:
        """The category of a punctuation mark."""

    def enclosed(self, builder: Builder, child: int, asked: Category, mark: str) -> Category | None:
        """The category of a phrase that becomes a modifier by the mark next to it; None if it needs no mark."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Grammars that license the derivations, and a planner that says how the phrases of a tree are built."""

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
