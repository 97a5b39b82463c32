"""Noun phrases brought to one annotation before a tree is planned: possessors, bracketed parts of names, places."""

from __future__ import annotations

from starccg.treebanks.ud.conllu import Tree, Word


def settle_possessors(tree: Tree) -> None:
    """*the officer 's meeting*: the article belongs to the possessor, as in Penn trees."""
    for word in tree.words:
        if word.relation != "nmod:poss" or word.upos not in {"NOUN", "PROPN"} or word.head < word.index:
            continue
        children = tree.below(word)
        if not any(child.relation == "case" and child.index > word.index for child in children):
            continue
        first = min([word.index, *(child.index for child in children if child.universal in {"amod", "compound"})])
        article = tree.words[first - 1] if first else word
        if article.head == word.head and article.relation == "det" and not any(c.relation == "det" for c in children):
            article.head = word.index
    tree.index_children()


def settle_brackets(tree: Tree) -> None:
    """*rule ( d )*: what a bracket encloses after a noun stands beside the noun and is no part of its name."""
    for opening in tree.words[1:-1]:
        if opening.form not in {"(", "["}:
            continue
        before, after = tree.words[opening.index - 1], tree.words[opening.index + 1]
        if after.universal == "flat" and after.head == before.index:
            after.relation = "appos"
        elif before.relation == "compound" and before.head == after.index and after.upos in {"PROPN", "NOUN"}:
            _put_first(tree, before, after, "appos")
        number, end = after, tree.words[min(opening.index + 2, len(tree.words) - 1)]
        if opening.form == "[" and end.form == "]" and number.form.isdigit():
            settle_citation(tree, number)
    tree.index_children()


def settle_citation(tree: Tree, number: Word) -> None:
    """*the officer , [ 3 ] who left*: a number in brackets stands inside the phrase that goes on after it."""
    above = set(tree.way_up(number.head))
    crossed = [word.head for word in tree.words[number.index + 2 :] if 0 <= word.head < number.index]
    inside = [head for head in crossed if head not in above]
    if inside:
        number.head = max(inside)


def settle_places(tree: Tree) -> None:
    """*Vinita , OK*: the first name is the head and the second stands beside it."""
    for name in tree.words:
        if name.relation != "compound" or name.upos != "PROPN" or name.head != name.index + 2:
            continue
        state = tree.words[name.head]
        if tree.words[name.index + 1].form == "," and state.upos == "PROPN":
            _put_first(tree, name, state, "nmod:unmarked")


def _put_first(tree: Tree, first: Word, second: Word, relation: str) -> None:
    """Make the first of two nouns the head; the second keeps its punctuation."""
    tree.put_in_place(first, second, relation, keep={c.index for c in tree.below(second) if c.universal == "punct"})
