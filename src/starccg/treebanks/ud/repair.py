"""From a UD tree to one a derivation can follow: Penn-style words, no marks, names headed last, no crossing arcs.

Each repair is one function from tree to tree; what a language needs of them its profile says.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from starccg.treebanks.ud.conllu import Tree, Word

HYPHENS = frozenset({"-", "–", "‐", "‑"})


def merge_words(tree: Tree) -> Tree:
    """Join what UD splits and the Penn Treebank does not: ``goeswith`` pieces and hyphenated words."""
    words = tree.words
    joined = [False] * len(words)  # whether a word continues the one before it
    for word in words:
        if word.universal == "goeswith" and word.head >= 0:
            for index in range(word.head + 1, word.index + 1):
                joined[index] = True
    for left, hyphen, right in zip(words, words[1:], words[2:], strict=False):
        if (
            hyphen.form in HYPHENS
            and not left.space_after
            and not hyphen.space_after
            and (hyphen.xpos == "HYPH" or (not hyphen.xpos and hyphen.upos == "PUNCT"))
            and left.upos != "PUNCT"
            and right.upos != "PUNCT"
            and _related(tree, left.index, right.index)
        ):
            joined[hyphen.index] = joined[right.index] = True
    if not any(joined):
        return tree
    groups: list[list[int]] = []
    for index, continues in enumerate(joined):
        if continues:
            groups[-1].append(index)
        else:
            groups.append([index])
    merged = _regroup(tree, groups)
    return merged if is_tree(merged) else tree


def is_tree(tree: Tree) -> bool:
    """Whether there is one root and a way to it from every word."""
    if sum(word.head < 0 for word in tree.words) != 1:
        return False
    size = len(tree.words)
    return all(sum(1 for _ in islice(tree.way_up(word.index), size + 1)) <= size for word in tree.words)


def _related(tree: Tree, left: int, right: int) -> bool:
    """Whether the two sides of a hyphen belong to one phrase: one governs the other, or both have one governor."""
    above_left, above_right = ([*islice(tree.way_up(index), 1, 3)] for index in (left, right))  # *editor-in-chief*
    return left in above_right or right in above_left or above_left[:1] == above_right[:1]


def _regroup(tree: Tree, groups: list[list[int]]) -> Tree:
    place = {index: new for new, group in enumerate(groups) for index in group}
    depths = [sum(1 for _ in tree.way_up(index)) for index in range(len(tree.words))]
    merged: list[Word] = []
    for new, group in enumerate(groups):
        members = [tree.words[index] for index in group]
        top = min(members, key=lambda word: (word.upos == "PUNCT", depths[word.index]))
        edges = {(place[head], relation) for word in members for head, relation in word.enhanced if place[head] != new}
        merged.append(
            replace(
                top,
                index=new,
                form="".join(word.form for word in members),
                lemma="".join(word.lemma for word in members) if len(members) > 1 else top.lemma,
                head=place[top.head] if top.head >= 0 else -1,
                enhanced=tuple(sorted(edges)),
                space_after=members[-1].space_after,
            )
        )
    result = Tree(tree.id, merged, tree.line)
    result.index_children()
    return result


def drop_marks(tree: Tree) -> frozenset[int]:
    """Take punctuation out of the tree, handing its dependents to its head; the places of the marks."""
    marks = frozenset(word.index for word in tree.words if word.upos == "PUNCT" or word.relation == "punct")
    for word in tree.words:
        while word.index not in marks and word.head in marks:
            word.head, word.relation = tree.words[word.head].head, _inherited(tree, word)
    for index in marks:
        if tree.words[index].head < 0:  # a mark that was the root: its first dependent takes its place
            orphans = [word for word in tree.words if word.head < 0 and word.index not in marks]
            for word in orphans[1:]:
                word.head, word.relation = orphans[0].index, "parataxis"
    tree.index_children()
    for children in tree.children:
        children[:] = [child for child in children if child not in marks]
    return marks


def _inherited(tree: Tree, word: Word) -> str:
    above = tree.words[word.head]
    return above.relation if above.relation != "punct" else word.relation


def head_names_last(tree: Tree, relations: frozenset[str]) -> None:
    """``flat`` names become compounds of their last word, which takes over the dependents: English heads are last."""
    for word in list(tree.words):
        parts = [child for child in tree.children[word.index] if tree.words[child].universal in relations]
        if not parts or parts[0] < word.index:
            continue
        last = tree.words[parts[-1]]
        if parts[-1] - word.index > len(parts) + 2:
            continue
        for part in parts[:-1]:
            tree.words[part].relation = "compound"
        tree.put_in_place(last, word, "compound")
        if last.upos not in {"PROPN", "NOUN", "NUM"}:
            last.upos = word.upos
        for other in tree.words:
            other.enhanced = tuple(
                (last.index if head == word.index else head, relation) for head, relation in other.enhanced
            )


MAX_LIFTS = 200


def projectivise(tree: Tree) -> None:
    """Lift words whose arc crosses another until none does."""
    for _ in range(MAX_LIFTS):
        crossing = _first_crossing(tree)
        if crossing is None:
            return
        word = tree.words[crossing]
        word.head = tree.words[word.head].head
        for children in tree.children:
            if crossing in children:
                children.remove(crossing)
        siblings = tree.children[word.head]
        siblings.append(crossing)
        siblings.sort()


def _first_crossing(tree: Tree) -> int | None:
    """The shortest arc over a word that its head does not govern, and that can be lifted."""
    best: tuple[int, int] | None = None
    inside = {index for children in tree.children for index in children} | {tree.root}
    for index in sorted(inside):
        head = tree.words[index].head
        if head < 0 or tree.words[head].head < 0:
            continue
        low, high = min(index, head), max(index, head)
        for between in range(low + 1, high):
            if between in inside and not tree.governs(head, between):
                if best is None or high - low < best[0]:
                    best = (high - low, index)
                break
    return None if best is None else best[1]
