r"""Dependencies of a derivation: heads passed through variables, bottom-up.

Each node has a *structure*: the tree of its category with a head variable at every part. A functor takes its argument
by equating the variables of the slot with those of what fills it; a conjunction makes a variable headed by both
conjuncts, and equates what both leave open, so that dependencies distribute. Then every slot of every word is read off.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from starccg.ccg.category import Atom, Category, Functor
from starccg.dependencies.coindexation import NP, N, coindex
from starccg.dependencies.heads import Level, Variables
from starccg.dependencies.indexed import SELF, IndexedCategory
from starccg.dependencies.plans import Change, Way, binary_plan, unary_plan
from starccg.dependencies.types import Dependency, Reach
from starccg.derivation import Binary, Derivation, Leaf, Unary

_LEVELS: dict[Reach, Level] = {Reach.LOCAL: 0, Reach.BOUNDED: 1, Reach.UNBOUNDED: 2}
_REACHES = (Reach.LOCAL, Reach.BOUNDED, Reach.UNBOUNDED)


class Structure(NamedTuple):
    """A part of a category with its head variable; atoms have no result and no argument."""

    variable: int
    level: Level
    result: Structure | None = None
    argument: Structure | None = None


class _State(NamedTuple):
    """The structure of a node, and whether it is a conjunct that waits for its left one."""

    structure: Structure
    conjunct: bool = False


@dataclass(frozen=True, slots=True)
class Extraction:
    """The dependencies, and how many nodes no rule licenses, whose heads were passed on by a guess."""

    dependencies: tuple[Dependency, ...]
    unlicensed: int


def extract(derivation: Derivation) -> tuple[Dependency, ...]:
    """The dependencies of a derivation, sorted and without repetition."""
    return extraction(derivation).dependencies


def extraction(derivation: Derivation) -> Extraction:
    """The dependencies of a derivation, and what had to be guessed."""
    return _Extractor().run(derivation)


class _Lexical(NamedTuple):
    """A category made ready for leaves: its structure over variables 0 (the word), 1, 2, ..."""

    structure: Structure
    variables: int
    slots: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1 << 14)
def _lexical(category: Category) -> _Lexical:
    indexed = coindex(category)
    variables = max(part.variable for part in indexed.parts())
    return _Lexical(_structure(indexed), variables, tuple((slot.number, slot.variable) for slot in indexed.slots))


def _structure(part: IndexedCategory) -> Structure:
    if part.result is None or part.argument is None:
        return Structure(part.variable, _LEVELS[part.reach])
    return Structure(part.variable, _LEVELS[part.reach], _structure(part.result), _structure(part.argument))


class _Extractor:
    def __init__(self) -> None:
        self.variables = Variables()
        self.slots: list[tuple[int, Category, int, int]] = []
        """Word, its category, slot, variable."""
        self.unlicensed = 0

    def run(self, derivation: Derivation) -> Extraction:
        stack: list[_State] = []
        words = 0
        for node in derivation.postorder():
            if isinstance(node, Leaf):
                stack.append(_State(self.leaf(node.category, words)))
                words += 1
            elif isinstance(node, Unary):
                child = stack.pop()
                stack.append(_State(self.change(_whole(child), node.child.category, node.category)))
            elif isinstance(node, Binary):
                right, left = stack.pop(), stack.pop()
                stack.append(self.join(node, left, right))
        variables = self.variables
        found = {
            Dependency(word, category, slot, argument, _REACHES[level])
            for word, category, slot, variable in self.slots
            for argument, level in variables.words(variable).items()
            if argument != word
        }
        return Extraction(tuple(sorted(found, key=_order)), self.unlicensed)

    def leaf(self, category: Category, word: int) -> Structure:
        lexical = _lexical(category)
        head = self.variables.fresh(word)
        first = self.variables.allot(lexical.variables) - 1
        for slot, variable in lexical.slots:
            self.slots.append((word, category, slot, head if variable == SELF else first + variable))
        return _instance(lexical.structure, head, first)

    def instance(self, category: Category, head: int) -> Structure:
        """The structure of a category that no word has, headed by ``head``."""
        lexical = _lexical(category)
        return _instance(lexical.structure, head, self.variables.allot(lexical.variables) - 1)

    def change(self, child: Structure, old: Category, new: Category) -> Structure:
        """A unary rule: heads are carried, and the open argument of a reduced relative is what it modifies."""
        way = unary_plan(old, new)
        if way is Change.PASS:
            return child
        if way is Change.RAISE and isinstance(new, Functor):
            taken = self.variables.fresh()
            result = self.instance(new.result, taken)
            return Structure(child.variable, 0, result, Structure(taken, 0, result, child))
        made = self.instance(new, child.variable)
        if way is Change.MODIFY and made.argument is not None:
            self.modify(child, old, made.argument, new)
        return made

    def modify(self, child: Structure, old: Category, modified: Structure, new: Category) -> None:
        r"""``S[pss]\NP -> NP\NP`` and its like: find what the open argument of the child is."""
        if not isinstance(old, Functor) or not isinstance(new, Functor) or child.argument is None:
            return
        gap = child.argument.variable
        phrase = new.argument
        if old.target.name == "S" and old.argument.skeleton is NP:
            if phrase.skeleton in (NP, N):  # an extracted object has come further than a subject
                self.variables.link(gap, modified.variable, 0 if old.slash == "\\" else 2)
            elif modified.argument is not None and isinstance(phrase, Functor) and phrase.argument.skeleton is NP:
                self.variables.equate(gap, modified.argument.variable)  # an adjunct shares the subject
        elif old.is_modifier or old.argument.skeleton is phrase.skeleton:
            self.variables.equate(gap, modified.variable)

    def join(self, node: Binary, left: _State, right: _State) -> _State:
        plan = binary_plan(node.rule, node.left.category, node.right.category, node.category, node.head)
        self.unlicensed += not plan.licensed
        child, category = (right, node.right.category) if plan.side else (left, node.left.category)
        if plan.way is Way.PASS:
            return child
        if plan.way is Way.CONJOIN:
            conjoined = node.category.argument if isinstance(node.category, Functor) else node.category
            return _State(self.change(_whole(child), category, conjoined), conjunct=True)
        if plan.way is Way.CHANGE:
            return _State(self.change(_whole(child), category, node.category))
        other = left if plan.side else right
        made = self.take(child, _whole(other), plan.degree, node.category)
        return _State(made if plan.made is None else self.change(made, plan.made, node.category))

    def take(self, functor: _State, argument: Structure, degree: int, category: Category) -> Structure:
        """Application, or composition that leaves ``degree`` arguments open."""
        opened: list[Structure] = []
        while len(opened) < degree and argument.result is not None and argument.argument is not None:
            opened.append(argument.argument)
            argument = argument.result
        if functor.conjunct:
            made = self.conjoin(argument, functor.structure, gapped=degree == 0 and _right_node_raised(category))
        elif functor.structure.result is None or functor.structure.argument is None:
            return self.instance(category, functor.structure.variable)  # no functor, whatever the rule type says
        else:
            self.unify(functor.structure.argument, argument)
            made = functor.structure.result
        for part in reversed(opened):
            made = Structure(made.variable, 0, made, part)
        return made

    def unify(self, slot: Structure, argument: Structure) -> None:
        """The argument fills the slot: equal part by part, at the distance that either side marks."""
        stack = [(slot, argument, 0)]
        while stack:
            wanted, given, level = stack.pop()
            level = max(level, wanted.level, given.level)
            self.variables.link(wanted.variable, given.variable, level)
            if wanted.result and given.result and wanted.argument and given.argument:
                same_head = wanted.result.variable == wanted.variable
                stack.append((wanted.argument, given.argument, 0))
                stack.append((wanted.result, given.result, level if same_head else 0))

    def conjoin(self, left: Structure, right: Structure, *, gapped: bool) -> Structure:
        """Both conjuncts as one: headed by both, and seeking the same arguments."""
        made: dict[tuple[int, int], int] = {}

        def merge(one: Structure, other: Structure, level: Level) -> Structure:
            variable = self.merge(one.variable, other.variable, level, made)
            furthest = max(one.level, other.level)
            if one.result and other.result and one.argument and other.argument:
                return Structure(
                    variable, furthest, merge(one.result, other.result, 0), merge(one.argument, other.argument, level)
                )
            return Structure(variable, furthest, one.result, one.argument)

        if gapped and left.result and right.result and left.argument and right.argument:
            result = merge(left.result, right.result, 0)
            variable = self.merge(left.variable, right.variable, 0, made)
            return Structure(variable, 0, result, merge(left.argument, right.argument, 2))
        return merge(left, right, 0)

    def merge(self, one: int, other: int, level: Level, made: dict[tuple[int, int], int]) -> int:
        """A variable for both: the same one if both are still open, a new one with all their heads if not."""
        variables = self.variables
        one, other = variables.find(one), variables.find(other)
        if one == other:
            return one
        if (one, other) in made:
            return made[one, other]
        first, second = variables.words(one), variables.words(other)
        if level and not first and not second:
            variable = variables.fresh()
            variables.link(variable, one, level)
            variables.link(variable, other, level)
        elif first and second:
            variable = variables.fresh(*(first | second))
        else:
            variables.equate(one, other)
            variable = one
        made[one, other] = variable
        return variable


def _instance(structure: Structure, head: int, first: int) -> Structure:
    variable, level, result, argument = structure
    variable = head if variable == SELF else first + variable
    if result is None or argument is None:
        return Structure(variable, level)
    return Structure(variable, level, _instance(result, head, first), _instance(argument, head, first))


def _whole(state: _State) -> Structure:
    r"""A conjunct met outside its coordination is a modifier ``X\X`` like any other."""
    structure = state.structure
    return Structure(structure.variable, 0, structure, structure) if state.conjunct else structure


@lru_cache(maxsize=1 << 14)
def _right_node_raised(category: Category) -> bool:
    r"""``S/Z``, a clause that misses something on its right: what such conjuncts share is raised out of both."""
    return (
        isinstance(category, Functor)
        and category.slash == "/"
        and isinstance(category.result, Atom)
        and category.target.name == "S"
        and category.argument.target.name != "S"
    )


def _order(dependency: Dependency) -> tuple[int, int, int, str, str]:
    return dependency.head, dependency.slot, dependency.argument, str(dependency.category), dependency.reach
