"""Citations and remarks in brackets that a treebank leaves flat: *( Ann Lee and Tom Ray , unpublished data )*."""

from __future__ import annotations

from starccg.treebanks.penn.labels import is_mark
from starccg.treebanks.penn.trees import Node


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
    part: list[Node] = []

    def close() -> None:
        if part:
            found.append(Node("ADJP" if part[-1].label == "JJ" else "NP", children=list(part)))
            part.clear()

    for word in words:
        if is_mark(word):
            close()
            found.append(word)
        else:
            part.append(word)
    close()
    return found


def _works(parts: list[Node]) -> list[Node]:
    """Noun phrases of the parts between semicolons."""
    found: list[Node] = []
    work: list[Node] = []
    for part in (*parts, None):
        if part is None or part.word == ";":
            if work:
                found.append(work[0] if len(work) == 1 else Node("NP", children=list(work)))
                work.clear()
            found.extend([] if part is None else [part])
        else:
            work.append(part)
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
