"""Brackets: each pair and what stands between becomes one ``PRN``, wherever the treebank attached the two."""

from __future__ import annotations

from starccg.treebanks.penn.trees import Node

OPEN, CLOSE = "-LRB-", "-RRB-"


def bracket_phrases(root: Node) -> None:
    """Make a ``PRN`` of every pair of brackets that does not cross the phrases of the tree, in place."""
    root.adopt()
    while True:
        pair = _next_pair(root)
        if pair is None:
            return
        opening, closing = pair
        if not _wrap(opening, closing):
            opening.tags |= {"+LOOSE"}
            closing.tags |= {"+LOOSE"}


def _next_pair(root: Node) -> tuple[Node, Node] | None:
    """The first innermost pair that is not yet a phrase."""
    waiting: list[Node] = []
    for leaf in root.leaves():
        if leaf.label == OPEN:
            waiting.append(leaf)
        elif leaf.label == CLOSE and waiting:
            opening = waiting.pop()
            if opening.tags or _is_phrase(opening, leaf):
                continue
            return opening, leaf
    return None


def _is_phrase(opening: Node, closing: Node) -> bool:
    parent = opening.parent
    if parent is None or parent is not closing.parent or parent.label != "PRN":
        return False
    return parent.children[0] is opening and parent.children[-1] is closing


def _wrap(opening: Node, closing: Node) -> bool:
    left, right = _path(opening), _path(closing)
    depth = 0
    while left[depth] is right[depth]:
        depth += 1
    common, first, last = left[depth - 1], left[depth], right[depth]
    start, end = common.children.index(first), common.children.index(last)
    if first is not opening and last is closing and end == start + 1 and _ends(opening, first):
        parent = opening.parent
        assert parent is not None
        common.children.pop(end)
        position = parent.children.index(opening)
        inside = [*parent.children[position:], closing]
        del parent.children[position:]
        _insert(parent, position, inside)
        return True
    if first is not opening and next(first.leaves()) is not opening:
        return False
    if last is not closing and list(last.leaves())[-1] is not closing:
        return False
    inside = common.children[start : end + 1]
    if first is not opening:
        _detach(opening)
        inside.insert(0, opening)
    if last is not closing:
        _detach(closing)
        inside.append(closing)
    del common.children[start : end + 1]
    _insert(common, start, inside)
    return True


def _insert(parent: Node, position: int, inside: list[Node]) -> None:
    phrase = Node("PRN", children=inside)
    parent.children.insert(position, phrase)
    if parent.label == "PRN" and len(parent.children) == 1:
        parent.children = inside
        phrase = parent
    phrase.parent = parent.parent if phrase is parent else parent
    for child in inside:
        child.parent = phrase


def _ends(opening: Node, top: Node) -> bool:
    """Whether all that follows the bracket below ``top`` stands beside it."""
    node = opening.parent
    while node is not None and node is not top:
        assert node.parent is not None
        if node.parent.children[-1] is not node:
            return False
        node = node.parent
    return True


def _detach(leaf: Node) -> None:
    node: Node | None = leaf
    while node is not None and node.parent is not None:
        parent = node.parent
        parent.children.remove(node)
        if parent.children:
            return
        node = parent


def _path(node: Node | None) -> list[Node]:
    path: list[Node] = []
    while node is not None:
        path.insert(0, node)
        node = node.parent
    return path
