"""Questions, exclamations and *there*, brought to one annotation before a tree is planned."""

from __future__ import annotations

from starccg.treebanks.ud.conllu import Tree, Word
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.verbs import form_feature


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


def settle_questions(tree: Tree) -> None:
    """*know how to blink*, *see what he did*: a question, where the treebank has a pronoun with a relative clause."""
    for word in tree.words:
        if word.lower in {"why", "how"} and word.relation == "advmod" and tree.words[word.head].universal == "advcl":
            _settle_reason(tree, tree.words[word.head])
        clauses = [
            c for c in tree.children[word.index] if c > word.index and tree.words[c].universal in {"acl", "advcl"}
        ]
        if len(clauses) == 1 and word.lower in tables.WH_ADVERBS and _has_copula(tree, word.index):
            _settle_predicate(tree, word, tree.words[clauses[0]])
            continue
        if not _asks(tree, word) or word.relation not in {"obj", "ccomp", "xcomp"} or len(clauses) != 1:
            continue
        if any(tree.words[child].universal == "conj" for child in tree.children[word.index]):
            continue
        verb, clause = tree.words[word.head], tree.words[clauses[0]]
        if verb.lemma.lower() not in tables.QUESTION_VERBS or verb.index > word.index:
            continue
        edges = [(site, role) for site, role in word.enhanced if tree.governs(clause.index, site)]
        missing = (
            "obj" if any(tree.words[child].universal == "nsubj" for child in tree.children[clause.index]) else "nsubj"
        )
        if word.lower in tables.WH_ADVERBS:
            edges = [(clause.index, "advmod")]
        elif not edges:
            is_bare = clause.upos == "VERB" and form_feature(clause) == "b"  # *know what to do*
            edges = [(clause.index, "obj" if is_bare else missing)]
        clause.head, clause.relation = verb.index, "ccomp"
        word.head, word.relation = edges[0]
        for child in tree.children[word.index]:
            if child < word.index and tree.words[child].universal not in {"det", "amod", "advmod", "compound"}:
                tree.words[child].head = clause.index
        tree.index_children()


def _settle_reason(tree: Tree, clause: Word) -> None:
    """*know why he left*, where the treebank calls the question an adjunct."""
    verb = tree.words[clause.head]
    others = {tree.words[child].universal for child in tree.children[verb.index]}
    if verb.lemma.lower() in tables.QUESTION_VERBS and clause.index > verb.index and not others & {"ccomp", "obj"}:
        clause.relation = "ccomp"


def _asks(tree: Tree, word: Word) -> bool:
    """Whether a word, or what modifies the noun, asks: *who*, *what kind*, *how many ants*."""
    below = [child for child in tree.children[word.index] if child < word.index]
    below += [grandchild for child in below for grandchild in tree.children[child]]
    return word.lower in tables.WH_WORDS or (
        word.upos == "NOUN" and any(tree.words[child].lower in {"how", "what", "which", "whose"} for child in below)
    )


def _has_copula(tree: Tree, head: int) -> bool:
    """Whether there is a copula, and a subject that is no relative pronoun (*which is why*)."""
    children = [tree.words[child] for child in tree.children[head]]
    plain = any(child.universal == "nsubj" and child.lower not in tables.WH_WORDS for child in children)
    return plain and any(child.universal == "cop" for child in children)


def _settle_predicate(tree: Tree, word: Word, clause: Word) -> None:
    """*this is where they meet*: the copula takes the question, as in *the problem is why they meet*."""
    clause.head, clause.relation = word.head, word.relation
    for child in tree.children[word.index]:
        other = tree.words[child]
        if child != clause.index:
            other.head = clause.index
            other.relation = "nsubj:outer" if other.universal == "nsubj" else other.relation
    word.head, word.relation = clause.index, "advmod"
    tree.index_children()


def settle_exclamations(tree: Tree) -> None:
    """*My God , did you see that?*: the clause is the sentence, and the phrase before its comma stands beside it."""
    root = tree.words[tree.root]
    children = [tree.words[child] for child in tree.children[root.index]]
    if root.upos not in {"NOUN", "PROPN", "INTJ"} or any(c.universal in CLAUSE_WORDS for c in children):
        return
    after = [child for child in children if child.index > root.index and child.relation != "punct"]
    if not after or after[0].relation != "parataxis" or after[0].upos not in {"VERB", "ADJ", "NOUN", "AUX"}:
        return
    clause = after[0]
    own = {tree.words[child].universal for child in tree.children[clause.index]}
    first = _first_word(tree, clause.index)
    if not own & {"nsubj", "expl"} or tree.words[first - 1].form != ",":
        return
    for child in children:
        if child.index > clause.index:
            child.head = clause.index
    clause.head, clause.relation, clause.enhanced = -1, "root", ()
    root.head, root.relation = clause.index, "discourse" if root.upos == "INTJ" else "vocative"
    tree.index_children()


CLAUSE_WORDS = frozenset({"nsubj", "csubj", "cop", "aux", "expl", "mark", "case"})


def _first_word(tree: Tree, head: int) -> int:
    """The first word of a phrase, marks aside."""
    first, stack = head, [head]
    while stack:
        index = stack.pop()
        if tree.words[index].relation != "punct":
            first = min(first, index)
        stack.extend(tree.children[index])
    return first


def _is_raised(tree: Tree, verb: Word) -> bool:
    """*there seems to be a fault*: the infinitive of a verb that *there* is the subject of."""
    own = {(tree.words[child].universal, tree.words[child].lower) for child in tree.children[verb.index]}
    above = [tree.words[child] for child in tree.children[verb.head]] if verb.head >= 0 else []
    infinitive = verb.universal == "xcomp" and ("mark", "to") in own and ("expl", "there") not in own
    return infinitive and any(child.relation == "expl" and child.lower == "there" for child in above)


def settle_there(tree: Tree) -> None:
    """*There you go*: with a subject before the verb, *there* is a place. *There seems to be a fault* has an object."""
    for word in tree.words:
        if word.lower == "there" and word.relation == "expl" and word.head >= 0:
            children = [tree.words[child] for child in tree.children[word.head]]
            if any(child.universal == "nsubj" and child.index < word.head for child in children):
                word.relation, word.upos, word.xpos = "advmod", "ADV", "RB"
        above = tree.words[word.head] if word.head >= 0 else word
        if word.universal == "nsubj" and word.index > above.index and _is_raised(tree, above):
            word.relation = "obj"
