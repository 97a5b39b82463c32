r"""How heads pass from children to parent: shared by extraction and the search for gold derivations.

Each node has a *structure*: the tree of its category with a head variable at every part. A functor takes its argument
by equating the variables of the slot with those of the argument; a conjunction makes a variable headed by both
conjuncts and equates what both leave open, so that dependencies distribute.

:class:`HeadPassing` does this over variables that a subclass stores: :mod:`starccg.dependencies.extraction` reads a
finished derivation, :mod:`starccg.treebanks.head_states` builds one node at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from starccg.ccg.category import Atom, Category, Functor
from starccg.dependencies.coindexation import NP, N, coindex
from starccg.dependencies.control import controls_subject
from starccg.dependencies.indexed import SELF, IndexedCategory
from starccg.dependencies.plans import Change, Plan, Way, unary_plan
from starccg.dependencies.types import Reach

Level = int
"""How far a head has travelled: 0 local, 1 bounded, 2 unbounded."""

LEVELS: dict[Reach, Level] = {Reach.LOCAL: 0, Reach.BOUNDED: 1, Reach.UNBOUNDED: 2}


class Structure(NamedTuple):
    """A part of a category with its head variable; atoms have no result and no argument."""

    variable: int
    level: Level = 0
    result: Structure | None = None
    argument: Structure | None = None

    def shifted(self, by: int) -> Structure:
        """The same with other numbers for its variables."""
        variable, level, result, argument = self
        if result is None or argument is None:
            return Structure(variable + by, level)
        return Structure(variable + by, level, result.shifted(by), argument.shifted(by))


class Heads(NamedTuple):
    """The structure of a node, and whether the node is a right conjunct without its left conjunct."""

    structure: Structure
    conjunct: bool = False

    @property
    def whole(self) -> Structure:
        r"""The structure; a conjunct outside a coordination is a modifier ``X\X`` like any other."""
        structure = self.structure
        return Structure(structure.variable, 0, structure, structure) if self.conjunct else structure


class _Lexical(NamedTuple):
    """The structure of a category over variables 0 (the word), 1, 2, ..., and its slots as (number, variable)."""

    structure: Structure
    variables: int
    slots: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1 << 14)
def _lexical(category: Category, tracks_reach: bool, subject_control: bool = False) -> _Lexical:
    indexed = coindex(category, subject_control)
    variables = max(part.variable for part in indexed.parts())
    slots = tuple((slot.number, slot.variable) for slot in indexed.slots)
    return _Lexical(_structure(indexed, tracks_reach), variables, slots)


def _structure(part: IndexedCategory, tracks_reach: bool) -> Structure:
    level = LEVELS[part.reach] if tracks_reach else 0
    if part.result is None or part.argument is None:
        return Structure(part.variable, level)
    return Structure(
        part.variable, level, _structure(part.result, tracks_reach), _structure(part.argument, tracks_reach)
    )


class HeadPassing(ABC):
    """Passes heads through the nodes of a derivation. A subclass stores the variables and the slots that wait."""

    __slots__ = ("parent",)
    parent: list[int]
    """A union-find: a variable that was equated with another has that one, or one nearer to the root, as its parent."""
    tracks_reach = True
    """Whether it matters how far a head has travelled; if not, every level is 0."""

    @abstractmethod
    def fresh(self, *words: int) -> int:
        """A new variable, headed by ``words``."""

    @abstractmethod
    def allot(self, count: int) -> int:
        """``count`` new variables without heads; returns the first."""

    def find(self, variable: int) -> int:
        """The variable that represents all variables equated with this one."""
        parent = self.parent
        while parent[variable] != variable:
            parent[variable] = variable = parent[parent[variable]]
        return variable

    @abstractmethod
    def equate(self, first: int, second: int) -> None:
        """Both have the same heads from now on."""

    @abstractmethod
    def link(self, first: int, second: int, level: Level) -> None:
        """The heads of each are heads of the other, ``level`` steps away; level 0 equates them."""

    @abstractmethod
    def words(self, variable: int) -> Collection[int]:
        """The words that head a variable."""

    @abstractmethod
    def wait(self, word: int, category: Category, slot: int, variable: int) -> None:
        """Note that a slot of a word waits for the heads of a variable."""

    def leaf(self, category: Category, word: int, form: str) -> Structure:
        """The structure of a word, given its position in the sentence and its form, which decides subject control."""
        lexical = _lexical(category, self.tracks_reach, controls_subject(form))
        head = self.fresh(word)
        first = self.allot(lexical.variables) - 1
        for slot, variable in lexical.slots:
            self.wait(word, category, slot, head if variable == SELF else first + variable)
        return _instance(lexical.structure, head, first)

    def instance(self, category: Category, head: int) -> Structure:
        """A new structure for a category, headed by ``head``."""
        lexical = _lexical(category, self.tracks_reach)
        return _instance(lexical.structure, head, self.allot(lexical.variables) - 1)

    def change(self, child: Structure, old: Category, new: Category) -> Structure:
        """A unary rule: heads are kept; the open argument of a reduced relative is the word it modifies."""
        change = unary_plan(old, new)
        if change is Change.PASS:
            return child
        if change is Change.RAISE and isinstance(new, Functor):
            taken = self.fresh()
            if new.argument.is_modifier:  # ``NP -> NP/(NP\\NP)``: a modifier leaves the head as it is
                return Structure(child.variable, 0, child, Structure(taken, 0, child, child))
            result = self.instance(new.result, taken)
            return Structure(child.variable, 0, result, Structure(taken, 0, result, child))
        made = self.instance(new, child.variable)
        if change is Change.MODIFY and made.argument is not None and child.argument is not None:
            self._modify(child.argument.variable, old, made.argument, new)
        return made

    def _modify(self, gap: int, old: Category, modified: Structure, new: Category) -> None:
        r"""``S[pss]\NP -> NP\NP`` and similar rules: find the filler of the child's open argument."""
        if not isinstance(old, Functor) or not isinstance(new, Functor):
            return
        phrase = new.argument
        if old.target.name == "S" and old.argument.skeleton is NP:
            if phrase.skeleton in (NP, N):  # an extracted object has travelled further than a subject
                self.link(gap, modified.variable, 0 if old.slash == "\\" else 2)
            elif modified.argument is not None and isinstance(phrase, Functor) and phrase.argument.skeleton is NP:
                self.equate(gap, modified.argument.variable)  # an adjunct shares the subject
        elif old.is_modifier or old.argument.skeleton is phrase.skeleton:
            self.equate(gap, modified.variable)

    def join(self, plan: Plan, child: Heads, category: Category, other: Structure | None, result: Category) -> Heads:
        """A node over two children. ``child`` is the one that the plan names, ``other`` is needed only by TAKE."""
        if plan.way is Way.PASS:
            return child
        if plan.way is Way.CONJOIN:
            conjoined = result.argument if isinstance(result, Functor) else result
            return Heads(self.change(child.whole, category, conjoined), conjunct=True)
        if plan.way is Way.CHANGE or other is None:
            return Heads(self.change(child.whole, category, result))
        made = self._take(child, other, plan.degree, result)
        return Heads(made if plan.made is None else self.change(made, plan.made, result))

    def _take(self, functor: Heads, argument: Structure, degree: int, category: Category) -> Structure:
        """Application, or composition that leaves ``degree`` arguments open."""
        opened: list[Structure] = []
        while len(opened) < degree and argument.result is not None and argument.argument is not None:
            opened.append(argument.argument)
            argument = argument.result
        if functor.conjunct:
            gapped = self.tracks_reach and degree == 0 and _right_node_raised(category)
            made = self._conjoin(argument, functor.structure, gapped=gapped)
        elif functor.structure.result is None or functor.structure.argument is None:
            return self.instance(category, functor.structure.variable)  # the rule type says functor, but it is an atom
        else:
            self._unify(functor.structure.argument, argument)
            made = functor.structure.result
        for part in reversed(opened):
            made = Structure(made.variable, 0, made, part)
        return made

    def _unify(self, slot: Structure, argument: Structure) -> None:
        """The argument fills the slot: equate them part by part, at the distance that either side marks."""
        stack = [(slot, argument, 0)]
        while stack:
            wanted, given, level = stack.pop()
            if self.tracks_reach:
                level = max(level, wanted.level, given.level)
            self.link(wanted.variable, given.variable, level)
            if wanted.result and given.result and wanted.argument and given.argument:
                same_head = wanted.result.variable == wanted.variable
                stack.append((wanted.argument, given.argument, 0))
                stack.append((wanted.result, given.result, level if same_head else 0))

    def _conjoin(self, left: Structure, right: Structure, *, gapped: bool) -> Structure:
        """One structure for both conjuncts: headed by both, with the same open arguments."""
        made: dict[tuple[int, int], int] = {}
        if gapped and left.result and right.result and left.argument and right.argument:
            result = self._merged(left.result, right.result, 0, made)
            variable = self._merge(left.variable, right.variable, 0, made)
            return Structure(variable, 0, result, self._merged(left.argument, right.argument, 2, made))
        return self._merged(left, right, 0, made)

    def _merged(self, one: Structure, other: Structure, level: Level, made: dict[tuple[int, int], int]) -> Structure:
        """One structure for both, part by part."""
        variable = self._merge(one.variable, other.variable, level, made)
        furthest = max(one.level, other.level)
        if one.result and other.result and one.argument and other.argument:
            result = self._merged(one.result, other.result, 0, made)
            return Structure(variable, furthest, result, self._merged(one.argument, other.argument, level, made))
        return Structure(variable, furthest, one.result, one.argument)

    def _merge(self, one: int, other: int, level: Level, made: dict[tuple[int, int], int]) -> int:
        """A variable for both: a new one with all their heads if both have heads, else the two equated."""
        one, other = self.find(one), self.find(other)
        if one == other:
            return one
        if (one, other) in made:
            return made[one, other]
        first, second = self.words(one), self.words(other)
        if level and not first and not second:
            variable = self.fresh()
            self.link(variable, one, level)
            self.link(variable, other, level)
        elif first and second:
            variable = self.fresh(*dict.fromkeys((*first, *second)))
        else:
            self.equate(one, other)
            variable = one
        made[one, other] = variable
        return variable


def _instance(structure: Structure, head: int, first: int) -> Structure:
    variable, level, result, argument = structure
    variable = head if variable == SELF else first + variable
    if result is None or argument is None:
        return Structure(variable, level)
    return Structure(variable, level, _instance(result, head, first), _instance(argument, head, first))


@lru_cache(maxsize=1 << 14)
def _right_node_raised(category: Category) -> bool:
    r"""Whether it is ``S/Z``, a clause that lacks an argument on its right (right node raising)."""
    return (
        isinstance(category, Functor)
        and category.slash == "/"
        and isinstance(category.result, Atom)
        and category.target.name == "S"
        and category.argument.target.name != "S"
    )
