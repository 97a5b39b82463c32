r"""What a clause knows of itself, and how its conjuncts join it."""

from __future__ import annotations

from itertools import takewhile

from starccg.ccg.category import Category, Functor
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.kinds import natural
from starccg.treebanks.ud.english.nominal import coordination
from starccg.treebanks.ud.english.verbs import (
    auxiliaries,
    complementisers,
    features,
    form_feature,
    is_verbal,
    own_category,
    predicate_category,
    subjects,
)
from starccg.treebanks.ud.steps import Gap, Role, Step

OUTER, COMPLEMENTISER, SENTENCE, SUBJECT = 200.0, 95.0, 70.0, 60.0
GROUP, VERB_PHRASE, ARGUMENT, GAP = 50.0, 25.0, 10.0, 5.0
"""The levels of a clause, outermost first."""

PARTICIPLES = frozenset({"ng", "pss", "adj"})
"""Forms that modify a noun without a pronoun."""

PAIR = 2
"""How many arguments a cluster has."""


ASIDES = frozenset({"vocative", "discourse"})
"""What may stand anywhere in a sentence and belongs to all of it."""


class Conjuncts:
    """A clause on its way to a plan: its parts, and the steps of its conjuncts."""

    def __init__(self, builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...]) -> None:
        self.builder = builder
        self.head = head
        self.target = target
        self.gaps = list(gaps)
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
        inside = self.verbal or not self.group
        self.argument_level = self.adjunct_level = ARGUMENT if inside else GROUP - len(self.group) + 1.5
        """Where arguments and adjuncts attach: of *is a teacher* just outside the innermost auxiliary."""

    def owners_expletive(self) -> bool:
        """Whether the subject is an expletive, whose clause the copula takes."""
        return any(self.builder.word(owner).universal == "expl" for owner in self.owners)

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

    def _clusters(self, conjuncts: list[int]) -> None:
        """*gave Ann tea and Tom milk*: a conjunct with an orphan repeats the last two arguments of the verb."""
        builder = self.builder
        arguments = sorted(
            (s for s in self.right if s.role is Role.ARGUMENT and not s.make), key=lambda step: step.word
        )
        pairs: list[tuple[int, int]] = []
        for conjunct in conjuncts:
            orphans = [child for child in builder.related(conjunct, "orphan") if child > conjunct]
            if len(arguments) != PAIR or len(orphans) != 1 or conjunct < arguments[1].word:
                return
            kinds = [natural(builder, index) for index in (conjunct, orphans[0])]
            if kinds != [step.category for step in arguments] or kinds[0] is not tables.NP:
                return
            if kinds[1] not in (tables.NP, tables.PP, tables.ADJECTIVE):
                return
            pairs.append((conjunct, orphans[0]))
        if not pairs or any(
            arguments[0].word < step.word < conjuncts[-1] for step in self.right if step not in arguments
        ):
            return
        first, second = arguments
        builder.taken.update(orphan for _, orphan in pairs)
        self.right = [step for step in self.right if step not in arguments]
        cluster = Step(Role.CLUSTER, "/", ARGUMENT, first.word, first.category, second=second.category)
        cluster.pairs = [(first.word, second.word), *pairs]
        self.right.append(cluster)
        conjuncts.clear()

    def _share_right_argument(self) -> None:
        """*Ann wrote and Tom printed the letter*: an argument after a clausal conjunct is a gap of both clauses."""
        clausal = [step for step in self.right if step.conjuncts and step.level >= SENTENCE]
        for step in self.right:
            if step.role is Role.ARGUMENT and self.owners and any(step.word > c.conjuncts[-1] for c in clausal):
                self.silent.append(Step(Role.SHARED, "/", SENTENCE - 1, category=step.category))
                self.silent.append(Step(Role.GAP, "/", GAP, category=step.category))
                return

    def _keep_arguments_inside(self) -> None:
        """*I use , like , gels*: what stands between a verb and its argument modifies the verb phrase.

        So does a name or a word of address between a verb and its adjuncts: *thank you , sir , for the tea*.
        """
        last = max((step.word for step in self.right if step.role is Role.ARGUMENT), default=-1)
        inside = [step.conjuncts[-1] if step.conjuncts else step.word for step in self.right if step.level < SUBJECT]
        for step in self.right:
            limit = max([last, *inside]) if self.builder.word(step.word).universal in ASIDES else last
            if step.role is Role.MODIFIER and not step.conjuncts and step.word < limit:
                step.level = min(step.level, self.adjunct_level)
        for conjunct in [step for step in self.right if step.conjuncts and step.level < SUBJECT]:
            for step in self.right:  # *they charged me ( twice ) and went home*
                if step.role is Role.MODIFIER and not step.conjuncts and step.word < conjunct.conjuncts[0]:
                    step.level = min(step.level, conjunct.level)

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
        own = natural(self.builder, conjunct)
        both_ask = self.head in self.builder.front and conjunct in self.builder.front
        marked = all(complementisers(self.builder, index) for index in (self.head, conjunct))
        both_marked = marked and self.target.is_modifier  # *if it rains or if it snows*
        if both_ask or both_marked or (own is self.target and own is not self.own):
            return COMPLEMENTISER + 2
        if not isinstance(own, Functor):
            return SENTENCE
        forms = {own.target.feature, self.own.target.feature}
        later = [self.builder.word(word).universal for word in self.words if word > conjunct]
        unlike = len(forms) > 1 and forms <= PARTICIPLES and self.target.is_modifier and not self.group
        if unlike and not set(later) - {"conj", "punct"}:
            return COMPLEMENTISER + 2  # *geese seen there and missing one wing*: each is a modifier by itself
        level = self._layer(own.target.feature)
        if level == ARGUMENT and not self.group and self._have_own_adverbs():
            return SUBJECT - 1  # *quickly turned and slowly left*: the first adverb is not shared
        return level

    def _have_own_adverbs(self) -> bool:
        """Whether a conjunct has an adverb before it."""
        builder = self.builder
        return any(
            child < conjunct
            for conjunct in builder.related(self.head, "conj")
            for child in builder.related(conjunct, "advmod", "obl", "advcl")
        )

    def _layer(self, feature: str | None) -> float:
        """Just inside the auxiliary whose complement has this feature; outside all of them if none has."""
        participles = {"pss", "pt"}
        for number in range(len(self.features) - 1, -1, -1):
            here = self.features[number]
            if here == feature or (here in participles and feature in participles):
                return GROUP - number + 0.5 if number < len(self.group) else ARGUMENT
        return SUBJECT - 1 if self.owners else GROUP + 1


def _is_verb(builder: Builder, index: int) -> bool:
    return builder.word(index).upos in {"VERB", "AUX"}
