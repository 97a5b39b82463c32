"""The steps of which both converters build a phrase, and the categories of modifiers and of phrases with gaps."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import Protocol, TypeVar

from starccg.ccg.category import MAX_ATOMS, Atom, Category, Functor, Slash
from starccg.treebanks.joining import Unconvertible

ADJECTIVAL = Category.parse("S[adj]")


class Role(Enum):
    """How a step joins the head of a phrase."""

    ARGUMENT = auto()
    """The head seeks it."""
    MODIFIER = auto()
    """It seeks the head and gives the same category back."""
    FUNCTOR = auto()
    """It seeks the head and gives another category: determiners."""
    CHANGE = auto()
    """A unary rule."""
    GAP = auto()
    """The head seeks it and it is found elsewhere."""
    FILLER = auto()
    """It fills a gap of the head: right node raising (Penn)."""
    MARK = auto()
    """Punctuation (Penn)."""
    CONJUNCT = auto()
    """It is coordinated with the head (UD)."""
    SHARED = auto()
    """What it seeks is filled further out, to the right (UD)."""
    CLUSTER = auto()
    """Two arguments, raised and composed, that are coordinated with other such pairs (UD)."""


def category_below(role: Role, side: Slash, category: Category | None, whole: Category) -> Category:
    """The category of the head below a step, given the one above and the ``category`` of the step."""
    if role in (Role.MODIFIER, Role.MARK, Role.FILLER, Role.CONJUNCT):
        return whole
    assert category is not None
    if role in (Role.ARGUMENT, Role.GAP):
        return Functor.of(whole, side if role is Role.ARGUMENT else "/", category)
    return category


def asked_category(
    role: Role, side: Slash, category: Category | None, whole: Category, gaps: Iterable[Category] = ()
) -> Category:
    """What a step asks of the phrase that joins the head: its argument, a modifier, or a functor over the head."""
    if role is Role.MODIFIER:
        return modifier_of(whole, side)
    assert category is not None
    if role is Role.FUNCTOR:
        return Functor.of(whole, "/" if side == "\\" else "\\", with_gaps(category, gaps))
    return category


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
    r"""``X/X`` to the left of its head, ``X\X`` to the right.

    Each modifier of a modifier doubles the category: a chain of them is refused before a functor over it exceeds what
    readers accept.
    """
    x = generalised(modified(category))
    if 4 * x.size > MAX_ATOMS:
        raise Unconvertible("modifiers of modifiers are nested too deeply")
    return Functor.of(x, "/" if side == "\\" else "\\", x)


def with_gaps(category: Category, gaps: Iterable[Category]) -> Category:
    """``category/gap`` for each gap."""
    for gap in gaps:
        category = Functor.of(category, "/", gap)
    return category
