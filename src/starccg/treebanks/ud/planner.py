"""What a language profile must provide to plan the phrases of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation
from starccg.treebanks.ud.conllu import Word
from starccg.treebanks.ud.steps import Gap, Plan

if TYPE_CHECKING:
    from starccg.treebanks.ud.builder import Builder


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

    def enclosed(self, builder: Builder, child: int, asked: Category, mark: Word) -> Category | None:
        """The category of a phrase that becomes a modifier by the mark next to it; None if it needs no mark."""

    def joins(self, word: Word) -> bool:
        """Whether a mark may stand for a conjunction."""

    def opens(self, word: Word) -> bool:
        """Whether a mark belongs to what follows it."""

    def quotes(self, word: Word) -> bool:
        """Whether it is a quotation mark."""

    def is_functor(self, word: Word) -> bool:
        """Whether a mark may be a functor over the phrase next to it."""
