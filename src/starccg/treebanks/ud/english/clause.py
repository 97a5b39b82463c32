r"""Clauses: complementiser, subject and auxiliaries, for verbs and for predicates with a copula."""

from __future__ import annotations

from functools import partial
from itertools import takewhile

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Derivation
from starccg.treebanks.joining import Unconvertible
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.conjuncts import COMPLEMENTISER, GROUP, SENTENCE, SUBJECT
from starccg.treebanks.ud.english.copular import plan_outer
from starccg.treebanks.ud.english.dependents import Dependents
from starccg.treebanks.ud.english.expressions import functor_steps, with_adverbs
from starccg.treebanks.ud.english.kinds import natural
from starccg.treebanks.ud.english.verbs import (
    is_measure,
    is_to,
    predicate_category,
)
from starccg.treebanks.ud.english.wh import infinitive_gap, relative_gap
from starccg.treebanks.ud.english.words import ADJUNCT_OF_NOUN, SENTENCE_MODIFIERS, plan_rest
from starccg.treebanks.ud.steps import Gap, Plan, Role, Step, in_order

_SENTENCE_ADVERB = Category.parse(r"S\S")
"""*n't* between an auxiliary and its subject: one category for all questions, by generalised crossed composition."""
ADVERBIAL = frozenset({"advmod", "obl", "discourse", "advcl", "parataxis"})


def plan_clause(builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...]) -> Plan:
    """The plan of a clause whose predicate is ``head``."""
    outer = builder.related(head, "nsubj:outer", "csubj:outer")
    if outer and outer[0] < head:
        return plan_outer(builder, head, target, gaps, outer[0])
    return _Clause(builder, head, target, gaps).plan()


class _Clause(Dependents):
    """Complementiser, subject and auxiliaries."""

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
        self._clusters(conjuncts)
        self._conjuncts(conjuncts)
        self._share_right_argument()
        self._keep_arguments_inside()
        inside = max((c for c in self.predicate_words if builder.word(c).universal == "conj"), default=-1)
        between = [s for s in self.right if s.role is Role.MODIFIER and s.word < inside and not s.conjuncts]
        self.right = [step for step in self.right if step not in between]  # *ready in time and well prepared*
        self.predicate_words = sorted([*self.predicate_words, *(step.word for step in between)])
        nearest = min((step.word for step in self.right if not step.conjuncts), default=len(builder.tree.words))
        for child in [c for c in self.predicate_words if c > nearest and builder.word(c).universal != "conj"]:
            self.predicate_words.remove(child)
            self.right.append(Step(Role.MODIFIER, "/", self.adjunct_level, child))
        inner: list[Step] = []
        if self.verbal:
            self._own_gaps()
        else:
            category = predicate_category(builder, head)
            inner = plan_rest(builder, head, category, tuple(self.gaps), self.predicate_words).steps
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
            beside = builder.word(head).universal in {"parataxis", "list", "dep", "conj"}
            if beside and target not in (tables.S_WQ, tables.S_QEM) and not self._is_second_relative():
                self.silent.append(Step(Role.CHANGE, "/", COMPLEMENTISER + 1, category=natural(builder, head)))
            self.left.append(Step(Role.FUNCTOR, "\\", COMPLEMENTISER, front.phrase, own, discharges=True))
            if front.gap is not None:
                self.gaps.append(front.gap)
            self._before_front([mark for mark in marks if mark < front.phrase])
            for mark in marks:
                self.done.add(mark)
                if mark > front.phrase:
                    self.left.append(Step(Role.MODIFIER, "\\", COMPLEMENTISER, mark))
            return
        if marks:
            self._complementiser(marks)
            return
        if target is own or head in builder.tags:
            return
        if self._is_inverted_condition():
            self.own = target
            return
        if target in ADJUNCT_OF_NOUN:
            noun = builder.word(head).head
            if own is tables.S_DCL and noun >= 0 and builder.word(head).relation == "acl:relcl":
                gap = relative_gap(builder, noun, head)
                if gap is not None:
                    self.gaps.append(gap)
            elif own is tables.VERB_PHRASE["to"] and noun >= 0:
                is_complement = builder.word(noun).lemma.lower() in tables.INFINITIVE_NOUNS
                gap = infinitive_gap(builder, head)
                if gap is not None and not (is_complement and gap.site == head):
                    self.gaps.append(gap)
        elif target.target.name == "S" and not target.is_modifier and own.skeleton is target.skeleton:
            self.own = target
            return
        self.silent.append(Step(Role.CHANGE, "/", COMPLEMENTISER, category=own))

    def _is_second_relative(self) -> bool:
        """*who sings and who dances*: a relative clause coordinated with one."""
        builder, word = self.builder, self.builder.word(self.head)
        while word.universal == "conj" and word.head >= 0:
            word = builder.word(word.head)
        return self.target in ADJUNCT_OF_NOUN and word.relation == "acl:relcl" and word.index in builder.front

    def _is_inverted_condition(self) -> bool:
        """*had he known*, *should you need it*: the auxiliary makes the adjunct, ``((S/S)/(S[pt]\\NP))/NP``."""
        before = [owner for owner in self.owners if owner < self.head]
        return (
            self.builder.word(self.head).universal == "advcl"
            and self.target in SENTENCE_MODIFIERS
            and bool(before and self.group)
            and self.group[0] < before[0]
            and self.builder.word(self.group[0]).lower in {"had", "should", "were"}
        )

    def _before_front(self, prepositions: list[int]) -> None:
        """*of what he said*, *depending on who asks*: prepositions take the question."""
        for number, preposition in enumerate(prepositions):
            inner = tables.S_QEM if number == len(prepositions) - 1 else tables.PP
            self.left.extend(functor_steps(self.builder, preposition, COMPLEMENTISER + 3, inner))

    def _complementiser(self, marks: list[int]) -> None:
        builder = self.builder
        self.done.update(marks)
        *others, last = marks
        own = self.own
        subject = self.owners[0] if self.owners else -1
        is_absolute = own.target.feature not in {"dcl", "b", "q"} and not isinstance(own, Functor)
        if is_absolute and 0 <= last < subject < self.head:
            phrase = Functor.of(own, "\\", tables.NP) if own.target.name == "S" else own
            self.done.add(subject)

            def absolute(asked: Category) -> Derivation:
                leaf = builder.planner.lexical(builder, last, Functor.of(asked, "/", tables.NP))
                return builder.join(leaf, builder.build(subject, tables.NP), asked)

            self.left.append(Step(Role.FUNCTOR, "\\", COMPLEMENTISER, last, phrase, absolute))
        else:
            self.left.extend(functor_steps(builder, last, COMPLEMENTISER, own))
        through = {"that": tables.S_EM, "whether": tables.S_QEM}.get(builder.word(last).lower)
        for number, other in enumerate(others):
            if through is not None and number == len(others) - 1:  # *in that*, *on whether to go*
                self.left.append(Step(Role.FUNCTOR, "\\", COMPLEMENTISER, other, through))
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
                self.right.append(Step(Role.ARGUMENT, "/", self.argument_level, owner, self._subject_category(owner)))

    def _subject_category(self, subject: int) -> Category:
        builder = self.builder
        word = builder.word(subject)
        if word.universal == "expl":
            if word.lower == "it" and not self._has_real_subject():
                return tables.NP  # *it rained*
            return tables.THERE if word.lower == "there" else tables.IT if word.lower == "it" else tables.NP
        if word.universal == "csubj":
            own = natural(builder, subject)
            return tables.NP if own in (tables.VERB_PHRASE["ng"], tables.NP) and subject < self.head else own
        return tables.NP

    def _has_real_subject(self) -> bool:
        """Whether there is a clause that an expletive stands for."""
        clausal = {"csubj", "ccomp", "xcomp", "advcl", "acl", "nsubj"}
        return any(self.builder.word(child).universal in clausal for child in self.words if child > self.head)

    def _invert(self, auxiliary: int, subject: int, category: Category) -> None:
        """``(S[q]/(S[b]\\NP))/NP``: the auxiliary takes the subject, then the rest."""
        builder = self.builder
        self.done.add(auxiliary)
        between = [c for c in self.words if auxiliary < c < subject and c not in self.done]
        if not self.verbal and auxiliary == self.group[-1]:
            self.adjunct_level = SUBJECT + 1  # *Is the shop open today?*: the copula takes its two arguments first
            if self.owners_expletive() and not between:
                self.argument_level = SUBJECT + 1  # *Is it true that he left?*
        self.done.update(between)

        def inverted(asked: Category) -> Derivation:
            functor = Functor.of(asked, "/", category)
            node: Derivation = builder.leaf(auxiliary, functor)
            for adverb in between:
                node = builder.join(node, builder.build(adverb, _SENTENCE_ADVERB), functor)
            return builder.join(node, builder.build(subject, category), asked)

        self.left.append(Step(Role.FUNCTOR, "\\", SUBJECT, auxiliary, self._phrase_after(0), inverted))

    # -- auxiliaries

    def _phrase_after(self, number: int) -> Category:
        feature = self.features[number + 1]
        if feature is None:
            return predicate_category(self.builder, self.head)
        return Category.parse(rf"S[{feature}]\NP")

    def _auxiliaries(self) -> None:
        for number, auxiliary in enumerate(self.group):
            if auxiliary in self.done:
                continue
            end = self.group[number + 1] if number + 1 < len(self.group) else self.head
            between = [c for c in self.words if auxiliary < c < end and c not in self.done]
            adverbs = list(takewhile(partial(self._follows, auxiliary), between))
            self.done.update([auxiliary, *adverbs])
            make = with_adverbs(self.builder, auxiliary, adverbs) if adverbs else None
            self.left.append(Step(Role.FUNCTOR, "\\", GROUP - number, auxiliary, self._phrase_after(number), make))

    def _follows(self, auxiliary: int, child: int) -> bool:
        """Whether a word after an auxiliary modifies it and not the predicate."""
        word = self.builder.word(child)
        if is_to(self.builder.word(auxiliary)) or word.universal not in ADVERBIAL:
            return False
        if self.verbal or child < self.group[-1]:
            return True
        if word.lower == "far" and self.builder.related(child, "case"):
            return False  # *by far the best*
        if self.builder.word(self.head).lower in tables.MEASURED and word.upos in {"NOUN", "NUM", "PROPN"}:
            return False  # *25 years old*
        if word.universal == "obl" and is_measure(self.builder, child):
            return self.builder.word(self.head).upos not in {"ADJ", "ADV"}  # *a little salty*, *three months late*
        category = predicate_category(self.builder, self.head)
        if category is tables.ADJECTIVE:
            return word.lower in tables.SENTENCE_ADVERBS or word.universal != "advmod"
        return word.lower not in tables.DEGREE_NOUN_ADVERBS
