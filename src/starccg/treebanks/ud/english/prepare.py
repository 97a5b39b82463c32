"""Brings the trees of different English treebanks to one annotation, before they are planned."""

from __future__ import annotations

from starccg.treebanks.ud.conllu import Tree, Word
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.settle_nouns import settle_brackets, settle_places, settle_possessors
from starccg.treebanks.ud.english.settle_numbers import settle_amounts, settle_dates, settle_ranges, settle_times
from starccg.treebanks.ud.english.settle_questions import (
    settle_exclamations,
    settle_ideas,
    settle_questions,
    settle_there,
)
from starccg.treebanks.ud.english.verbs import form_feature
from starccg.treebanks.ud.repair import head_names_last


def prepare(tree: Tree) -> None:
    """Change the tree in place; the order matters."""
    settle_quotes(tree)
    settle_speech(tree)
    settle_complements(tree)
    settle_lemmas(tree)
    settle_infinitives(tree)
    settle_participles(tree)
    settle_small_clauses(tree)
    settle_ideas(tree)
    settle_questions(tree)
    settle_exclamations(tree)
    settle_there(tree)
    settle_possessors(tree)
    settle_brackets(tree)
    settle_amounts(tree)
    settle_places(tree)
    settle_dates(tree)
    settle_times(tree)
    settle_ranges(tree)
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
            is_compound = above.universal == "compound" or above.relation == "nmod:desc"
            is_name = above.universal == "amod" and above.xpos == word.xpos == "NNP"
            nominal = above.upos in {"NOUN", "PROPN", "NUM"}
            if above.index < above.head and (is_name or (is_compound and nominal)):
                word.head = above.head
                changed = True
    tree.index_children()


def settle_infinitives(tree: Tree) -> None:
    """*to* before a gerund is a preposition, before other verbs a particle; what has auxiliary and object is a verb.

    The *to* of *so as to hide* belongs to the verb, whatever the treebank says.
    """
    for word in tree.words:
        if word.relation == "fixed" and word.lower == "to" and tree.words[word.head].lower == "so":
            word.head, word.relation = tree.words[word.head].head, "mark"
            tree.index_children()
        relations, above = tree.relations(word), tree.above(word)
        has_object = bool(relations & {"obj", "xcomp", "ccomp"})
        if "aux" in relations and "cop" not in relations and has_object and word.upos != "AUX":
            word.upos, word.xpos = "VERB", word.xpos if word.xpos.startswith("V") else ""
        if word.relation == "case" and word.lower == "to" and not word.xpos:
            is_verb = above.upos == "VERB" and above.universal in {"xcomp", "advcl", "acl", "ccomp"}
            word.relation = "mark" if is_verb else "case"
        if word.relation == "mark" and word.lower in {"to", "na", "ta"}:
            gerund = above.lower.endswith("ing") and form_feature(above) == "ng"
            between = [other for other in tree.words[word.index + 1 : above.index] if other.upos == "AUX"]
            word.upos = "SCONJ" if gerund and not between else "PART"


def settle_participles(tree: Tree) -> None:
    """*is located in*, *the people involved*: what CCGbank has as passive participles, whatever the treebank says."""
    for word in tree.words:
        if word.upos == "VERB" and form_feature(word) == "pss":
            settle_adjectival(tree, word)
        if word.upos != "ADJ" or word.lower not in tables.PASSIVES:
            continue
        children = tree.below(word)
        if any(child.lower in tables.DEGREES for child in children if child.relation == "advmod"):
            continue
        copula = [child for child in children if child.relation == "cop"]
        if not copula and not (word.universal in {"amod", "acl"} and word.index > word.head):
            continue
        others = [child for child in children if child.universal == "conj"]
        if copula and any(other.upos == "ADJ" and other.lower not in tables.PASSIVES for other in others):
            continue  # *impressed and very happy*
        word.upos, word.xpos = "VERB", "VBN"
        word.relation = "acl" if word.relation == "amod" else word.relation
        for child in copula:
            child.relation = "aux:pass"


def settle_adjectival(tree: Tree, word: Word) -> None:
    """*covered in grease and not good*: a participle beside a predicative adjective is one too."""
    children = tree.below(word)
    likes = [child for child in children if child.universal == "conj" and child.upos == "ADJ"]
    own = {relation for like in likes for relation in tree.relations(like)}
    passive = [child for child in children if child.relation == "aux:pass"]
    is_predicate = bool(passive) or word.universal in {"xcomp", "acl"}
    if not likes or not is_predicate or own & {"cop", "nsubj", "det", "case", "mark"}:
        return
    if any(child.universal in {"obj", "ccomp", "xcomp"} or child.relation == "obl:agent" for child in children):
        return
    word.upos, word.xpos = "ADJ", "JJ"
    for auxiliary in passive:
        auxiliary.relation = "cop"


def settle_small_clauses(tree: Tree) -> None:
    """*heard the cats meowing*: what is perceived is an object and the bare verb its predicate, as CCGbank has them."""
    for word in tree.words:
        above = tree.above(word)
        if word.universal != "ccomp" or form_feature(word) not in {"b", "ng"} or above.index > word.index:
            continue
        between = [child for child in tree.below(word) if above.index < child.index < word.index]
        subjects = [child for child in between if child.universal == "nsubj"]
        is_bare = not tree.relations(word) & {"aux", "cop", "mark"}
        if above.lemma.lower() in tables.PERCEPTION and len(subjects) == 1 and is_bare:
            subjects[0].head, subjects[0].relation, word.relation = above.index, "obj", "xcomp"
    tree.index_children()


def settle_quotes(tree: Tree) -> None:
    """Straight quotation marks open and close by turns where no tag says which they do, or the tag opens twice."""
    is_open = False
    for word in tree.words:
        if word.form == '"' and word.upos == "PUNCT":
            if not word.xpos or (is_open and word.xpos == "``"):
                word.xpos = "''" if is_open else "``"
            is_open = word.xpos == "``"


def settle_speech(tree: Tree) -> None:
    """*he said , " Who cares ? "*: what is quoted after its verb is the complement of the verb."""
    for word in tree.words:
        above = tree.above(word)
        if word.relation != "parataxis" or above.lemma.lower() not in tables.SPEECH or above.upos != "VERB":
            continue
        relations = tree.relations(above)
        before = tree.words[above.index + 1 : word.index]
        opened = [mark.index for mark in before if str(mark.xpos) == "``" or mark.form in OPENING]
        if not opened or relations & {"obj", "ccomp", "xcomp"} or "nsubj" not in relations:
            continue
        if all(other.upos == "PUNCT" or other.head == above.index for other in tree.words[above.index + 1 : opened[0]]):
            word.relation = "ccomp"


OPENING = frozenset("`“‘") | {"``"}


def settle_complements(tree: Tree) -> None:
    """*voted to join* has a complement; *an easy place to find*: the infinitive belongs to the noun."""
    for word in tree.words:
        above = tree.above(word)
        marks = {child.lower for child in tree.below(word) if child.relation == "mark"}
        if marks != {"to"} or "nsubj" in tree.relations(word) or word.index < above.index:
            continue
        if word.relation == "acl" and above.upos == "ADJ":
            word.relation = "advcl"  # *hard to tell*
        if above.upos == "ADJ" and word.universal in {"advcl", "csubj", "xcomp"}:
            settle_for(tree, above, word)
        if word.universal != "advcl":
            continue
        if above.lemma.lower() in tables.COMPLEMENT_TAKERS and above.upos == "VERB":
            word.relation = word.relation if tree.relations(above) & {"obj", "ccomp", "xcomp"} else "xcomp"
        if above.universal == "amod" and above.upos == "ADJ" and above.index < above.head < word.index:
            word.head, word.relation = above.head, "acl"
    tree.index_children()


def settle_for(tree: Tree, adjective: Word, infinitive: Word) -> None:
    """*easy for us to sing*: the phrase between adjective and infinitive is the subject of the infinitive."""
    between = [child for child in tree.below(adjective) if adjective.index < child.index < infinitive.index]
    if len(between) != 1 or between[0].universal != "obl":
        return
    (subject,) = between
    cases = [child for child in tree.below(subject) if child.relation == "case"]
    if [case.lower for case in cases] == ["for"]:
        subject.head, subject.relation = infinitive.index, "nsubj"
        cases[0].head, cases[0].relation, cases[0].upos = infinitive.index, "mark", "SCONJ"
        infinitive.relation = "csubj" if infinitive.universal == "csubj" else "advcl"
        tree.index_children()


def settle_lemmas(tree: Tree) -> None:
    """Give auxiliaries their lemmas where a treebank has none: rules recognise them by lemma."""
    for word in tree.words:
        if word.upos in {"AUX", "VERB"} and word.lemma.lower() == word.lower:
            word.lemma = next(
                (lemma for lemma, forms in tables.AUXILIARY_FORMS.items() if word.lower in forms), word.lemma
            )


def settle_titles(tree: Tree) -> None:
    """*the film Happy Days*, *the word "fortnight"*: a noun right after a noun is the head and the first its modifier.

    Only where nothing but names, adjectives and numbers stands before the second noun: a title with an article stays
    an apposition with its own structure.
    """
    for word in tree.words:
        if word.relation != "appos" or word.upos not in {"PROPN", "NOUN"} or word.head < 0:
            continue
        noun = tree.words[word.head]
        own = [child for child in tree.below(word) if child.form not in QUOTES]
        first = min([word.index, *(child.index for child in own)])
        between = tree.words[noun.index + 1 : first]
        if noun.upos not in {"NOUN", "PROPN"} or not all(other.form in QUOTES for other in between):
            continue
        before = [child for child in own if child.index < word.index]
        is_name = (word.upos == "PROPN" or word.xpos in {"NNP", "NNPS"}) and all(
            child.universal in {"compound", "flat", "amod", "nummod"} and not tree.children[child.index]
            for child in before
        )
        if is_name or not own:
            word.relation = "flat"
    head_names_last(tree, frozenset({"flat"}))


QUOTES = frozenset("\"'`“”‘’«»") | {"``", "''"}


def settle_cases(tree: Tree) -> None:
    """*on the tenth of november*: what stands between two prepositions is a noun phrase of its own."""
    for word in tree.words:
        left = [child for child in tree.below(word) if child.index < word.index]
        last = max((child.index for child in left if child.relation == "case"), default=-1)
        before = [child for child in left if child.index < last]
        if word.head < 0 or not before:
            continue
        new = before[-1]
        nominal = new.universal in {"amod", "nummod", "compound", "obl"}
        if nominal and new.upos in {"ADJ", "NUM", "NOUN", "PROPN"}:
            keep = {child.index for child in tree.below(word) if child.index > new.index}
            tree.put_in_place(new, word, "nmod", keep=keep)
            new.upos = "NOUN"
