"""Fronted phrases: which relative or interrogative phrase stands at the head of which clause, and where its gap is."""

from __future__ import annotations

from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.conllu import Word
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.lists import words
from starccg.treebanks.ud.steps import Front, Gap

_FRONTED = words("nsubj csubj obj iobj obl advmod xcomp ccomp nmod dep mark advcl")
_SUBJECTS = ("nsubj", "csubj")


def is_wh(word: Word) -> bool:
    """Whether a word can front a relative clause or a question."""
    if word.lower == "that":
        return word.relation != "det" and (
            word.xpos == "WDT" or "Rel" in word.features.get("PronType", "") or (not word.xpos and word.upos == "ADP")
        )
    kinds = word.features.get("PronType", "").split(",")
    return word.lower in tables.WH_WORDS and (
        word.xpos.startswith("W") or "Int" in kinds or "Rel" in kinds or not (word.xpos or kinds[0])
    )


def find_fronts(builder: Builder) -> None:
    """Take fronted phrases out of the clauses they belong to and note them where they stand."""
    for word in builder.tree.words:
        if word.index in builder.marks or not is_wh(word) or _is_free_relative(builder, word.index):
            continue
        phrase = _phrase(builder, word.index)
        site = builder.word(phrase).head
        relation = builder.word(phrase).relation
        if site < 0 or phrase > site or builder.word(phrase).universal not in _FRONTED:
            continue
        clause = site
        while (
            (above := builder.word(clause).head) >= 0
            and phrase < above < clause
            and builder.word(clause).relation != "acl:relcl"
        ):
            clause = above
        if clause in builder.front or _something_before(builder, clause, phrase):
            continue
        front = Front(phrase, word.index, relation, site)
        front.gap = _gap(builder, front, clause)
        builder.front[clause] = front
        builder.taken.add(phrase)


def _is_free_relative(builder: Builder, index: int) -> bool:
    """*what he said* of *what he said is true*: the pronoun heads a noun phrase and asks nothing."""
    clauses = [child for child in builder.related(index, "acl:relcl", "advcl:relcl") if child > index]
    return bool(clauses) and builder.word(index).universal not in {"det", "nmod"}


def _phrase(builder: Builder, index: int) -> int:
    """The largest phrase that the word starts: *which* of *in which house*."""
    while (head := builder.word(index).head) >= 0:
        word = builder.word(index)
        climbs = word.relation in {"det", "nmod:poss", "det:predet", "compound", "nmod:desc", "nmod:unmarked"} or (
            word.relation in {"amod", "nummod", "advmod"}
            and index < head
            and (
                (builder.word(index).lower == "how" and head == index + 1)
                or (index > 0 and builder.word(index - 1).lower == "how" and word.relation != "advmod")
            )
        )
        if climbs and head > index:
            index = head
            continue
        of_which = word.relation == "nmod" and head < index and len(builder.related(index, "case")) == 1
        if of_which and builder.word(builder.word(head).head).relation == "acl:relcl":
            return head  # *the cover of which*
        break
    return index


def _something_before(builder: Builder, clause: int, phrase: int) -> bool:
    """A subject or an auxiliary before the phrase shows that it is not fronted; *that 's where he lives* has an outer
    subject and copula, which stand before the whole clause."""
    outer = builder.related(clause, "nsubj:outer", "csubj:outer")
    shows = {"nsubj", "csubj"} if outer and outer[0] < phrase else {"nsubj", "aux", "cop", "csubj"}
    return any(
        child < phrase and builder.word(child).universal in shows
        for child in builder.dependents(clause)
        if child != phrase and child not in outer
    )


def _gap(builder: Builder, front: Front, clause: int) -> Gap | None:
    word = builder.word(front.phrase)
    kind = word.universal
    stranded = [
        child
        for child in builder.tree.children[front.phrase]
        if builder.word(child).relation == "case" and child > front.site
    ]
    if stranded:
        preposition = builder.word(stranded[0])
        governor = front.site
        while builder.word(governor).upos not in {"VERB", "AUX", "ADJ"} and governor != clause:
            governor = builder.word(governor).head
        preposition.head, preposition.relation = governor, "obl"
        builder.tree.children[front.phrase].remove(preposition.index)
        builder.tree.children[governor] = sorted([*builder.tree.children[governor], preposition.index])
        return Gap(tables.NP, preposition.index)
    if kind in _SUBJECTS:
        if any(builder.word(c).lower == "there" for c in builder.related(front.site, "expl")):
            return Gap(tables.NP, front.site)  # *what flights are there*: the subject is *there*
        return None if clause == front.site else Gap(tables.NP, builder.word(front.site).head)
    if kind in {"obj", "iobj"}:
        return Gap(tables.NP, _object_site(builder, front.site))
    if kind in {"xcomp", "ccomp"}:
        adjectival = word.upos in {"ADJ", "ADV"}
        return Gap(tables.ADJECTIVE if adjectival else tables.NP, front.site)
    if kind in {"obl", "nmod"} and not builder.related(front.phrase, "case") and word.lower not in tables.WH_ADVERBS:
        alone = stranded_preposition(builder, front.site)
        return None if alone is None else Gap(tables.NP, alone)
    return None


def _object_site(builder: Builder, verb: int) -> int:
    """The verb that lacks its object: *replace* of *the one I need to replace*, where treebanks may say *need*."""
    while builder.word(verb).lemma.lower() in tables.INFINITIVE_VERBS:
        lower = [child for child in builder.related(verb, "xcomp") if child > verb]
        if not lower or builder.word(lower[0]).upos != "VERB" or builder.related(lower[0], "obj", "ccomp"):
            break
        verb = lower[0]
    return verb


def stranded_preposition(builder: Builder, verb: int) -> int | None:
    """A preposition that lost its noun phrase to the front: *the house we live in*."""
    for child in builder.dependents(verb):
        word = builder.word(child)
        alone = word.upos == "ADP" and not builder.dependents(child)
        if child > verb and alone and word.universal in {"obl", "case", "advmod", "nmod"}:
            return child
        if child > verb and word.universal in {"xcomp", "ccomp"}:
            found = stranded_preposition(builder, child)
            if found is not None:
                return found
    return None


def has_stranded_object(builder: Builder, verb: int) -> bool:
    """*comfortable to sit on*: whether a preposition of the verb that is no particle lacks its noun phrase."""
    alone = stranded_preposition(builder, verb)
    return alone is not None and builder.word(alone).relation == "obl"


def infinitive_gap(builder: Builder, clause: int, *, lacks_object: bool = False) -> Gap | None:
    """The object that an infinitive lacks: of a preposition (*a place to live in*) or of the verb (*things to do*).

    That a verb lacks its object is known of the transitive ones, and of others where what is above says so.
    """
    alone = stranded_preposition(builder, clause)
    if alone is not None:
        return Gap(tables.NP, alone)
    site = clause
    while deeper := builder.related(site, "xcomp"):
        site = deeper[0]
    word = builder.word(site)
    complements = builder.related(site, "obj", "ccomp", "xcomp", "aux:pass", "cop", "conj")
    transitive = lacks_object or word.lemma.lower() in tables.TRANSITIVE
    return Gap(tables.NP, site) if word.upos == "VERB" and transitive and not complements else None


def is_bare_preposition(builder: Builder, head: int) -> bool:
    """*the state it was in*: the predicate is a preposition that lost its noun phrase."""
    nominal = builder.related(head, "obj", "obl", "nmod")
    return builder.word(head).upos == "ADP" and bool(builder.related(head, "cop")) and not nominal


def relative_gap(builder: Builder, noun: int, clause: int) -> Gap | None:
    """The gap of a relative clause without a pronoun: from the enhanced edges, else the first place that lacks one."""
    alone = clause if is_bare_preposition(builder, clause) else stranded_preposition(builder, clause)
    if alone is not None:
        return Gap(tables.NP, alone)
    edges = [
        (site, relation)
        for site, relation in builder.word(noun).enhanced
        if builder.governs(clause, site) and site not in builder.marks
    ]
    for site, relation in edges:
        if relation.partition(":")[0] in {"obj", "iobj"}:
            return Gap(tables.NP, _object_site(builder, site))
        if relation.partition(":")[0] in {"nsubj"} and site != clause:
            return Gap(tables.NP, builder.word(site).head)
    if edges:
        return None
    place = builder.word(noun).lemma.lower()
    if place in tables.CLAUSE_NOUNS:
        return None
    site = clause
    while not builder.related(site, "obj"):
        deeper = builder.related(site, "xcomp", "ccomp")
        if not deeper:
            return Gap(tables.NP, site)
        if builder.word(deeper[0]).universal == "ccomp" and not builder.related(deeper[0], "nsubj", "csubj", "expl"):
            return Gap(tables.NP, site)  # *what we think will win*: the subject of the complement
        site = deeper[0]
    return None
