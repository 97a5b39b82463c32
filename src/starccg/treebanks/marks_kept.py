r"""Where the marks of a treebank stand: what each does in its derivation, to be done again in another derivation.

A mark has no dependencies, so nothing but the treebank says whether ``to the lake , where it is cool`` has two adjuncts
or two conjuncts, nor which phrase a comma closes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf
from starccg.ccg.rules import Rule

NP = Category.parse("NP")
JOINS = frozenset({Rule.CONJUNCTION, Rule.COMMA})


@dataclass(frozen=True, slots=True)
class Use:
    """What a mark does: by which rule it makes a phrase, of what category and over which words (None: any)."""

    rule: Rule
    category: Category | None = None
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class KeptMarks:
    """The marks whose use is kept, by position; the others are free."""

    uses: Mapping[int, Use]

    @classmethod
    def of(cls, derivation: Derivation) -> KeptMarks:
        """The marks of a treebank's derivation, its rule types known.

        One before a phrase in mid sentence closes, in normal form, something that precedes it.
        """
        uses = {}
        for start, end, node in derivation.spans():
            if not isinstance(node, Binary) or node.rule is None:
                continue
            left, right = node.children
            category = node.category.bare_nb
            if _is_mark(right) and node.rule is Rule.RIGHT_PUNCTUATION:
                uses[end - 1] = Use(node.rule, category, (start, end))
            elif _is_mark(left) and node.rule in JOINS:
                uses[start] = Use(node.rule, None if _goes_on(right) else category)
            elif _is_mark(left) and node.rule is Rule.LEFT_PUNCTUATION:
                at_start = Use(node.rule, category, (start, end))
                uses[start] = at_start if start == 0 else Use(Rule.RIGHT_PUNCTUATION)
        return cls(uses)

    def allow(self, rule: Rule, start: int, middle: int, end: int, category: Category) -> bool:
        """Whether a node over these words uses no kept mark otherwise than the treebank does."""
        if rule is Rule.RIGHT_PUNCTUATION:
            use = self.uses.get(end - 1)
        elif middle == start + 1 and (rule in JOINS or rule is Rule.LEFT_PUNCTUATION):
            use = self.uses.get(start)
        else:
            return True
        return use is None or (
            use.rule is rule and use.category in (None, category) and use.span in (None, (start, end))
        )


FREE_MARKS = KeptMarks({})
"""Every mark may stand anywhere."""


def _is_mark(node: Derivation) -> bool:
    return isinstance(node, Leaf) and node.category.is_punctuation


def _goes_on(node: Derivation) -> bool:
    """Whether a conjunct is itself a coordination: in *bread, milk and eggs* nouns or noun phrases may be joined."""
    return isinstance(node, Binary) and isinstance(node.right, Binary) and node.right.rule is Rule.CONJUNCTION
