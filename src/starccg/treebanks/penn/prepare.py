"""From a Penn tree to one that derivations can follow: bracketed phrases, groups, small clauses, flat nouns.

Each step is a function that changes the tree in place; :func:`prepare` says in which order they come.
"""

from __future__ import annotations

from starccg.treebanks.penn.bare import restore_empties, restore_tags
from starccg.treebanks.penn.brackets import bracket_phrases
from starccg.treebanks.penn.citations import split_citations
from starccg.treebanks.penn.clusters import group_clusters
from starccg.treebanks.penn.empties import settle_empties
from starccg.treebanks.penn.groups import COORDINATION, group_conjuncts
from starccg.treebanks.penn.labels import ADVERBIAL_TAGS, NONFINITE, clause_feature, subject_of
from starccg.treebanks.penn.noun_groups import arrange_nouns
from starccg.treebanks.penn.trees import Node, is_mark, split_edges
from starccg.treebanks.penn.words import join_words

_SECTIONS = frozenset({"TITLE", "HEADING", "CAPTION", "CIT", "DOC", "META"})
_EDGE_MARKS = frozenset({",", ":", "."})


def prepare(root: Node) -> Node:
    """The tree ready for building; ``root`` itself is changed."""
    root.adopt()
    restore_empties(root)
    settle_empties(root)
    restore_tags(root)
    join_words(root)
    root.adopt()
    _settle_phrases(root)
    root = _without_sections(root)
    bracket_phrases(root)
    split_citations(root)
    _lift_marks(root)
    _collapse_unary(root)
    root.adopt()
    arrange_nouns(root)
    _name_absolutes(root)
    group_conjuncts(root)
    group_clusters(root)
    root.adopt()
    _split_small_clauses(root)
    root.adopt()
    return root


def _without_sections(root: Node) -> Node:
    """The phrase inside a label that names the part of a document, such as CRAFT's ``HEADING``."""
    while root.label in _SECTIONS | {"", "TOP"}:
        words = [child for child in root.children if not is_mark(child)]
        if len(root.children) == 1:
            root = root.children[0]
        elif len(words) == 1 and not words[0].is_leaf:
            inner = words[0]
            position = root.children.index(inner)
            inner.children = [*root.children[:position], *inner.children, *root.children[position + 1 :]]
            root = inner
        else:
            root.label = "FRAG"
    return root


def _settle_phrases(root: Node) -> None:
    """*in order to*, annotated as a noun phrase, becomes a conjunction; *along with X* a prepositional phrase."""
    for node in root.nodes():
        if node.label == "NAC" and node.children and node.children[0].label == "CONJP":
            node.label = "PP"
            node.children = [*node.children[0].children, *node.children[1:]]
        if node.label == "PP" and "PRD" in node.tags and node.children and node.children[0].word.lower() == "due":
            node.label = "ADJP"  # *is due to X*
            node.children[0].label = "JJ"
            node.children = [node.children[0], Node("PP", children=node.children[1:])]
        above = node.parent.label if node.parent is not None else ""
        if node.label == "ADJP" and node.children[:1] and node.children[0].label == "DT" and above not in {"NP", "NML"}:
            node.label = "NP"  # *remains the longest*
        if node.label != "PP" or len(node.children) != 2 or len(node.children[1].children) != 2:
            continue
        preposition, (noun, clause) = node.children[0], node.children[1].children
        if (preposition.word.lower(), noun.word.lower()) == ("in", "order") and clause.label in {"S", "SBAR"}:
            node.label, node.tags, node.children = "SBAR", node.tags | {"PRP"}, [preposition, noun, clause]


def _lift_marks(root: Node) -> None:
    """Commas, colons and stops at the edge of a phrase stand outside it, and marks that are a phrase by themselves."""
    for node in reversed(list(root.nodes())):
        lifted: list[Node] = []
        for child in node.children:
            if child.children and all(map(is_mark, child.children)):
                lifted.extend(child.children)
                continue
            if child.is_leaf or child.empty or child.label == "PRN":
                lifted.append(child)
                continue
            before, child.children, after = split_edges(child.children, _EDGE_MARKS)
            lifted.extend((*before, child, *after))
        node.children = lifted


def _collapse_unary(root: Node) -> None:
    """``(NP (NP ...))`` is one phrase: the inner one's children, the tags and indices of both."""
    for node in reversed(list(root.nodes())):
        while len(node.children) == 1:
            child = node.children[0]
            same = child.label == node.label or (node.label in {"NP", "NML", "NAC"} and child.label in {"NML", "NAC"})
            if child.word or child.empty or not same:
                break
            node.children = child.children
            node.tags |= child.tags
            node.index = node.index if node.index is not None else child.index


def _name_absolutes(root: Node) -> None:
    """*(data not shown)*: a clause in brackets without a finite verb is a noun phrase with a reduced relative."""
    for node in root.nodes():
        above = node.parent
        if node.label != "S" or above is None or above.label not in {"PRN", "FRAG"}:
            continue
        subject = subject_of(node)
        if subject is None or subject.empty or clause_feature(node) not in {"pss", "ng", "adj"}:
            continue
        position = node.children.index(subject)
        before, rest = node.children[:position], node.children[position + 1 :]
        if not rest:
            continue
        subject.tags -= {"SBJ"}
        *adverbs, predicate = rest
        if adverbs and predicate.label == "VP":
            predicate.children = [*adverbs, *predicate.children]
            rest = [predicate]
        node.label, node.children = "NP", [*before, subject, *rest]


def _split_small_clauses(root: Node) -> None:
    """*makes it possible*, *wants her to go*, *with him gone*: the governor takes the subject and the predicate."""
    for node in root.nodes():
        if node.label not in {"VP", "PP", "SBAR"} or COORDINATION in node.tags:
            continue
        children: list[Node] = []
        for child in node.children:
            subject = subject_of(child) if child.label == "S" and COORDINATION not in child.tags else None
            if (
                subject is None
                or clause_feature(child) not in NONFINITE
                or (node.label == "VP" and child.tags & ADVERBIAL_TAGS)
                or not any(other.is_leaf and not is_mark(other) for other in node.children)
            ):
                children.append(child)
                continue
            subject.tags -= {"SBJ"}
            position = child.children.index(subject)
            rest = child.children[position + 1 :]
            predicate = (
                rest[0] if len(rest) == 1 else Node("S", child.tags & frozenset({"PRD", "CLR"}), child.index, rest)
            )
            predicate.tags |= {"CLR"}
            children.extend((*child.children[:position], subject, predicate))
        node.children = children
