r"""Nominals: ``NP/N`` determiners, ``N/N`` modifiers, the change from ``N`` to ``NP``, and what follows it."""

from __future__ import annotations

from itertools import takewhile

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Derivation
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.expressions import functor_steps
from starccg.treebanks.ud.english.kinds import natural
from starccg.treebanks.ud.english.verbs import own_category
from starccg.treebanks.ud.english.wh import relative_gap
from starccg.treebanks.ud.steps import Gap, Plan, Role, Step, in_order

CASE, NOUN_PHRASE, BEFORE_DETERMINER, CORE, MODIFIERS, NOUN = 90.0, 70.0, 60.0, 50.0, 30.0, 10.0
"""The levels of a nominal, outermost first: case, modifiers of NP, predeterminers, determiner or N -> NP, N/N, N."""

OUTSIDE = 80.0
"""Outside the clause of a free relative: *exactly what I needed*."""

NP_MODIFIER = Category.parse(r"NP\NP")


def plan_nominal(builder: Builder, head: int, target: Category, gaps: tuple[Gap, ...], words: list[int]) -> Plan:
    """A noun or pronoun and all that belongs to it, as a noun phrase, a noun, or a modifier made of one."""
    cases = [child for child in words if builder.word(child).universal == "case" and child < head]
    possessive = [child for child in words if builder.word(child).universal == "case" and child > head]
    core = tables.NP if cases or possessive else target
    left: list[Step] = []
    right: list[Step] = []
    silent: list[Step] = []
    for number, child in enumerate(cases):
        inner = tables.NP if number == len(cases) - 1 else tables.PP
        left.extend(functor_steps(builder, child, CASE, inner))
    for child in possessive[:1]:
        right.append(Step(Role.FUNCTOR, "/", CASE, child, tables.NP))
    determiner = _determiner(builder, head, words, core)
    plain_pronoun = determiner is None and is_pronoun(builder, head, words)
    if determiner is None and core is tables.NP and not plain_pronoun:
        silent.append(Step(Role.CHANGE, "/", CORE, category=tables.N))
    conjuncts: list[int] = []
    is_free = any(_is_free_relative(builder, head, child) for child in words)
    for child in words:
        word = builder.word(child)
        if child in cases or child in possessive or word.universal in {"fixed", "goeswith"}:
            continue
        if child == determiner:
            left.append(Step(Role.FUNCTOR, "\\", CORE, child, tables.N))
        elif word.universal == "conj":
            conjuncts.append(child)
        elif child < head:
            level = OUTSIDE if plain_pronoun and is_free else _left_level(builder, child, plain_pronoun)
            if level == MODIFIERS and builder.is_shared(head, child):
                level = MODIFIERS + 10  # outside a coordination of nouns with modifiers of their own
            left.append(Step(Role.MODIFIER, "\\", level, child))
        else:
            right.append(
                _right_step(builder, head, child, core, inside=determiner is not None and core is not tables.NP)
            )
    bare = list(takewhile(lambda child: _is_bare(builder, child), conjuncts)) if cases else conjuncts
    for group in (bare, conjuncts[len(bare) :]):  # *from Rome, Paris and from London*
        if group:
            coordination(right, group, _conjunct_level(builder, head, group, determiner, core))
    silent.extend(Step(Role.GAP, "/", NOUN, category=gap.category) for gap in gaps if gap.site == head)
    return Plan(in_order(left, right, silent), gaps)


def _is_bare(builder: Builder, conjunct: int) -> bool:
    """Whether a conjunct goes inside the preposition of the first: it has none, and is no adverb (*or abroad*)."""
    own = [child for child in builder.dependents(conjunct) if builder.word(child).universal != "cc"]
    is_adverb = builder.word(conjunct).upos == "ADV" and not own
    return not is_adverb and not builder.related(conjunct, "case")


def is_pronoun(builder: Builder, head: int, words: list[int]) -> bool:
    """Whether a word is a noun phrase by itself."""
    word = builder.word(head)
    if word.lower in tables.WH_WORDS:
        return True
    if any(builder.word(child).universal in {"amod", "compound", "nummod"} and child < head for child in words):
        return False
    if word.upos == "PRON":
        return word.xpos not in {"CD", "JJ", "NNS", "NNPS"} and word.lower not in {"one", "ones", "other", "others"}
    return word.upos == "DET"


def _determiner(builder: Builder, head: int, words: list[int], core: Category) -> int | None:
    """The dependent that makes the noun phrase: the last determiner or possessor before the noun."""
    if core is tables.N:
        return None
    found = [
        child
        for child in words
        if child < head
        and (builder.word(child).relation in {"det", "nmod:poss", "det:poss"} or _is_you(builder, child))
    ]
    return found[-1] if found else None


def _is_you(builder: Builder, child: int) -> bool:
    """*you guys*, *we sailors*: the pronoun is the determiner."""
    word = builder.word(child)
    return (
        word.lower in {"you", "we", "us"}
        and word.upos == "PRON"
        and word.relation in {"compound", "dep"}
        and word.head == child + 1
        and not builder.dependents(child)
    )


def _left_level(builder: Builder, child: int, plain_pronoun: bool) -> float:
    word = builder.word(child)
    if word.relation in {"det", "det:predet", "nmod:poss", "cc:preconj"}:
        return BEFORE_DETERMINER
    if (
        word.universal in {"amod", "compound", "nummod", "nmod", "flat", "appos", "obl", "goeswith"}
        and not plain_pronoun
    ):
        return MODIFIERS
    return BEFORE_DETERMINER if word.universal == "advmod" else NOUN_PHRASE


def _right_step(builder: Builder, head: int, child: int, core: Category, *, inside: bool) -> Step:
    """What follows the noun: ``inside`` the determiner where that does not make a noun phrase (*what kind of bird*)."""
    word = builder.word(child)
    numeral = word.universal == "nummod" or (word.universal == "amod" and word.features.get("NumType") == "Ord")
    is_date = builder.word(head).lower.rstrip(".") in tables.MONTHS
    if numeral and (core in (tables.NP, tables.N) or is_date) and builder.span(child)[0] == head + 1:
        return Step(Role.ARGUMENT, "/", NOUN, child, tables.NUMBER)
    if word.universal in {"compound", "flat"}:
        return Step(Role.MODIFIER, "/", NOUN, child)
    own = natural(builder, child)
    is_free = _is_free_relative(builder, head, child)
    if word.universal in {"acl", "ccomp"} and _follows(builder, head, child):
        if own is tables.S_EM:
            is_taken = word.relation != "acl:relcl" and "that" in builder.forms(child, "mark")
        elif own is tables.S_QEM:
            is_taken = word.relation == "acl" and builder.word(head).lemma.lower() in tables.IDEAS
        elif own is tables.S_DCL and not is_free:  # *the day he left*, *no proof he left*
            is_taken = word.relation == "acl" or relative_gap(builder, head, child) is None
        else:
            is_taken = False
        if is_taken:
            return Step(Role.ARGUMENT, "/", NOUN, child, own)
    if is_free:
        return _free_relative(builder, head, child)
    beside = word.universal in {"appos", "list", "parataxis", "dep"} or (
        word.relation in {"nmod:unmarked", "vocative"} and builder.span(child)[0] - 1 in builder.marks
    )  # *Cleveland, Ohio*, *Thanks, Kim*
    if beside and own is tables.NP and core is tables.NP:
        return Step(Role.MODIFIER, "/", NOUN_PHRASE, child, make=lambda asked: _apposition(builder, child, asked))
    return Step(Role.MODIFIER, "/", MODIFIERS if inside else NOUN_PHRASE, child)


def _follows(builder: Builder, head: int, child: int) -> bool:
    """Whether a phrase stands right after its head: only then is it an argument of the noun."""
    front = builder.front.get(child)
    first = builder.span(child)[0] if front is None else front.phrase
    return all(index in builder.marks for index in range(head + 1, first))


def _is_free_relative(builder: Builder, head: int, child: int) -> bool:
    """Whether the clause of ``child`` is what a relative pronoun without a noun takes: *what he said*."""
    return (
        builder.word(child).relation in {"acl:relcl", "advcl:relcl"}
        and builder.word(head).lower in tables.WH_WORDS
        and child not in builder.front
    )


def _free_relative(builder: Builder, head: int, child: int) -> Step:
    """*what he said*: the pronoun takes the clause, ``NP/(S[dcl]/NP)``."""
    own = own_category(builder, child)
    no_gap = isinstance(own, Functor) or builder.word(head).lower in tables.WH_ADVERBS
    gap = None if no_gap else relative_gap(builder, head, child)
    if gap is None:
        return Step(Role.ARGUMENT, "/", NOUN_PHRASE, child, own)
    category = Functor.of(own, "/", gap.category)
    return Step(Role.ARGUMENT, "/", NOUN_PHRASE, child, category, lambda _: builder.build(child, own, (gap,)))


def _apposition(builder: Builder, child: int, asked: Category) -> Derivation:
    r"""``, NP`` is ``NP\NP``; a bracket or a dash is ``(NP\NP)/NP``; without a mark the head is ``NP\NP`` itself."""
    if asked is not NP_MODIFIER:
        return builder.build(child, asked)
    before = builder.span(child)[0] - 1
    if before not in builder.marks and not builder.dependents(child) and builder.word(child).upos == "PRON":
        return builder.leaf(child, asked)  # *the tumour itself*
    marked = builder.by_mark(child, asked, "/")
    if marked is not None:
        return marked
    if before in builder.marks and before not in builder.used_marks and builder.mark(before) in {",", ";"}:
        builder.used_marks.add(before)
        mark = builder.leaf(before, builder.mark_category(before))
        return builder.join(mark, builder.build(child, tables.NP), asked)
    return builder.change(builder.build(child, tables.NP), asked) if builder.wide else builder.build(child, asked)


def _conjunct_level(builder: Builder, head: int, conjuncts: list[int], determiner: int | None, core: Category) -> float:
    """Where a coordination joins: by what the conjuncts have of their own."""
    if core not in (tables.NP, tables.N):
        return NOUN
    levels = [NOUN]
    for conjunct in _chain(builder, conjuncts):
        own = builder.dependents(conjunct)
        if builder.related(head, "case") and not _is_bare(builder, conjunct):
            levels.append(CASE + 1)
        elif core is tables.N:
            levels.append(MODIFIERS + 5)
        elif (
            _determiner(builder, conjunct, own, core) is not None
            or is_pronoun(builder, conjunct, own)
            or (determiner is None and is_pronoun(builder, head, builder.dependents(head)))
            or natural(builder, conjunct) is not tables.NP
        ):
            levels.append(NOUN_PHRASE)
        elif any(child > conjunct and builder.word(child).universal not in {"conj", "flat"} for child in own):
            levels.append(NOUN_PHRASE if determiner is None else MODIFIERS + 5)
        elif determiner is not None and _is_counted(builder, determiner, conjunct):
            levels.append(NOUN_PHRASE)
        elif _is_name(builder, head, conjunct) or any(
            builder.word(c).universal in {"amod", "compound", "nummod", "nmod", "advmod"} and c < conjunct for c in own
        ):
            levels.append(MODIFIERS + 5)
    return max(levels)


def _is_name(builder: Builder, head: int, conjunct: int) -> bool:
    """*New York and Boston*: the words of a name belong to that name alone, but not a title (*Presidents A and B*)."""
    before = [builder.word(c) for c in builder.related(head, "compound", "flat", "amod") if c < head]
    names = bool(before) and all(word.xpos == "NNP" for word in before)
    return names and builder.word(head).xpos == builder.word(conjunct).xpos == "NNP"


def _is_counted(builder: Builder, determiner: int, conjunct: int) -> bool:
    """*a bear and two cubs*: the article of the first cannot be that of the second."""
    plural = builder.word(conjunct).xpos in {"NNS", "NNPS"} or builder.word(conjunct).features.get("Number") == "Plur"
    return builder.word(determiner).lower in {"a", "an"} and plural


def _chain(builder: Builder, conjuncts: list[int]) -> list[int]:
    """Conjuncts, their conjuncts, and so on."""
    found = list(conjuncts)
    for conjunct in found:
        found.extend(builder.related(conjunct, "conj"))
    return found


def coordination(right: list[Step], conjuncts: list[int], level: float) -> None:
    """Add conjuncts as steps: neighbours in one, so that they branch to the right."""
    others = [step.word for step in right]
    group: list[int] = []
    for conjunct in conjuncts:
        if group and any(group[-1] < other < conjunct for other in others):
            right.append(Step(Role.CONJUNCT, "/", level, conjuncts=group))
            group = []
        group.append(conjunct)
    right.append(Step(Role.CONJUNCT, "/", level, conjuncts=group))
