"""Steps for what stands on either side of a head, with the punctuation marks in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from starccg.ccg.category import Category, Functor, Slash
from starccg.treebanks.penn.builder import Builder, Built, Plan, Role, Step, Unconvertible, mark_category
from starccg.treebanks.penn.categories import ADJECTIVE, NP, NP_MODIFIER, PP, natural
from starccg.treebanks.penn.groups import stands_apart
from starccg.treebanks.penn.labels import ADVERBIAL_TAGS
from starccg.treebanks.penn.trees import Node, is_mark

_OPENING = frozenset({"-LRB-", "``"})
_SET_OFF = frozenset({"LOC", "ADV"})
"""Tags of noun phrases that a comma sets off: *Lyon , France*; *it fell , a loss that hurt*."""


def left_steps(builder: Builder, items: Sequence[Node | Step]) -> list[Step]:
    """The steps of what stands before the head, outermost (leftmost) first; a node without a step is a modifier.

    A mark belongs to the phrase that it follows; one that follows nothing, and an opening one, to what comes after it.
    """
    steps: list[Step] = []
    for item in items:
        if isinstance(item, Step):
            steps.append(item)
        elif item.empty:
            continue
        elif not is_mark(item):
            steps.append(Step(Role.MODIFIER, "\\", item))
        elif item.label in _OPENING or not steps or steps[-1].role is Role.MARK:
            steps.append(Step(Role.MARK, "\\", item))
        else:
            steps[-1] = _with_mark(builder, steps[-1], item, "/")
    return steps


def _with_mark(builder: Builder, step: Step, mark: Node, side: Slash) -> Step:
    """The step whose phrase is followed by a mark, or follows an opening quotation mark."""
    node, make = step.node, step.make

    def marked(asked: Category) -> Built:
        if make is not None:
            built = make(asked)
        else:
            assert node is not None
            if side == "/" and _is_loose(node, asked) and asked.target.name != "N":
                return before_mark(builder, node, mark, asked)
            built = builder.build(node, asked)
        return Built(builder.mark(built.tree, mark, side), built.gaps)

    return Step(step.role, step.side, node, step.category, marked)


def before_mark(builder: Builder, node: Node, mark: Node, asked: Category) -> Built:
    """A noun phrase or clause that a mark after it makes a modifier: *John , come here*."""
    own, category = natural(node), mark_category(mark)
    built = builder.build(node, own)
    try:
        return Built(builder.join(built.tree, builder.leaf(mark, category), asked))
    except Unconvertible:
        if str(category) == ":":
            return Built(builder.join(built.tree, builder.leaf(mark, asked | own), asked))
        return Built(builder.mark(builder.build(node, asked).tree, mark, "/"))


def modifies(child: Node) -> Step:
    """The step of a modifier after its head."""
    return Step(Role.MODIFIER, "/", child)


def around(builder: Builder, node: Node, head: Node, role: Callable[[Node], Step | list[Step]] = modifies) -> Plan:
    """A phrase whose head is one of its children: what stands before modifies it, ``role`` says how the rest joins."""
    position = node.children.index(head)
    right = right_steps(builder, node.children[position + 1 :], role)
    return Plan(head, outside(left_steps(builder, node.children[:position]), right))


def right_steps(
    builder: Builder, children: Sequence[Node], role: Callable[[Node], Step | list[Step]] = modifies
) -> list[Step]:
    """The steps of what stands after the head, outermost (rightmost) first."""
    groups: list[list[Step]] = []
    marks: list[Node] = []
    for child in children:
        if is_mark(child):
            marks.append(child)
            groups.append([Step(Role.MARK, "/", child)])
            continue
        found = role(child)
        steps = found if isinstance(found, list) else [found]
        if marks and len(steps) == 1 and steps[0].role is Role.MODIFIER and steps[0].make is None:
            mark = marks[-1]
            apposition = mark.word == "," and (child.label == "LST" or (child.label == "NP" and child.tags & _SET_OFF))
            if mark.label not in {"''", "-RRB-"} and (apposition or _is_loose(child, None)):
                groups.pop()
                steps = [Step(Role.MODIFIER, "/", child, None, partial(after_mark, builder, mark, child))]
        plain = len(steps) == 1 and steps[0].make is None and steps[0].node is not None
        if marks and marks[-1].label == "``" and plain:
            groups.pop()  # an opening quotation mark belongs to what follows
            steps = [_with_mark(builder, steps[0], marks[-1], "\\")]
        marks = []
        groups.append(steps)
    return [step for group in reversed(groups) for step in group]


def fills(child: Node, phrase: Node, kind: str) -> bool:
    """Whether a phrase has a trace of this kind that ``child`` fills."""
    return child.index is not None and any(t.empty == kind and t.index == child.index for t in phrase.nodes())


def after_head(child: Node, head: Node) -> Step:
    """The step of what follows a phrase that takes no arguments: it fills a gap of all conjuncts, or it modifies."""
    return Step(Role.FILLER, "/", child, natural(child)) if fills(child, head, "*RNR*") else modifies(child)


def outside(left: list[Step], right: list[Step]) -> list[Step]:
    """The steps of both sides: those on the left outside of those on the right, but inside of the last marks."""
    marks = 0
    while marks < len(right) and right[marks].role is Role.MARK:
        marks += 1
    return [*right[:marks], *left, *right[marks:]]


def _is_loose(node: Node, asked: Category | None) -> bool:
    """Whether a phrase is no modifier by itself: a noun phrase, a clause."""
    if node.tags & ADVERBIAL_TAGS or (asked is not None and not asked.is_modifier):
        return False
    if stands_apart(node):
        return False
    if node.label in {"NP", "NML", "QP", "FRAG", "NAC", "UCP", "X", "CIT"} or node.label.startswith("NN"):
        return natural(node) is NP
    own = natural(node)
    return node.label in {"S", "SINV", "SQ", "SBARQ"} and not isinstance(own, Functor)


def after_mark(builder: Builder, mark: Node, child: Node, asked: Category) -> Built:
    r"""``, NP`` is ``NP\NP`` by the rule for commas; brackets, dashes and colons are functors over the phrase."""
    own, category = natural(child), mark_category(mark)
    if str(category) in {":", "LRB"}:
        return builder.apply(mark, asked, builder.build(child, own))
    if asked is not NP_MODIFIER and "LOC" in child.tags:
        return Built(builder.mark(builder.build(child, asked).tree, mark, "\\"))
    try:
        return Built(builder.join(builder.leaf(mark, category), builder.build(child, own).tree, asked))
    except Unconvertible:
        built = builder.build(child, asked)
        return Built(builder.mark(built.tree, mark, "\\"), built.gaps)


def is_modifier_by_itself(node: Node) -> bool:
    """Whether a phrase can modify what stands beside it with no mark to say so."""
    own = natural(node)
    if own is NP or not isinstance(own, Functor):
        return own is PP or node.label in {"SBAR", "ADVP", "RB"}
    return own is not ADJECTIVE or node.label in {"ADVP", "RB", "RRC", "ADJP", "SBAR"}
