"""Fronted phrases with plans of their own: *in which*, *the cover of which*, *how many people*, *how old*."""

from __future__ import annotations

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Derivation
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.nominal import CASE, NOUN, NP_MODIFIER, plan_nominal
from starccg.treebanks.ud.steps import Plan, Role, Step


def _noun_of_which(builder: Builder, head: int, wh: int, words: list[int]) -> Plan:
    r"""*the cover of which*: the pronoun takes ``NP/NP``, which the raised noun phrase and the preposition make."""
    preposition = builder.related(wh, "case")[0]
    leaf = builder.leaf(preposition, Functor.of(NP_MODIFIER, "/", tables.NP))
    builder.taken.update([wh, preposition])
    plan = plan_nominal(builder, head, tables.NP, (), [child for child in words if child != wh])
    pronoun = Step(Role.FUNCTOR, "/", CASE, wh, Functor.of(tables.NP, "/", tables.NP))
    return Plan([pronoun, Step(Role.FUNCTOR, "/", CASE, preposition, tables.NP, lambda _: leaf), *plan.steps])


def front_phrase(builder: Builder, head: int, wh: int, target: Category, words: list[int]) -> Plan | None:
    """The plans of *in which*, *the cover of which*, *how many people*, *how old*; None for what is like any other."""
    of_which = wh > head and builder.word(wh).head == head
    if of_which and isinstance(target, Functor) and target.result is NP_MODIFIER:
        return _noun_of_which(builder, head, wh, words)
    cases = [child for child in words if builder.word(child).universal == "case"]
    if wh == head and cases and isinstance(target, Functor) and target.result is NP_MODIFIER:
        if len(words) > len(cases):
            return None
        return Plan([Step(Role.ARGUMENT, "\\", CASE, cases[0], Functor.of(NP_MODIFIER, "/", tables.NP))])
    if wh == head and not cases and [builder.word(child).relation for child in words] == ["nmod"]:
        return Plan([Step(Role.ARGUMENT, "/", CASE, words[0], tables.PP)])  # *which of these*
    if builder.word(wh).lower != "how" or wh == head or cases:
        return None
    word = builder.word(head)
    if builder.word(wh).head == head:
        rest = [child for child in words if child != wh]
        how = Step(Role.FUNCTOR, "\\", CASE, wh, tables.ADJECTIVE)
        left = [Step(Role.MODIFIER, "\\", CASE, child) for child in rest if child < wh]
        inner = [Step(Role.MODIFIER, "/", NOUN, child) for child in rest if child > head]
        return Plan([*left, how, *reversed(inner)]) if word.upos in {"ADJ", "ADV"} else None
    quantity = builder.word(wh).head
    if builder.word(quantity).head != head or quantity > head:
        return None

    def many(asked: Category) -> Derivation:
        how = builder.leaf(wh, Functor.of(asked, "/", tables.DETERMINER))
        return builder.join(how, builder.leaf(quantity, tables.DETERMINER), asked)

    rest = [child for child in words if child != quantity]
    plan = plan_nominal(builder, head, tables.N, (), rest)
    return Plan([Step(Role.FUNCTOR, "\\", CASE, quantity, tables.N, many), *plan.steps])
