r"""Co-indexation of English categories by principle: which parts of a category share a head.

* A functor heads what it returns: the S of ``(S[dcl]\NP)/NP`` is the verb's.
* A modifier ``X|X`` returns the head of its argument, a determiner ``NP/N`` that of its noun, and a raised category
  ``T|(T|Y)`` that of the functor it takes, whose argument it is.
* Control and raising: the open subject of a verb phrase argument is the functor's object if there is one, else its
  subject. With verbs of subject control (*promise*) it is the subject in any case.
* Extraction: the gap of a clause argument is the modified noun (relatives), the phrase taken beside the clause
  (*which book*), or the word itself (*what*, free relatives).

Exceptions to these principles are in :data:`EXCEPTIONS`. ``docs/dependencies.md`` compares the result with CCGbank's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from starccg.ccg.category import Atom, Category, Functor, Slash
from starccg.dependencies.exceptions import EXCEPTIONS
from starccg.dependencies.indexed import SELF, IndexedCategory
from starccg.dependencies.types import Reach

_parse = Category.parse
NP, N, PP = _parse("NP"), _parse("N"), _parse("PP")
RELATIONAL_NOUN = _parse("N/PP")
NOUNS = (N, RELATIONAL_NOUN)
INFINITIVE = _parse(r"S[to]\NP")

VERBAL = frozenset({"dcl", "b", "ng", "pt", "pss", "to"})
r"""``(S[b]\NP)/(S[b]\NP)`` is an auxiliary and not an adverb, with any of these features."""
RELATIVE = frozenset({"dcl", "b", "pt", "pss", "to"})
r"""Verb phrases that a relative pronoun takes; with ``S[ng]\NP`` it is a preposition (*of leaving*)."""
QUESTIONS = frozenset({"wq", "qem"})


@lru_cache(maxsize=1 << 16)
def coindex(category: Category, subject_control: bool = False) -> IndexedCategory:
    """The category with its head variables, counted in the order in which they are written.

    With ``subject_control`` the subject of an infinitive is the verb's subject even if there is an object
    (:mod:`starccg.dependencies.control`).
    """
    exception = EXCEPTIONS.get(str(category.bare_nb))
    if exception is not None:
        return IndexedCategory.parse(exception).renumbered().relabelled(category)
    return _Builder(subject_control).build(category).renumbered()


@dataclass(slots=True)
class _Part:
    """A part under construction."""

    category: Category
    variable: int
    reach: Reach = Reach.LOCAL
    result: _Part | None = None
    argument: _Part | None = None

    def copy(self, category: Category) -> _Part:
        """The same variables again, in another place, which may differ in ``[nb]``."""
        if self.result is None or self.argument is None or not isinstance(category, Functor):
            return _Part(category, self.variable, self.reach)
        result, argument = self.result.copy(category.result), self.argument.copy(category.argument)
        return _Part(category, self.variable, self.reach, result, argument)

    def frozen(self) -> IndexedCategory:
        result = None if self.result is None else self.result.frozen()
        argument = None if self.argument is None else self.argument.frozen()
        return IndexedCategory(self.category, self.variable, self.reach, result, argument)


@dataclass(slots=True)
class _Argument:
    """An argument that the word itself takes; ``order`` 0 is the outermost, which is taken first."""

    slash: Slash
    part: _Part
    order: int


class _Builder:
    def __init__(self, subject_control: bool) -> None:
        self.variables = SELF
        self.subject_control = subject_control

    def fresh(self) -> int:
        self.variables += 1
        return self.variables

    def build(self, category: Category) -> IndexedCategory:
        whole = self.part(category, SELF, whole=True)
        core = whole
        arguments: list[_Argument] = []
        while isinstance(core.category, Functor) and core.argument is not None and core.result is not None:
            if core.result.variable != SELF:
                break  # a modifier or determiner: the inner arguments belong to its argument
            arguments.append(_Argument(core.category.slash, core.argument, len(arguments)))
            core = core.result
        for argument in arguments:
            others = [other for other in arguments if other is not argument]
            if self.subject_control and argument.part.category is INFINITIVE and _subject(core, others) is not None:
                others = [others[-1]]  # the subject is the innermost argument
            _link(argument, core, others)
        _link_possessor(core, arguments)
        return whole.frozen()

    def part(self, category: Category, variable: int, *, whole: bool = False) -> _Part:
        """The category headed by ``variable``, by the principles that do not depend on its neighbours."""
        if not isinstance(category, Functor):
            return _Part(category, variable)
        head = self.fresh()
        if is_modifier(category, whole=whole):
            argument = self.part(category.argument, head, whole=True)
            return _Part(category, variable, result=argument.copy(category.result), argument=argument)
        if is_determiner(category):
            argument = self.part(category.argument, head)
            return _Part(category, variable, result=self.part(category.result, head), argument=argument)
        if category.is_type_raised and isinstance(category.argument, Functor):
            result = self.part(category.result, head)
            seeking = _Part(
                category.argument,
                head,
                result=result.copy(category.argument.result),
                argument=self.part(category.argument.argument, variable),
            )
            return _Part(category, variable, result=result, argument=seeking)
        result = self.part(category.result, variable)
        return _Part(category, variable, result=result, argument=self.part(category.argument, head))


def is_modifier(category: Category, *, whole: bool = False) -> bool:
    r"""Whether its result has the head of its argument.

    ``X|X`` does, with two exceptions. ``(S[b]\NP)/(S[b]\NP)`` and similar categories are auxiliaries. ``S[dcl]|S[dcl]``
    inside a larger category is a verb of saying (``(S[dcl]\S[dcl])\NP``), unless it is the argument of a modifier;
    as the whole category it is an adverb or a quotation mark.
    """
    if not isinstance(category, Functor) or not category.is_modifier:
        return False
    target = category.target
    if target.name != "S" or target.feature not in VERBAL:
        return True
    if isinstance(category.result, Atom):
        return whole or target.feature != "dcl"
    return category.slash == "\\"


def is_determiner(category: Category) -> bool:
    r"""``NP/N``, ``NP/(N/PP)``, and ``N/(N/PP)`` (*former*): the noun is the head of the phrase."""
    return (
        isinstance(category, Functor)
        and category.slash == "/"
        and category.result.bare_nb in (NP, N)
        and category.argument in NOUNS
        and not category.is_modifier
    )


def _link(argument: _Argument, core: _Part, others: list[_Argument]) -> None:
    """Find the filler of the gap of a clause that is an argument of the word."""
    clause, gap = argument.part.category, argument.part.argument
    if gap is None or not isinstance(clause, Functor):
        return
    if clause.target.name == "S" and clause.target.feature not in QUESTIONS and not clause.is_modifier:
        if clause.slash == "\\" and isinstance(clause.result, Atom):
            if gap.category.skeleton is NP and clause.target.feature != "asup":
                _control(argument, gap, core, others)
        elif not isinstance(gap.category, Atom) or gap.category.name != "S":
            _extract(argument, gap, core, others)
    elif argument.slash == "\\" and clause.slash == "/" and gap.category is NP and _modifies_noun(core):
        _fill(gap, core.result, Reach.UNBOUNDED)  # pied-piping: "of which" takes the preposition


def _control(argument: _Argument, gap: _Part, core: _Part, others: list[_Argument]) -> None:
    r"""The subject of a verb phrase argument ``S[f]\NP``."""
    feature = argument.part.category.target.feature
    subject = _subject(core, others)
    if subject is not None and subject.category.target.feature == "expl" and subject.category is not gap.category:
        return  # "it takes time to ...": the subject of the infinitive is not in the sentence
    objects = [other for other in others if other.part is not subject]
    if not (isinstance(core.category, Atom) and core.category.name == "S"):
        objects = [other for other in objects if other.order < argument.order]  # "with him gone", not "as big as him"
    beside = _fillers(gap, core, objects)
    if beside:
        # "the man he thought (would win)": the verb takes the verb phrase first and its extracted subject later
        extracted = feature == "dcl" and subject is not None and beside[0].order > argument.order
        _fill(gap, beside[0].part, Reach.UNBOUNDED if extracted else Reach.BOUNDED)
    elif any(_is_expletive(other.part) for other in objects):
        return  # "make it clear": the subject of "clear" is not an argument of the verb
    elif subject is not None:
        if subject.category is gap.category and feature is not None:
            _fill(gap, subject, Reach.BOUNDED)
    elif _modifies_noun(core):
        if feature in RELATIVE:
            _fill(gap, core.result, Reach.BOUNDED)
    elif feature == "dcl" and (_is_question(core) or core.category.bare_nb is NP):
        _fill(gap, None, Reach.BOUNDED)


def _extract(argument: _Argument, gap: _Part, core: _Part, others: list[_Argument]) -> None:
    r"""The gap of ``S[f]/Z`` (object relatives, questions, topics) or of an infinitive (*easy (for us) to please*)."""
    clause = argument.part.category
    assert isinstance(clause, Functor)
    subject = _subject(core, others)
    if subject is not None and (isinstance(clause.result, Functor) or clause.target.feature == "for"):
        if subject.category is NP and gap.category is NP and isinstance(core.category, Atom):
            _fill(gap, subject, Reach.UNBOUNDED)
    elif beside := [other for other in _fillers(gap, core, others) if other.slash == "/"]:
        _fill(gap, beside[0].part, Reach.UNBOUNDED)
    elif _modifies_noun(core):
        if gap.category is NP:
            _fill(gap, core.result, Reach.UNBOUNDED)
    elif _is_question(core) or core.category.bare_nb is NP:
        _fill(gap, None, Reach.UNBOUNDED)


def _link_possessor(core: _Part, arguments: list[_Argument]) -> None:
    r"""``(NP/(N/PP))\NP`` (*Mary's sister*): the owner is the noun's argument; in ``NP/(N/PP)`` (*my*) the word is."""
    if core.category.bare_nb is not POSSESSIVE or core.argument is None or core.argument.argument is None:
        return
    owners = [other.part for other in arguments if other.slash == "\\" and other.part.category is NP]
    _fill(core.argument.argument, owners[0] if owners else None, Reach.BOUNDED)


POSSESSIVE = _parse("NP/(N/PP)")


def _fill(gap: _Part, filler: _Part | None, reach: Reach) -> None:
    """Give the gap the head of its filler (None: the word itself); if their categories agree, all of its heads."""
    gap.reach = reach
    if filler is not None and filler.category.bare_nb is gap.category.bare_nb:
        copy = filler.copy(gap.category)
        gap.variable, gap.result, gap.argument = copy.variable, copy.result, copy.argument
        return
    variable = SELF if filler is None else filler.variable
    old, part = gap.variable, gap
    while True:
        part.variable = variable
        if part.result is None or part.result.variable != old:
            return
        part = part.result


def _fillers(gap: _Part, core: _Part, others: list[_Argument]) -> list[_Argument]:
    """Arguments that may fill the gap: of its category, or the noun of a determiner (*which book*)."""
    takes_nouns = _subject(core, others) is None
    verbal = core.category.target.name == "S" and isinstance(core.category, Atom)
    return [
        other
        for other in others
        if (verbal or other.slash == "/")
        and (
            other.part.category.bare_nb is gap.category.bare_nb
            or (takes_nouns and other.part.category in NOUNS and gap.category.bare_nb in (NP, PP))
        )
    ]


def _subject(core: _Part, others: list[_Argument]) -> _Part | None:
    r"""The subject that the word has access to: its innermost ``\NP``, or that of the verb phrase it modifies."""
    if isinstance(core.category, Functor):
        part = core
        while part.result is not None and part.argument is not None:
            if part.result.category.bare_nb.skeleton is _S and part.argument.category is NP:
                return part.argument
            part = part.result
        return None
    if core.category.target.name == "S" and others:
        innermost = others[-1]
        if innermost.slash == "\\" and innermost.part.category.skeleton is NP:
            return innermost.part
    return None


_S = _parse("S")


def _modifies_noun(core: _Part) -> bool:
    return isinstance(core.category, Functor) and core.category.slash == "\\" and core.category.result in (NP, N)


def _is_expletive(part: _Part) -> bool:
    return isinstance(part.category, Atom) and part.category.name == "NP" and part.category.feature in ("expl", "thr")


def _is_question(core: _Part) -> bool:
    return isinstance(core.category, Atom) and core.category.name == "S" and core.category.feature in QUESTIONS
