r"""Clauses: complementiser, subject, auxiliaries, arguments and adjuncts, for verbs and for predicates with a copula."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from starccg.ccg.category import Category, Functor, Slash
from starccg.derivation import Derivation
from starccg.treebanks.ud import english as E
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.complements import takes
from starccg.treebanks.ud.expressions import functor_steps
from starccg.treebanks.ud.nominal import coordination, front_phrase
from starccg.treebanks.ud.steps import Gap, Plan, Role, Step, Unconvertible, in_order, modifier_of
from starccg.treebanks.ud.verbs import (
    auxiliaries,
    features,
    form_feature,
    is_to,
    is_verbal,
    own_category,
    predicate_category,
    subjects,
)
from starccg.treebanks.ud.wh import is_wh, relative_gap

Rest = Callable[[Builder, int, Category, tuple[Gap, ...], list[int]], Plan]

OUTER, COMPLEMENTISER, SENTENCE, SUBJECT, GROUP, VERB_PHRASE, ARGUMENT, GAP = 200.0, 95.0, 70.0, 60.0, 50.0, 25.0, 10.0, 5.0
"""The levels of a clause, outermost first."""

SENTENTIAL = frozenset("parataxis list vocative discourse dislocated dep orphan reparandum cc".split())
PREDICATE_INTERNAL = frozenset("det amod nmod nummod compound case appos acl flat fixed goeswith".split())
SENTENCE_ADJUNCT, SPEECH_TAG = Category.parse(r"S\S"), Category.parse(r"S[dcl]\S[dcl]")
REDUCED = frozenset(map(Category.parse, (r"NP\NP", r"N\N")))


def plan_clause(builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...], rest: Rest) -> Plan:
    """The plan of a clause whose predicate is ``head``."""
    outer = builder.related(head, "nsubj:outer", "csubj:outer")
    if outer and outer[0] < head:
        return _plan_outer(builder, head, target, gaps, rest, outer[0])
    return _Clause(builder, head, target, gaps, rest).plan()


class _Clause:
    """One clause on its way to a plan."""

    def __init__(self, builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...], rest: Rest) -> None:
        self.builder = builder
        self.head = head
        self.target = target
        self.gaps = list(gaps)
        self.rest = rest
        self.words = builder.dependents(head)
        self.group = auxiliaries(builder, head)
        self.owners = subjects(builder, head)
        self.features = features(builder, head, self.group)
        self.own = own_category(builder, head)
        self.verbal = is_verbal(builder, head)
        self.left: list[Step] = []
        self.right: list[Step] = []
        self.silent: list[Step] = []
        self.done: set[int] = set()
        self.predicate_words: list[int] = []

    def plan(self) -> Plan:
        builder, head = self.builder, self.head
        if any(index > head for index in self.group):
            raise Unconvertible("an auxiliary after its verb", head)
        self._become_target()
        self._subject()
        self._auxiliaries()
        conjuncts: list[int] = []
        for child in self.words:
            if child in self.done:
                continue
            word = builder.word(child)
            if word.universal in {"fixed", "goeswith"}:
                continue
            if word.universal == "conj":
                conjuncts.append(child)
            elif not self.verbal and self._is_predicate_word(child):
                self.predicate_words.append(child)
            elif child < head:
                self.left.append(self._left_step(child))
            else:
                self.right.append(self._right_step(child))
        self._conjuncts(conjuncts)
        nearest = min((step.word for step in self.right if not step.conjuncts), default=len(builder.tree.words))
        for child in [c for c in self.predicate_words if c > nearest and builder.word(c).universal != "conj"]:
            self.predicate_words.remove(child)
            self.right.append(Step(Role.MODIFIER, "/", self._outside_copula(), child))
        self.left.sort(key=lambda step: step.word)
        self.right.sort(key=lambda step: -(step.conjuncts[0] if step.conjuncts else step.word))
        inner: list[Step] = []
        if self.verbal:
            self._own_gaps()
        else:
            category = predicate_category(builder, head)
            if self.group:
                inner = self.rest(builder, head, category, tuple(self.gaps), self.predicate_words).steps
            else:
                inner = self.rest(builder, head, category, tuple(self.gaps), self.predicate_words).steps
        return Plan([*in_order(self.left, self.right, self.silent), *inner], tuple(self.gaps))

    # -- how the clause becomes what is asked for

    def _become_target(self) -> None:
        builder, head, own, target = self.builder, self.head, self.own, self.target
        marks = [
            c
            for c in self.words
            if c < head
            and (builder.word(c).relation == "mark" or (self.verbal and builder.word(c).relation == "case"))
            and not is_to(builder.word(c))
        ]
        front = builder.front.get(head)
        if front is not None:
            if builder.word(head).universal in {"parataxis", "list", "dep", "conj"} and target not in (E.S_WQ, E.S_QEM):
                self.silent.append(Step(Role.CHANGE, "/", COMPLEMENTISER + 1, category=E.S_WQ))
            self.left.append(Step(Role.FUNCTOR, "\\", COMPLEMENTISER, front.phrase, own, discharges=True))
            if front.gap is not None:
                self.gaps.append(front.gap)
            for mark in marks:
                self.done.add(mark)
                if mark < front.phrase:
                    self.left.append(Step(Role.FUNCTOR, "\\", COMPLEMENTISER, mark, E.S_QEM))
                else:
                    self.left.append(Step(Role.MODIFIER, "\\", COMPLEMENTISER, mark))
            return
        if marks:
            self._complementiser(marks)
            return
        if target is own or head in builder.tags:
            return
        if target in REDUCED:
            noun = builder.word(head).head
            if own is E.S_DCL and noun >= 0 and builder.word(head).relation == "acl:relcl":
                gap = relative_gap(builder, noun, head)
                if gap is not None:
                    self.gaps.append(gap)
            elif own is E.VERB_PHRASE["to"] and noun >= 0:
                gap = self._infinitive_gap()
                if gap is not None:
                    self.gaps.append(gap)
        elif target.target.name == "S" and not target.is_modifier and own.skeleton is target.skeleton:
            self.own = target
            return
        self.silent.append(Step(Role.CHANGE, "/", COMPLEMENTISER, category=own))

    def _infinitive_gap(self) -> Gap | None:
        """*a place to live in*: only a preposition left alone tells."""
        from starccg.treebanks.ud.wh import stranded_preposition  # noqa: PLC0415

        alone = stranded_preposition(self.builder, self.head)
        return None if alone is None else Gap(E.NP, alone)

    def _complementiser(self, marks: list[int]) -> None:
        builder = self.builder
        self.done.update(marks)
        *others, last = marks
        own = self.own
        subject = self.owners[0] if self.owners else -1
        if own.target.feature not in {"dcl", "b", "q"} and 0 <= last < subject < self.head and not isinstance(own, Functor):
            phrase = Functor.of(own, "\\", E.NP)
            self.done.add(subject)

            def absolute(asked: Category) -> Derivation:
                leaf = builder.planner.lexical(builder, last, Functor.of(asked, "/", E.NP))
                return builder.join(leaf, builder.build(subject, E.NP), asked)

            self.left.append(Step(Role.FUNCTOR, "\\", COMPLEMENTISER, last, phrase, absolute))
        else:
            self.left.extend(functor_steps(builder, last, COMPLEMENTISER, own))
        through_that = others and builder.word(last).lower == "that"
        for number, other in enumerate(others):
            if through_that and number == len(others) - 1:
                self.left.append(Step(Role.FUNCTOR, "\\", COMPLEMENTISER, other, E.S_EM))
            else:
                self.left.append(Step(Role.MODIFIER, "\\", COMPLEMENTISER, other))

    # -- the subject

    def _subject(self) -> None:
        builder, head = self.builder, self.head
        owners = [owner for owner in self.owners if owner not in self.done]
        if not owners:
            return
        expletive = next((o for o in owners if builder.word(o).universal == "expl" and o < head), None)
        before = [owner for owner in owners if owner < head]
        subject = expletive if expletive is not None else before[0] if before else None
        if subject is not None:
            self.done.add(subject)
            category = self._subject_category(subject)
            if self.group and self.group[0] < subject and not is_to(builder.word(self.group[0])):
                self._invert(self.group[0], subject, category)
            else:
                self.left.append(Step(Role.ARGUMENT, "\\", SUBJECT, subject, category))
        for owner in owners:
            if owner == subject:
                continue
            self.done.add(owner)
            if owner < head:
                self.left.append(Step(Role.ARGUMENT, "\\", SENTENCE, owner, self._subject_category(owner)))
            else:
                level = ARGUMENT if self.verbal else self._outside_copula()
                self.right.append(Step(Role.ARGUMENT, "/", level, owner, self._subject_category(owner)))

    def _subject_category(self, subject: int) -> Category:
        builder = self.builder
        word = builder.word(subject)
        if word.universal == "expl":
            return E.THERE if word.lower == "there" else E.IT if word.lower == "it" else E.NP
        if word.universal == "csubj":
            own = builder.planner.natural(builder, subject)
            return E.NP if own in (E.VERB_PHRASE["ng"], E.NP) and subject < self.head else own
        return E.NP

    def _invert(self, auxiliary: int, subject: int, category: Category) -> None:
        """``(S[q]/(S[b]\\NP))/NP``: the auxiliary takes the subject, then the rest."""
        builder = self.builder
        self.done.add(auxiliary)
        between = [c for c in self.words if auxiliary < c < subject and c not in self.done]
        self.done.update(between)

        def inverted(asked: Category) -> Derivation:
            functor = Functor.of(asked, "/", category)
            node: Derivation = builder.leaf(auxiliary, functor)
            for adverb in between:
                node = builder.join(node, builder.build(adverb, Functor.of(functor, "\\", functor)), functor)
            return builder.join(node, builder.build(subject, category), asked)

        self.left.append(Step(Role.FUNCTOR, "\\", SUBJECT, auxiliary, self._phrase_after(0), inverted))

    # -- auxiliaries

    def _phrase_after(self, number: int) -> Category:
        feature = self.features[number + 1]
        if feature is None:
            return predicate_category(self.builder, self.head)
        return Category.parse(rf"S[{feature}]\NP")

    def _outside_copula(self) -> float:
        """Just outside the innermost auxiliary: where modifiers of *is a teacher* attach."""
        return GROUP - len(self.group) + 1.5 if self.group else ARGUMENT

    def _auxiliaries(self) -> None:
        builder = self.builder
        for number, auxiliary in enumerate(self.group):
            if auxiliary in self.done:
                continue
            end = self.group[number + 1] if number + 1 < len(self.group) else self.head
            adverbs = list(
                takewhile(
                    lambda c: self._follows(auxiliary, c),
                    [c for c in self.words if auxiliary < c < end and c not in self.done],
                )
            )
            self.done.update([auxiliary, *adverbs])
            self.left.append(
                Step(
                    Role.FUNCTOR,
                    "\\",
                    GROUP - number,
                    auxiliary,
                    self._phrase_after(number),
                    self._with_adverbs(auxiliary, adverbs) if adverbs else None,
                )
            )

    def _follows(self, auxiliary: int, child: int) -> bool:
        """Whether a word after an auxiliary modifies it and not the predicate."""
        word = self.builder.word(child)
        if is_to(self.builder.word(auxiliary)) or word.universal not in {"advmod", "obl", "discourse", "advcl", "parataxis"}:
            return False
        if self.verbal or child < self.group[-1]:
            return True
        category = predicate_category(self.builder, self.head)
        if category is E.ADJECTIVE:
            return word.lower in E.SENTENCE_ADVERBS or word.universal != "advmod"
        return word.lower not in E.DEGREE_NOUN_ADVERBS

    def _with_adverbs(self, auxiliary: int, adverbs: list[int]) -> Callable[[Category], Derivation]:
        def make(asked: Category) -> Derivation:
            node: Derivation = self.builder.planner.lexical(self.builder, auxiliary, asked)
            for adverb in adverbs:
                node = self.builder.join(node, self.builder.build(adverb, modifier_of(asked, "/")), asked)
            return node

        return make

    # -- everything else

    def _is_predicate_word(self, child: int) -> bool:
        """Whether a dependent of a nominal or adjectival predicate belongs to it rather than to its clause."""
        builder, head = self.builder, self.head
        word = builder.word(child)
        if child < head:
            return not self.group or child > self.group[-1] or word.universal in PREDICATE_INTERNAL
        if word.universal in PREDICATE_INTERNAL or word.relation == "nmod:poss":
            return True
        if not self.group:
            return word.universal not in SENTENTIAL
        if predicate_category(builder, head) is E.ADJECTIVE:
            if word.universal in {"xcomp", "ccomp"}:
                return True
            if word.universal == "obl":
                return bool(builder.related(child, "case")) and takes(builder, head, child)
            if word.universal == "advcl":
                return builder.planner.natural(builder, child) in (E.VERB_PHRASE["to"], E.S_DCL) and not self.owners_expletive()
        return word.universal == "advmod" and word.lower in {"enough", "else"}

    def owners_expletive(self) -> bool:
        """Whether the subject is an expletive, whose clause the copula takes."""
        return any(self.builder.word(owner).universal == "expl" for owner in self.owners)

    def _left_step(self, child: int) -> Step:
        builder = self.builder
        word = builder.word(child)
        if word.universal in {"ccomp", "xcomp"}:
            return Step(Role.ARGUMENT, "\\", SENTENCE, child, builder.planner.natural(builder, child))
        if word.universal in {"obj", "iobj"}:
            return Step(Role.ARGUMENT, "\\", SENTENCE, child, E.NP)
        if word.universal == "obl" and self.verbal and self._is_inverted_locative(child):
            return Step(Role.ARGUMENT, "\\", SENTENCE, child, E.PP)
        if self._is_tag(child):
            return self._tag(child, "\\")
        return Step(Role.MODIFIER, "\\", SENTENCE if word.universal in SENTENTIAL else VERB_PHRASE, child)

    def _is_inverted_locative(self, child: int) -> bool:
        builder = self.builder
        subject_after = any(o > self.head and builder.word(o).universal == "nsubj" for o in self.owners)
        return subject_after and len(self.owners) == 1 and bool(builder.related(child, "case"))

    def _right_step(self, child: int) -> Step:
        builder, head = self.builder, self.head
        word = builder.word(child)
        level = ARGUMENT if self.verbal else self._outside_copula()
        if word.universal in {"obj", "iobj"}:
            return Step(Role.ARGUMENT, "/", level, child, E.NP)
        if word.universal in {"xcomp", "ccomp"}:
            return Step(Role.ARGUMENT, "/", level, child, builder.planner.natural(builder, child))
        if (word.universal == "obl" or word.upos == "ADP") and any(builder.governs(child, gap.site) for gap in self.gaps):
            return Step(Role.ARGUMENT, "/", level, child, E.PP)
        if word.relation in {"obl", "obl:arg"} and self.verbal and takes(builder, head, child):
            return Step(Role.ARGUMENT, "/", level, child, E.PP)
        if word.universal in SENTENTIAL:
            return self._sentential(child)
        return Step(Role.MODIFIER, "/", level, child)

    def _sentential(self, child: int) -> Step:
        """A clause beside the clause joins by the mark between them where there is one."""
        builder = self.builder
        if self._is_tag(child):
            return self._tag(child, "/")
        own = builder.planner.natural(builder, child)
        before = builder.span(child)[0] - 1
        if (
            own is self.own
            and own.target.name == "S"
            and before in builder.marks
            and builder.planner.joins(builder.word(before))
            and not builder.related(child, "cc")
        ):
            return Step(Role.CONJUNCT, "/", SENTENCE, child, conjuncts=[child])
        return Step(Role.MODIFIER, "/", SENTENCE, child)

    def _is_tag(self, child: int) -> bool:
        """*he said*, *I think* beside what was said or thought."""
        builder = self.builder
        return (
            builder.word(child).universal == "parataxis"
            and builder.word(child).lemma.lower() in E.SPEECH
            and is_verbal(builder, child)
            and child not in builder.front
            and bool(subjects(builder, child))
            and not builder.related(child, "obj", "ccomp", "xcomp", "mark", "conj")
        )

    def _tag(self, child: int, side: Slash) -> Step:
        builder = self.builder
        builder.tags.add(child)

        def tag(asked: Category) -> Derivation:
            return builder.build(child, SPEECH_TAG if asked is SENTENCE_ADJUNCT and self.own is E.S_DCL else asked)

        return Step(Role.MODIFIER, side, SENTENCE if side == "/" else VERB_PHRASE, child, make=tag)

    def _conjuncts(self, conjuncts: list[int]) -> None:
        builder, head = self.builder, self.head
        if not conjuncts:
            return
        if not self.verbal and all(not subjects(builder, c) and not auxiliaries(builder, c) and not _is_verb(builder, c) for c in conjuncts):
            self.predicate_words.extend(conjuncts)
            self.predicate_words.sort()
            return
        level = ARGUMENT
        for conjunct in conjuncts:
            own = builder.planner.natural(builder, conjunct)
            if own is self.target and own is not self.own:
                level = max(level, COMPLEMENTISER + 2)
            elif not isinstance(own, Functor):
                level = max(level, SENTENCE)
            else:
                level = max(level, self._layer(own.target.feature))
        coordination(self.right, conjuncts, level)

    def _layer(self, feature: str | None) -> float:
        """Just inside the auxiliary whose complement has this feature; outside all of them if none has."""
        participles = {"pss", "pt"}
        for number in range(len(self.features) - 1, -1, -1):
            here = self.features[number]
            if here == feature or (here in participles and feature in participles):
                return GROUP - number + 0.5 if number < len(self.group) else ARGUMENT
        return SUBJECT - 1 if self.owners else GROUP + 1

    def _own_gaps(self) -> None:
        builder = self.builder
        arguments = [step for step in self.right if step.role is Role.ARGUMENT]
        for gap in self.gaps:
            if gap.site != self.head:
                continue
            outermost = any(step.category not in (E.PP,) for step in arguments)
            self.silent.append(Step(Role.GAP, "/", ARGUMENT + 0.5 if outermost else GAP, category=gap.category))
        del builder


def _is_verb(builder: Builder, index: int) -> bool:
    return builder.word(index).upos in {"VERB", "AUX"}


def _plan_outer(builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...], rest: Rest, subject: int) -> Plan:
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
    steps.append(Step(Role.ARGUMENT, "\\", OUTER, subject, E.NP))
    builder_words = [builder.word(index) for index in group]
    features_after = ["pt" if w.lemma == "have" else "b" for w in builder_words[:-1]]
    inner = _predicate_clause(builder, head)
    for number, index in enumerate(group):
        category = inner if number == len(group) - 1 else Category.parse(rf"S[{features_after[number]}]\NP")
        following = [c for c in before if index < c < (group[number + 1] if number + 1 < len(group) else head)]

        def make(asked: Category, index: int = index, following: list[int] = following) -> Derivation:
            node: Derivation = builder.leaf(index, asked)
            for adverb in following:
                node = builder.join(node, builder.build(adverb, modifier_of(asked, "/")), asked)
            return node

        steps.append(Step(Role.FUNCTOR, "\\", OUTER, index, category, make))
    start: list[Step] = []
    if target is not E.S_DCL:
        if target.target.name == "S" and not isinstance(target, Functor):
            pass
        else:
            start.append(Step(Role.CHANGE, "/", OUTER, category=E.S_DCL))
    plan = plan_clause(builder, head, inner, gaps, rest)
    return Plan([*start, *steps, *plan.steps], plan.gaps)


def _predicate_clause(builder: Builder, head: int) -> Category:
    marks = [c for c in builder.related(head, "mark") if not is_to(builder.word(c))]
    if head in builder.front:
        return E.S_QEM
    own = own_category(builder, head)
    if marks:
        return E.COMPLEMENTISERS.get(builder.word(marks[0]).lower, E.S_EM) if own.target.feature != "to" else E.S_FOR
    return own


def plan_fronted_predicate(builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...], rest: Rest) -> Plan:
    """*What is X*, *how old is he*, *where he is*; and *here is X*."""
    words = builder.dependents(head)
    group = [index for index in auxiliaries(builder, head) if index > head]
    owners = subjects(builder, head)
    owners = [owner for owner in owners if owner > head] or [
        c
        for c in words
        if c > group[0] and builder.word(c).universal in {"nmod", "obj", "dep", "obl"} and not builder.related(c, "case")
    ]
    if not owners:
        raise Unconvertible("a copula after its predicate, and no subject after it", head)
    subject = owners[0]
    start = min(group[0], subject)
    phrase = [c for c in words if c < start]
    after = [c for c in words if c > start and c not in group and c != subject]
    predicate = predicate_category(builder, head)
    if target.target.name != "S" or target.is_modifier:
        own = builder.planner.natural(builder, head)
        plan = plan_fronted_predicate(builder, head, own, gaps, rest)
        return Plan([Step(Role.CHANGE, "/", OUTER, category=own), *plan.steps], plan.gaps)
    inverted = group[0] < subject
    wh = next((c for c in [head, *_below(builder, head)] if is_wh(builder.word(c)) and c < start), None)
    if wh is None:
        if not inverted:
            raise Unconvertible("a fronted predicate", head)

        def here(asked: Category) -> Derivation:
            return builder.join(builder.leaf(group[0], asked / E.NP), builder.build(subject, E.NP), asked)

        steps = [Step(Role.MODIFIER, "/", SENTENCE, c) for c in reversed(after)]
        steps.append(Step(Role.FUNCTOR, "/", SUBJECT, group[0], predicate, here))
        plan = rest(builder, head, predicate, gaps, phrase)
        return Plan([*steps, *plan.steps], gaps)
    if builder.word(wh).lower == "how" and predicate is E.NP and builder.word(head).upos in {"ADJ", "ADV"}:
        predicate = E.ADJECTIVE
    clause = E.S_Q if inverted and target is not E.S_QEM else E.S_DCL
    body = Functor.of(clause, "/", predicate)

    def question(_: Category) -> Derivation:
        return _copular_question(builder, group, subject, after, clause, predicate, inverted)

    asked = Functor.of(target, "/", body)
    first = Step(Role.ARGUMENT, "/", SENTENCE, group[0], body, question)
    plan = (front_phrase(builder, head, wh, asked, phrase) if wh != head else None) or rest(builder, head, asked, gaps, phrase)
    return Plan([first, *plan.steps], gaps)


def _below(builder: Builder, head: int) -> list[int]:
    found: list[int] = []
    for child in builder.dependents(head):
        found += [child, *builder.dependents(child)]
    return found


def _copular_question(
    builder: Builder, group: list[int], subject: int, after: list[int], clause: Category, predicate: Category, inverted: bool
) -> Derivation:
    """*is X*, *would X be*, *X is*: a clause that still seeks its predicate to the right."""
    names: list[Category] = []
    for number, index in enumerate(group):
        feature = form_feature(builder.word(index)) if number == 0 else ("pt" if builder.word(group[number - 1]).lemma == "have" else "b")
        names.append(Category.parse(rf"S[{feature if number else 'dcl'}]\NP"))
    start = 1 if inverted else 0
    node: Derivation | None = None
    for number in range(len(group) - 1, start - 1, -1):
        argument = predicate if number == len(group) - 1 else names[number + 1]
        leaf = builder.leaf(group[number], Functor.of(names[number], "/", argument))
        node = leaf if node is None else builder.join(leaf, node, Functor.of(names[number], "/", predicate))
    body = Functor.of(clause, "/", predicate)
    early = [c for c in after if c < max(group[-1], subject)]
    if early:
        raise Unconvertible("an adverb inside a copular question", subject)
    if inverted:
        seeks = predicate if len(group) == 1 else names[1]
        first = builder.leaf(group[0], Functor.of(Functor.of(clause, "/", seeks), "/", E.NP))
        asked = builder.join(first, builder.build(subject, E.NP), Functor.of(clause, "/", seeks))
        node = asked if node is None else builder.join(asked, node, body)
    else:
        assert node is not None
        node = builder.join(builder.build(subject, E.NP), node, body)
    for adjunct in after:
        node = builder.join(node, builder.build(adjunct, modifier_of(clause, "/")), body)
    return node
