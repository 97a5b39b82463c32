r"""Whether a functor's argument slot accepts a category, and what the functor then returns.

A featureless slot accepts any feature; ``S[dcl]`` does not accept plain ``S``; ``[X]`` matches either way and is then
substituted; ``[nb]`` is not a feature. The functor and its argument have separate variables: the ``X`` of one is not
the ``X`` of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from starccg.ccg.category import REMEMBERED, VARIABLE, Atom, Category, Functor, map_atoms


@dataclass(frozen=True, slots=True)
class Substitution:
    """The value of ``[X]`` on each side; an empty text is 'no feature', None is 'not bound'."""

    slot: str | None = None
    argument: str | None = None


def unify(slot: Category, argument: Category) -> Substitution | None:
    """Match an argument slot against a category; None if they do not unify."""
    return _unify(slot.bare_nb, argument.bare_nb)


@lru_cache(maxsize=1 << 18)
def _unify(slot: Category, argument: Category) -> Substitution | None:
    found = Substitution()
    stack = [(slot, argument)]
    while stack:
        pattern, actual = stack.pop()
        if isinstance(pattern, Functor):
            if not isinstance(actual, Functor) or pattern.slash != actual.slash:
                return None
            stack += ((pattern.argument, actual.argument), (pattern.result, actual.result))
            continue
        if not (isinstance(pattern, Atom) and isinstance(actual, Atom)) or pattern.name != actual.name:
            return None
        bound = _bind(found, pattern.feature, actual.feature)
        if bound is None:
            return None
        found = bound
    if found.slot == VARIABLE and found.argument is not None:  # the slot's X met the argument's, bound elsewhere
        return Substitution(found.argument, found.argument)
    return found


def _bind(found: Substitution, wanted: str | None, given: str | None) -> Substitution | None:
    """Unify two atoms: the extended substitution, or None if the features clash."""
    if wanted == VARIABLE:
        value = given or ""
        return Substitution(value, found.argument) if found.slot in (None, value) else None
    if given == VARIABLE and wanted is not None:
        return Substitution(found.slot, wanted) if found.argument in (None, wanted) else None
    return found if wanted is None or wanted == given else None


def substitute(category: Category, value: str | None) -> Category:
    """The category with ``[X]`` replaced; unchanged where X is not bound."""
    return category if value is None else _substitute(category, value)


@lru_cache(maxsize=REMEMBERED)
def _substitute(category: Category, value: str) -> Category:
    return map_atoms(category, lambda atom: Atom.of(atom.name, value or None) if atom.feature == VARIABLE else atom)


def saturate(functor: Functor, argument: Category) -> Category | None:
    r"""The result of ``functor`` applied to ``argument``, or None if they do not unify.

    ``X|X`` returns its argument unchanged and ``T|(T|Y)`` the result its argument would have given, so that
    features of the argument survive modifiers and type-raised phrases, which write them as ``S`` or ``S[X]``.
    """
    found = unify(functor.argument, argument)
    if found is None:
        return None
    actual = substitute(argument.bare_nb, found.argument)
    if functor.is_modifier:
        return actual
    if functor.is_type_raised:
        assert isinstance(actual, Functor)
        return actual.result
    return substitute(functor.result.bare_nb, found.slot)
