r"""The dependents of a clause: arguments, adjuncts, conjuncts, and what stands beside it."""

from __future__ import annotations

from itertools import takewhile

from starccg.ccg.category import Category, Functor, Slash
from starccg.derivation import Derivation
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.complements import takes
from starccg.treebanks.ud.english.copular import Rest
from starccg.treebanks.ud.english.nominal import coordination
from starccg.treebanks.ud.english.verbs import (
    auxiliaries,
    features,
    form_feature,
    is_verbal,
    own_category,
    predicate_category,
    subjects,
)
from starccg.treebanks.ud.lists import words
from starccg.treebanks.ud.steps import Gap, Role, Step

OUTER, COMPLEMENTISER, SENTENCE, SUBJECT, GROUP, VERB_PHRASE, ARGUMENT, GAP = (
    200.0,
    95.0,
    70.0,
    60.0,
    50.0,
    25.0,
    10.0,
    5.0,
)
"""The levels of a clause, outermost first."""

SENTENTIAL = words("parataxis list vocative discourse dislocated dep orphan reparandum cc")
PREDICATE_INTERNAL = words("det amod nmod nummod compound case appos acl flat fixed goeswith")
SENTENCE_ADJUNCT, SPEECH_TAG = Category.parse(r"S\S"), Category.parse(r"S[dcl]\S[dcl]")


def compares(builder: Builder, head: int, child: int) -> bool:
    """*cleaner than we hoped*, *as old as she looks*: a clause that belongs to the adjective before it."""
    marks = {builder.word(c).lower for c in builder.related(child, "mark")}
    degrees = {builder.word(c).lower for c in builder.related(head, "advmod")}
    return "than" in marks or ("as" in marks and bool(degrees & {"as", "so"}))


class Dependents:
    """A clause on its way to a plan: what it knows of itself, and how its dependents join it."""

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

    def _outside_copula(self) -> float:
        """Just outside the innermost auxiliary: where modifiers of *is a teacher* attach."""
        return GROUP - len(self.group) + 1.5 if self.group else ARGUMENT

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
        if predicate_category(builder, head) is tables.ADJECTIVE:
            if word.universal in {"xcomp", "ccomp", "obj"}:
                return True
            if word.universal == "advcl" and compares(builder, head, child):
                return True
            if word.universal == "obl":
                compared = any(builder.word(c).lower in {"than", "as"} for c in builder.related(child, "case"))
                return compared or takes(builder, head, child)
            if word.universal == "advcl" and self._is_gerund(child) and takes(builder, head, child):
                return True
            if word.universal == "advcl":
                return (
                    builder.planner.natural(builder, child) in (tables.VERB_PHRASE["to"], tables.S_DCL)
                    and not self.owners_expletive()
                )
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
            return Step(Role.ARGUMENT, "\\", SENTENCE, child, tables.NP)
        if word.universal == "obl" and self.verbal and self._is_inverted_locative(child):
            return Step(Role.ARGUMENT, "\\", SENTENCE, child, tables.PP)
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
            return Step(Role.ARGUMENT, "/", level, child, tables.NP)
        if word.universal in {"xcomp", "ccomp"}:
            return Step(Role.ARGUMENT, "/", level, child, builder.planner.natural(builder, child))
        if (word.universal == "obl" or word.upos == "ADP") and any(
            builder.governs(child, gap.site) for gap in self.gaps
        ):
            return Step(Role.ARGUMENT, "/", level, child, tables.PP)
        if word.relation in {"obl", "obl:arg"} and self.verbal and takes(builder, head, child):
            return Step(Role.ARGUMENT, "/", level, child, tables.PP)
        if word.universal == "advcl" and self.verbal and self._is_gerund(child) and takes(builder, head, child):
            return Step(Role.ARGUMENT, "/", level, child, tables.PP)
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

    def _is_gerund(self, child: int) -> bool:
        """*accused of lying*: a preposition and a gerund."""
        builder = self.builder
        return form_feature(builder.word(child)) == "ng" and not subjects(builder, child) and child not in builder.front

    def _is_tag(self, child: int) -> bool:
        """*he said*, *I think* beside what was said or thought."""
        builder = self.builder
        return (
            builder.word(child).universal == "parataxis"
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

    def _conjuncts(self, conjuncts: list[int]) -> None:
        """Each conjunct joins where its own kind is: inside a copula, inside an auxiliary, outside the subject."""
        if not self.verbal:
            inside = list(takewhile(self._is_like_predicate, conjuncts))
            self.predicate_words = sorted([*self.predicate_words, *inside])
            conjuncts = conjuncts[len(inside) :]
        level = 0.0
        run: list[int] = []
        for conjunct in conjuncts:
            wanted = max(level, self._conjunct_level(conjunct))
            if run and wanted != level:
                coordination(self.right, run, level)
                run = []
            level = wanted
            run.append(conjunct)
        if run:
            coordination(self.right, run, level)

    def _is_like_predicate(self, conjunct: int) -> bool:
        """A second predicate of the same copula: *tall and handsome*, *confidential and intended for you*."""
        builder = self.builder
        if subjects(builder, conjunct) or auxiliaries(builder, conjunct) or conjunct in builder.front:
            return False
        if not _is_verb(builder, conjunct):
            return True
        adjectival = predicate_category(builder, self.head) is tables.ADJECTIVE
        return adjectival and form_feature(builder.word(conjunct)) in {"pss", "ng"}

    def _conjunct_level(self, conjunct: int) -> float:
        own = self.builder.planner.natural(self.builder, conjunct)
        both_ask = self.head in self.builder.front and conjunct in self.builder.front
        if both_ask or (own is self.target and own is not self.own):
            return COMPLEMENTISER + 2
        return self._layer(own.target.feature) if isinstance(own, Functor) else SENTENCE

    def _layer(self, feature: str | None) -> float:
        """Just inside the auxiliary whose complement has this feature; outside all of them if none has."""
        participles = {"pss", "pt"}
        for number in range(len(self.features) - 1, -1, -1):
            here = self.features[number]
            if here == feature or (here in participles and feature in participles):
                return GROUP - number + 0.5 if number < len(self.group) else ARGUMENT
        return SUBJECT - 1 if self.owners else GROUP + 1

    def _own_gaps(self) -> None:
        """A gap is the nearest argument, unless what it would have to pass cannot be raised."""
        arguments = [step for step in self.right if step.role is Role.ARGUMENT]
        for gap in self.gaps:
            if gap.site != self.head:
                continue
            outermost = any(step.category is not tables.PP for step in arguments)
            self.silent.append(Step(Role.GAP, "/", ARGUMENT + 0.5 if outermost else GAP, category=gap.category))


def _is_verb(builder: Builder, index: int) -> bool:
    return builder.word(index).upos in {"VERB", "AUX"}
