"""Names of relations: subject, object, determiner."""

from __future__ import annotations

from functools import lru_cache

from starccg.ccg.category import Atom, Category, Functor, Slash
from starccg.dependencies.coindexation import coindex

_parse = Category.parse
NP, N, PP, PR = map(_parse, ("NP", "N", "PP", "PR"))


@lru_cache(maxsize=1 << 14)
def relation_name(category: Category, slot: int) -> str:
    """The name of the relation of slot ``slot`` of a category."""
    category = category.bare_nb
    part, core = category, _core(category)
    while part.arity > slot and isinstance(part, Functor):
        part = part.result
    if not isinstance(part, Functor) or part.arity != slot:
        return "no such slot"
    if part is core:
        return _core_name(part)
    argument = part.argument
    if isinstance(core, Functor):
        return _under_modifier(argument, core, part.slash)
    if core.name == "S":
        return _verbal(category, slot, part.slash, argument)
    if argument is PP and core.name in ("N", "NP"):
        return "complement of noun"
    if core.name == "PP" and argument.target.name in ("N", "NP"):
        return "object of preposition"
    if core.name == "NP" and argument.target.name == "S":
        return "relative clause"
    return "other argument"


def _core(category: Category) -> Atom | Functor:
    """The result after all arguments of the word itself: an atom, a modifier or a determiner."""
    part = coindex(category)
    while part.result is not None and part.result.variable == part.variable:
        part = part.result
    assert isinstance(part.category, (Atom, Functor))
    return part.category


def _core_name(core: Functor) -> str:
    modified = core.argument
    if not core.is_modifier:
        return "determiner" if core.result is NP and modified.target is N else "other argument"
    if modified is N or modified is NP:
        return "modifier of noun" if core.slash == "/" else "postmodifier of noun"
    if isinstance(modified, Functor) and modified.is_modifier:
        return "modifier of modifier"
    if modified.target.name == "S":
        if isinstance(modified, Atom):
            return "modifier of sentence"
        return "modifier of adjective" if modified.target.feature == "adj" else "modifier of verb"
    return "other modifier"


def _under_modifier(argument: Category, core: Functor, slash: Slash) -> str:
    if argument is NP or argument is N:
        determines = not core.is_modifier
        return "possessor" if determines and slash == "\\" else "object of preposition"
    if argument.target.name == "S":
        return "relative clause" if core.result in (NP, N) else "clause of subordinator"
    return "other argument"


def _verbal(category: Category, slot: int, slash: Slash, argument: Category) -> str:
    if argument.skeleton is NP or argument is N:
        arguments = category.arguments
        if slot == 1 and slash == "\\":
            return "subject"
        objects = [
            place
            for place, (_, other) in enumerate(arguments, 1)
            if other.skeleton is NP and not (place == 1 and arguments[0][0] == "\\")
        ]
        if category.target.feature in ("q", "inv") and objects[-1:] == [slot]:
            return "subject"
        return "indirect object" if len(objects) > 1 and slot == objects[-1] else "object"
    if argument is PP:
        return "prepositional complement"
    if argument is PR:
        return "particle"
    if argument.target.name == "S":
        if isinstance(argument, Atom):
            return "clausal complement"
        if argument.skeleton is _VERB_PHRASE:
            adjective = argument.target.feature == "adj"
            return "adjectival complement" if adjective else "verbal complement"
        return "clause with a gap"
    return "other argument"


_VERB_PHRASE = _parse(r"S\NP")
