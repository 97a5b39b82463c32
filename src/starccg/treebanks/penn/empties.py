"""Empty elements: what each says is noted on the tree, and those that leave no trace in a derivation are taken out.

============  ==========================================================================================
``*T*``       kept where the derivation has a gap (noun phrases, predicates); adjuncts leave none
``*``         after a participle: the verb phrase is passive; as a subject: nothing
``*PRO*``     nothing: the verb phrase has no subject of its own, control is in the category of its governor
``*RNR*``     kept: a gap that the shared phrase at the end of the coordination fills
``*EXP*``     the *it* beside it is an expletive, the clause that it announces is an argument
``*ICH*``     nothing: the phrase is built where it stands
``0``         kept as the empty pronoun of a relative clause
============  ==========================================================================================
"""

from __future__ import annotations

from starccg.treebanks.penn.trees import EMPTY, Node
from starccg.treebanks.penn.words import VERBS

PASSIVE, EXPLETIVE, ANNOUNCED, EXTRAPOSED = "+PASSIVE", "+EXPL", "+EXP", "+ICH"
ELLIPTIC = "+ELLIPSIS"
"""Tags that note what an empty element said."""

_KEPT = frozenset({"*T*", "*RNR*"})
_GAPS = frozenset({"NP", "ADJP", "NML", "VP", "S", "SBAR", "SINV", "SQ", "UCP", "WHNP"})


def settle_empties(root: Node) -> None:
    """Note what the empty elements say and take out those that are no gaps, in place."""
    _collapse(root)
    _return_shared_nouns(root)
    _relabel_places(root)
    announced: set[int] = set()
    extraposed = {node.index for node in root.nodes() if node.empty == "*ICH*"}
    _settle(root, announced)
    fillers = {node.index for node in root.nodes() if node.index is not None and not node.empty}
    inverted = {child.index for node in root.nodes() if node.label == "SINV" for child in node.children}
    operators = {node.index for node in root.nodes() if node.empty == "0" and node.index is not None}
    for node in root.nodes():
        if node.index in announced and not node.empty:
            node.tags |= {ANNOUNCED}
        if node.index in extraposed and not node.empty and node.index is not None:
            node.tags |= {EXTRAPOSED}
        node.children = [
            child
            for child in node.children
            if not child.empty
            or child.empty == "0"
            or (child.index in fillers | operators and (_is_gap(child) or child.index in inverted))
        ]
    _drop_unused_operators(root)
    _lift_from_ellipsis(root)
    _prune(root)
    root.adopt()


def _collapse(root: Node) -> None:
    """A phrase that holds nothing but an empty element becomes one."""
    for node in reversed(list(root.nodes())):
        if not node.children or any(not child.empty for child in node.children):
            continue
        inner = next((child for child in node.children if child.empty != "0"), node.children[0])
        node.empty = inner.empty
        if inner.index is not None:
            node.index = inner.index
        node.children = []


def _lift_from_ellipsis(root: Node) -> None:
    """What is left of a verb phrase whose verb is not said belongs to the phrase above."""
    for node in root.nodes():
        if any(ELLIPTIC in child.tags for child in node.children):
            node.children = [
                part for child in node.children for part in (child.children if ELLIPTIC in child.tags else [child])
            ]


def _return_shared_nouns(root: Node) -> None:
    """*from 20 to 90 cm*: a shared noun, which no gap can stand for, goes back to the last phrase that shares it."""
    traces: dict[int, Node] = {}
    for node in root.nodes():
        if node.empty == "*RNR*" and node.index is not None and node.label in {"NML", "NX", "NAC", "NN", "QP"}:
            traces[node.index] = node
    order = [node for node in root.nodes() if node.word or node.empty == "*RNR*"]
    for node in root.nodes():
        for child in list(node.children):
            last = traces.get(child.index) if child.index is not None and not child.empty else None
            first = next(child.leaves(), None)
            if last is not None and first is not None and order.index(first) == order.index(last) + 1:
                node.children.remove(child)
                last.label, last.tags, last.empty, last.index = child.label, child.tags, "", None
                last.children, last.word = child.children, child.word


def _relabel_places(root: Node) -> None:
    """*where is X*: the predicate that is asked for is a place, a prepositional phrase."""
    places = {
        node.index
        for node in root.nodes()
        if node.label == "WHADVP" and [leaf.word.lower() for leaf in node.leaves()] == ["where"]
    }
    for node in root.nodes():
        if node.empty == "*T*" and "PRD" in node.tags and node.index in places:
            node.label = "PP"


def _settle(root: Node, announced: set[int]) -> None:
    for node in root.nodes():
        kept: list[Node] = []
        for child in node.children:
            if not child.empty or child.empty in _KEPT:
                kept.append(child)
            elif child.empty == "0":
                if child.label.startswith("WH"):
                    kept.append(child)
            elif child.empty == "*?*" and node.label == "VP":
                if not any(part.label in VERBS for part in node.children):
                    node.tags |= {ELLIPTIC}
            elif child.empty == "*EXP*":
                node.tags |= {EXPLETIVE}
                if child.index is not None:
                    announced.add(child.index)
            elif child.empty == "*" and "SBJ" not in child.tags and child.label != EMPTY:
                _make_passive(node, child)
        node.children = kept


def _make_passive(node: Node, trace: Node) -> None:
    """The object of a passive is empty; a preposition without its object is stranded."""
    if (node.label == "VP" and trace.label in {"NP", "SBAR", "S", "PP"}) or node.label == "PP":
        node.tags |= {PASSIVE}


def _is_gap(trace: Node) -> bool:
    """Whether a trace is a gap of the derivation: noun phrases and predicates are, adjuncts are not."""
    if trace.empty == "*RNR*":
        return trace.label in {"NP", "PP", "S", "SBAR", "VP", "ADJP"}
    if trace.label in _GAPS:
        return trace.label != "NP" or not trace.tags & {"TMP", "ADV", "LOC", "MNR", "DIR", "EXT"}
    return "PRD" in trace.tags


def _drop_unused_operators(root: Node) -> None:
    """An empty relative pronoun whose trace is an adjunct's is no pronoun: *the day he left*."""
    traces = {node.index for node in root.nodes() if node.empty == "*T*"}
    for node in root.nodes():
        node.children = [child for child in node.children if child.empty != "0" or child.index in traces]


def _prune(root: Node) -> None:
    """Take out phrases that hold nothing."""
    for node in reversed(list(root.nodes())):
        node.children = [child for child in node.children if child.word or child.empty or child.children]
