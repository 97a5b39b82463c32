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
"""Categories that backward crossed composition must not take, because modifiers of nouns would leave their phrase."""


def _combinator(slash: Slash, *inner: Slash, degree: int = 1, takes_nouns: bool = True) -> Combinator:
    r"""The combinator whose functor has this slash: to the left of its argument for ``/``, to its right for ``\``.

    With an ``inner`` slash it composes: the functor takes the result of its neighbour, whose argument stays open. With
    ``degree`` 2 two arguments stay open, and the outer one may have either slash.
    """
    degree = degree if inner else 0

    def combine(left: Category, right: Category) -> Category | None:
        functor, argument = (left, right) if slash == "/" else (right, left)
        if not isinstance(functor, Functor) or functor.slash != slash:
            return None
        opened: list[Functor] = []  # the outermost first
        while len(opened) < degree:
            if not isinstance(argument, Functor):
                return None
            opened.append(argument)
            argument = argument.result
        if opened and opened[-1].slash != inner[0]:
            return None
        if not takes_nouns and functor.argument.bare_nb in NOUNS:
            return None
        result = saturate(functor, argument)
        for outer in reversed(opened):
            result = result and Functor.of(result, outer.slash, outer.argument.bare_nb)
        return result

    return combine


COMBINATORS: dict[Rule, Combinator] = {
    Rule.FORWARD_APPLICATION: _combinator("/"),  # X/Y  Y  =>  X
    Rule.BACKWARD_APPLICATION: _combinator("\\"),  # Y  X\Y  =>  X
    Rule.FORWARD_COMPOSITION: _combinator("/", "/"),  # X/Y  Y/Z  =>  X/Z
    Rule.BACKWARD_CROSSED_COMPOSITION: _combinator("\\", "/", takes_nouns=False),  # Y/Z  X\Y  =>  X/Z
    Rule.GENERALISED_FORWARD_COMPOSITION: _combinator("/", "/", degree=2),  # X/Y  (Y/Z)|W  =>  (X/Z)|W
    Rule.GENERALISED_BACKWARD_CROSSED_COMPOSITION: _combinator(
        "\\", "/", degree=2, takes_nouns=False
    ),  # (Y/Z)|W  X\Y  =>  (X/Z)|W
    Rule.BACKWARD_COMPOSITION: _combinator("\\", "\\"),  # Y\Z  X\Y  =>  X\Z
    Rule.FORWARD_CROSSED_COMPOSITION: _combinator("/", "\\"),  # X/Y  Y\Z  =>  X\Z
    Rule.GENERALISED_BACKWARD_COMPOSITION: _combinator("\\", "\\", degree=2),  # (Y\Z)|W  X\Y  =>  (X\Z)|W
    Rule.GENERALISED_FORWARD_CROSSED_COMPOSITION: _combinator("/", "\\", degree=2),  # X/Y  (Y\Z)|W  =>  (X\Z)|W
}
"""The rules that depend only on the two categories; conjunction and punctuation depend on the grammar."""

TAKES: dict[Rule, tuple[int, int]] = {
    rule: (int("BACKWARD" in rule.name), 2 if "GENERALISED" in rule.name else int("COMPOSITION" in rule.name))
    for rule in COMBINATORS
}
"""For each of them which child is the functor (0 left, 1 right), and how many arguments of the other stay open."""
