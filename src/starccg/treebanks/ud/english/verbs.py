"""What a verb group says: which words are its auxiliaries, and the feature of each verb phrase from the outside in."""

from __future__ import annotations

from starccg.ccg.category import Atom, Category
from starccg.treebanks.joining import Unconvertible
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.conllu import Word
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.lists import words

NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "SYM", "DET", "X"})
CLAUSAL = words("root ccomp xcomp advcl acl csubj parataxis list dep discourse dislocated")


def is_to(word: Word) -> bool:
    """The *to* of an infinitive."""
    return word.relation == "mark" and word.lower in {"to", "na", "ta"} and word.upos == "PART"


def form_feature(word: Word) -> str:
    """The feature of a verb form by itself: from its tag, or where there is none from its features."""
    if word.xpos in tables.FEATURE_OF_TAG and word.features.get("Mood") != "Imp":
        return tables.FEATURE_OF_TAG[word.xpos]
    features = word.features
    match features.get("VerbForm"):
        case "Fin":
            return "b" if features.get("Mood") == "Imp" else "dcl"
        case "Inf":
            return "b"
        case "Ger":
            return "ng"
        case "Part":
            return "ng" if features.get("Tense") == "Pres" or word.lower.endswith("ing") else "pss"
    return "dcl" if word.upos == "AUX" or features.get("Tense") else "b"


def auxiliaries(builder: Builder, head: int) -> list[int]:
    """Auxiliaries, copula and *to*, in order."""
    return [
        child
        for child in builder.dependents(head)
        if builder.word(child).universal in {"aux", "cop"} or (is_to(builder.word(child)) and child < head)
    ]


def complementisers(builder: Builder, head: int) -> list[int]:
    """The marks of a clause, but not the *to* of an infinitive."""
    return [child for child in builder.related(head, "mark") if not is_to(builder.word(child))]


def subjects(builder: Builder, head: int) -> list[int]:
    """Subjects and expletives, in order; not the subject of an outer clause."""
    return [
        child
        for child in builder.dependents(head)
        if builder.word(child).universal in {"nsubj", "csubj", "expl"} and "outer" not in builder.word(child).relation
    ]


def is_verbal(builder: Builder, head: int) -> bool:
    """Whether the predicate is a verb rather than something a copula carries."""
    return builder.word(head).upos in {"VERB", "AUX"} and not builder.related(head, "cop")


def predicate_category(builder: Builder, head: int) -> Category:
    """The category of a predicate that is not a verb: what the copula takes."""
    word = builder.word(head)
    if builder.related(head, "case"):
        return tables.PP
    if word.upos == "ADP" or (word.upos == "ADV" and word.lower in {"where"}):
        return tables.PP
    if word.upos in NOMINAL or builder.related(head, "det", "nmod:poss"):
        return tables.NP
    if word.upos in {"VERB", "AUX"}:
        feature = form_feature(word)
        return tables.VERB_PHRASE[feature if feature in {"ng", "pss"} else "adj"]
    return tables.ADJECTIVE


def features(builder: Builder, head: int, group: list[int]) -> list[str | None]:
    """The feature of the verb phrase that each word of the group starts, and of the predicate; None if no verb."""
    found: list[str | None] = []
    before: Word | None = None
    for index in [*group, head]:
        word = builder.word(index)
        if index == head and not is_verbal(builder, head):
            found.append(None)
            break
        feature: str = "to" if is_to(word) else form_feature(word)
        if before is not None:
            if is_to(before) or before.lemma.lower() in tables.BARE_TAKERS or before.xpos == "MD":
                feature = "to" if is_to(word) else "b"
            elif before.lemma.lower() in {"have", "'ve"}:
                feature = "to" if is_to(word) else "pt"
            elif before.lemma.lower() in {"be", "get", "'s", "'m", "'re"}:
                feature = feature if feature in {"ng", "to"} else "pss"
            elif feature == "dcl":
                feature = "b"
        found.append(feature)
        before = word
    past = builder.word(head).xpos == "VBD" or builder.word(head).lower.endswith("ed")
    if found == ["dcl"] and past and builder.word(head).relation == "acl" and not subjects(builder, head):
        return ["pss"]  # *a ship called Hope*, with the tag of a past tense
    return found


def own_category(builder: Builder, head: int) -> Category:
    """The clause by itself, without its complementiser or fronted phrase: ``S[dcl]``, ``S[to]\\NP``, ``S[q]``."""
    group = auxiliaries(builder, head)
    feature = features(builder, head, group)[0]
    owners = subjects(builder, head)
    relative = builder.front.get(head)
    is_inverted = bool(owners and group and group[0] < owners[0] and not is_to(builder.word(group[0])))
    if owners and owners[0] > head and not group:
        word = builder.word(head)
        alone = word.upos == "AUX" and word.universal in {"root", "parataxis", "discourse"}
        # *is there*, *did you?*: the copula or auxiliary is the verb itself
        is_inverted = builder.word(owners[0]).lower == "there" or (alone and is_question(builder, head))
    if asks_identity(builder, head):
        return tables.S_Q / tables.NP
    if feature is None:
        if group:
            raise Unconvertible("a predicate without a verb", head)
        category = predicate_category(builder, head)
        if owners and category is tables.ADJECTIVE:
            return tables.ADJECTIVAL
        if owners and not is_absolute(builder, head):
            raise Unconvertible("a subject without a verb", head)
        return category
    word = builder.word(head)
    if owners:
        marks = builder.forms(head, "mark")
        is_finite = {
            "pss": not marks,
            "pt": not marks,
            "ng": word.relation in {"root", "parataxis", "ccomp"},
            "b": "that" not in marks and word.relation != "xcomp",
        }
        if is_finite.get(feature):
            feature = "dcl"
        if is_inverted and feature == "dcl" and is_question(builder, head):
            feature = "q"
        return Atom.of("S", feature)
    if relative is not None:
        is_base = feature == "b" and builder.word(relative.word).lower != "why"  # *why not leave*
        if is_base or (feature in {"pss", "pt", "ng"} and relative.relation.startswith("nsubj")):
            feature = "dcl"
    elif not word.xpos and not group and feature == "dcl" and word.universal == "root" and is_base_form(word):
        feature = "b"  # without tags to tell, a subjectless base form is an imperative
    return Category.parse(rf"S[{feature}]\NP")


def is_base_form(word: Word) -> bool:
    """Whether a verb is written like its lemma."""
    return word.lower == word.lemma.lower()


def is_measure(builder: Builder, child: int) -> bool:
    """*a little*, *three months*, *a lot*: a noun phrase without a preposition that says how much."""
    own = [builder.word(c) for c in builder.dependents(child)]
    counted = any(c.universal == "nummod" or (c.relation == "det" and c.lower in {"a", "an"}) for c in own)
    return counted and not any(c.universal == "case" for c in own)


def is_absolute(builder: Builder, head: int) -> bool:
    """*with one goal in mind*: a subject and its predicate after a preposition, with no verb."""
    owners = subjects(builder, head)
    marks = complementisers(builder, head)
    is_bare = not auxiliaries(builder, head) and not is_verbal(builder, head)
    return is_bare and len(owners) == 1 and bool(marks) and marks[-1] < owners[0] < head


def asks_identity(builder: Builder, head: int) -> bool:
    """*What is the fare*, whichever of the two UD calls the subject: CCGbank's copula takes both to its right."""
    front = builder.front.get(head)
    return (
        front is not None
        and front.relation == "nsubj"
        and front.phrase == front.word
        and front.site == head
        and builder.word(head).universal == "root"
        and (builder.word(front.word).lower != "which" or any(w.form.startswith("?") for w in builder.tree.words))
        and len(auxiliaries(builder, head)) == 1
        and not is_verbal(builder, head)
        and bool(builder.related(head, "det", "nmod:poss") or builder.word(head).upos in {"PROPN", "PRON", "DET"})
        and predicate_category(builder, head) is tables.NP
        and not subjects(builder, head)
    )


def is_question(builder: Builder, head: int) -> bool:
    """Whether inversion makes a question here, and not a condition (*had I known*) or a fronted negation."""
    word = builder.word(head)
    if head in builder.front and word.universal in {"root", "parataxis", "ccomp", "conj"}:
        return True
    if word.universal in {"advcl", "acl"}:
        return False
    words = builder.tree.words
    start = min([*auxiliaries(builder, head), head])
    before = [i for i in builder.dependents(head) if i < start and builder.word(i).universal in {"advmod", "obl"}]
    fronted = {words[i].lower for each in before for i in range(builder.span(each)[0], builder.span(each)[1] + 1)}
    asked = any(mark.form.startswith("?") for mark in words[head:])
    if head == start:
        return asked or not before  # *also on the hill is a church*
    return asked or not (fronted & tables.INVERTING)  # *never has he laughed*; but *by Friday could you call*
