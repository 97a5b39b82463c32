r"""Copular clauses out of the ordinary: *what is X*, *how old is he*, *here is X*, *the problem is that he left*."""

from __future__ import annotations

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Derivation
from starccg.treebanks.joining import Unconvertible
from starccg.treebanks.phrase_categories import modifier_of
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.conjuncts import OUTER, SENTENCE, SUBJECT
from starccg.treebanks.ud.english.expressions import functor_steps, with_adverbs
from starccg.treebanks.ud.english.fronts import front_phrase
from starccg.treebanks.ud.english.kinds import natural
from starccg.treebanks.ud.english.verbs import (
    auxiliaries,
    complementisers,
    is_to,
    own_category,
    predicate_category,
    subjects,
)
from starccg.treebanks.ud.english.wh import is_wh
from starccg.treebanks.ud.english.words import plan_rest
from starccg.treebanks.ud.lists import words
from starccg.treebanks.ud.steps import Gap, Plan, Role, Step

BEFORE_SENTENCE = words("advcl obl discourse cc parataxis vocative reparandum")
"""What stands before a fronted predicate and belongs to the sentence."""


def plan_fronted_predicate(builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...]) -> Plan:
    """*What is X*, *how old is he*, *where he is*; and *here is X*."""
    words = builder.dependents(head)
    group = [index for index in auxiliaries(builder, head) if index > head]
    owners = subjects(builder, head)
    owners = [owner for owner in owners if owner > head] or [
        c
        for c in words
        if c > group[0]
        and builder.word(c).universal in {"nmod", "obj", "dep", "obl"}
        and not builder.related(c, "case")
    ]
    if not owners:
        raise Unconvertible("a copula after its predicate, and no subject after it", head)
    subject = owners[0]
    start = min(group[0], subject)
    phrase = [c for c in words if c < start]
    after = [c for c in words if c > start and c not in group and c != subject]
    predicate = predicate_category(builder, head)
    if target.target.name != "S" or target.is_modifier:
        own = natural(builder, head)
        steps = [Step(Role.CHANGE, "/", OUTER, category=own)]
        prepositions = [c for c in phrase if builder.word(c).universal in {"mark", "case"}]
        if own is tables.S_QEM and prepositions == phrase[:1] and prepositions:
            steps = functor_steps(builder, prepositions[0], OUTER, own)  # *an update on where you are*
            builder.taken.update(prepositions)
        plan = plan_fronted_predicate(builder, head, own, gaps)
        return Plan([*steps, *plan.steps], plan.gaps)
    inverted = group[0] < subject
    wh = next((c for c in [head, *_below(builder, head)] if is_wh(builder.word(c)) and c < start), None)
    if wh is None and not inverted and any(c > head for c in phrase):
        raise Unconvertible("a fronted predicate", head)
    if wh is None and inverted:

        def here(asked: Category) -> Derivation:
            return builder.join(builder.leaf(group[0], asked / tables.NP), builder.build(subject, tables.NP), asked)

        before = [c for c in phrase if c < head and builder.word(c).universal in BEFORE_SENTENCE]
        phrase = [c for c in phrase if c not in before]
        steps = [Step(Role.MODIFIER, "\\", SENTENCE, c) for c in before]
        steps += [Step(Role.MODIFIER, "/", SENTENCE, c) for c in reversed(after)]
        steps.append(Step(Role.FUNCTOR, "/", SUBJECT, group[0], predicate, here))
        plan = plan_rest(builder, head, predicate, gaps, phrase)
        return Plan([*steps, *plan.steps], gaps)
    is_how = wh is not None and builder.word(wh).lower == "how"
    if is_how and predicate is tables.NP and builder.word(head).upos in {"ADJ", "ADV"}:
        predicate = tables.ADJECTIVE
    clause = tables.S_Q if inverted and target is not tables.S_QEM else tables.S_DCL
    stranded = [c for c in after if builder.word(c).universal == "case" and predicate is tables.PP]
    body = Functor.of(clause, "/", tables.NP if stranded else predicate)  # *What is it like?*

    def question(_: Category) -> Derivation:
        return _copular_question(builder, group, subject, after, clause, predicate, inverted)

    asked = Functor.of(target, "/", body)
    first = Step(Role.ARGUMENT, "/", SENTENCE, group[0], body, question)
    special = front_phrase(builder, head, wh, asked, phrase) if wh not in (None, head) else None
    plan = special or plan_rest(builder, head, asked, gaps, phrase)
    return Plan([first, *plan.steps], gaps)


def _below(builder: Builder, head: int) -> list[int]:
    found: list[int] = []
    for child in builder.dependents(head):
        found += [child, *builder.dependents(child)]
    return found


def _copular_question(
    builder: Builder,
    group: list[int],
    subject: int,
    after: list[int],
    clause: Category,
    predicate: Category,
    inverted: bool,
) -> Derivation:
    """*is X*, *would X be*, *X is*: a clause that still seeks its predicate to the right."""
    if any(word < max(group[-1], subject) for word in after):
        raise Unconvertible("an adverb inside a copular question", subject)
    takes = _taken(builder, group, predicate)
    gives = [tables.VERB_PHRASE["dcl"], *takes]
    if inverted:
        gives[0] = clause
    phrases: list[Derivation] = []
    for index, given, taken in zip(group, gives, takes, strict=False):
        if inverted and not phrases:
            first = builder.leaf(index, (given / taken) / tables.NP)
            phrases.append(builder.join(first, builder.build(subject, tables.NP), given / taken))
        else:
            phrases.append(builder.leaf(index, given / taken))
    node = phrases.pop()
    for given, phrase in zip(reversed(gives[: len(phrases)]), reversed(phrases), strict=True):
        node = builder.join(phrase, node, given / predicate)
    if not inverted:
        node = builder.join(builder.build(subject, tables.NP), node, clause / predicate)
    for word in after:
        if builder.word(word).universal == "case" and predicate is tables.PP:  # *What is it like?*
            node = builder.join(node, builder.leaf(word, predicate / tables.NP), clause / tables.NP)
        else:
            node = builder.join(node, builder.build(word, modifier_of(clause, "/")), node.category)
    return node


def _taken(builder: Builder, group: list[int], predicate: Category) -> list[Category]:
    """What each auxiliary takes: the verb phrase of the next one, the last the predicate."""
    features = ["pt" if builder.word(index).lemma == "have" else "b" for index in group[:-1]]
    return [*(tables.VERB_PHRASE[feature] for feature in features), predicate]


def plan_outer(builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...], subject: int) -> Plan:
    """*The problem is that he left*: a copula between a subject and a clause."""
    group = [index for index in auxiliaries(builder, head) if index > subject]
    inner_start = min(
        [c for c in builder.dependents(head) if builder.word(c).relation == "mark"]
        + [c for c in subjects(builder, head) if c > subject]
        + ([builder.front[head].phrase] if head in builder.front else [])
        + [head]
    )
    group = [index for index in group if index < inner_start and not is_to(builder.word(index))]
    if not group:
        raise Unconvertible("a clause as predicate without a copula", head)
    before = [c for c in builder.dependents(head) if c < inner_start and c != subject and c not in group]
    builder.taken.update([subject, *group, *before])
    steps = [Step(Role.MODIFIER, "\\", OUTER, c) for c in before if c < subject]
    steps.append(Step(Role.ARGUMENT, "\\", OUTER, subject, tables.NP))
    inner = _predicate_clause(builder, head)
    for index, end, category in zip(group, [*group[1:], head], _taken(builder, group, inner), strict=True):
        following = [c for c in before if index < c < end]
        steps.append(Step(Role.FUNCTOR, "\\", OUTER, index, category, with_adverbs(builder, index, following)))
    if target.target.name != "S" or isinstance(target, Functor):
        steps.insert(0, Step(Role.CHANGE, "/", OUTER, category=tables.S_DCL))
    plan = builder.planner.plan(builder, head, inner, gaps)
    return Plan([*steps, *plan.steps], plan.gaps)


def _predicate_clause(builder: Builder, head: int) -> Category:
    if head in builder.front:
        return tables.S_QEM
    group, owners = auxiliaries(builder, head), subjects(builder, head)
    if group and group[0] > head:  # *That is what it was*
        return tables.S_WQ if owners and group[0] < owners[-1] else tables.S_QEM
    own = own_category(builder, head)
    marks = complementisers(builder, head)
    if marks and own.target.feature == "to":
        return tables.S_FOR
    return tables.COMPLEMENTISERS.get(builder.word(marks[0]).lower, tables.S_EM) if marks else own
