"""Questions, exclamations and *there*, brought to one annotation before a tree is planned."""

from __future__ import annotations

from starccg.treebanks.ud.conllu import Tree, Word
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.verbs import form_feature


def settle_ideas(tree: Tree) -> None:
    """*have no idea who it was*: the question belongs to the idea, as in *the fact that*."""
    for word in tree.words:
        above = tree.above(word)
        if word.universal != "ccomp" or above.lemma.lower() != "have":
            continue
        for child in tree.below(above):
            is_between = above.index < child.index < word.index
            if is_between and child.universal == "obj" and child.lemma.lower() in tables.IDEAS:
                word.head, word.relation = child.index, "acl"
        tree.index_children()


def settle_questions(tree: Tree) -> None:
    """*know how to blink*, *see what he did*: a question, where the treebank has a pronoun with a relative clause."""
    for word in tree.words:
        if word.lower in {"why", "how"} and word.relation == "advmod" and tree.words[word.head].universal == "advcl":
            _settle_reason(tree, tree.words[word.head])
        clauses = [c for c in tree.below(word) if c.index > word.index and c.universal in {"acl", "advcl"}]
        if len(clauses) != 1:
            continue
        (clause,) = clauses
        if word.lower in tables.WH_ADVERBS and _has_copula(tree, word):
            _settle_predicate(tree, word, clause)
            continue
        if not _asks(tree, word) or word.relation not in {"obj", "ccomp", "xcomp"} or "conj" in tree.relations(word):
            continue
        verb = tree.words[word.head]
        if verb.lemma.lower() not in tables.QUESTION_VERBS or verb.index > word.index:
            continue
        edges = [(site, role) for site, role in word.enhanced if tree.governs(clause.index, site)]
        missing = "obj" if "nsubj" in tree.relations(clause) else "nsubj"
        if word.lower in tables.WH_ADVERBS:
            edges = [(clause.index, "advmod")]
        elif not edges:
            is_bare = clause.upos == "VERB" and form_feature(clause) == "b"  # *know what to do*
            edges = [(clause.index, "obj" if is_bare else missing)]
        clause.head, clause.relation = verb.index, "ccomp"
        word.head, word.relation = edges[0]
        for child in tree.below(word):
            if child.index < word.index and child.universal not in {"det", "amod", "advmod", "compound"}:
                child.head = clause.index
        tree.index_children()


def _settle_reason(tree: Tree, clause: Word) -> None:
    """*know why he left*, where the treebank calls the question an adjunct."""
    verb = tree.words[clause.head]
    asks = verb.lemma.lower() in tables.QUESTION_VERBS and clause.index > verb.index
    if asks and not tree.relations(verb) & {"ccomp", "obj"}:
        clause.relation = "ccomp"


def _asks(tree: Tree, word: Word) -> bool:
    """Whether a word, or what modifies the noun, asks: *who*, *what kind*, *how many ants*."""
    below = [child for child in tree.below(word) if child.index < word.index]
    below += [grandchild for child in below for grandchild in tree.below(child)]
    return word.lower in tables.WH_WORDS or (
        word.upos == "NOUN" and any(child.lower in {"how", "what", "which", "whose"} for child in below)
    )


def _has_copula(tree: Tree, head: Word) -> bool:
    """Whether there is a copula, and a subject that is no relative pronoun (*which is why*)."""
    plain = any(child.universal == "nsubj" and child.lower not in tables.WH_WORDS for child in tree.below(head))
    return plain and "cop" in tree.relations(head)


def _settle_predicate(tree: Tree, word: Word, clause: Word) -> None:
    """*this is where they meet*: the copula takes the question, as in *the problem is why they meet*."""
    for child in tree.below(word):
        if child.universal == "nsubj":
            child.relation = "nsubj:outer"
    tree.put_in_place(clause, word, "advmod")


def settle_exclamations(tree: Tree) -> None:
    """*My God , did you see that?*: the clause is the sentence, and the phrase before its comma stands beside it."""
    root = tree.words[tree.root]
    children = tree.below(root)
    if root.upos not in {"NOUN", "PROPN", "INTJ"} or tree.relations(root) & CLAUSE_WORDS:
        return
    after = [child for child in children if child.index > root.index and child.relation != "punct"]
    if not after or after[0].relation != "parataxis" or after[0].upos not in {"VERB", "ADJ", "NOUN", "AUX"}:
        return
    clause = after[0]
    first = _first_word(tree, clause.index)
    if tree.relations(clause) & {"nsubj", "expl"} and tree.words[first - 1].form == ",":
        keep = {child.index for child in children if child.index < clause.index}
        tree.put_in_place(clause, root, "discourse" if root.upos == "INTJ" else "vocative", keep=keep)


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
    own = {(child.universal, child.lower) for child in tree.below(verb)}
    infinitive = verb.universal == "xcomp" and ("mark", "to") in own and ("expl", "there") not in own
    return infinitive and any(c.relation == "expl" and c.lower == "there" for c in tree.below(tree.above(verb)))


def settle_there(tree: Tree) -> None:
    """*There you go*: with a subject before the verb, *there* is a place. *There seems to be a fault* has an object."""
    for word in tree.words:
        above = tree.above(word)
        has_subject = any(child.universal == "nsubj" and child.index < above.index for child in tree.below(above))
        if word.lower == "there" and word.relation == "expl" and has_subject:
            word.relation, word.upos, word.xpos = "advmod", "ADV", "RB"
        if word.universal == "nsubj" and word.index > above.index and _is_raised(tree, above):
            word.relation = "obj"
