"""Noun groups: what stands inside a noun phrase is flat, as in CCGbank, and each part is where its category says."""

from __future__ import annotations

from itertools import takewhile

from starccg.treebanks.penn.complements import noun_of
from starccg.treebanks.penn.labels import ADVERBIAL_TAGS, CONJUNCTIONS, clause_feature
from starccg.treebanks.penn.trees import Node, is_mark
from starccg.treebanks.ud.english.tables import CLAUSE_NOUNS

_GROUPS = frozenset({"NP", "NML", "NAC", "WHNP"})
_INNER = frozenset({"NML", "NAC"})
_PREMODIFIERS = frozenset({"JJ", "NN", "NNP", "NNS", "CD", "VBN", "VBG"})
_NOT_IN_TITLES = frozenset({"DT", "PDT", "PRP", "PRP$", "WP", "WP$", "WDT", "EX", "POS", "RB"})


def arrange_nouns(root: Node) -> None:
    """Make the noun groups of a tree flat, in place."""
    for node in reversed(list(root.nodes())):
        if node.label in _GROUPS:
            _name_determiner(node)
            _name_sign(node)
            _join_titles(node)
            _lift_determiner(node)
            _lower_brackets(node)
    _flatten(root)
    _lower_clauses(root)


def _name_determiner(node: Node) -> None:
    """*both towns*, tagged as a conjunction, without anything that it joins."""
    first, *others = node.children or [node]
    alone = not any(other.label in {"DT", "PRP$"} for other in others)
    if alone and first.label == "CC" and first.word.lower() in {"both", "either", "neither"}:
        first.label = "DT" if sum(part.label in CONJUNCTIONS for part in node.nodes()) == 1 else "CC"


def _join_titles(node: Node) -> None:
    """*the river Nile*: ``(NP (NP the river) (NP Nile))`` is one phrase, whose head is the name."""
    for position, (first, second) in enumerate(zip(node.children, node.children[1:], strict=False)):
        if first.label != "NP" or second.label != "NP" or second.tags & ADVERBIAL_TAGS or not _is_base(first):
            continue
        if not first.children[-1].label.startswith("NN") or not _is_title(second):
            continue
        name, after = second, list[Node]()
        simple = not any(child.label in CONJUNCTIONS or is_mark(child) for child in second.children)
        if second.children[0].label == "NP" and _is_base(second.children[0]) and simple:
            name, *after = second.children  # *the river Nile (Egypt)*
        if name.children[0].label in {"PRN", "CD"} and len(name.children) > 1:
            continue
        inner = name.children if _is_base(name) else [Node("NML", children=name.children)]
        node.children[position : position + 2] = [
            Node("NP", first.tags, first.index, [*first.children, *inner]),
            *after,
        ]
        return


def _is_title(phrase: Node) -> bool:
    """Whether a noun phrase has neither determiner nor pronoun, except in brackets."""
    if phrase.label == "PRN":
        return True
    return phrase.label not in _NOT_IN_TITLES and all(_is_title(child) for child in phrase.children)


def _name_sign(node: Node) -> None:
    """*10 g ± 2 g*: the sign takes the second phrase, as a preposition does."""
    for position in range(len(node.children) - 2, 0, -1):
        first, sign, second = node.children[position - 1 : position + 2]
        if sign.label == "SYM" and first.label == second.label and first.label in {"NP", "NML"}:
            node.children[position : position + 2] = [Node("PP", children=[sign, second])]


def _is_base(phrase: Node) -> bool:
    """Whether a phrase is a noun with what stands before it."""
    return bool(phrase.children) and all(
        not is_mark(part) and part.label not in CONJUNCTIONS if part.is_leaf else part.label in {"NML", "QP", "ADJP"}
        for part in phrase.children
    )


def _lift_determiner(node: Node) -> None:
    """``(NP (NML the old town) wall)``: the article belongs to the whole phrase."""
    above, inner = node, node.children[0] if node.children else node
    while inner.label in _INNER and len(inner.children) > 1:
        if any(child.label in CONJUNCTIONS for child in inner.children):
            return
        above, inner = inner, inner.children[0]
    if above is not node and inner.is_leaf and inner.label == "DT" and len(node.children) > 1:
        above.children.remove(inner)
        node.children.insert(0, inner)


def _lower_brackets(node: Node) -> None:
    """*the red ( R ) group*: a bracket before the noun modifies the word that it follows."""
    children = node.children
    nouns = [place for place, child in enumerate(children) if _is_noun(child)]
    for place in range(len(children) - 1, 0, -1):
        before, bracket = children[place - 1 : place + 1]
        if bracket.label != "PRN" or not nouns or place > nouns[-1] or before.label in {"DT", "PRP$", "NP", "PRN"}:
            continue
        if before.label.startswith(("NN", "JJ", "CD", "VB", "NML", "QP", "ADJP", "FW")):
            children[place - 1 : place + 1] = [
                Node("ADJP" if before.label == "ADJP" else "NML", children=[before, bracket])
            ]


def _is_noun(node: Node) -> bool:
    return node.label in _INNER or (node.is_leaf and node.label.startswith("NN"))


def _flatten(root: Node) -> None:
    """Noun groups inside a noun phrase are flat, as in CCGbank, unless something in them is coordinated or set off."""
    for node in reversed(list(root.nodes())):
        if node.label not in _GROUPS:
            continue
        flat: list[Node] = []
        for child in node.children:
            simple = (
                child.label in {"NML", "NAC"} and not child.word and all(_is_plain(part) for part in child.children)
            )
            flat.extend(child.children if simple else [child])
        node.children = flat
        _settle_inner(node)


def _lower_clauses(root: Node) -> None:
    """*the way he sings*: a clause that lacks nothing is the complement of its noun, ``N/S[dcl]``."""
    for node in root.nodes():
        if node.label != "NP" or [child.label for child in node.children] != ["NP", "SBAR"]:
            continue
        noun, subordinate = node.children
        clause = subordinate.children[0] if len(subordinate.children) == 1 else None
        finite = clause is not None and clause.label == "S" and clause_feature(clause) == "dcl"
        if finite and noun_of(node) in CLAUSE_NOUNS and all(child.is_leaf for child in noun.children):
            node.children = [*noun.children, subordinate]


def _settle_inner(node: Node) -> None:
    """``(NP (NP full length) (NN text))`` is one phrase; an article before a possessor belongs to the possessor."""
    for position, child in enumerate(node.children):
        if child.label != "NP" or not child.children:
            continue
        before, after = node.children[:position], node.children[position + 1 :]
        words = all(part.is_leaf and part.label in _PREMODIFIERS for part in (*before[1:], *child.children))
        rest = list(takewhile(lambda part: part.is_leaf and part.label in _PREMODIFIERS | {"NNPS"}, after))
        nouns = bool(rest) and rest[-1].label.startswith("NN") and not any(part.is_leaf for part in after[len(rest) :])
        if child.children[-1].label == "POS" and [part.label for part in before] == ["DT"]:
            child.children.insert(0, before[0])
            del node.children[0]
        elif words and nouns and (not before or before[0].label in _PREMODIFIERS | {"DT", "PRP$"}):
            node.children[position : position + 1] = child.children
        return


def _is_plain(part: Node) -> bool:
    if part.is_leaf:
        return part.label not in {"CC", ",", ":", "IN", "TO", "DT"} and not is_mark(part)
    return part.label in {"ADJP", "QP"}
