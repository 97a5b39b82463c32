r"""Nominals: ``NP/N`` determiners, ``N/N`` modifiers, the change from ``N`` to ``NP``, and what follows it."""

from __future__ import annotations

from starccg.ccg.category import Category, Functor
from starccg.derivation import Derivation
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.english.expressions import functor_steps
from starccg.treebanks.ud.steps import Gap, Plan, Role, Step, in_order

CASE, NOUN_PHRASE, BEFORE_DETERMINER, CORE, MODIFIERS, NOUN = 90.0, 70.0, 60.0, 50.0, 30.0, 10.0
"""The levels of a nominal, outermost first: case, modifiers of NP, predeterminers, determiner or N -> NP, N/N, N."""

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
    for child in words:
        word = builder.word(child)
        if child in cases or child in possessive or word.universal in {"fixed", "goeswith"}:
            continue
        if child == determiner:
            left.append(Step(Role.FUNCTOR, "\\", CORE, child, tables.N))
        elif word.universal == "conj":
            conjuncts.append(child)
        elif child < head:
            left.append(Step(Role.MODIFIER, "\\", _left_level(builder, child, plain_pronoun), child))
        else:
            right.append(
                _right_step(builder, head, child, core, inside=determiner is not None and core is not tables.NP)
            )
    left.sort(key=lambda step: step.word)
    if conjuncts:
        coordination(right, conjuncts, _conjunct_level(builder, head, conjuncts, determiner, core))
    right.sort(key=lambda step: -(step.conjuncts[0] if step.conjuncts else step.word))
    silent.extend(Step(Role.GAP, "/", NOUN, category=gap.category) for gap in gaps if gap.site == head)
    return Plan(in_order(left, right, silent), gaps)


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
        and (builder.word(child).relation in {"det", "nmod:poss"} or builder.word(child).relation == "det:poss")
    ]
    return found[-1] if found else None


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
    if numeral and core in (tables.NP, tables.N) and builder.span(child)[0] == head + 1:
        return Step(Role.ARGUMENT, "/", NOUN, child, tables.NUMBER)
    if word.universal in {"compound", "flat"}:
        return Step(Role.MODIFIER, "/", NOUN, child)
    own = builder.planner.natural(builder, child)
    marks = [builder.word(c).lower for c in builder.related(child, "mark")]
    if word.universal in {"acl", "ccomp"} and word.relation != "acl:relcl" and own is tables.S_EM and "that" in marks:
        return Step(Role.ARGUMENT, "/", NOUN, child, own)
    if word.relation == "acl" and own is tables.S_QEM and builder.word(head).lemma.lower() in tables.IDEAS:
        return Step(Role.ARGUMENT, "/", NOUN, child, own)
    if (
        word.relation in {"acl:relcl", "advcl:relcl"}
        and builder.word(head).lower in tables.WH_WORDS
        and child not in builder.front
    ):
        return _free_relative(builder, head, child)
    if word.universal in {"appos", "list", "parataxis", "dep"} and own is tables.NP and core is tables.NP:
        return Step(Role.MODIFIER, "/", NOUN_PHRASE, child, make=lambda asked: _apposition(builder, child, asked))
    return Step(Role.MODIFIER, "/", MODIFIERS if inside else NOUN_PHRASE, child)


def _free_relative(builder: Builder, head: int, child: int) -> Step:
    """*what he said*: the pronoun takes the clause, ``NP/(S[dcl]/NP)``."""
    from starccg.treebanks.ud.english.verbs import own_category  # noqa: PLC0415
    from starccg.treebanks.ud.english.wh import relative_gap  # noqa: PLC0415

    own = own_category(builder, child)
    gap = (
        relative_gap(builder, head, child)
        if not isinstance(own, Functor) and builder.word(head).lower not in tables.WH_ADVERBS
        else None
    )
    if gap is None:
        return Step(Role.ARGUMENT, "/", NOUN_PHRASE, child, own)
    return Step(
        Role.ARGUMENT,
        "/",
        NOUN_PHRASE,
        child,
        Functor.of(own, "/", gap.category),
        lambda _: builder.build(child, own, (gap,)),
    )


def _apposition(builder: Builder, child: int, asked: Category) -> Derivation:
    r"""``, NP`` is ``NP\NP``; a bracket or a dash does as well as the comma, and nothing at all where need be."""
    if asked is not NP_MODIFIER:
        return builder.build(child, asked)
    before = builder.span(child)[0] - 1
    if before not in builder.marks and not builder.dependents(child) and builder.word(child).upos == "PRON":
        return builder.leaf(child, asked)  # *the tumour itself*
    phrase = builder.build(child, tables.NP)
    if before in builder.marks and before not in builder.used_marks:
        mark = builder.planner.mark_category(builder.word(before))
        if str(mark) in {",", ":", ";", "LRB"}:
            builder.used_marks.add(before)
            return builder.join(builder.leaf(before, mark), phrase, asked)
    return builder.change(phrase, asked)


def _conjunct_level(builder: Builder, head: int, conjuncts: list[int], determiner: int | None, core: Category) -> float:
    """Where a coordination joins: by what the conjuncts have of their own."""
    if core not in (tables.NP, tables.N):
        return NOUN
    levels = [NOUN]
    for conjunct in conjuncts:
        own = builder.dependents(conjunct)
        if builder.related(conjunct, "case") and builder.related(head, "case"):
            levels.append(CASE + 1)
        elif core is tables.N:
            levels.append(MODIFIERS + 5)
        elif (
            _determiner(builder, conjunct, own, core) is not None
            or is_pronoun(builder, conjunct, own)
            or (determiner is None and is_pronoun(builder, head, builder.dependents(head)))
            or builder.planner.natural(builder, conjunct) is not tables.NP
        ):
            levels.append(NOUN_PHRASE)
        elif any(child > conjunct and builder.word(child).universal not in {"conj", "flat"} for child in own):
            levels.append(NOUN_PHRASE if determiner is None else MODIFIERS + 5)
        elif any(
            builder.word(c).universal in {"amod", "compound", "nummod", "nmod", "advmod"} and c < conjunct for c in own
        ):
            levels.append(MODIFIERS + 5)
    return max(levels)


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


def plan_front_phrase(builder: Builder, head: int, target: Category) -> Plan | None:
    """The plans of their own that some fronted phrases have; None for those built like any other."""
    front = next(front for front in builder.front.values() if front.phrase == head)
    return front_phrase(builder, head, front.word, target, builder.dependents(head))


def front_phrase(builder: Builder, head: int, wh: int, target: Category, words: list[int]) -> Plan | None:
    """*in which*, *how many people*, *how old*."""
    cases = [child for child in words if builder.word(child).universal == "case"]
    if wh == head and cases and isinstance(target, Functor) and target.result is NP_MODIFIER:
        if len(words) > len(cases):
            return None
        return Plan([Step(Role.ARGUMENT, "\\", CASE, cases[0], Functor.of(NP_MODIFIER, "/", tables.NP))])
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
