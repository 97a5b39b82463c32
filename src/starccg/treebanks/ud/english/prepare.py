"""What is done to an English tree before it is planned: annotations settled that treebanks differ in."""

from __future__ import annotations

from itertools import pairwise

from starccg.treebanks.ud.conllu import Tree
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.verbs import form_feature
from starccg.treebanks.ud.repair import head_names_last


def prepare(tree: Tree) -> None:
    """All of it, in order."""
    settle_quotes(tree)
    settle_lemmas(tree)
    settle_infinitives(tree)
    settle_small_clauses(tree)
    settle_ideas(tree)
    settle_dates(tree)
    head_names_last(tree, frozenset({"flat"}))
    settle_titles(tree)
    settle_cases(tree)
    flatten_compounds(tree)


def flatten_compounds(tree: Tree) -> None:
    """CCGbank knows no structure within noun compounds: every modifier modifies the noun."""
    flat = {"compound", "amod", "nummod"}
    changed = True
    while changed:
        changed = False
        for word in tree.words:
            if word.head < 0 or word.universal not in flat or word.index > word.head:
                continue
            above = tree.words[word.head]
            if above.universal == "compound" and above.index < above.head and above.upos in {"NOUN", "PROPN", "NUM"}:
                word.head = above.head
                changed = True
    tree.index_children()


def settle_infinitives(tree: Tree) -> None:
    """*to* before a gerund is a preposition, before other verbs a particle; what has auxiliary and object is a verb."""
    for word in tree.words:
        children = {tree.words[child].universal for child in tree.children[word.index]}
        if "aux" in children and "cop" not in children and children & {"obj", "xcomp", "ccomp"} and word.upos != "AUX":
            word.upos, word.xpos = "VERB", word.xpos if word.xpos.startswith("V") else ""
        if word.relation == "case" and word.lower == "to" and word.head >= 0 and not word.xpos:
            above = tree.words[word.head]
            if above.upos == "VERB" and above.universal in {"xcomp", "advcl", "acl", "ccomp"}:
                word.relation = "mark"
        if word.relation == "mark" and word.lower in {"to", "na", "ta"} and word.head >= 0:
            above = tree.words[word.head]
            gerund = above.lower.endswith("ing") and form_feature(above) == "ng"
            between = [other for other in tree.words[word.index + 1 : above.index] if other.upos == "AUX"]
            word.upos = "SCONJ" if gerund and not between else "PART"


def settle_small_clauses(tree: Tree) -> None:
    """*heard the cats meowing*: what is perceived is an object and the bare verb its predicate, as CCGbank has them."""
    for word in tree.words:
        children = tree.children[word.index]
        relations = {tree.words[child].universal for child in children}
        if word.universal != "ccomp" or form_feature(word) not in {"b", "ng"} or relations & {"aux", "cop", "mark"}:
            continue
        above = tree.words[word.head]
        subjects = [child for child in children if above.index < child < word.index and _is_subject(tree, child)]
        if above.lemma.lower() in tables.PERCEPTION and len(subjects) == 1 and word.index > above.index:
            subject = tree.words[subjects[0]]
            subject.head, subject.relation, word.relation = above.index, "obj", "xcomp"
    tree.index_children()


def settle_ideas(tree: Tree) -> None:
    """*have no idea who it was*: the question belongs to the idea, as in *the fact that*."""
    for word in tree.words:
        above = tree.words[word.head] if word.head >= 0 else word
        ideas = [c for c in tree.children[above.index] if above.index < c < word.index and _is_idea(tree, c)]
        if word.universal == "ccomp" and above.lemma.lower() == "have" and ideas:
            word.head, word.relation = ideas[-1], "acl"
            tree.index_children()


def _is_idea(tree: Tree, child: int) -> bool:
    return tree.words[child].universal == "obj" and tree.words[child].lemma.lower() in tables.IDEAS


def _is_subject(tree: Tree, child: int) -> bool:
    return tree.words[child].universal == "nsubj"


def settle_dates(tree: Tree) -> None:
    """*30 September 2024* is headed by its month whatever the treebank says, like *page 5*: ``N/N N/N[num] N[num]``."""
    for day, month in pairwise(tree.words):
        if not (day.upos == "NUM" and day.form.isdigit() and month.lower in tables.MONTHS and month.head == day.index):
            continue
        if tree.children[month.index]:
            continue
        month.head, month.relation, month.enhanced = day.head, day.relation, day.enhanced
        for child in tree.children[day.index]:
            if child != month.index:
                tree.words[child].head = month.index
                if child == month.index + 1 and tree.words[child].upos == "NUM":
                    tree.words[child].relation = "nummod"
        day.head, day.relation = month.index, "nummod"
        tree.index_children()


def settle_quotes(tree: Tree) -> None:
    """Straight quotation marks open and close by turns where no tag says which they do."""
    is_open = False
    for word in tree.words:
        if word.form == '"' and word.upos == "PUNCT":
            if not word.xpos:
                word.xpos = "''" if is_open else "``"
            is_open = word.xpos == "``"


def settle_lemmas(tree: Tree) -> None:
    """Auxiliaries are told by their lemmas; where a treebank has none, by their forms."""
    for word in tree.words:
        if word.upos in {"AUX", "VERB"} and word.lemma.lower() == word.lower:
            word.lemma = next(
                (lemma for lemma, forms in tables.AUXILIARY_FORMS.items() if word.lower in forms), word.lemma
            )


def settle_titles(tree: Tree) -> None:
    """*the movie Epic*: a name right after a noun, with no mark between, is the head and the noun its modifier."""
    for word in tree.words:
        if word.relation != "appos" or word.upos != "PROPN" or word.head < 0:
            continue
        noun = tree.words[word.head]
        own = [tree.words[child] for child in tree.children[word.index]]
        first = min([word.index, *(child.index for child in own)])
        siblings = [child for child in tree.children[noun.index] if noun.index < child < word.index]
        names = all(child.relation == "compound" for child in own if child.index < word.index)
        if noun.upos == "NOUN" and first == noun.index + 1 and names and not siblings:
            word.relation = "flat"
    head_names_last(tree, frozenset({"flat"}))


def settle_cases(tree: Tree) -> None:
    """*on the tenth of november*: what stands between two prepositions is a noun phrase of its own."""
    for word in tree.words:
        left = [child for child in tree.children[word.index] if child < word.index]
        cases = [child for child in left if tree.words[child].relation == "case"]
        before = [
            c
            for c in left
            if cases and c < cases[-1] and tree.words[c].universal in {"amod", "nummod", "compound", "obl"}
        ]
        if word.head >= 0 and cases and before and tree.words[before[-1]].upos in {"ADJ", "NUM", "NOUN", "PROPN"}:
            new = tree.words[before[-1]]
            if any(cases[-1] > c > new.index for c in left):
                continue
            new.head, new.relation, new.upos = word.head, word.relation, "NOUN"
            new.enhanced = word.enhanced
            word.head, word.relation = new.index, "nmod"
            for child in left:
                if child < new.index:
                    tree.words[child].head = new.index
            tree.index_children()
