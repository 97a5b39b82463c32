"""Phrases that are neither clauses nor nominals: adverbs and adjectives with their modifiers and complements."""

from __future__ import annotations

from starccg.ccg.category import Category, Functor
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.complements import takes
from starccg.treebanks.ud.english.expressions import degrees
from starccg.treebanks.ud.english.kinds import is_clause, natural
from starccg.treebanks.ud.english.nominal import coordination, plan_nominal
from starccg.treebanks.ud.english.verbs import NOMINAL, form_feature, own_category
from starccg.treebanks.ud.english.wh import has_stranded_object, infinitive_gap
from starccg.treebanks.ud.steps import Gap, Plan, Role, Step, in_order

NOUN_MODIFIER = Category.parse("N/N")


def plan_rest(builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...], words: list[int]) -> Plan:
    """A phrase that is not a clause, or the predicate of one that is."""
    word = builder.word(head)
    if target not in (tables.NP, tables.N, tables.PP) and _is_bare_adverbial(builder, head, target, words):
        plan = plan_nominal(builder, head, tables.NP, gaps, words)
        return Plan([Step(Role.CHANGE, "/", 100, category=tables.NP), *plan.steps], gaps)
    if target.is_modifier and word.lower in {"least", "most"} and [builder.word(c).lower for c in words] == ["at"]:
        return Plan([Step(Role.FUNCTOR, "\\", 90, words[0], tables.SUPERLATIVE)])
    if word.upos == "ADJ" and _is_as(builder, words):
        case = words[0]
        inner = plan_word(builder, head, tables.ADJECTIVE, gaps, words[1:])
        return Plan([Step(Role.FUNCTOR, "\\", 90, case, tables.ADJECTIVE), *inner.steps], gaps)
    takes_noun = target in (tables.NP, tables.N, tables.PP) or any(
        builder.word(c).universal in {"det", "case"} or builder.word(c).relation == "nmod:poss" for c in words
    )
    if takes_noun and (word.upos != "ADP" or any(builder.word(c).universal == "case" for c in words)):
        return plan_nominal(builder, head, target, gaps, words)
    return plan_word(builder, head, target, gaps, words)


def _is_as(builder: Builder, words: list[int]) -> bool:
    """*regard it as dishonest*: the preposition takes an adjective."""
    first = [builder.word(child).lower for child in words[:1]]
    rest = {builder.word(child).universal for child in words[1:]}
    return first == ["as"] and builder.word(words[0]).universal == "case" and rest <= {"advmod", "conj", "obl", "xcomp"}


def _is_bare_adverbial(builder: Builder, head: int, target: Category, words: list[int]) -> bool:
    """*the first time I saw it*: an adverbial noun phrase with a clause of its own is a noun phrase first."""
    return (
        target.is_modifier
        and target in SENTENCE_MODIFIERS
        and builder.word(head).upos in NOMINAL | {"ADJ"}
        and not any(builder.word(child).universal == "case" for child in words)
        and any(child > head and builder.word(child).universal in _after(builder, words) for child in words)
    )


def _after(builder: Builder, words: list[int]) -> set[str]:
    """What may follow an adverbial noun that has no category of a modifier itself; in the first attempt only clauses
    that its determiner does not take in (*the morning of the wedding* is one, ``X/N`` and ``N``)."""
    if builder.wide:
        return {"acl", "appos", "conj", "nmod"}
    return set() if any(builder.word(child).relation in {"det", "nmod:poss"} for child in words) else {"acl"}


SENTENCE_MODIFIERS = frozenset(map(Category.parse, (r"S\S", "S/S", r"(S\NP)\(S\NP)", r"(S\NP)/(S\NP)")))
SENTENCE_ADJUNCTS = frozenset(map(Category.parse, (r"S\S", r"(S\NP)\(S\NP)")))
ADJUNCT_OF_NOUN = frozenset(map(Category.parse, (r"NP\NP", r"N\N")))


def plan_word(builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...], words: list[int]) -> Plan:
    """An adverb, adjective or other word with its modifiers; a predicative adjective also with its complements."""
    word = builder.word(head)
    if (
        target in ADJUNCT_OF_NOUN
        and word.upos in {"ADJ", "VERB"}
        and word.universal in {"amod", "acl", "advcl", "nmod", "conj", "dep"}
    ):
        participle = word.upos == "VERB" and form_feature(word) in {"pss", "ng"}
        predicate = tables.VERB_PHRASE[form_feature(word)] if participle else tables.ADJECTIVE
        plan = plan_word(builder, head, predicate, gaps, words)
        return Plan([Step(Role.CHANGE, "/", 100, category=predicate), *plan.steps], gaps)
    if target in SENTENCE_ADJUNCTS and word.upos == "ADJ" and word.universal in {"parataxis", "list", "dep"}:
        plan = plan_word(builder, head, tables.ADJECTIVE, gaps, words)  # *the crust was flat , thicker at the end*
        return Plan([Step(Role.CHANGE, "/", 100, category=tables.ADJECTIVE), *plan.steps], gaps)
    degree = _degree(builder, head, target, words)
    if degree is not None:
        adverb, clause, wanted = degree
        within = [child for child in words if child != adverb and child < clause]
        outside = [Step(Role.MODIFIER, "/", 10, child) for child in reversed(words) if child > clause]
        steps = [
            Step(Role.ARGUMENT, "/", 10, clause, wanted),
            Step(Role.FUNCTOR, "\\", 10, adverb, target),
            *plan_word(builder, head, target, gaps, within).steps,
        ]
        return Plan([*outside, *steps], gaps)
    left: list[Step] = []
    right: list[Step] = []
    silent: list[Step] = [Step(Role.GAP, "/", 5, category=gap.category) for gap in gaps if gap.site == head]
    conjuncts: list[int] = []
    own = degrees(builder, head)
    for child in words:
        relation = builder.word(child).universal
        if relation in {"fixed", "goeswith"} or child in own:
            continue
        if relation == "conj":
            conjuncts.append(child)
        elif child < head and _measures(builder, head, child, target):
            left.append(Step(Role.ARGUMENT, "\\", 10, child, tables.NP))
        elif child < head:
            is_shared = relation == "cc" or builder.is_shared(head, child)  # *either cold or very hot*
            left.append(Step(Role.MODIFIER, "\\", 12 if is_shared else 10, child))
        elif (
            builder.word(child).universal == "nummod"
            and (target is NOUN_MODIFIER or word.lower.rstrip(".") in tables.MONTHS)
            and builder.span(child)[0] == head + 1
        ):
            right.append(Step(Role.ARGUMENT, "/", 10, child, tables.NUMBER))
        elif any(builder.governs(child, gap.site) for gap in gaps) and builder.word(child).upos == "ADP":
            right.append(Step(Role.ARGUMENT, "/", 10, child, tables.PP))
        elif builder.word(child).relation in {"acl:relcl", "advcl:relcl"} and word.lower in tables.WH_WORDS:
            right.append(Step(Role.ARGUMENT, "/", 10, child, own_category(builder, child)))
        elif target in COMPLEMENTED and (category := adjective_complement(builder, head, child)) is not None:
            right.append(_tough(builder, head, child, gaps) or Step(Role.ARGUMENT, "/", 10, child, category))
        else:
            right.append(Step(Role.MODIFIER, "/", 10, child))
    if conjuncts:
        coordination(right, conjuncts, 11 if any(_has_own_degree(builder, each) for each in conjuncts) else 10)
    return Plan(in_order(left, right, silent), gaps)


def _has_own_degree(builder: Builder, conjunct: int) -> bool:
    """*very clean and really friendly*: where a later conjunct has an adverb, that of the first is not shared."""
    return any(child < conjunct for child in builder.related(conjunct, "advmod"))


def _tough(builder: Builder, head: int, child: int, gaps: tuple[Gap, ...]) -> Step | None:
    """*easy to please*: the infinitive lacks its object, which the subject of the adjective is."""
    infinitive = natural(builder, child)
    adjective = builder.word(head).lower
    is_tough = adjective in tables.TOUGH or (adjective not in tables.EAGER and has_stranded_object(builder, child))
    if not is_tough or infinitive not in (tables.VERB_PHRASE["to"], tables.S_FOR):
        return None
    hard = adjective in tables.HARD  # of whom it is said lacks in the infinitive: *hard to untie*
    front = builder.front.get(head)
    about = [front.phrase] if front is not None and front.site == head else builder.related(head, "nsubj")
    of_thing = any(builder.word(c).universal == "nsubj" and builder.word(c).lower != "it" for c in about)
    gap = infinitive_gap(builder, child, lacks_object=hard and of_thing)
    if gap is None or any(builder.governs(child, other.site) for other in gaps):
        return None
    if any(builder.word(c).universal == "expl" for c in builder.dependents(head)):
        return None
    category = Functor.of(infinitive, "/", tables.NP)
    return Step(Role.ARGUMENT, "/", 10, child, category, lambda _: builder.build(child, infinitive, (gap,)))


def _degree(builder: Builder, head: int, target: Category, words: list[int]) -> tuple[int, int, Category] | None:
    """*so tired (that) he slept*, *too late to call*: the adverb takes the adjective and then the clause."""
    if target is not tables.ADJECTIVE or builder.word(head).lower in tables.CLAUSE_ADJECTIVES:
        return None
    for adverb in words:
        word = builder.word(adverb)
        wanted = {"so": (tables.S_EM, tables.S_DCL), "too": (tables.VERB_PHRASE["to"],)}.get(word.lower)
        if wanted is None or word.relation != "advmod" or adverb > head or builder.dependents(adverb):
            continue
        for clause in words:
            own = natural(builder, clause)
            clausal = builder.word(clause).universal in {"advcl", "ccomp", "xcomp", "parataxis"}
            if clause > head and clausal and own in wanted and {"that", "to"}.issuperset(builder.forms(clause, "mark")):
                return adverb, clause, own
    return None


COMPLEMENTED = frozenset(tables.VERB_PHRASE[feature] for feature in ("adj", "pss", "ng"))
"""Predicates that are planned as words and may take complements."""


def _measures(builder: Builder, head: int, child: int, target: Category) -> bool:
    """*three years ago*, *two metres tall*: the measure is an argument."""
    word = builder.word(child)
    return (
        builder.word(head).lower in tables.MEASURED
        and word.upos in {"NOUN", "NUM", "PROPN"}
        and word.universal in {"obl", "nmod", "advmod"}
        and (target is tables.ADJECTIVE or (builder.word(head).upos in {"ADV", "ADP"}))
    )


def adjective_complement(builder: Builder, head: int, child: int) -> Category | None:
    """What an adjective takes as an argument: infinitives, clauses, phrases with its own preposition, an object."""
    word = builder.word(child)
    if word.universal == "obj":
        return tables.NP  # *worth the trouble*
    if word.universal in {"xcomp", "ccomp"}:
        return natural(builder, child)
    if word.universal in {"advcl", "csubj"} and is_clause(builder, child):
        own = natural(builder, child)
        if own is tables.PP:
            return tables.PP if takes(builder, head, child) else None
        marks = builder.forms(child, "mark")
        is_infinitive = own in (tables.VERB_PHRASE["to"], tables.S_FOR)
        if is_infinitive or (own is tables.S_EM and "that" in marks) or (own is tables.S_DCL and not marks):
            return own
        return None
    if word.universal in {"obl", "nmod"} and builder.related(child, "case"):
        return tables.PP if takes(builder, head, child) else None
    return None
