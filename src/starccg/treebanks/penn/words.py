"""Words as CCGbank writes them: hyphenated words and ranges of numbers that a treebank splits are one word again."""

from __future__ import annotations

import re

from starccg.treebanks.penn.trees import Node, is_mark

HYPHEN = "HYPH"
DASHES = frozenset({"-", "–", "−", "‐", "‑", "~"})
_PANEL = re.compile("[A-Z]?[0-9]+[A-Za-z]?|[A-Z]")
"""What names a part of a figure or a table."""
VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})


def join_words(root: Node) -> None:
    """Join the parts of hyphenated words (*neuron - packing*) and of ranges (*14 - 17*), in place."""
    for node in list(root.nodes()):
        _join_range(node)
    changed = True
    while changed:
        changed = False
        for node in list(root.nodes()):
            for position, child in enumerate(node.children):
                if child.label == HYPHEN and child.word:
                    changed = True
                    _join(node, position)
                    break


def _join(node: Node, position: int) -> None:
    """Join the hyphen at a place of a phrase with the words beside it, or make it a dash."""
    children = node.children
    hyphen = children[position]
    before = children[position - 1] if position else None
    after = children[position + 1] if position + 1 < len(children) else None
    joined = before is not None and after is not None and before.label == after.label == "CC"  # *and/or*
    if before is not None and (joined or not (before.is_leaf and before.label in ("CC", ",", ":", "-LRB-", "``"))):
        left = _last(before)
        joins = after is not None and (after.label != "CC" or before.label == "CC") and not is_mark(after)
        right = _first(after) if joins and after is not None else None
        if left is not None and right is not None and after is not None and (before.is_leaf or after.is_leaf):
            word = left.word + hyphen.word + right.word
            if node.label == "VP" and not before.is_leaf:  # *up - or down - regulated*: the verb keeps its place
                left.word += hyphen.word
                del children[position]
            elif before.label in VERBS and not after.is_leaf:
                left.word = word
                _remove(after, right)
                children[position : position + 2] = [after] if after.children else []
            elif after.is_leaf and not before.is_leaf:
                left.word, left.label = word, _compound_tag(left.label, right.label)
                del children[position : position + 2]
            else:
                right.word = word
                right.label = _compound_tag(left.label, right.label) if after.is_leaf else right.label
                del children[position - 1 : position + 1]
            return
        if left is not None and right is None and not is_mark(before):
            left.word += hyphen.word
            del children[position]
            return
    elif after is not None and not is_mark(after) and after.label != "CC":
        right = _first(after)
        if right is not None:
            right.word = hyphen.word + right.word
            del children[position]
            return
    hyphen.label = "CC" if hyphen.word == "/" and before is not None and after is not None else ":"


def _remove(phrase: Node, leaf: Node) -> None:
    """Take a word out of a phrase, and phrases that hold nothing else with it."""
    for node in reversed(list(phrase.nodes())):
        node.children = [child for child in node.children if child is not leaf and (child.word or child.children)]


def _compound_tag(first: str, last: str) -> str:
    """The tag of a hyphenated word: that of its last part, but *aspirin - 2* is a noun."""
    if last == "CD" and first.startswith("NN"):
        return first
    return "JJ" if last in {"VBN", "VBG", "VBD"} else last


def _join_range(node: Node) -> None:
    """``(NP (NP (CD 14)) (PP (SYM -) (NP (CD 17))))`` is one number."""
    if len(node.children) == 2:
        left, right = node.children
        sign = right.children[0] if right.label == "PP" and len(right.children) == 2 else None
        if sign is not None and sign.label in {"SYM", HYPHEN, "IN", ":"} and sign.word in DASHES:
            first, last = _only(left), _only(right.children[1])
            if first is not None and last is not None and _is_range(first, last):
                node.children = [Node(last.label, word=first.word + sign.word + last.word)]
                return
    for position in range(len(node.children) - 2, 0, -1):
        first, sign, last = node.children[position - 1 : position + 2]
        set_off = first.label == last.label == "NP" or (node.label == "S" and not first.is_leaf and not last.is_leaf)
        if sign.label == "SYM" and sign.word in DASHES and set_off:
            sign.label = ":"
        if _is_range(first, last) and sign.label in {"SYM", ":", HYPHEN} and sign.word in DASHES - {"~"}:
            node.children[position - 1 : position + 2] = [Node(last.label, word=first.word + sign.word + last.word)]
            return


def _is_range(first: Node, last: Node) -> bool:
    """*14 - 17*, *4D - 4H*, *( a - c )*."""
    if first.label == last.label and first.label in {"CD", "LS"}:
        return True
    return {first.label, last.label} <= {"CD", "NN"} and all(_PANEL.fullmatch(node.word) for node in (first, last))


def _only(node: Node) -> Node | None:
    """The word of a phrase that has but one."""
    while not node.is_leaf:
        if len(node.children) != 1:
            return None
        node = node.children[0]
    return node


def _last(node: Node) -> Node | None:
    words = list(node.leaves())
    return words[-1] if words and words[-1].label != HYPHEN and not is_mark(words[-1]) else None


def _first(node: Node) -> Node | None:
    word = next(node.leaves(), None)
    return word if word is not None and word.label != HYPHEN and not is_mark(word) else None
