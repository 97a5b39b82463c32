"""Prepositional, adjectival and adverbial phrases."""

from __future__ import annotations

from starccg.ccg.category import Category, Functor
from starccg.treebanks.penn.builder import Builder, Built, Plan, Role, Step, Unconvertible
from starccg.treebanks.penn.categories import CLAUSES, NOMINALS, NP, PP, natural
from starccg.treebanks.penn.complements import takes_phrase
from starccg.treebanks.penn.labels import content
from starccg.treebanks.penn.nominals import CURRENCIES, at_least, plan_quantity
from starccg.treebanks.penn.steps import after_head, around, fills, left_steps, modifies, right_steps
from starccg.treebanks.penn.trees import Node, is_mark

_PREPOSITIONS = frozenset({"of", "to", "for", "with", "from", "than", "on", "in", "at", "by"})
_TAKES_PREPOSITION = frozenset(
    {"prior", "due", "according", "next", "close", "similar", "subsequent", "relative", "along", "together", "instead",
     "because", "regardless", "irrespective", "away", "apart", "aside", "ahead", "depending", "based", "contrary"}
)  # fmt: skip
"""Words that take the prepositional phrase after them where they are adverbs or prepositions."""


def plan_preposition(builder: Builder, node: Node) -> Plan:
    """A preposition and what it takes; *because of* is ``X/PP`` and ``PP/NP``."""
    children = node.children
    words = [
        child for child in children if (child.is_leaf and child.label in {"IN", "TO", "RP", "P"}) or child.label == "P"
    ]
    if not words:
        words = [child for child in children if child.is_leaf and not is_mark(child) and child.label != "CC"][:1]
    if not words:
        inner = next((child for child in children if child.label in {"PP", "WHPP"}), None)
        if inner is None and len(content(node)) == 1:
            inner = content(node)[0]
        if inner is None:
            raise Unconvertible("a prepositional phrase without a preposition")
        return around(builder, node, inner, lambda child: after_head(child, inner))
    head = words[0]
    for word in words[1:]:  # only words next to one another are one preposition
        if children.index(word) != children.index(head) + 1:
            break
        head = word
    position = children.index(head)
    after = children[position + 1 :]
    sole = len(after) == 1
    right = right_steps(builder, after, lambda child: _object(child, sole))
    before = children[:position]
    if len(before) == 1 and before[0].label == "NP":
        return Plan(head, [Step(Role.ARGUMENT, "\\", before[0], NP), *right])
    leading = [child for child in before if child.is_leaf and not is_mark(child) and child.label != "CC"]
    if leading and head.word.lower() in _PREPOSITIONS and before[-1] is leading[-1]:
        outer = leading[-1]
        left = left_steps(builder, before[: before.index(outer)])
        return Plan(head, [*left, Step(Role.FUNCTOR, "\\", outer, PP), *right])
    return Plan(head, [*left_steps(builder, before), *right])


def _object(child: Node, sole: bool) -> Step:
    if child.empty:
        return Step(Role.GAP, "/", child, NP)
    phrases = NOMINALS | CLAUSES | {"PP", "ADJP", "ADVP", "UCP", "VP", "FRAG"}
    if child.label in phrases or "CLR" in child.tags or (child.label == "PRN" and sole):  # *the mice in (A)*
        return Step(Role.ARGUMENT, "/", child, natural(child))
    return Step(Role.ARGUMENT, "/", child, NP) if child.is_leaf and child.label != "RB" else modifies(child)


def plan_adjective(builder: Builder, node: Node, target: Category) -> Plan | Built:
    """An adjective or adverb with its modifiers and, as a predicate or before a noun, its complements."""
    children = node.children
    head = _head(node)
    if head is None:
        raise Unconvertible(f"a phrase ({node.label}) without a head")
    if target.is_modifier and node.label in {"ADJP", "WHADJP"} and builder.can_change(natural(node), target):
        inner = builder.build(node, natural(node))
        return Built(builder.change(inner.tree, target))
    if [child.word.lower() for child in children] in (["at", "least"], ["at", "most"]):
        return at_least(builder, children, target)
    if head.label == "QP" and head is children[0] and len(children) == 1:
        return plan_quantity(builder, head, target)
    if children[0].label in CURRENCIES:
        return plan_quantity(builder, node, target)
    position = children.index(head)
    word = head if head.is_leaf else next(iter(head.leaves()), None)
    before = children[:position]
    right = right_steps(builder, children[position + 1 :], lambda child: _complement(word, child, node, head))
    measure = next((child for child in before if child.label in {"NP", "QP"} and not _is_noun(child)), None)
    if measure is not None and before[-1] is measure and target is not NP:
        left = left_steps(builder, before[:-1])
        return Plan(head, [*left, *right, Step(Role.ARGUMENT, "\\", measure, NP)])
    return Plan(head, [*left_steps(builder, before), *right])


def _is_noun(phrase: Node) -> bool:
    """*gene specific*: a noun alone before an adjective is no measure, but modifies it."""
    return len(phrase.children) == 1 and phrase.children[0].label.startswith("NN")


def _head(node: Node) -> Node | None:
    children = content(node)
    label = {"WHADJP": "ADJP", "WHADVP": "ADVP"}.get(node.label, node.label)
    inner = next((child for child in children if child.label == label), None)
    if inner is not None and not (label == "ADVP" and children[-1].label in {"FW", "RB"}):  # *even more strikingly*
        return inner
    tags = ("JJ", "JJR", "JJS", "VBN", "VBG", "AFX") if label == "ADJP" else ("RB", "RBR", "RBS", "RP", "IN", "WRB")
    words: list[Node] = []
    for child in children:
        if child.label in {"PP", "S", "SBAR", "PRN"} and words:
            break
        if child.label in tags:
            words.append(child)
    if words:
        return words[-1]
    leaves = [child for child in children if child.is_leaf]
    return leaves[-1] if leaves else (children[-1] if children else None)


def _complement(word: Node | None, child: Node, node: Node, head: Node) -> Step:
    if fills(child, head, "*RNR*"):
        return after_head(child, head)
    if child.empty:
        return Step(Role.GAP, "/", child, NP)
    if child.label == "PP":
        is_adverb = node.label in {"ADVP", "WHADVP"}
        listed = word is not None and word.word.lower() in _TAKES_PREPOSITION
        if listed or (not is_adverb and takes_phrase(word, child)):
            return Step(Role.ARGUMENT, "/", child, natural(child))
        return modifies(child)
    if child.label == "SBAR" and len(child.children) == 2 and child.children[0].empty:
        return Step(Role.ARGUMENT, "/", child, Functor.of(natural(child.children[1]), "/", NP))
    if child.label == "S" and not child.tags:
        return Step(Role.ARGUMENT, "/", child, natural(child))
    if child.label == "SBAR" and not child.tags and node.label == "ADJP" and natural(child).target.name == "S":
        first = next(iter(child.leaves()), None)
        if first is not None and first.word.lower() in {"that", "whether", "for"}:
            return Step(Role.ARGUMENT, "/", child, natural(child))
    if child.label == "NP" and node.label == "ADJP":
        return Step(Role.ARGUMENT, "/", child, NP)
    return modifies(child)
