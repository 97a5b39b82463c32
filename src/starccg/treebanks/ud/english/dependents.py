r"""The dependents of a clause: arguments, adjuncts, conjuncts, and what stands beside it."""

from __future__ import annotations

from collections.abc import Callable

from starccg.ccg.category import Category, Functor, Slash
from starccg.ccg.derivation import Derivation
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.complements import takes
from starccg.treebanks.ud.english.conjuncts import (
    ARGUMENT,
    GAP,
    SENTENCE,
    SUBJECT,
    VERB_PHRASE,
    Conjuncts,
)
from starccg.treebanks.ud.english.kinds import WHOLE, natural
from starccg.treebanks.ud.english.verbs import (
    form_feature,
    is_verbal,
    own_category,
    predicate_category,
    subjects,
)
from starccg.treebanks.ud.lists import words
from starccg.treebanks.ud.profile import JOINING
from starccg.treebanks.ud.steps import Role, Step

SENTENTIAL = words("parataxis list vocative discourse dislocated dep orphan reparandum cc")
PREDICATE_INTERNAL = words("det amod nmod nummod compound case appos acl flat fixed goeswith")
STRANDED = Category.parse("PP/NP")
SENTENCE_ADJUNCT, SPEECH_TAG = Category.parse(r"S\S"), Category.parse(r"S[dcl]\S[dcl]")


def compares(builder: Builder, head: int, child: int) -> bool:
    """*cleaner than we hoped*, *as old as she looks*: a clause that belongs to the adjective before it."""
    marks, degrees = builder.forms(child, "mark"), builder.forms(head, "advmod")
    as_as = "as" in marks and ("as" in degrees or "so" in degrees)
    return "than" in marks or as_as or ("that" in marks and "so" in degrees)


def is_stranded(builder: Builder, child: int) -> bool:
    """*was referred to*: a preposition whose object became the subject of the passive."""
    word = builder.word(child)
    return word.upos == "ADP" and word.relation == "obl" and not builder.dependents(child)


class Dependents(Conjuncts):
    """The steps by which the dependents of a clause join it."""

    def _is_predicate_word(self, child: int) -> bool:
        """Whether a dependent of a nominal or adjectival predicate belongs to it rather than to its clause."""
        builder, head = self.builder, self.head
        word = builder.word(child)
        if child < head:
            if self.group and any(child < owner < head for owner in self.owners):
                return False  # *in her day she was a dancer*, where *day* may be an ``nmod``
            return not self.group or child > self.group[-1] or word.universal in PREDICATE_INTERNAL
        if word.universal in PREDICATE_INTERNAL or word.relation == "nmod:poss":
            return True
        if not self.group:
            return word.universal not in SENTENTIAL
        if word.universal == "obl" and builder.forms(child, "case") == ["of"]:
            return True  # *the youngest of five*
        if predicate_category(builder, head) is tables.ADJECTIVE:
            if word.universal in {"xcomp", "ccomp", "obj"}:
                return True
            if word.universal == "obl":
                return not {"than", "as"}.isdisjoint(builder.forms(child, "case")) or takes(builder, head, child)
            if word.universal == "advcl":
                is_complement = natural(builder, child) in (tables.VERB_PHRASE["to"], tables.S_DCL, tables.S_FOR)
                is_taken = self._takes_gerund(child) or (is_complement and not self.owners_expletive())
                return is_taken or compares(builder, head, child)
        return word.universal == "advmod" and word.lower in {"enough", "else"}

    def _left_step(self, child: int) -> Step:
        builder = self.builder
        word = builder.word(child)
        if word.universal in {"ccomp", "xcomp"}:
            return Step(Role.ARGUMENT, "\\", SENTENCE, child, natural(builder, child))
        if word.universal in {"obj", "iobj"}:
            return Step(Role.ARGUMENT, "\\", SENTENCE, child, tables.NP)
        if word.universal == "obl" and self.verbal and self._is_inverted_locative(child):
            return Step(Role.ARGUMENT, "\\", SENTENCE, child, tables.PP)
        if self._is_tag(child):
            return self._tag(child, "\\")
        if word.universal in SENTENTIAL:
            return Step(Role.MODIFIER, "\\", SENTENCE, child)
        level = SUBJECT - 0.5 if builder.is_shared(self.head, child) else VERB_PHRASE  # outside the coordination
        return Step(Role.MODIFIER, "\\", level, child)

    def _is_inverted_locative(self, child: int) -> bool:
        builder = self.builder
        subject_after = any(o > self.head and builder.word(o).universal == "nsubj" for o in self.owners)
        return subject_after and len(self.owners) == 1 and bool(builder.related(child, "case"))

    def _right_step(self, child: int) -> Step:
        category = self._taken_as(child)
        if category is not None:
            return Step(Role.ARGUMENT, "/", self.argument_level, child, category)
        if self.builder.word(child).universal in SENTENTIAL:
            return self._sentential(child)
        return Step(Role.MODIFIER, "/", self.adjunct_level, child)

    def _taken_as(self, child: int) -> Category | None:
        """The category of an argument after the predicate; None for an adjunct."""
        builder, head = self.builder, self.head
        word = builder.word(child)
        if word.universal in {"obj", "iobj"}:
            return tables.NP
        if word.universal in {"xcomp", "ccomp"}:
            return natural(builder, child)
        if (word.universal == "obl" or word.upos == "ADP") and any(builder.governs(child, g.site) for g in self.gaps):
            return tables.PP
        is_phrase = word.relation in {"obl", "obl:arg"} and (takes(builder, head, child) or self._locates(child))
        if self.verbal and (is_phrase or (word.universal == "advcl" and self._takes_gerund(child))):
            return tables.PP
        return STRANDED if self.features[-1] == "pss" and is_stranded(builder, child) else None

    def _locates(self, child: int) -> bool:
        """*those who are without a car*: a prepositional phrase right after *be*, where the treebank has no copula."""
        builder = self.builder
        nearest = min(c for c in self.words if c > self.head)
        return (
            child == nearest
            and builder.word(self.head).lemma.lower() == "be"
            and bool(builder.related(child, "case"))
            and not self.owners_expletive()
        )

    def _sentential(self, child: int) -> Step:
        """A clause beside the clause joins by the mark between them where there is one."""
        builder = self.builder
        if self._is_tag(child):
            return self._tag(child, "/")
        own = natural(builder, child)
        before = builder.span(child)[0] - 1
        connective = self._connective(child) if own in WHOLE else None
        if connective is not None:
            return Step(Role.MODIFIER, "/", SENTENCE, child, make=self._connected(child, connective, own))
        shares_subject = own is tables.VERB_PHRASE["dcl"] and self.own is tables.S_DCL and bool(self.owners)
        if (
            (shares_subject or (own is self.own and own.target.name == "S"))
            and before in builder.marks
            and builder.mark(before) in JOINING
            and not builder.related(child, "cc")
        ):  # *the staff is kind , treats you as a friend*
            return Step(Role.CONJUNCT, "/", SUBJECT - 1 if shares_subject else SENTENCE, child, conjuncts=[child])
        return Step(Role.MODIFIER, "/", SENTENCE, child)

    def _connective(self, child: int) -> int | None:
        """The adverb that starts a clause and joins it to the one before: *so he left*."""
        builder = self.builder
        first = builder.span(child)[0]
        starts = first != child and builder.word(first).head == child and not builder.tree.children[first]
        if starts and builder.word(first).universal in {"advmod", "mark", "cc"} and not builder.related(child, "cc"):
            return first if builder.word(first).lower in tables.CONNECTIVES else None
        return None

    def _connected(self, child: int, connective: int, own: Category) -> Callable[[Category], Derivation]:
        builder = self.builder

        def make(asked: Category) -> Derivation:
            builder.taken.add(connective)
            phrase = builder.build(child, own)
            return builder.join(builder.leaf(connective, Functor.of(asked, "/", own)), phrase, asked)

        return make

    def _takes_gerund(self, child: int) -> bool:
        """*accused of lying*: a preposition and a gerund."""
        builder = self.builder
        is_gerund = form_feature(builder.word(child)) == "ng" and not subjects(builder, child)
        return is_gerund and child not in builder.front and takes(builder, self.head, child)

    def _is_tag(self, child: int) -> bool:
        """*he said*, *I think* beside what was said or thought."""
        builder = self.builder
        return (
            builder.word(child).universal in {"parataxis", "discourse", "advcl"}
            and builder.word(child).lemma.lower() in tables.SPEECH
            and is_verbal(builder, child)
            and child not in builder.front
            and bool(subjects(builder, child))
            and own_category(builder, child) is tables.S_DCL
            and not builder.related(child, "obj", "ccomp", "xcomp", "mark", "conj")
        )

    def _tag(self, child: int, side: Slash) -> Step:
        builder = self.builder
        builder.tags.add(child)

        def tag(asked: Category) -> Derivation:
            return builder.build(child, SPEECH_TAG if asked is SENTENCE_ADJUNCT and self.own is tables.S_DCL else asked)

        return Step(Role.MODIFIER, side, SENTENCE if side == "/" else VERB_PHRASE, child, make=tag)

    def _own_gaps(self) -> None:
        """A gap is the nearest argument, unless what it would have to pass cannot be raised."""
        arguments = [step for step in self.right if step.role is Role.ARGUMENT]
        for gap in self.gaps:
            if gap.site != self.head:
                continue
            outermost = any(step.category is not tables.PP for step in arguments)
            self.silent.append(Step(Role.GAP, "/", ARGUMENT + 0.5 if outermost else GAP, category=gap.category))
