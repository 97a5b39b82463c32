"""Coordination and brackets: what joins phrases that stand beside one another."""

from __future__ import annotations

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Derivation
from starccg.ccg.rules import Rule
from starccg.treebanks.penn.builder import Builder, Built, Unconvertible, mark_category
from starccg.treebanks.penn.categories import ADJECTIVE, CONJ, NP, PP, N, natural
from starccg.treebanks.penn.clusters import is_verbless, without_verb
from starccg.treebanks.penn.labels import CONJUNCTIONS, content, main_part
from starccg.treebanks.penn.steps import around, is_modifier_by_itself
from starccg.treebanks.penn.trees import Node, is_mark, split_edges
from starccg.treebanks.phrase_categories import modifier_of

NOMINALISED = frozenset(map(Category.parse, (r"S[ng]\NP", r"S[to]\NP", "S[qem]", "S[em]")))
"""Clauses that may be noun phrases."""
_JOINING = frozenset({",", ";", ":"})


def build_coordination(builder: Builder, node: Node, target: Category) -> Built:
    """Conjuncts branch to the right, each after its conjunction or after a mark that stands for one."""
    first, rest = _conjuncts(node)
    head = builder.build(first, target)
    category = head.tree.category
    later: Derivation | None = None
    alike = all(
        suits(conjunct, target) and joins is not None and not is_verbless(conjunct) for joins, _, conjunct in rest
    )
    tree, marks_after_first = head.tree, rest[0][1] if rest else []
    if alike:
        pending: list[Node] = []
        for joins, marks, conjunct in reversed(rest):
            built = builder.build(conjunct, target)
            if [gap.category for gap in built.gaps] != [gap.category for gap in head.gaps]:
                raise Unconvertible("conjuncts with different gaps")
            phrase = builder.marked(built.tree, pending, "/")
            if later is not None:
                phrase = builder.join(phrase, later, category)
            assert joins is not None
            later = builder.join(
                conjunction(builder, joins), phrase, Functor.of(category, "\\", category), Rule.CONJUNCTION
            )
            pending = marks
        assert later is not None
        return Built(builder.join(builder.marked(tree, marks_after_first, "/"), later, category), head.gaps)
    for joins, marks, conjunct in rest:
        tree = builder.marked(tree, marks, "/")
        tree = builder.join(tree, _any_conjunct(builder, joins, conjunct, target, category), category)
    return Built(tree, head.gaps)


def _any_conjunct(
    builder: Builder, joins: Node | None, conjunct: Node, target: Category, category: Category
) -> Derivation:
    """One conjunct of a list whose members are not all alike: what is unlike joins as a modifier."""
    if joins is not None and suits(conjunct, target) and not is_verbless(conjunct):
        phrase = builder.build(conjunct, target).tree
        return builder.join(conjunction(builder, joins), phrase, Functor.of(category, "\\", category), Rule.CONJUNCTION)
    asked = modifier_of(category, "/")
    if joins is None:
        return builder.build(conjunct, asked).tree
    if is_verbless(conjunct):
        if is_mark(joins):
            raise Unconvertible("a clause without a verb and without a conjunction")
        return without_verb(builder, joins, conjunct, asked).tree
    own = asked if is_modifier_by_itself(conjunct) and natural(conjunct) in (PP, ADJECTIVE) else natural(conjunct)
    if own is NP and category is N:
        own = N
    inner = builder.build(conjunct, own).tree
    if is_mark(joins) and own is asked:
        return builder.mark(inner, joins, "\\")
    words = list(joins.leaves())
    tree = builder.join(builder.leaf(words[-1], Functor.of(asked, "/", inner.category)), inner, asked)
    return builder.premodified(words[:-1], tree, asked)


def conjunction(builder: Builder, node: Node) -> Derivation:
    """*and*; *as well as*: each word but the last modifies the conjunction; a colon or dash joins as ``conj``."""
    if is_mark(node):
        category = mark_category(node)
        return builder.leaf(node, CONJ if str(category) == ":" else category)
    words = list(node.leaves())
    if not words:
        raise Unconvertible("a conjunction without words")
    return builder.premodified(words[:-1], builder.leaf(words[-1], CONJ), CONJ)


def _conjuncts(node: Node) -> tuple[Node, list[tuple[Node | None, list[Node], Node]]]:
    """The first conjunct, and for each other its conjunction, the marks before that, and the conjunct."""
    found: list[tuple[Node | None, list[Node], Node]] = []
    first: Node | None = None
    before: list[Node] = []
    leading: list[Node] = []
    for child in node.children:
        if child.empty:
            continue
        if is_mark(child) or child.label in CONJUNCTIONS:
            before.append(child)
            continue
        if first is None:
            first, leading, before = child, before, []
            continue
        joins = next((each for each in reversed(before) if each.label in CONJUNCTIONS), None)
        if joins is None:
            joins = next((each for each in before if each.word in _JOINING or each.label == ":"), None)
        if joins is None:
            found.append((None, before, child))
        else:
            place = before.index(joins)
            after = before[place + 1 :]
            conjunct = Node(child.label, child.tags, children=[*after, child]) if after else child
            found.append((joins, before[:place], conjunct))
        before = []
    if first is None or not found:
        raise Unconvertible("a coordination with one conjunct")
    if leading:
        first = Node(first.label, first.tags - {"+COORD"}, children=[*leading, first])
    if before:
        joins, marks, last = found[-1]
        found[-1] = (joins, marks, Node(last.label, last.tags - {"+COORD"}, children=[last, *before]))
    return first, found


def suits(conjunct: Node, category: Category) -> bool:
    """Whether a conjunct is of this category by itself."""
    own = natural(conjunct)
    if category.is_modifier:
        return True
    bare = category
    while isinstance(bare, Functor) and bare.slash == "/" and bare.target.name == "S":
        bare = bare.result
    if bare in (NP, N):
        return own is NP or conjunct.label in {"JJ", "ADJP", "VBG"} or own in NOMINALISED
    if bare is PP:
        return own is PP or (isinstance(category, Functor) and conjunct.label == "IN")
    if isinstance(category, Functor) and category.result.is_modifier:
        return True
    if bare.target.name == "S" and own.target.name == "S":
        found = {own.target.feature, bare.target.feature}
        return own.skeleton is bare.skeleton and (
            len(found) == 1 or found in ({"pss", "adj"}, {"adj", "ng"}, {"pss", "pt"})
        )
    return own is bare


def build_bracketed(builder: Builder, node: Node, target: Category) -> Built:
    """A phrase in brackets, dashes or commas; where it is no modifier by itself, the first mark makes it one."""
    before, inside, after = split_edges(node.children)
    flat = [word for child in inside for word in (child.children if child.label == "NML" else [child])]
    if all(word.is_leaf and word.label != "CC" and not is_mark(word) for word in flat):
        inside = flat  # *( 2 MB PDF )*
    nouns = any(child.label.startswith("NN") for child in inside) and all(child.is_leaf for child in inside)
    phrase = inside[0] if len(inside) == 1 else Node("NP" if nouns else "FRAG", children=inside)
    if not target.is_modifier or is_modifier_by_itself(phrase) or not before:
        try:
            built = builder.build(phrase, target)
        except Unconvertible:
            if not target.is_modifier or not before:
                raise
        else:
            tree = builder.marked(built.tree, after, "/")
            return Built(builder.marked(tree, before[::-1], "\\"), built.gaps)
    inner = builder.marked(builder.build(phrase, natural(phrase)).tree, after, "/")
    *others, functor = before
    category = mark_category(functor)
    if str(category) in {":", "LRB"}:
        tree = builder.apply(functor, target, Built(inner)).tree
    else:
        tree = builder.join(builder.leaf(functor, category), inner, target)
    return Built(builder.marked(tree, others[::-1], "\\"))


def build_sequence(builder: Builder, node: Node, target: Category) -> Built:
    """A fragment: its first phrase is the head, what follows joins it by the marks between them or as a modifier."""
    phrases = content(node)
    if not phrases:
        raise Unconvertible("a fragment without words")
    main = main_part(phrases)
    whole = main if natural(main) is target else next((c for c in phrases if natural(c) is target), main)
    return builder.follow(around(builder, node, whole), target)
