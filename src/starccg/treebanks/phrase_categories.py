"""Categories of modifiers and of phrases with gaps, and those below the steps of a phrase; both converters use them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from starccg.ccg.category import Atom, Category, Functor, Slash

ADJECTIVAL = Category.parse("S[adj]")


class Step(Protocol):
    """One step by which a part of a phrase joins its head."""

    def inner(self, whole: Category) -> Category:
        """The category below this step, given the one above."""


AnyStep = TypeVar("AnyStep", bound=Step)


def outline(steps: Iterable[AnyStep], target: Category) -> tuple[list[tuple[AnyStep, Category]], Category]:
    """Each step with the category above it, outermost first, and the category of the head below them all."""
    found: list[tuple[AnyStep, Category]] = []
    for step in steps:
        found.append((step, target))
        target = step.inner(target)
    return found, target


def generalised(category: Category) -> Category:
    r"""The category as modifiers write it: ``S[dcl]\NP`` as ``S\NP``, but ``S[adj]\NP`` as it is."""
    if isinstance(category, Functor):
        if category.result is ADJECTIVAL:
            return category
        return Functor.of(generalised(category.result), category.slash, generalised(category.argument))
    assert isinstance(category, Atom)
    return Atom.of(category.name)


def modified(category: Category) -> Category:
    r"""What a modifier of such a head modifies: arguments still to come on the right are not its concern."""
    while isinstance(category, Functor) and category.slash == "/" and category.target.name == "S":
        if category.is_modifier and generalised(category) is category:  # not an auxiliary: those keep their features
            break
        if category.result.is_modifier:
            break
        category = category.result
    return category


def modifier_of(category: Category, side: Slash) -> Category:
    r"""``X/X`` to the left of its head, ``X\X`` to the right."""
    x = generalised(modified(category))
    return Functor.of(x, "/" if side == "\\" else "\\", x)


def with_gaps(category: Category, gaps: Iterable[Category]) -> Category:
    """``category/gap`` for each gap."""
    for gap in gaps:
        category = Functor.of(category, "/", gap)
    return category
