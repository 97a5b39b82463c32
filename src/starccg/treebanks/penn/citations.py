"""Citations and remarks in brackets that a treebank leaves flat: *( Ann Lee and Tom Ray , unpublished data )*."""

from __future__ import annotations

from itertools import groupby

from starccg.treebanks.penn.trees import Node, is_mark, phrase_of


def split_citations(root: Node) -> None:
    """Make phrases of what marks separate inside a citation, in place."""
    for node in root.nodes():
        if node.label == "CIT" and [child.label for child in node.children] == ["PRN"]:
            node.children = node.children[0].children
        if node.label == "CIT" and node.children and all(child.is_leaf for child in node.children):
            _split(node)
        elif node.label == "PRN":
            _name_nouns(node)


def _split(citation: Node) -> None:
    """Semicolons separate works, commas the parts of one; each part is a noun phrase, or an adjective."""
    children = citation.children
    start = 1 if children[0].label == "-LRB-" else 0
    end = len(children) - 1 if children[-1].label == "-RRB-" else len(children)
    inside = _separated(children[start:end])
    if any(is_mark(child) and child.word == ";" for child in inside):
        inside = _works(inside)
    citation.label = "PRN" if start and end < len(children) else "NP"
    citation.children = [*children[:start], *inside, *children[end:]]


def _separated(words: list[Node]) -> list[Node]:
    found: list[Node] = []
    for separates, group in groupby(words, is_mark):
        part = list(group)
        found += part if separates else [Node("ADJP" if part[-1].label == "JJ" else "NP", children=part)]
    return found


def _works(parts: list[Node]) -> list[Node]:
    """Noun phrases of the parts between semicolons."""
    found: list[Node] = []
    for separates, group in groupby(parts, lambda part: part.word == ";"):
        work = list(group)
        found += work if separates else [phrase_of("NP", work)]
    return found


def _name_nouns(node: Node) -> None:
    """``(PRN ( Figure (NML 1 and 2) ))``: the words in the brackets are a noun phrase."""
    inside = [child for child in node.children if not is_mark(child)]
    nouns = [child for child in inside if child.is_leaf and child.label.startswith("NN")]
    simple = all(child.label == "NML" or child in nouns for child in inside)
    if len(inside) < 2 or not nouns or not simple or any(map(is_mark, node.children[1:-1])):
        return
    first, last = node.children.index(inside[0]), node.children.index(inside[-1])
    node.children[first : last + 1] = [Node("NP", children=inside)]
