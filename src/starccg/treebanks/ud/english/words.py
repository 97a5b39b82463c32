"""Phrases that are neither clauses nor nominals: adverbs and adjectives with their modifiers and complements."""

from __future__ import annotations

from starccg.ccg.category import Category
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.complements import takes
from starccg.treebanks.ud.english.kinds import is_clause, natural
from starccg.treebanks.ud.english.nominal import coordination, plan_nominal
from starccg.treebanks.ud.english.verbs import NOMINAL, own_category
from starccg.treebanks.ud.steps import Gap, Plan, Role, Step, in_order

NOUN_MODIFIER = Category.parse("N/N")


def plan_rest(builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...], words: list[int]) -> Plan:
    """A phrase that is not a clause, or the predicate of one that is."""
    word = builder.word(head)
    if target not in (tables.NP, tables.N, tables.PP) and _is_bare_adverbial(builder, head, target, words):
        plan = plan_nominal(builder, head, tables.NP, gaps, words)
        return Plan([Step(Role.CHANGE, "/", 100, category=tables.NP), *plan.steps], gaps)
    takes_noun = target in (tables.NP, tables.N, tables.PP) or any(
        builder.word(c).universal in {"det", "case"} or builder.word(c).relation == "nmod:poss" for c in words
    )
    if takes_noun and (word.upos != "ADP" or any(builder.word(c).universal == "case" for c in words)):
        return plan_nominal(builder, head, target, gaps, words)
    return plan_word(builder, head, target, gaps, words)


def _is_bare_adverbial(builder: Builder, head: int, target: Category, words: list[int]) -> bool:
    """*the first time I saw it*: an adverbial noun phrase with a clause of its own is a noun phrase first."""
    return (
        target.is_modifier
        and target in SENTENCE_MODIFIERS
        and builder.word(head).upos in NOMINAL | {"ADJ"}
        and not any(builder.word(child).universal == "case" for child in words)
        and any(child > head and builder.word(child).universal in {"acl", "appos", "conj", "nmod"} for child in words)
    )


SENTENCE_MODIFIERS = frozenset(map(Category.parse, (r"S\S", "S/S", r"(S\NP)\(S\NP)", r"(S\NP)/(S\NP)")))
ADJUNCT_OF_NOUN = frozenset(map(Category.parse, (r"NP\NP", r"N\N")))


def plan_word(builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...], words: list[int]) -> Plan:
    """An adverb, adjective or other word with its modifiers; a predicative adjective also with its complements."""
    word = builder.word(head)
    if (
        target in ADJUNCT_OF_NOUN
        and word.upos in {"ADJ", "VERB"}
        and word.universal in {"amod", "acl", "advcl", "nmod", "conj", "dep"}
    ):
        plan = plan_word(builder, head, tables.ADJECTIVE, gaps, words)
        return Plan([Step(Role.CHANGE, "/", 100, category=tables.ADJECTIVE), *plan.steps], gaps)
    left: list[Step] = []
    right: list[Step] = []
    silent: list[Step] = [Step(Role.GAP, "/", 5, category=gap.category) for gap in gaps if gap.site == head]
    conjuncts: list[int] = []
    for child in words:
        relation = builder.word(child).universal
        if relation in {"fixed", "goeswith"}:
            continue
        if relation == "conj":
            conjuncts.append(child)
        elif child < head and _measures(builder, head, child, target):
            left.append(Step(Role.ARGUMENT, "\\", 10, child, tables.NP))
        elif child < head:
            left.append(Step(Role.MODIFIER, "\\", 10, child))
        elif (
            builder.word(child).universal == "nummod" and target is NOUN_MODIFIER and builder.span(child)[0] == head + 1
        ):
            right.append(Step(Role.ARGUMENT, "/", 10, child, tables.NUMBER))
        elif any(builder.governs(child, gap.site) for gap in gaps) and builder.word(child).upos == "ADP":
            right.append(Step(Role.ARGUMENT, "/", 10, child, tables.PP))
        elif builder.word(child).relation in {"acl:relcl", "advcl:relcl"} and word.lower in tables.WH_WORDS:
            right.append(Step(Role.ARGUMENT, "/", 10, child, own_category(builder, child)))
        elif target is tables.ADJECTIVE and (category := adjective_complement(builder, head, child)) is not None:
            right.append(Step(Role.ARGUMENT, "/", 10, child, category))
        else:
            right.append(Step(Role.MODIFIER, "/", 10, child))
    if conjuncts:
        coordination(right, conjuncts, 10)
    right.sort(key=lambda step: -(step.conjuncts[0] if step.conjuncts else step.word))
    if builder.word(head).upos == "ADP" and any(gap.site == head for gap in gaps):
        return Plan(in_order(left, right, silent), gaps)
    return Plan(in_order(left, right, silent), gaps)


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
        if own in (tables.VERB_PHRASE["to"], tables.S_EM, tables.S_FOR) or (
            own is tables.S_DCL and not builder.related(child, "mark")
        ):
            marks = [builder.word(c).lower for c in builder.related(child, "mark")]
            if own is not tables.S_EM or "that" in marks:
                return own
        return None
    if word.universal in {"obl", "nmod"} and builder.related(child, "case"):
        return tables.PP if takes(builder, head, child) else None
    return None
