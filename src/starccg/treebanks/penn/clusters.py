"""Argument clusters: *gave Ann tea and Tom milk*. The arguments of a conjunct are raised, composed and coordinated."""

from __future__ import annotations

from functools import partial

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Binary, Derivation, Unary
from starccg.ccg.rules import Rule
from starccg.treebanks.penn.builder import Builder, Built, Role, Step, Unconvertible
from starccg.treebanks.penn.categories import natural
from starccg.treebanks.penn.labels import ADVERBIAL_TAGS, VERBS, content, kind
from starccg.treebanks.penn.trees import Node, is_mark
from starccg.treebanks.phrase_categories import modifier_of

CLUSTER = "CLUSTER"
"""The label of coordinated clusters; each child that is not a conjunction or a mark holds the parts of one."""


def is_verbless(node: Node) -> bool:
    """Whether a conjunct of verb phrases or clauses repeats everything but the verb."""
    if node.is_leaf or "+COORD" in node.tags or node.label not in {"VP", "S"}:
        return False
    parts = content(node)
    verbal = any(_is_verbal(part) for part in parts)
    signs = any(part.is_leaf and part.label in {"SYM", "IN", "JJ", "NN"} for part in parts)
    return bool(parts) and not verbal and not signs


def _is_verbal(part: Node) -> bool:
    if part.label in {"S", "SBAR"}:
        return not part.tags & ADVERBIAL_TAGS
    return part.label in {"VP", "V"} or (part.is_leaf and part.label in VERBS)


def group_clusters(root: Node) -> None:
    """``(VP (VP V X Y) CC (VP X Y))`` becomes ``(VP V (CLUSTER (X Y) CC (X Y)))``, in place."""
    for node in root.nodes():
        if node.label != "VP" or "+COORD" not in node.tags:
            continue
        first, *others = content(node)
        if first.label != "VP" or "+COORD" in first.tags or not others or not all(map(is_verbless, others)):
            continue
        size = len(content(others[0]))
        kinds = [kind(part) for part in content(others[0])]
        own = [part for part in first.children if not is_mark(part)]
        if size < 2 or any([kind(p) for p in content(other)] != kinds for other in others):
            continue
        if [kind(part) for part in own[-size:]] != kinds or len(own) <= size:
            continue
        place = first.children.index(own[-size])
        joined = Node(CLUSTER, children=[Node("PARTS", children=first.children[place:])])
        joined.children.extend(node.children[node.children.index(first) + 1 :])
        node.children = [*first.children[:place], joined]
        node.tags = (node.tags | first.tags) - {"+COORD"}


def without_verb(builder: Builder, joins: Node, conjunct: Node, asked: Category) -> Built:
    """*and Mary tea*: the conjunction takes what the missing verb would take."""
    parts = content(conjunct)
    category = asked
    for part in reversed(parts):
        category = Functor.of(category, "/", natural(part))
    *others, last = joins.leaves()
    tree: Derivation = builder.leaf(last, category)
    for child in conjunct.children:
        if is_mark(child):
            tree = builder.mark(tree, child, "/")
        else:
            assert isinstance(category, Functor)
            tree = builder.join(tree, builder.build(child, category.argument).tree, category.result)
            category = category.result
    return Built(builder.premodified(others, tree, asked))


def cluster_steps(builder: Builder, node: Node, parts: list[Step]) -> list[Step]:
    """The steps of coordinated clusters, outermost first, given those of the parts of the first one.

    Two or more arguments are raised and composed. One argument with adjuncts would be a raised category, which does not
    coordinate: there the conjunction takes the parts.
    """
    if sum(step.role is Role.ARGUMENT for step in parts) > 1:
        return [ClusterStep(builder, node, parts)]
    steps = list(parts)
    joins: Node | None = None
    for child in node.children[1:]:
        if is_mark(child):
            steps.append(Step(Role.MARK, "/", child))
        elif child.label in {"CC", "CONJP"}:
            joins = child
        else:
            sign = joins
            if sign is None:
                raise Unconvertible("a cluster of arguments without a conjunction")
            steps.append(Step(Role.MODIFIER, "/", child, None, partial(without_verb, builder, sign, child)))
            joins = None
    return steps[::-1]


class ClusterStep(Step):
    """The step of a cluster: below it the verb seeks all parts of the first conjunct."""

    __slots__ = ("builder", "steps")

    def __init__(self, builder: Builder, node: Node, steps: list[Step]) -> None:
        super().__init__(Role.FUNCTOR, "/", node)
        self.builder, self.steps = builder, steps
        self.make = self._build

    def inner(self, whole: Category) -> Category:
        """The category of the verb before the cluster."""
        for step in reversed(self.steps):
            whole = step.inner(whole)
        self.category = whole
        return whole

    def _build(self, asked: Category) -> Built:
        assert self.node is not None and isinstance(asked, Functor)
        builder = self.builder
        clusters: list[Derivation] = []
        joins: list[tuple[Node, list[Node]]] = []
        marks: list[Node] = []
        for child in self.node.children:
            if child.label == "CC":
                joins.append((child, marks))
                marks = []
            elif is_mark(child):
                marks.append(child)
            else:
                if len(joins) < len(clusters) and marks:
                    joins.append((marks.pop(0), []))
                clusters.append(self._compose(content(child), asked.result))
        if len(joins) != len(clusters) - 1 or marks:
            raise Unconvertible("a cluster of arguments without a conjunction")
        tree = clusters.pop()
        category = tree.category
        while clusters:
            sign, before = joins.pop()
            leaf = builder.leaf(sign, Category.parse("conj" if sign.label == "CC" else ","))
            later = builder.join(leaf, tree, Functor.of(category, "\\", category), Rule.CONJUNCTION)
            tree = builder.join(builder.marked(clusters.pop(), before, "/"), later, category)
        return Built(tree)

    def _compose(self, parts: list[Node], whole: Category) -> Derivation:
        """The parts of one conjunct as one functor over the verb."""
        wholes = [whole]
        for step in reversed(self.steps[1:]):
            wholes.insert(0, step.inner(wholes[0]))
        tree: Derivation | None = None
        for part, step, result in zip(parts, self.steps, wholes, strict=True):
            if step.role is Role.ARGUMENT:
                assert step.category is not None
                other = self._raised(
                    self.builder.build(part, step.category).tree, Functor.of(result, "/", step.category)
                )
            else:
                other = self.builder.build(part, modifier_of(result, "/")).tree
            tree = other if tree is None else self._composed(tree, other)
        assert tree is not None
        return tree

    def _raised(self, tree: Derivation, verb: Category) -> Derivation:
        """An argument raised over the verb that seeks it."""
        for change in self.builder.grammar.change(tree.category):
            if change.rule is Rule.BACKWARD_TYPE_RAISING:
                found = self.builder.grammar.combine(verb, change.result)
                if any(rule is Rule.BACKWARD_APPLICATION for _, rule, _ in found):
                    return Unary(change.result, tree, change.rule)
        raise Unconvertible(f"no rule raises {tree.category} over {verb}")

    def _composed(self, left: Derivation, right: Derivation) -> Derivation:
        for made, rule, head in self.builder.grammar.combine(left.category, right.category):
            if rule is Rule.BACKWARD_COMPOSITION:
                return Binary(made, left, right, rule, head)
        raise Unconvertible(f"no rule composes {left.category} and {right.category}")
