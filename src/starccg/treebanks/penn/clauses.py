"""Clauses: subject and predicate, fronted phrases, inversion, and clauses that become modifiers or noun phrases."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from starccg.ccg.category import Atom, Category, Functor
from starccg.treebanks.penn.builder import Builder, Built, Plan, Role, Step, Unconvertible
from starccg.treebanks.penn.categories import IT, NP, S_DCL, S_EM, S_QEM, THERE, natural
from starccg.treebanks.penn.empties import ANNOUNCED, EXPLETIVE
from starccg.treebanks.penn.groups import COORDINATION
from starccg.treebanks.penn.labels import VERBS, clause_feature, content, predicate_of, subject_of
from starccg.treebanks.penn.steps import after_head, fills, left_steps, outside, right_steps
from starccg.treebanks.penn.trees import Node
from starccg.treebanks.penn.verb_phrases import complement

_PREDICATES = VERBS | {"VP", "V", "ADJP", "ADVP", "S", "SINV", "SQ"}


def plan_clause(builder: Builder, node: Node) -> Plan:
    """Subject and predicate, fronted phrases and adjuncts."""
    predicate = predicate_of(node)
    if predicate is None:
        raise Unconvertible(f"a clause ({node.label}) without a predicate")
    subject = subject_of(node)
    if subject is not None and not subject.empty and predicate.label not in _PREDICATES:
        raise Unconvertible("a subject without a verb")
    position = node.children.index(predicate)
    topic = _topic(node, predicate)
    items: list[Node | Step] = []
    for child in node.children[:position]:
        if child is subject:
            if not child.empty:
                items.append(_subject(child, node))
        elif child is topic:
            items.append(Step(Role.ARGUMENT, "\\", child, _topic_category(child)))
        elif child.label == "NP" and fills(child, predicate, "*T*"):
            items.append(Step(Role.FILLER, "\\", child, NP, _fronted(builder, child)))
        else:
            items.append(child)
    left = left_steps(builder, items)
    after = partial(_after_predicate, subject=subject, predicate=predicate)
    return Plan(predicate, [*right_steps(builder, node.children[position + 1 :], after), *left])


def _after_predicate(child: Node, subject: Node | None, predicate: Node) -> Step:
    if child is subject and not fills(child, predicate, "*RNR*"):
        return Step(Role.ARGUMENT, "/", child, NP)
    if ANNOUNCED in child.tags and not fills(child, predicate, "*RNR*"):
        return Step(Role.ARGUMENT, "/", child, natural(child))
    return after_head(child, predicate)


def _subject(subject: Node, clause: Node) -> Step:
    expletive = EXPLETIVE in subject.tags and clause_feature(clause) == "dcl"
    return Step(Role.ARGUMENT, "\\", subject, THERE if _is_there(subject) else IT if expletive else NP)


def _topic(node: Node, predicate: Node) -> Node | None:
    """A quotation before its verb: ``S-TPC`` with its trace in the verb phrase."""
    for child in node.children:
        if child is predicate:
            return None
        if child.index is None or child.label not in {"S", "SBAR", "SINV", "SQ"}:
            continue
        for trace in predicate.children:
            if trace.empty == "*T*" and trace.index == child.index:
                predicate.children.remove(trace)
                return child
    return None


def _fronted(builder: Builder, child: Node) -> Callable[[Category], Built]:
    """*this song I like*: the noun phrase becomes ``S[dcl]/(S[dcl]/NP)``."""
    topic = S_DCL / (S_DCL / NP)
    return lambda asked: Built(builder.change(builder.build(child, asked).tree, topic))


def _topic_category(child: Node) -> Category:
    own = natural(child)
    return own if isinstance(own, Atom) and own.name == "S" else S_DCL


def plan_inverted(builder: Builder, node: Node) -> Plan:
    """Questions and inversion: the auxiliary takes the subject, then the rest, all to its right."""
    verb = next((child for child in node.children if child.is_leaf and child.label in VERBS), None)
    subject = subject_of(node)
    if verb is None or (subject is not None and subject.empty):
        return _plan_inverted_phrase(builder, node)
    position = node.children.index(verb)
    left = left_steps(builder, node.children[:position])
    right = right_steps(
        builder,
        node.children[position + 1 :],
        lambda child: (
            [Step(Role.ARGUMENT, "/", child, THERE if _is_there(child) else NP)]
            if child is subject or _is_there(child)
            else complement(builder, verb, child, node)
        ),
    )
    return Plan(verb, outside(left, right))


def _is_there(node: Node) -> bool:
    words = list(node.leaves())
    return len(words) == 1 and words[0].label == "EX"


def _plan_inverted_phrase(builder: Builder, node: Node) -> Plan:
    """``(SINV (VP-TPC shown) (VP are) (NP-SBJ ...))``: what was moved to the front is an argument on the left."""
    predicate = predicate_of(node)
    if predicate is None:
        raise Unconvertible("an inverted clause without a verb")
    position = node.children.index(predicate)
    items: list[Node | Step] = []
    for child in node.children[:position]:
        moved = child.index is not None and any(
            trace.empty == "*T*" and trace.index == child.index for trace in predicate.nodes()
        )
        if moved or "PRD" in child.tags:
            for phrase in predicate.nodes():
                phrase.children = [c for c in phrase.children if not (c.empty and c.index == child.index)]
            items.append(Step(Role.ARGUMENT, "\\", child, natural(child)))
        else:
            items.append(child)
    after = partial(_after_predicate, subject=subject_of(node), predicate=predicate)
    right = right_steps(builder, node.children[position + 1 :], after)
    return Plan(predicate, outside(left_steps(builder, items), right))


def build_as(builder: Builder, node: Node, target: Category) -> Built | None:
    r"""A clause or verb phrase that is asked to be what it is not by itself: a modifier or a noun phrase."""
    own = natural(node)
    if own is target or not (target.is_modifier or target is NP):
        return None
    if not clause_is_verbal(own) and not (own in (S_DCL, S_QEM, S_EM) and node.label in {"S", "SQ"}):
        return None
    if COORDINATION in node.tags and _may_change_apart(builder, node, own, target):
        return None
    return Built(builder.change(builder.build(node, own).tree, target))


def _may_change_apart(builder: Builder, node: Node, own: Category, target: Category) -> bool:
    """*geese seen there and missing one wing*: conjuncts with unlike verbs become modifiers before they are joined."""
    others = [natural(conjunct) for conjunct in content(node)[1:]]
    unlike = any(other is not own for other in others)
    return unlike and target.is_modifier and all(builder.can_change(other, target) for other in others)


def clause_is_verbal(own: Category) -> bool:
    r"""Whether it is ``S[x]\NP``."""
    return isinstance(own, Functor) and isinstance(own.result, Atom) and own.result.name == "S" and own.argument is NP
