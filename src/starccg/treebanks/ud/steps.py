r"""A phrase is its head word and the steps by which the rest of the phrase joins it, outermost first.

Read inwards, each step says what category the head must have so that the whole gets the category asked for; read
outwards, each step is one node of the derivation. Argument, modifier, functor and change are all there is:

=========  ==============================  =============================
role       the head becomes                the dependent is built as
=========  ==============================  =============================
argument   ``whole/C`` or ``whole\C``      ``C``
modifier   ``whole``                       ``X/X`` or ``X\X``
functor    ``inner``                       ``whole/inner`` or ``whole\inner``
change     ``inner``                       (a unary rule)
gap        ``whole/C``                     (nothing: it is filled elsewhere)
conjunct   ``whole``                       ``whole``
shared     ``C`` of ``C/D``                (nothing: the gap ``D`` is filled further out, to the right)
cluster    ``(whole/D)/C``                 ``C`` and ``D``, raised and composed; other such pairs are conjuncts
=========  ==============================  =============================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from starccg.ccg.category import Category, Functor, Slash
from starccg.ccg.derivation import Derivation
from starccg.treebanks.phrase_categories import Role, category_below

__all__ = ["Front", "Gap", "Plan", "Role", "Step", "in_order"]


class Gap(NamedTuple):
    """A ``category`` that word ``site`` seeks to its right and will not find there."""

    category: Category
    site: int


@dataclass(slots=True, eq=False)
class Front:
    """A phrase moved to the front of a clause: a relative or interrogative one."""

    phrase: int
    word: int
    relation: str
    site: int
    gap: Gap | None = None


@dataclass(slots=True)
class Step:
    """One step; ``level`` orders it against those on the other side (higher is further out)."""

    role: Role
    side: Slash
    level: float
    word: int = -1
    category: Category | None = None
    """The argument's category, the functor's or change's inner category, or the gap's."""
    make: Callable[[Category], Derivation] | None = None
    """Builds the dependent where it is not simply a word's phrase."""
    conjuncts: list[int] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    """The words of the pairs of a cluster, the head's own pair first."""
    second: Category | None = None
    """The category of the second member of each pair."""
    discharges: bool = False
    """Whether gaps opened within are filled here."""

    @property
    def place(self) -> int:
        """The word by which it is ordered."""
        return self.conjuncts[0] if self.conjuncts else self.word

    def inner(self, whole: Category) -> Category:
        """The category below this step, given the one above."""
        if self.role is Role.SHARED:
            assert isinstance(whole, Functor)
            return whole.result
        if self.role is Role.CLUSTER:
            assert self.second is not None and self.category is not None
            return Functor.of(Functor.of(whole, "/", self.second), "/", self.category)
        return category_below(self.role, self.side, self.category, whole)


@dataclass(slots=True)
class Plan:
    """The steps of a phrase from the outermost in, and the gaps that its parts must leave."""

    steps: list[Step]
    gaps: tuple[Gap, ...] = ()


def in_order(left: Iterable[Step], right: Iterable[Step], always: Iterable[Step] = ()) -> list[Step]:
    """Merge the steps on the left, those on the right and silent ones, outermost first.

    Word order decides on either side: a step further from the head is never inside one nearer to it, so a level is
    raised to the highest level nearer the head.
    """
    lists = [sorted(left, key=lambda step: step.place), sorted(right, key=lambda step: -step.place)]
    for steps in lists:
        level = float("-inf")
        for step in reversed(steps):
            step.level = level = max(level, step.level)
    lists.append(sorted(always, key=lambda step: -step.level))
    merged: list[Step] = []
    while any(lists):
        steps = max((steps for steps in lists if steps), key=lambda steps: steps[0].level)
        merged.append(steps.pop(0))
    return merged
