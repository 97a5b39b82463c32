"""From steps to a derivation: the grammar licenses every node as it is built."""

from __future__ import annotations

from starccg.ccg.category import Category, Functor, Slash
from starccg.ccg.derivation import Derivation, Leaf
from starccg.ccg.grammar import Grammar
from starccg.ccg.rules import Rule
from starccg.treebanks.joining import change, join, joins
from starccg.treebanks.phrase_categories import asked_category, outline, with_gaps
from starccg.treebanks.ud.conllu import Tree, Word
from starccg.treebanks.ud.coordination import coordinate, coordinate_clusters
from starccg.treebanks.ud.profile import FUNCTORS, QUOTES, Planner
from starccg.treebanks.ud.steps import Front, Gap, Role, Step


class Builder:
    """The state of one conversion: the tree, and which word each leaf is."""

    def __init__(
        self, tree: Tree, marks: frozenset[int], grammar: Grammar, planner: Planner, *, wide: bool = True
    ) -> None:
        self.tree = tree
        self.marks = marks
        self.grammar = grammar
        self.planner = planner
        self.wide = wide
        """Whether type changes that CCGbank does not have may be used: the last attempt at a sentence."""
        self.position: dict[int, int] = {}
        self.leaves: list[Leaf] = []  # kept alive, so that their ids stay unique
        self.used_marks: set[int] = set()
        self.front: dict[int, Front] = {}
        self.tags: set[int] = set()
        """Clauses that take the sentence beside them as their complement: *he said*."""
        self.taken: set[int] = set()
        """Words that are placed by a rule of their own and are nobody's dependents: fronted phrases, conjunctions."""

    # -- reading the tree

    def word(self, index: int) -> Word:
        """The word at this place."""
        return self.tree.words[index]

    def mark_category(self, index: int) -> Category:
        """The category of a punctuation mark."""
        return self.planner.mark_category(self.tree.words[index])

    def mark(self, index: int) -> str:
        """The same by its name."""
        return str(self.mark_category(index))

    def dependents(self, head: int) -> list[int]:
        """The dependents still to be placed, in order."""
        return [child for child in self.tree.children[head] if child not in self.taken]

    def related(self, head: int, *relations: str) -> list[int]:
        """The dependents with one of these relations, with or without subtype."""
        return [
            child
            for child in self.dependents(head)
            if self.word(child).relation in relations or self.word(child).universal in relations
        ]

    def forms(self, head: int, *relations: str) -> list[str]:
        """The words that these dependents are headed by, in lower case."""
        return [self.word(child).lower for child in self.related(head, *relations)]

    def governs(self, head: int, index: int) -> bool:
        """Whether ``index`` lies in the phrase of ``head``."""
        return self.tree.governs(head, index)

    def is_shared(self, head: int, child: int) -> bool:
        """Whether the enhanced graph gives a dependent to every conjunct of its head: *old men and women*."""
        conjuncts = self.related(head, "conj")
        heads = {site for site, _ in self.word(child).enhanced}
        return bool(conjuncts) and heads.issuperset(conjuncts)

    def span(self, head: int) -> tuple[int, int]:
        """The first and last word of a phrase."""
        first = last = head
        stack = [head]
        while stack:
            index = stack.pop()
            first, last = min(first, index), max(last, index)
            stack.extend(self.dependents(index))
        return first, last

    # -- building

    def leaf(self, index: int, category: Category) -> Leaf:
        """A leaf for this word."""
        word = self.word(index)
        pos = word.xpos or word.upos or "X"
        leaf = Leaf(category, word.form, pos, pos)
        self.position[id(leaf)] = index
        self.leaves.append(leaf)
        return leaf

    def build(self, head: int, target: Category, gaps: tuple[Gap, ...] = ()) -> Derivation:
        """The phrase of ``head`` as a ``target``, less the gaps."""
        plan = self.planner.plan(self, head, target, gaps)
        steps, category = outline(plan.steps, target)
        node = self.planner.lexical(self, head, category)
        open_gaps: list[Category] = []
        for step, whole in reversed(steps):
            node = self._attach(node, step, whole, open_gaps, plan.gaps)
        return node

    def _attach(
        self, node: Derivation, step: Step, whole: Category, open_gaps: list[Category], gaps: tuple[Gap, ...]
    ) -> Derivation:
        match step.role:
            case Role.GAP:
                assert step.category is not None
                open_gaps.insert(0, step.category)
                return node
            case Role.CHANGE:
                open_gaps.clear()
                return self.change(node, whole)
            case Role.CONJUNCT:
                return coordinate(self, node, step, whole, open_gaps)
            case Role.SHARED:
                open_gaps.clear()
                return node
            case Role.CLUSTER:
                return coordinate_clusters(self, node, step, whole)
        asked = asked_category(step.role, step.side, step.category, whole, open_gaps if step.discharges else ())
        below = tuple(gap for gap in gaps if step.word >= 0 and self.governs(step.word, gap.site))
        if step.make:
            dependent = step.make(asked)
        else:
            marked = self.by_mark(step.word, asked, step.side) if step.role is Role.MODIFIER else None
            dependent = marked or self.build(step.word, asked, below)
        if step.discharges:
            open_gaps.clear()
        open_gaps.extend(gap.category for gap in below)
        wanted = with_gaps(whole, open_gaps)
        if step.side == "\\":
            return self.join(dependent, node, wanted)
        return self.join(node, dependent, wanted)

    def by_mark(self, child: int, asked: Category, side: Slash) -> Derivation | None:
        r"""A phrase that is no modifier by itself, made one by the mark between it and its head.

        Brackets, dashes and colons are functors over the phrase, ``(NP\NP)/NP``; commas have rules of their own.
        """
        first, last = self.span(child)
        before, after = self._mark_beside(first, -1), self._mark_beside(last, 1)
        opens = side == "/" or (before is not None and self._encloses(before, after, child))
        index = before if opens else after
        own = None if index is None else self.planner.enclosed(self, child, asked, self.mark(index))
        if index is None or own is None:
            return None
        category, rule = self.mark_category(index), Rule.COMMA
        if str(category) in FUNCTORS:
            category = Functor.of(asked, "/" if opens else "\\", own)
            rule = Rule.FORWARD_APPLICATION if opens else Rule.BACKWARD_APPLICATION
        left, right = (category, own) if opens else (own, category)
        if not joins(self.grammar, left, right, asked, rule):
            return None
        self.used_marks.add(index)
        leaf, phrase = self.leaf(index, category), self.build(child, own)
        return self.join(leaf, phrase, asked, rule) if opens else self.join(phrase, leaf, asked, rule)

    def _encloses(self, before: int, after: int | None, child: int) -> bool:
        """Whether a bracket or two dashes enclose a phrase; after a slip of the tongue the dash closes it."""
        if self.mark(before) == "LRB":
            return True
        dashes = after is not None and self.mark(before) == self.mark(after) == ":"
        return dashes and self.word(child).universal != "reparandum"

    def _mark_beside(self, word: int, away: int) -> int | None:
        """The mark next to a word that is still to be placed, quotation marks aside."""
        index = word + away
        while index in self.marks and self.mark(index) in QUOTES:
            index += away
        return index if index in self.marks and index not in self.used_marks else None

    def change(self, node: Derivation, result: Category) -> Derivation:
        """A unary rule over ``node``."""
        return change(self.grammar, node, result)

    def join(self, left: Derivation, right: Derivation, wanted: Category, rule: Rule | None = None) -> Derivation:
        """One binary node, raising a child's type where only that makes it."""
        return join(self.grammar, left, right, wanted, rule)
