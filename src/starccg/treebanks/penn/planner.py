"""Which rules build which kind of phrase."""

from __future__ import annotations

from starccg.ccg.category import Category
from starccg.treebanks.penn.builder import Builder, Built, Plan
from starccg.treebanks.penn.categories import NP
from starccg.treebanks.penn.clauses import build_as, plan_clause, plan_inverted
from starccg.treebanks.penn.clusters import without_verb
from starccg.treebanks.penn.coordination import build_bracketed, build_coordination, build_sequence
from starccg.treebanks.penn.groups import COORDINATION, stands_apart
from starccg.treebanks.penn.labels import predicate_of
from starccg.treebanks.penn.nominals import build_noun_leaf, plan_noun_phrase, plan_quantity
from starccg.treebanks.penn.phrases import plan_adjective, plan_preposition
from starccg.treebanks.penn.subordinate import build_subordinate
from starccg.treebanks.penn.trees import Node
from starccg.treebanks.penn.verb_phrases import plan_verb_phrase


def assemble(builder: Builder, node: Node, target: Category) -> Built | Plan:
    """The phrase as a ``target``: a plan for it, or the phrase built."""
    if node.is_leaf:
        return build_noun_leaf(builder, node, target)
    if COORDINATION in node.tags:
        changed = build_as(builder, node, target) if node.label in {"S", "VP"} else None
        return changed or build_coordination(builder, node, target)
    match node.label:
        case "VP" | "S" | "SINV" | "SQ" | "RRC":
            changed = build_as(builder, node, target)
            if changed is not None:
                return changed
            if node.label == "VP":
                return plan_verb_phrase(builder, node)
            if node.label in {"SQ", "SINV"}:
                return plan_inverted(builder, node)
            if node.label == "RRC" or predicate_of(node) is None:
                return build_sequence(builder, node, target)
            return plan_clause(builder, node)
        case "SBAR" | "SBARQ":
            return build_subordinate(builder, node, target)
        case "NAC" if target.is_modifier and stands_apart(node):
            rest = Node("NAC", children=node.children[1:])
            return without_verb(builder, node.children[0], rest, target)
        case "NP" | "NML" | "NAC" | "NX" | "WHNP" | "X" | "LST" | "CIT":
            return plan_noun_phrase(builder, node, target)
        case "QP":
            if target is NP:
                return plan_noun_phrase(builder, Node("NP", children=[node]), target)
            return plan_quantity(builder, node, target)
        case "PP" | "WHPP":
            return plan_preposition(builder, node)
        case "ADJP" | "ADVP" | "WHADJP" | "WHADVP" | "PRT" | "CONJP" | "INTJ":
            return plan_adjective(builder, node, target)
        case "PRN":
            return build_bracketed(builder, node, target)
    return build_sequence(builder, node, target)
