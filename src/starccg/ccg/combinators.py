r"""The combinators: each is a function from two adjacent categories to the result, or None.

The notation ``X``, ``Y``, ``Z`` is Steedman's; ``|`` is either slash.
"""

from __future__ import annotations

from collections.abc import Callable

from starccg.ccg.category import Category, Functor, Slash
from starccg.ccg.rules import Rule
from starccg.ccg.unification import saturate

Combinator = Callable[[Category, Category], Category | None]

NOUNS = frozenset({Category.parse("N"), Category.parse("NP")})
"""Categories that backward composition must not take, because modifiers of nouns would then leave their phrase."""


def forward_application(left: Category, right: Category) -> Category | None:
    """``X/Y  Y  =>  X``."""
    return saturate(left, right) if isinstance(left, Functor) and left.slash == "/" else None


def backward_application(left: Category, right: Category) -> Category | None:
    r"""``Y  X\Y  =>  X``."""
    return saturate(right, left) if isinstance(right, Functor) and right.slash == "\\" else None


def forward_composition(left: Category, right: Category) -> Category | None:
    """``X/Y  Y/Z  =>  X/Z``."""
    return _compose(left, "/", right, "/")


def forward_crossed_composition(left: Category, right: Category) -> Category | None:
    r"""``X/Y  Y\Z  =>  X\Z``."""
    return _compose(left, "/", right, "\\")


def backward_composition(left: Category, right: Category) -> Category | None:
    r"""``Y\Z  X\Y  =>  X\Z``."""
    return _compose(right, "\\", left, "\\")


def backward_crossed_composition(left: Category, right: Category) -> Category | None:
    r"""``Y/Z  X\Y  =>  X/Z``, Y not a noun or noun phrase."""
    return None if _seeks_noun(right) else _compose(right, "\\", left, "/")


def generalised_forward_composition(left: Category, right: Category) -> Category | None:
    """``X/Y  (Y/Z)|W  =>  (X/Z)|W``."""
    return _compose_twice(left, "/", right, "/")


def generalised_forward_crossed_composition(left: Category, right: Category) -> Category | None:
    r"""``X/Y  (Y\Z)|W  =>  (X\Z)|W``."""
    return _compose_twice(left, "/", right, "\\")


def generalised_backward_composition(left: Category, right: Category) -> Category | None:
    r"""``(Y\Z)|W  X\Y  =>  (X\Z)|W``."""
    return _compose_twice(right, "\\", left, "\\")


def generalised_backward_crossed_composition(left: Category, right: Category) -> Category | None:
    r"""``(Y/Z)|W  X\Y  =>  (X/Z)|W``, Y not a noun or noun phrase."""
    return None if _seeks_noun(right) else _compose_twice(right, "\\", left, "/")


def _compose(functor: Category, slash: Slash, argument: Category, inner: Slash) -> Category | None:
    """Degree 1: the functor takes the result of its neighbour; the neighbour's argument stays open."""
    if not (isinstance(functor, Functor) and functor.slash == slash):
        return None
    if not (isinstance(argument, Functor) and argument.slash == inner):
        return None
    result = saturate(functor, argument.result)
    return None if result is None else Functor.of(result, inner, argument.argument.bare_nb)


def _compose_twice(functor: Category, slash: Slash, argument: Category, inner: Slash) -> Category | None:
    """Degree 2: two arguments stay open; the outer may have either slash."""
    if not isinstance(argument, Functor):
        return None
    result = _compose(functor, slash, argument.result, inner)
    return None if result is None else Functor.of(result, argument.slash, argument.argument.bare_nb)


def _seeks_noun(functor: Category) -> bool:
    return isinstance(functor, Functor) and functor.argument.bare_nb in NOUNS


COMBINATORS: dict[Rule, Combinator] = {
    Rule.FORWARD_APPLICATION: forward_application,
    Rule.BACKWARD_APPLICATION: backward_application,
    Rule.FORWARD_COMPOSITION: forward_composition,
    Rule.BACKWARD_CROSSED_COMPOSITION: backward_crossed_composition,
    Rule.GENERALISED_FORWARD_COMPOSITION: generalised_forward_composition,
    Rule.GENERALISED_BACKWARD_CROSSED_COMPOSITION: generalised_backward_crossed_composition,
    Rule.BACKWARD_COMPOSITION: backward_composition,
    Rule.FORWARD_CROSSED_COMPOSITION: forward_crossed_composition,
    Rule.GENERALISED_BACKWARD_COMPOSITION: generalised_backward_composition,
    Rule.GENERALISED_FORWARD_CROSSED_COMPOSITION: generalised_forward_crossed_composition,
}
"""The rules that depend only on the two categories; conjunction and punctuation depend on the grammar."""
