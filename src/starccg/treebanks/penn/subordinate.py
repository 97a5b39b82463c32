"""Subordinate clauses: complementisers, conjunctions, relative clauses and questions."""

from __future__ import annotations

from starccg.ccg.category import Atom, Category, Functor
from starccg.treebanks.penn.builder import Builder, Built, Plan, Role, Step, Unconvertible
from starccg.treebanks.penn.categories import CLAUSES, NP, S_EM, S_QEM, N, natural
from starccg.treebanks.penn.steps import around, left_steps, modifies, right_steps
from starccg.treebanks.penn.trees import Node, is_mark
from starccg.treebanks.penn.wh import build_wh


def build_subordinate(builder: Builder, node: Node, target: Category) -> Built | Plan:
    """A clause with a complementiser, a conjunction, or a relative or interrogative phrase."""
    children = list(node.children)
    clause = next((child for child in children if child.label in CLAUSES), None)
    wh = next((child for child in children if child.label.startswith("WH") or child.label in {"WRB"}), None)
    if wh is not None and clause is not None and wh is not clause:
        return _build_wh_clause(builder, node, wh, clause, target)
    words = [child for child in children if child.is_leaf and not is_mark(child)]
    if not words:
        if clause is None:
            raise Unconvertible("a subordinate clause without a clause")
        own = natural(node)
        if own is not target and target is NP:
            return Built(builder.change(builder.build(node, own).tree, NP))
        if own is target or clause.label == "SINV":
            return around(builder, node, clause)
        inner = builder.build(clause, natural(clause))
        return Built(builder.change(inner.tree, target), () if target.is_modifier else inner.gaps)
    if target is NP and natural(node) in (S_EM, S_QEM):
        return Built(builder.change(builder.build(node, natural(node)).tree, NP))
    return _plan_conjunction(builder, node, words, target)


def _plan_conjunction(builder: Builder, node: Node, words: list[Node], target: Category) -> Plan:
    """The conjunction takes the clause: ``X/S[dcl]``; *so that* is ``X/S[em]`` and ``S[em]/S[dcl]``."""
    forms = [word.word.lower() for word in words]
    head = words[-1]
    position = node.children.index(head)
    after = node.children[position + 1 :]
    left = left_steps(builder, node.children[:position])
    if forms[:2] == ["in", "order"]:
        noun = head

        def in_order(category: Category) -> Built:
            return builder.apply(words[0], category, Built(builder.leaf(noun, N)))

        right = right_steps(builder, after, lambda child: Step(Role.ARGUMENT, "/", child, natural(child)))
        return Plan(head, right, in_order)
    right = right_steps(builder, after, _subordinated)
    if len(words) > 1 and forms[-1] == "that" and target is not S_EM:
        outer = words[-2]
        left = left_steps(builder, node.children[: node.children.index(outer)])
        return Plan(head, [*left, Step(Role.FUNCTOR, "\\", outer, S_EM), *right])
    return Plan(head, [*left, *right])


def _subordinated(child: Node) -> Step:
    if child.label in CLAUSES | {"VP", "FRAG", "NP", "PP", "ADJP", "ADVP", "UCP"} or "CLR" in child.tags:
        return Step(Role.ARGUMENT, "/", child, natural(child))
    return modifies(child)


def _build_wh_clause(builder: Builder, node: Node, wh: Node, clause: Node, target: Category) -> Built:
    """Relative clauses and questions: the fronted phrase takes the clause with its gap."""
    own = natural(clause)
    if clause.label == "S" and isinstance(own, Functor) and own.result is Atom.of("S", "b"):
        own = Category.parse(r"S[dcl]\NP") if target.is_modifier else own
    between = left_steps(builder, node.children[node.children.index(wh) + 1 : node.children.index(clause)])
    inner = builder.follow(Plan(clause, between), own)  # *how then could she swim*
    rest = tuple(gap for gap in inner.gaps if gap.filler != wh.index)
    if wh.empty:
        tree = builder.change(inner.tree, target)
    else:
        category = Functor.of(target, "/", inner.tree.category)
        phrase = build_wh(builder, wh, category)
        tree = builder.join(phrase, inner.tree, target)
    built = Built(tree, rest if not rest else ())
    before = node.children[: node.children.index(wh)]
    after = list(node.children[node.children.index(clause) + 1 :])
    left = left_steps(builder, before)
    right = right_steps(builder, after)
    if not left and not right:
        return built
    return builder.follow(Plan(node, [*left, *right], lambda _: built), target)
