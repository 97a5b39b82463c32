"""From a prepared tree to a derivation: categories are given from the root down, nodes are built from the words up.

A phrase is its head and the *steps* by which the rest joins it. Read inwards, each step says what category the head
must have; read outwards, each step is one node, built by a rule of the grammar, so that the result is licensed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from starccg.ccg.category import Category, Functor, Slash
from starccg.ccg.derivation import Binary, Derivation, Leaf
from starccg.ccg.grammar import Grammar
from starccg.ccg.rules import Rule
from starccg.treebanks.joining import Unconvertible, change, join
from starccg.treebanks.penn.trees import Node
from starccg.treebanks.phrase_categories import Role, asked_category, category_below, outline, with_gaps

__all__ = ["Builder", "Built", "Gap", "Plan", "Role", "Step", "Unconvertible"]


class Gap(NamedTuple):
    """What a phrase still seeks to its right, and the index of the phrase that will fill it."""

    filler: int | None
    category: Category


class Built(NamedTuple):
    """A derivation and the gaps in it; its category is the one asked for, ``/`` each gap."""

    tree: Derivation
    gaps: tuple[Gap, ...] = ()


@dataclass(slots=True)
class Step:
    """One step; ``side`` is the slash by which the head would seek it: ``\\`` on the left, ``/`` on the right."""

    role: Role
    side: Slash
    node: Node | None = None
    category: Category | None = None
    """The argument's or gap's category, or the category below a functor or a change."""
    make: Callable[[Category], Built] | None = None
    """Builds the dependent where it is not simply a phrase of the tree."""

    def inner(self, whole: Category) -> Category:
        """The category below this step, given the one above."""
        return category_below(self.role, self.side, self.category, whole)


@dataclass(slots=True)
class Plan:
    """The head of a phrase, and the steps from the outermost in."""

    head: Node
    steps: list[Step] = field(default_factory=list)
    make: Callable[[Category], Built] | None = None
    """Builds the head where it is not simply a phrase of the tree."""


class Builder:
    """Builds the derivation of one tree with one grammar."""

    def __init__(self, grammar: Grammar, assemble: Callable[[Builder, Node, Category], Built | Plan]) -> None:
        self.grammar = grammar
        self.assemble = assemble
        """What the rules for the kind of phrase say: a plan, or the phrase itself."""

    def build(self, node: Node, target: Category) -> Built:
        """The phrase as a ``target``, less its gaps."""
        found = self.assemble(self, node, target)
        return found if isinstance(found, Built) else self.follow(found, target)

    def follow(self, plan: Plan, target: Category) -> Built:
        """The phrase that a plan describes."""
        steps, category = outline(plan.steps, target)
        built = plan.make(category) if plan.make else self.build(plan.head, category)
        for step, whole in reversed(steps):
            built = self._attach(built, step, whole)
        return built

    def _attach(self, built: Built, step: Step, whole: Category) -> Built:
        tree, gaps = built
        match step.role:
            case Role.GAP:
                assert step.category is not None
                index = step.node.index if step.node is not None else None
                return Built(tree, (Gap(index, step.category), *gaps))
            case Role.CHANGE:
                return Built(self.change(tree, whole))
            case Role.MARK:
                assert step.node is not None
                return Built(self.mark(tree, step.node, step.side), gaps)
        asked = asked_category(step.role, step.side, step.category, whole)
        if step.make is not None:
            other = step.make(asked)
        else:
            assert step.node is not None
            other = self.build(step.node, asked)
        if step.role is Role.FILLER and step.node is not None:
            index = step.node.index
            gaps = tuple(gap for gap in gaps if gap.filler != index)
        all_gaps = (*gaps, *other.gaps)
        wanted = with_gaps(whole, (gap.category for gap in all_gaps))
        pair = (other.tree, tree) if step.side == "\\" else (tree, other.tree)
        return Built(self.join(*pair, wanted), all_gaps)

    def leaf(self, node: Node, category: Category) -> Leaf:
        """A word."""
        return Leaf(category, node.word, node.label, node.label)

    def mark(self, tree: Derivation, mark: Node, side: Slash) -> Derivation:
        """The phrase with a punctuation mark on one side."""
        leaf = self.leaf(mark, mark_category(mark))
        if side == "/":
            return Binary(tree.category, tree, leaf, Rule.RIGHT_PUNCTUATION, 0)
        return Binary(tree.category, leaf, tree, Rule.LEFT_PUNCTUATION, 1)

    def marked(self, tree: Derivation, marks: Sequence[Node], side: Slash) -> Derivation:
        """The phrase with several marks on one side; the first is the nearest."""
        for mark in marks:
            tree = self.mark(tree, mark, side)
        return tree

    def change(self, tree: Derivation, result: Category) -> Derivation:
        """A unary rule over a phrase."""
        return tree if tree.category is result else change(self.grammar, tree, result)

    def can_change(self, child: Category, result: Category) -> bool:
        """Whether the grammar has this unary rule."""
        return any(rule.result is result for rule in self.grammar.change(child))

    def join(self, left: Derivation, right: Derivation, wanted: Category, rule: Rule | None = None) -> Derivation:
        """One binary node; a child's type is raised where only that makes it."""
        return join(self.grammar, left, right, wanted, rule)

    def premodified(self, words: Sequence[Node], tree: Derivation, category: Category) -> Derivation:
        """The phrase, each word before it as a modifier: *as well* of *as well as*."""
        for word in reversed(words):
            tree = self.join(self.leaf(word, Functor.of(category, "/", category)), tree, category)
        return tree

    def apply(self, functor: Node, asked: Category, argument: Built) -> Built:
        """A word as a functor over what follows it."""
        category = Functor.of(asked, "/", argument.tree.category)
        return Built(self.join(self.leaf(functor, category), argument.tree, asked))


_MARKS = {
    "(": "LRB", ")": "RRB", "[": "LRB", "]": "RRB", "{": "LRB", "}": "RRB", "<": "LRB", ">": "RRB",
    ",": ",", ".": ".", "!": ".", "?": ".", ";": ";",
}  # fmt: skip
_BY_TAG = {"-LRB-": "LRB", "-RRB-": "RRB", "``": "LQU", "''": "RQU", ",": ",", ".": "."}


def mark_category(mark: Node) -> Category:
    """The category of a punctuation mark."""
    name = _BY_TAG.get(mark.label) if mark.label in {"-LRB-", "-RRB-", "``", "''"} else _MARKS.get(mark.word)
    return Category.parse(name or _BY_TAG.get(mark.label, ":"))
