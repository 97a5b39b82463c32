"""Verb phrases: complements and adjuncts of a verb, and the gaps that traces leave."""

from __future__ import annotations

from starccg.ccg.category import Category
from starccg.treebanks.penn.builder import Builder, Plan, Role, Step, Unconvertible
from starccg.treebanks.penn.categories import ADJECTIVE, CLAUSES, NP, PP, S_DCL, natural
from starccg.treebanks.penn.clusters import CLUSTER, cluster_steps
from starccg.treebanks.penn.complements import is_temporal, takes_phrase
from starccg.treebanks.penn.empties import ANNOUNCED, EXTRAPOSED
from starccg.treebanks.penn.groups import stands_apart
from starccg.treebanks.penn.labels import ADVERBIAL_TAGS, BE, VERBS, content, first_conjunct, head_verb, subject_of
from starccg.treebanks.penn.steps import after_head, around, left_steps, outside, right_steps
from starccg.treebanks.penn.trees import Node, is_mark

_SUBORDINATORS = frozenset({"that", "whether", "if", "for", "0"})


def plan_verb_phrase(builder: Builder, node: Node) -> Plan:
    """A verb, auxiliary or *to* with its complements on the right and its adjuncts on both sides."""
    children = node.children
    head = next((child for child in children if child.label == "V"), None)
    head = head or next((child for child in children if child.is_leaf and child.label in VERBS), None)
    inner = next((child for child in children if child.label == "VP" and not child.empty), None)
    if head is None and inner is not None:  # verb phrases that are coordinated, and what fills a gap of all of them
        return around(builder, node, inner, lambda child: after_head(child, inner))
    head = head or next((child for child in children if child.is_leaf and not is_mark(child)), None)
    if head is None:
        raise Unconvertible("a verb phrase without a verb")
    position = children.index(head)
    verb = head_verb(head) if not head.is_leaf else head
    left = left_steps(builder, children[:position])
    right = right_steps(builder, children[position + 1 :], lambda child: complement(builder, verb, child, node))
    return Plan(head, outside(left, right))


def complement(builder: Builder, verb: Node | None, child: Node, phrase: Node) -> list[Step]:
    """The steps by which what follows a verb joins it; the outermost first."""
    label, tags = child.label, child.tags
    if label == CLUSTER:
        steps = [complement(builder, verb, part, phrase) for part in content(content(child)[0])]
        if any(len(step) != 1 for step in steps):
            raise Unconvertible("a gap in a cluster of arguments")
        return cluster_steps(builder, child, [step[0] for step in steps])
    if child.empty:
        return [Step(Role.GAP, "/", child, gap_category(child))]
    argument = [Step(Role.ARGUMENT, "/", child, natural(child))]
    modifier = [Step(Role.MODIFIER, "/", child)]
    if label == "SBAR" and _is_as_follows(child):
        return modifier
    if ANNOUNCED in tags or "PRD" in tags:
        return _with_subject_gap(child, argument)
    adjunct = bool(tags & ADVERBIAL_TAGS) or (EXTRAPOSED in tags and label in {"S", "SBAR"})
    match label:
        case "NAC" if stands_apart(child):
            return modifier
        case "VP":
            return modifier if EXTRAPOSED in tags else argument
        case "NP" | "QP" | "NML" | "X" | "UCP" | "NAC":
            bare_time = not tags and is_temporal(child) and label == "NP" and _has_object(phrase, child)
            adverbial = label == "UCP" and any(p.label == "ADVP" or p.tags & ADVERBIAL_TAGS for p in content(child))
            return modifier if adjunct or bare_time or adverbial or EXTRAPOSED in tags else argument
        case "PP":
            return argument if takes_phrase(verb, child) or natural(child) is not PP else modifier
        case "ADJP" | "WHADJP":
            return modifier if adjunct and "CLR" not in tags else argument
        case "ADVP" | "PRT":
            copula = verb is not None and verb.word.lower() in BE and not _has_complement(phrase, child)
            return argument if label == "ADVP" and copula else modifier
        case "S" | "SINV" | "SQ" | "SBARQ":
            if adjunct or (label == "S" and "CLR" not in tags and child.gapped is not None):
                return modifier
            return _with_subject_gap(child, argument)
        case "SBAR":
            return modifier if adjunct or is_adverbial_clause(child) else _with_subject_gap(child, argument)
    if child.is_leaf and label in VERBS | {"NN", "NNS", "NNP", "CD", "PRP", "DT", "EX", "JJ", "FW"}:
        return argument
    return modifier


def _is_as_follows(clause: Node) -> bool:
    """*The rules are as follows*: a verb phrase with a conjunction that says how."""
    words = [leaf.word.lower() for leaf in clause.leaves()]
    return words == ["as", "follows"]


def _with_subject_gap(child: Node, argument: list[Step]) -> list[Step]:
    r"""*who do you think left*: the verb above takes ``S[dcl]\NP`` and seeks the noun phrase itself."""
    trace = subject_gap(child)
    if trace is None:
        return argument
    return [Step(Role.GAP, "/", trace, NP), *argument]


def subject_gap(child: Node) -> Node | None:
    """The trace that is the subject of a complement clause."""
    clause = first_conjunct(child)
    if clause.label == "SBAR":
        if any(part.label.startswith("WH") for part in clause.children):
            return None
        inner = next((part for part in clause.children if part.label in CLAUSES), None)
        if inner is None:
            return None
        clause = first_conjunct(inner)
    if clause.label != "S":
        return None
    subject = subject_of(clause)
    return subject if subject is not None and subject.empty == "*T*" else None


def gap_category(trace: Node) -> Category:
    """What a trace stands for."""
    match trace.label:
        case "PP":
            return PP
        case "ADJP" | "ADVP":
            return ADJECTIVE
        case "S" | "SINV" | "SBAR" | "SQ":
            return S_DCL
        case "VP":
            return Category.parse(r"S[pss]\NP")
    return NP


def _has_object(phrase: Node, child: Node) -> bool:
    return any(other is not child and other.label == "NP" for other in phrase.children)


def _has_complement(phrase: Node, child: Node) -> bool:
    return any(
        other is not child
        and (other.label in {"VP", "NP", "ADJP", "S", "SBAR", "UCP"} or "PRD" in other.tags or other.label == "PP")
        for other in phrase.children
    )


def is_adverbial_clause(node: Node) -> bool:
    """*because he left*: a subordinate clause whose conjunction is not that of a complement."""
    node = first_conjunct(node)
    words = [child.word.lower() for child in node.children if child.is_leaf and child.label in {"IN", "RB", "NN"}]
    if any(child.label in {"WHADVP", "WRB"} for child in node.children):
        return False
    return bool(words) and words[-1] not in _SUBORDINATORS
