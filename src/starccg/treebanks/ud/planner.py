"""The plan of a phrase: clause, nominal or plain word, as its part of speech, relation and target say."""

from __future__ import annotations

from starccg.ccg.category import Category, Functor
from starccg.derivation import Derivation
from starccg.treebanks.ud import english as E
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.clause import plan_clause, plan_fronted_predicate
from starccg.treebanks.ud.conllu import Word
from starccg.treebanks.ud.expressions import expression
from starccg.treebanks.ud.nominal import coordination, plan_front_phrase, plan_nominal
from starccg.treebanks.ud.steps import Gap, Plan, Role, Step, in_order
from starccg.treebanks.ud.verbs import CLAUSAL, NOMINAL, auxiliaries, is_to, own_category, predicate_category


class EnglishPlanner:
    """The planner of the English profile."""

    def plan(self, builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...]) -> Plan:
        """Dispatch on the kind of phrase."""
        if any(front.phrase == head for front in builder.front.values()):
            special = plan_front_phrase(builder, head, target)
            if special is not None:
                return special
        if is_clause(builder, head) and not _is_participle(builder, head, target):
            group = auxiliaries(builder, head)
            if group and group[0] > head:
                return plan_fronted_predicate(builder, head, target, gaps, plan_rest)
            return plan_clause(builder, head, target, gaps, plan_rest)
        return plan_rest(builder, head, target, gaps, builder.dependents(head))

    def natural(self, builder: Builder, head: int) -> Category:
        """See :func:`natural`."""
        return natural(builder, head)

    def suits(self, builder: Builder, conjunct: int, category: Category) -> bool:
        """Clauses must agree in their features; nominals and modifiers take what is asked."""
        if is_clause(builder, conjunct):
            own = natural(builder, conjunct)
            if category.target.name == "S" and not category.is_modifier:
                bare = category
                while isinstance(bare, Functor) and bare.slash == "/":
                    bare = bare.result
                return own is bare or (own.skeleton is bare.skeleton and own is not E.S_QEM and own is not E.S_EM)
            return own.target.name != "S" or category.is_modifier or (category is E.NP and own in NOMINALISED)
        if category.target.name == "S" and not category.is_modifier:
            if category is E.ADJECTIVE:
                return builder.word(conjunct).upos in {"ADJ", "ADV", "VERB"} and not builder.related(conjunct, "case")
            return builder.word(conjunct).upos in {"VERB", "AUX"}
        if category in (E.NP, E.N):
            return builder.word(conjunct).upos in NOMINAL | {"ADJ", "VERB"} and not builder.related(conjunct, "case")
        if category is E.PP:
            return bool(builder.related(conjunct, "case"))
        return True

    def lexical(self, builder: Builder, head: int, category: Category) -> Derivation:
        """The word, or the fixed expression it heads."""
        parts = [child for child in builder.tree.children[head] if builder.word(child).universal == "fixed"]
        if parts:
            return expression(builder, [head, *parts], category)
        return builder.leaf(head, category)

    def mark_category(self, word: Word) -> Category:
        """By the sign itself; what the table does not know reads like a dash."""
        name = E.MARK_CATEGORIES.get(word.form)
        if name is None:
            name = {"``": "LQU", "''": "RQU", "-LRB-": "LRB", "-RRB-": "RRB", ".": "."}.get(word.xpos)
        if name is None:
            name = "." if word.form[0] in ".!?" else ":"
        return Category.parse(name)

    def joins(self, word: Word) -> bool:
        """Whether the mark may stand for a conjunction."""
        return str(self.mark_category(word)) in E.JOINING_MARKS


def _is_participle(builder: Builder, head: int, target: Category) -> bool:
    """*connecting flights*: a verb before its noun is a word like any other, if it stands alone."""
    word = builder.word(head)
    return target is NOUN_MODIFIER and word.universal in {"acl", "amod"} and all(c < head for c in builder.dependents(head))


NOUN_MODIFIER = Category.parse("N/N")
NOMINALISED = frozenset((E.VERB_PHRASE["ng"], E.VERB_PHRASE["to"], E.S_QEM, E.S_EM))
"""Clauses that may be noun phrases."""


def is_clause(builder: Builder, head: int) -> bool:
    """Whether a word heads a clause or verb phrase."""
    word = builder.word(head)
    if head in builder.front:
        return True
    if builder.related(head, "nsubj", "csubj", "cop", "aux", "expl"):
        return True
    if word.universal == "discourse" and not builder.dependents(head):
        return False
    if word.upos in {"VERB", "AUX"}:
        if word.universal in CLAUSAL or builder.related(head, "xcomp", "ccomp"):
            return True
        if word.universal == "conj":
            return word.head >= 0 and (is_clause(builder, word.head) or builder.word(word.head).universal in CLAUSAL)
        return bool(builder.related(head, "obj")) and word.universal not in {"amod", "compound"}
    if builder.related(head, "mark"):
        return word.universal in CLAUSAL | {"conj", "obl", "obj"}
    return False


def natural(builder: Builder, head: int) -> Category:
    """What a phrase is by itself."""
    word = builder.word(head)
    if is_clause(builder, head):
        front = builder.front.get(head)
        if front is not None:
            top = word
            while top.universal == "conj" and top.head >= 0:
                top = builder.word(top.head)
            asks = top.universal in {"root", "parataxis", "list"} and (top is word or top.index in builder.front)
            return E.S_WQ if asks else E.S_QEM
        group = auxiliaries(builder, head)
        if group and group[0] > head:
            return _natural_fronted(builder, head)
        if builder.related(head, "nsubj:outer", "csubj:outer"):
            return E.S_DCL
        marks = [child for child in builder.related(head, "mark") if not is_to(builder.word(child))]
        own = own_category(builder, head)
        if marks and word.universal in {"ccomp", "csubj", "xcomp", "conj", "root", "acl", "advcl", "parataxis"}:
            mark = builder.word(marks[0]).lower
            if mark == "for" and own.target.feature == "to":
                return E.S_FOR
            return E.COMPLEMENTISERS.get(mark, E.S_EM) if own.target.feature in {"dcl", "b", "to"} else E.PP
        return own
    if builder.related(head, "case"):
        return E.PP
    if word.upos in {"ADJ", "ADV"} and not builder.related(head, "det", "nmod:poss"):
        return E.ADJECTIVE
    if word.upos == "INTJ":
        return E.S_INTJ
    if word.upos == "ADP":
        return E.PP
    if word.upos == "PART" and word.lower == "to":
        return E.VERB_PHRASE["to"]
    if word.upos in {"VERB", "AUX"}:
        return own_category(builder, head)
    return E.NP


def _natural_fronted(builder: Builder, head: int) -> Category:
    from starccg.treebanks.ud.wh import is_wh  # noqa: PLC0415 - the two modules know each other

    asks = is_wh(builder.word(head)) or any(
        builder.word(c).lower in {"how", "what", "which", "whose"} for c in builder.dependents(head)
    )
    if not asks:
        return E.S_DCL
    return E.S_WQ if builder.word(head).universal in {"root", "parataxis"} else E.S_QEM


def plan_rest(builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...], words: list[int]) -> Plan:
    """A phrase that is not a clause, or the predicate of one that is."""
    word = builder.word(head)
    if target not in (E.NP, E.N, E.PP) and _is_bare_adverbial(builder, head, target, words):
        plan = plan_nominal(builder, head, E.NP, gaps, words)
        return Plan([Step(Role.CHANGE, "/", 100, category=E.NP), *plan.steps], gaps)
    takes_noun = target in (E.NP, E.N, E.PP) or any(
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
        and builder.word(head).upos in NOMINAL
        and not any(builder.word(child).universal == "case" for child in words)
        and any(child > head and builder.word(child).universal in {"acl", "appos", "conj", "nmod"} for child in words)
    )


SENTENCE_MODIFIERS = frozenset(map(Category.parse, (r"S\S", "S/S", r"(S\NP)\(S\NP)", r"(S\NP)/(S\NP)")))
ADJUNCT_OF_NOUN = frozenset(map(Category.parse, (r"NP\NP", r"N\N")))


def plan_word(builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...], words: list[int]) -> Plan:
    """An adverb, adjective or other word with its modifiers; a predicative adjective also with its complements."""
    word = builder.word(head)
    if target in ADJUNCT_OF_NOUN and word.upos in {"ADJ", "VERB"} and word.universal in {"amod", "acl", "advcl", "nmod", "conj", "dep"}:
        plan = plan_word(builder, head, E.ADJECTIVE, gaps, words)
        return Plan([Step(Role.CHANGE, "/", 100, category=E.ADJECTIVE), *plan.steps], gaps)
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
            left.append(Step(Role.ARGUMENT, "\\", 10, child, E.NP))
        elif child < head:
            left.append(Step(Role.MODIFIER, "\\", 10, child))
        elif any(builder.governs(child, gap.site) for gap in gaps) and builder.word(child).upos == "ADP":
            right.append(Step(Role.ARGUMENT, "/", 10, child, E.PP))
        elif builder.word(child).relation in {"acl:relcl", "advcl:relcl"} and word.lower in E.WH_WORDS:
            right.append(Step(Role.ARGUMENT, "/", 10, child, own_category(builder, child)))
        elif target is E.ADJECTIVE and (category := adjective_complement(builder, head, child)) is not None:
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
        builder.word(head).lower in E.MEASURED
        and word.upos in {"NOUN", "NUM", "PROPN"}
        and word.universal in {"obl", "nmod", "advmod"}
        and (target is E.ADJECTIVE or (builder.word(head).upos in {"ADV", "ADP"}))
    )


def adjective_complement(builder: Builder, head: int, child: int) -> Category | None:
    """What an adjective takes as an argument: infinitives, clauses, and phrases with its own preposition."""
    word = builder.word(child)
    if word.universal in {"xcomp", "ccomp"}:
        return natural(builder, child)
    if word.universal in {"advcl", "csubj"} and is_clause(builder, child):
        own = natural(builder, child)
        if own in (E.VERB_PHRASE["to"], E.S_EM, E.S_FOR) or (own is E.S_DCL and not builder.related(child, "mark")):
            marks = [builder.word(c).lower for c in builder.related(child, "mark")]
            if own is not E.S_EM or "that" in marks:
                return own
        return None
    if word.universal in {"obl", "nmod"} and builder.related(child, "case"):
        from starccg.treebanks.ud.complements import takes  # noqa: PLC0415

        return E.PP if takes(builder, head, child) else None
    return None


__all__ = ["EnglishPlanner", "is_clause", "natural", "predicate_category"]
