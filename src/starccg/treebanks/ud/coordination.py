"""Coordination: conjuncts, pairs of arguments, and conjuncts that are unlike the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Derivation, Leaf
from starccg.ccg.rules import Rule
from starccg.treebanks.joining import Unconvertible, compose
from starccg.treebanks.phrase_categories import modified, modifier_of
from starccg.treebanks.ud.profile import FUNCTORS, JOINING
from starccg.treebanks.ud.steps import Gap, Step

if TYPE_CHECKING:
    from starccg.treebanks.ud.builder import Builder

CONJ = Category.parse("conj")


def coordinate(
    builder: Builder, node: Derivation, step: Step, whole: Category, open_gaps: list[Category]
) -> Derivation:
    """Conjuncts branch to the right, each after its conjunction or after a mark that stands for one."""
    category = node.category
    conjunctions = {conjunct: _conjunction(builder, conjunct) for conjunct in reversed(step.conjuncts)}
    if not all(found and builder.planner.suits(builder, each, whole) for each, found in conjunctions.items()):
        for conjunct in step.conjuncts:
            conjunction = conjunctions[conjunct]
            if conjunction is not None and builder.planner.suits(builder, conjunct, whole):
                phrase = _conjunct(builder, conjunct, whole, open_gaps)
                phrase = builder.join(conjunction, phrase, Functor.of(category, "\\", category), Rule.CONJUNCTION)
            else:
                phrase = _unlike(builder, conjunct, conjunction, category)
            node = builder.join(node, phrase, category)
        return node
    later: Derivation | None = None
    for conjunct, conjunction in conjunctions.items():
        phrase = _conjunct(builder, conjunct, whole, open_gaps)
        if later is not None:
            phrase = builder.join(phrase, later, category)
        assert conjunction is not None
        later = builder.join(conjunction, phrase, Functor.of(category, "\\", category), Rule.CONJUNCTION)
    assert later is not None
    return builder.join(node, later, category)


def coordinate_clusters(builder: Builder, node: Derivation, step: Step, whole: Category) -> Derivation:
    r"""*gave Ann tea and Tom milk*: the two arguments are raised and composed, and coordinated with other pairs."""
    assert step.category is not None
    assert step.second is not None
    conjunctions = [_conjunction(builder, first) for first, _ in step.pairs[1:]]
    clusters = [
        compose(builder.grammar, builder.build(first, step.category), builder.build(second, step.second))
        for first, second in step.pairs
    ]
    cluster = clusters.pop()
    while conjunctions:
        conjunction = conjunctions.pop()
        if conjunction is None:
            raise Unconvertible("a cluster of arguments without a conjunction", step.word)
        modifier = Functor.of(cluster.category, "\\", cluster.category)
        later = builder.join(conjunction, cluster, modifier, Rule.CONJUNCTION)
        cluster = builder.join(clusters.pop(), later, cluster.category)
    return builder.join(node, cluster, whole)


def _conjunct(builder: Builder, conjunct: int, whole: Category, open_gaps: list[Category]) -> Derivation:
    """A conjunct lacks what the head lacks: shared arguments to the right are gaps of both."""
    base, shared = whole, list(open_gaps)
    while base is not modified(base):
        assert isinstance(base, Functor)
        shared.insert(0, base.argument)
        base = base.result
    return builder.build(conjunct, base, tuple(Gap(gap, conjunct) for gap in shared))


def _conjunction(builder: Builder, conjunct: int) -> Derivation | None:
    words = [
        child for child in builder.tree.children[conjunct] if builder.word(child).relation == "cc" and child < conjunct
    ]
    first, _ = builder.span(conjunct)
    if words:
        builder.taken.update(words)
        fixed = len(words) == 1 and any(builder.word(c).universal == "fixed" for c in builder.tree.children[words[0]])
        if fixed:
            return builder.planner.lexical(builder, words[0], CONJ)
        *others, last = sorted(index for word in words for index in _phrase_words(builder, word))
        node: Derivation = builder.leaf(last, CONJ)
        for other in reversed(others):
            node = builder.join(builder.leaf(other, CONJ / CONJ), node, CONJ)
        return node
    index = first - 1
    while index >= 0 and index in builder.marks:
        if index not in builder.used_marks and builder.mark(index) in JOINING:
            builder.used_marks.add(index)
            return builder.leaf(index, CONJ if builder.mark(index) in FUNCTORS else builder.mark_category(index))
        index -= 1
    return None


def _phrase_words(builder: Builder, head: int) -> list[int]:
    found = [head]
    for index in found:
        found.extend(builder.tree.children[index])
    return found


def _unlike(builder: Builder, conjunct: int, conjunction: Derivation | None, category: Category) -> Derivation:
    """What is not of the head's category joins it as a modifier; the conjunction is its head."""
    asked = modifier_of(category, "/")
    if isinstance(conjunction, Leaf) and builder.position[id(conjunction)] in builder.used_marks:
        builder.used_marks.discard(builder.position[id(conjunction)])  # the mark goes back to being one
        conjunction = None
    if conjunction is None:
        return builder.by_mark(conjunct, asked, "/") or builder.build(conjunct, asked)
    orphans = [child for child in builder.related(conjunct, "orphan") if child > conjunct]
    builder.taken.update(orphans)  # *and Mary tea*: the conjunction takes what the missing verb would take
    own = asked if builder.planner.is_adverbial(builder, conjunct) else builder.planner.natural(builder, conjunct)
    functor = asked
    for orphan in reversed(orphans):
        functor = Functor.of(functor, "/", builder.planner.natural(builder, orphan))
    *before, last = conjunction.leaves()
    node = builder.join(builder.leaf(builder.position[id(last)], functor / own), builder.build(conjunct, own), functor)
    for orphan in orphans:
        assert isinstance(functor, Functor)
        node = builder.join(node, builder.build(orphan, functor.argument), functor.result)
        functor = functor.result
    for leaf in reversed(before):
        node = builder.join(builder.leaf(builder.position[id(leaf)], Functor.of(asked, "/", asked)), node, asked)
    return node
