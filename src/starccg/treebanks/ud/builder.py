"""From steps to a derivation: the grammar licenses every node as it is built."""

from __future__ import annotations

from typing import Protocol

from starccg.ccg.category import Category, Functor, Slash
from starccg.ccg.derivation import Derivation, Leaf
from starccg.ccg.grammar import Grammar
from starccg.ccg.rules import Rule
from starccg.treebanks.joining import Unconvertible, change, compose, join, joins
from starccg.treebanks.ud.conllu import Tree, Word
from starccg.treebanks.ud.steps import Gap, Plan, Role, Step, modified, modifier_of, with_gaps

CONJ = Category.parse("conj")


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

    def governs(self, head: int, index: int) -> bool:
        """Whether ``index`` lies in the phrase of ``head``."""
        while index >= 0:
            if index == head:
                return True
            index = self.tree.words[index].head
        return False

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
        outline: list[tuple[Step, Category]] = []
        category = target
        for step in plan.steps:
            outline.append((step, category))
            category = step.inner(category)
        node = self.planner.lexical(self, head, category)
        open_gaps: list[Category] = []
        for step, whole in reversed(outline):
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
                return self._coordinate(node, step, whole, open_gaps)
            case Role.SHARED:
                open_gaps.clear()
                return node
            case Role.CLUSTER:
                return self._cluster(node, step, whole)
            case Role.ARGUMENT:
                assert step.category is not None
                asked = step.category
            case Role.MODIFIER:
                asked = modifier_of(whole, step.side)
            case Role.FUNCTOR:
                assert step.category is not None
                inner = with_gaps(step.category, open_gaps if step.discharges else ())
                asked = Functor.of(whole, "/" if step.side == "\\" else "\\", inner)
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
        index, away = (first - 1, -1) if side == "/" else (last + 1, 1)
        while index in self.marks and self.planner.quotes(self.word(index)):
            index += away
        if index not in self.marks or index in self.used_marks:
            return None
        mark = self.word(index)
        own = self.planner.enclosed(self, child, asked, mark)
        if own is None:
            return None
        category, rule = self.planner.mark_category(mark), Rule.COMMA
        if self.planner.is_functor(mark):
            category = Functor.of(asked, side, own)
            rule = Rule.FORWARD_APPLICATION if side == "/" else Rule.BACKWARD_APPLICATION
        left, right = (category, own) if side == "/" else (own, category)
        if not joins(self.grammar, left, right, asked, rule):
            return None
        self.used_marks.add(index)
        leaf, phrase = self.leaf(index, category), self.build(child, own)
        return self.join(leaf, phrase, asked, rule) if side == "/" else self.join(phrase, leaf, asked, rule)

    def _coordinate(self, node: Derivation, step: Step, whole: Category, open_gaps: list[Category]) -> Derivation:
        """Conjuncts branch to the right, each after its conjunction or after a mark that stands for one."""
        category = node.category
        conjunctions = {conjunct: self._conjunction(conjunct) for conjunct in reversed(step.conjuncts)}
        if not all(found and self.planner.suits(self, each, whole) for each, found in conjunctions.items()):
            for conjunct in step.conjuncts:
                node = self.join(
                    node, self._any_conjunct(conjunct, conjunctions[conjunct], whole, open_gaps, category), category
                )
            return node
        later: Derivation | None = None
        for conjunct, conjunction in conjunctions.items():
            phrase = self._conjunct(conjunct, whole, open_gaps)
            if later is not None:
                phrase = self.join(phrase, later, category)
            assert conjunction is not None
            later = self.join(conjunction, phrase, Functor.of(category, "\\", category), Rule.CONJUNCTION)
        assert later is not None
        return self.join(node, later, category)

    def _cluster(self, node: Derivation, step: Step, whole: Category) -> Derivation:
        r"""*gave Ann tea and Tom milk*: the two arguments are raised and composed, and coordinated with other pairs."""
        assert step.category is not None
        assert step.second is not None
        conjunctions = [self._conjunction(first) for first, _ in step.pairs[1:]]
        clusters = [
            compose(self.grammar, self.build(first, step.category), self.build(second, step.second))
            for first, second in step.pairs
        ]
        cluster = clusters.pop()
        while conjunctions:
            conjunction = conjunctions.pop()
            if conjunction is None:
                raise Unconvertible("a cluster of arguments without a conjunction", step.word)
            modifier = Functor.of(cluster.category, "\\", cluster.category)
            later = self.join(conjunction, cluster, modifier, Rule.CONJUNCTION)
            cluster = self.join(clusters.pop(), later, cluster.category)
        return self.join(node, cluster, whole)

    def _any_conjunct(
        self,
        conjunct: int,
        conjunction: Derivation | None,
        whole: Category,
        open_gaps: list[Category],
        category: Category,
    ) -> Derivation:
        """One conjunct of a list whose members are not all alike: what is unlike joins as a modifier."""
        if conjunction is not None and self.planner.suits(self, conjunct, whole):
            phrase = self._conjunct(conjunct, whole, open_gaps)
            return self.join(conjunction, phrase, Functor.of(category, "\\", category), Rule.CONJUNCTION)
        return self._unlike(conjunct, conjunction, category)

    def _conjunct(self, conjunct: int, whole: Category, open_gaps: list[Category]) -> Derivation:
        """A conjunct lacks what the head lacks: shared arguments to the right are gaps of both."""
        base, shared = whole, list(open_gaps)
        while base is not modified(base):
            assert isinstance(base, Functor)
            shared.insert(0, base.argument)
            base = base.result
        return self.build(conjunct, base, tuple(Gap(gap, conjunct) for gap in shared))

    def _conjunction(self, conjunct: int) -> Derivation | None:
        words = [
            child for child in self.tree.children[conjunct] if self.word(child).relation == "cc" and child < conjunct
        ]
        first, _ = self.span(conjunct)
        if words:
            self.taken.update(words)
            fixed = len(words) == 1 and any(self.word(c).universal == "fixed" for c in self.tree.children[words[0]])
            if fixed:
                return self.planner.lexical(self, words[0], CONJ)
            *others, last = sorted(index for word in words for index in self._phrase_words(word))
            node: Derivation = self.leaf(last, CONJ)
            for other in reversed(others):
                node = self.join(self.leaf(other, CONJ / CONJ), node, CONJ)
            return node
        index = first - 1
        while index >= 0 and index in self.marks:
            if index not in self.used_marks and self.planner.joins(self.word(index)):
                self.used_marks.add(index)
                functor = self.planner.is_functor(self.word(index))
                return self.leaf(index, CONJ if functor else self.planner.mark_category(self.word(index)))
            index -= 1
        return None

    def _phrase_words(self, head: int) -> list[int]:
        found = [head]
        for index in found:
            found.extend(self.tree.children[index])
        return found

    def _unlike(self, conjunct: int, conjunction: Derivation | None, category: Category) -> Derivation:
        """What is not of the head's category joins it as a modifier; the conjunction is its head."""
        asked = modifier_of(category, "/")
        if isinstance(conjunction, Leaf) and self.position[id(conjunction)] in self.used_marks:
            self.used_marks.discard(self.position[id(conjunction)])  # the mark goes back to being one
            conjunction = None
        if conjunction is None:
            return self.by_mark(conjunct, asked, "/") or self.build(conjunct, asked)
        orphans = [child for child in self.related(conjunct, "orphan") if child > conjunct]
        self.taken.update(orphans)  # *and Mary tea*: the conjunction takes what the missing verb would take
        own = asked if self.planner.is_adverbial(self, conjunct) else self.planner.natural(self, conjunct)
        functor = asked
        for orphan in reversed(orphans):
            functor = Functor.of(functor, "/", self.planner.natural(self, orphan))
        *before, last = conjunction.leaves()
        node = self.join(self.leaf(self.position[id(last)], functor / own), self.build(conjunct, own), functor)
        for orphan in orphans:
            assert isinstance(functor, Functor)
            node = self.join(node, self.build(orphan, functor.argument), functor.result)
            functor = functor.result
        for leaf in reversed(before):
            node = self.join(self.leaf(self.position[id(leaf)], Functor.of(asked, "/", asked)), node, asked)
        return node

    def change(self, node: Derivation, result: Category) -> Derivation:
        """A unary rule over ``node``."""
        return change(self.grammar, node, result)

    def join(self, left: Derivation, right: Derivation, wanted: Category, rule: Rule | None = None) -> Derivation:
        """One binary node, raising a child's type where only that makes it."""
        return join(self.grammar, left, right, wanted, rule)


class Front:
    """A phrase moved to the front of a clause: a relative or interrogative one."""

    __slots__ = ("gap", "phrase", "relation", "site", "word")

    def __init__(self, phrase: int, word: int, relation: str, site: int, gap: Gap | None = None) -> None:
        self.phrase = phrase
        self.word = word
        self.relation = relation
        self.site = site
        self.gap = gap
