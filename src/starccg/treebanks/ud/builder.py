"""From steps to a derivation: every node is asked of the grammar as it is built, so what comes out is licensed."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from starccg.ccg.category import Category, Functor
from starccg.ccg.grammar import Grammar
from starccg.ccg.rules import Rule
from starccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.treebanks.ud.conllu import Tree, Word
from starccg.treebanks.ud.steps import Gap, Plan, Role, Step, Unconvertible, modified, modifier_of, with_gaps

CONJ = Category.parse("conj")


class Planner(Protocol):
    """What a language profile provides."""

    def plan(self, builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...]) -> Plan:
        """The steps by which the phrase of ``head`` becomes a ``target``."""

    def natural(self, builder: Builder, head: int) -> Category:
        """The category a phrase has by itself, as an argument or a conjunct."""

    def suits(self, builder: Builder, conjunct: int, category: Category) -> bool:
        """Whether a conjunct is of this category by itself."""

    def lexical(self, builder: Builder, head: int, category: Category) -> Derivation:
        """The head word, with what belongs to it as one expression."""

    def mark_category(self, word: Word) -> Category:
        """The category of a punctuation mark."""

    def joins(self, word: Word) -> bool:
        """Whether a mark may stand for a conjunction."""

    def opens(self, word: Word) -> bool:
        """Whether a mark belongs to what follows it."""


class Builder:
    """The state of one conversion: the tree, and which word each leaf is."""

    def __init__(self, tree: Tree, marks: frozenset[int], grammar: Grammar, planner: Planner) -> None:
        self.tree = tree
        self.marks = marks
        self.grammar = grammar
        self.planner = planner
        self.position: dict[int, int] = {}
        self.leaves: list[Leaf] = []  # kept alive, so that their identities stay theirs
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
        dependent = step.make(asked) if step.make else self.build(step.word, asked, below)
        if step.discharges:
            open_gaps.clear()
        open_gaps.extend(gap.category for gap in below)
        wanted = with_gaps(whole, open_gaps)
        if step.side == "\\":
            return self.join(dependent, node, wanted)
        return self.join(node, dependent, wanted)

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
                return self.leaf(index, self.planner.mark_category(self.word(index)))
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
        if conjunction is not None and isinstance(conjunction, Leaf) and conjunction.category is not CONJ:
            self.used_marks.discard(self.position[id(conjunction)])  # the mark goes back to being one
            conjunction = None
        if conjunction is None:
            return self.build(conjunct, asked)
        own = self.planner.natural(self, conjunct)
        functor = Functor.of(asked, "/", own)
        *before, last = conjunction.leaves()
        node = self.join(self.leaf(self.position[id(last)], functor), self.build(conjunct, own), asked)
        for leaf in reversed(before):
            node = self.join(self.leaf(self.position[id(leaf)], Functor.of(asked, "/", asked)), node, asked)
        return node

    def change(self, node: Derivation, result: Category) -> Derivation:
        """A unary rule over ``node``."""
        for change in self.grammar.change(node.category):
            if change.result is result:
                return Unary(result, node, change.rule)
        raise Unconvertible(f"no rule {node.category} -> {result}")

    def join(self, left: Derivation, right: Derivation, wanted: Category, rule: Rule | None = None) -> Derivation:
        """One binary node, raising a child's type where only that makes it."""
        recipe = _recipe(_Key(self.grammar), left.category, right.category, wanted, rule)
        if recipe is None:
            raise Unconvertible(f"no rule {left.category} + {right.category} -> {wanted}")
        left_changes, right_changes, made, head = recipe
        for result, change in left_changes:
            left = Unary(result, left, change)
        for result, change in right_changes:
            right = Unary(result, right, change)
        return Binary(wanted, left, right, made, head)


class Front:
    """A phrase moved to the front of a clause: a relative or interrogative one."""

    __slots__ = ("gap", "phrase", "relation", "site", "word")

    def __init__(self, phrase: int, word: int, relation: str, site: int, gap: Gap | None = None) -> None:
        self.phrase = phrase
        self.word = word
        self.relation = relation
        self.site = site
        self.gap = gap


class _Key:
    """A grammar as a cache key, by identity: hashing its rules at every node would cost more than using them."""

    __slots__ = ("grammar",)

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar

    def __hash__(self) -> int:
        return id(self.grammar)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.grammar is self.grammar


_Changes = tuple[tuple[Category, Rule], ...]


@lru_cache(maxsize=1 << 17)
def _recipe(
    key: _Key, left: Category, right: Category, wanted: Category, rule: Rule | None
) -> tuple[_Changes, _Changes, Rule, int] | None:
    grammar = key.grammar
    for left_changes, left_as in _options(key, left):
        for right_changes, right_as in _options(key, right):
            for made, how, head in grammar.combine(left_as, right_as):
                if made is wanted and rule in (None, how):
                    return left_changes, right_changes, how, head
    return None


@lru_cache(maxsize=1 << 15)
def _options(key: _Key, category: Category) -> tuple[tuple[_Changes, Category], ...]:
    """The category as it is, after one unary rule, and raised after ``N -> NP``."""
    grammar = key.grammar
    found: list[tuple[_Changes, Category]] = [((), category)]
    for change in grammar.change(category):
        if change.rule is Rule.TYPE_CHANGE and category.target.name != "N":
            continue
        found.append((((change.result, change.rule),), change.result))
        if change.rule is Rule.TYPE_CHANGE:
            found.extend(
                (((change.result, change.rule), (raised.result, raised.rule)), raised.result)
                for raised in grammar.change(change.result)
                if raised.rule is not Rule.TYPE_CHANGE
            )
    return tuple(found)
