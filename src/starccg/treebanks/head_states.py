r"""Heads and unfilled slots of a partial derivation as one immutable value: dependencies computed a node at a time.

:mod:`starccg.dependencies` reads a finished derivation; a search needs to know, before there is one, which
dependencies a node would resolve. A state holds the head variables that are still reachable through the category, each
with the words that head it and the slots that wait for it. Equal states behave alike for ever after, which makes them
fit for the signatures of dynamic programming. Reach (bounded, unbounded) plays no part: it follows from the rest.
"""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from typing import NamedTuple

from starccg.ccg.category import Category, Functor
from starccg.ccg.rules import Rule
from starccg.dependencies.coindexation import NP, N, coindex
from starccg.dependencies.indexed import SELF, IndexedCategory
from starccg.dependencies.plans import Change, Way, binary_plan, unary_plan

Link = tuple[int, int, int]
"""A dependency without its category and reach: head word, slot, argument word."""


class Shape(NamedTuple):
    """A part of a category with its head variable; atoms have no result and no argument."""

    variable: int
    result: Shape | None = None
    argument: Shape | None = None


Words = frozenset[int]
Slots = frozenset[tuple[int, int]]
NO_WORDS: Words = frozenset()
NO_SLOTS: Slots = frozenset()


class State(NamedTuple):
    """The shape of a category over variables 0, 1, ..., in the order they are met, and what is known of each."""

    shape: Shape
    heads: tuple[Words, ...]
    slots: tuple[Slots, ...]
    """The slots (word, number) that wait for each variable, also those that have been given heads already."""
    conjunct: bool = False
    """Whether it waits for its left conjunct: the shape is then that of one conjunct."""


class Step(NamedTuple):
    """A node's state and the dependencies that building it resolved."""

    state: State
    resolved: frozenset[Link]


NOTHING: frozenset[Link] = frozenset()


class Demand(NamedTuple):
    """What a node must resolve: so many dependencies, all of them among these."""

    number: int
    among: frozenset[Link]

    def met(self, resolved: Set[Link]) -> bool:
        """Whether these will do."""
        return len(resolved) == self.number and resolved <= self.among


class _Lexical(NamedTuple):
    shape: Shape
    variables: int
    slots: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1 << 14)
def _lexical(category: Category) -> _Lexical:
    indexed = coindex(category)
    variables = 1 + max(part.variable for part in indexed.parts())
    return _Lexical(_shape(indexed), variables, tuple((slot.number, slot.variable) for slot in indexed.slots))


def _shape(part: IndexedCategory) -> Shape:
    if part.result is None or part.argument is None:
        return Shape(part.variable)
    return Shape(part.variable, _shape(part.result), _shape(part.argument))


class _Bench:
    """Variables being equated; what that resolves is noted."""

    __slots__ = ("heads", "parent", "resolved", "slots")

    def __init__(self, *states: State) -> None:
        self.heads: list[Words] = [words for state in states for words in state.heads]
        self.slots: list[Slots] = [slots for state in states for slots in state.slots]
        self.parent = list(range(len(self.heads)))
        self.resolved: set[Link] = set()

    def fresh(self, heads: Words = NO_WORDS) -> int:
        self.heads.append(heads)
        self.slots.append(NO_SLOTS)
        self.parent.append(len(self.parent))
        return len(self.parent) - 1

    def find(self, variable: int) -> int:
        parent = self.parent
        while parent[variable] != variable:
            variable = parent[variable]
        return variable

    def equate(self, first: int, second: int) -> None:
        first, second = self.find(first), self.find(second)
        if first == second:
            return
        heads, slots = self.heads, self.slots
        for ours, theirs in ((first, second), (second, first)):
            for word, slot in slots[ours]:
                for argument in heads[theirs]:
                    if argument != word:
                        self.resolved.add((word, slot, argument))
        self.parent[second] = first
        heads[first] |= heads[second]
        slots[first] |= slots[second]

    def unify(self, slot: Shape, argument: Shape) -> None:
        stack = [(slot, argument)]
        while stack:
            wanted, given = stack.pop()
            self.equate(wanted.variable, given.variable)
            if wanted.result and wanted.argument and given.result and given.argument:
                stack += ((wanted.argument, given.argument), (wanted.result, given.result))

    def instance(self, category: Category, head: int) -> Shape:
        """The shape of a category that no word has, headed by ``head``."""
        lexical = _lexical(category)
        names = [head, *(self.fresh() for _ in range(lexical.variables - 1))]
        return _renamed(lexical.shape, names)

    def change(self, child: Shape, old: Category, new: Category) -> Shape:
        way = unary_plan(old, new)
        if way is Change.PASS:
            return child
        if way is Change.RAISE and isinstance(new, Functor):
            taken = self.fresh()
            result = self.instance(new.result, taken)
            return Shape(child.variable, result, Shape(taken, result, child))
        made = self.instance(new, child.variable)
        if way is Change.MODIFY and made.argument is not None and child.argument is not None:
            self.modify(child.argument.variable, old, made.argument, new)
        return made

    def modify(self, gap: int, old: Category, modified: Shape, new: Category) -> None:
        if not isinstance(old, Functor) or not isinstance(new, Functor):
            return
        phrase = new.argument
        if old.target.name == "S" and old.argument.skeleton is NP:
            if phrase.skeleton in (NP, N):
                self.equate(gap, modified.variable)
            elif modified.argument is not None and isinstance(phrase, Functor) and phrase.argument.skeleton is NP:
                self.equate(gap, modified.argument.variable)
        elif old.is_modifier or old.argument.skeleton is phrase.skeleton:
            self.equate(gap, modified.variable)

    def conjoin(self, left: Shape, right: Shape) -> Shape:
        made: dict[tuple[int, int], int] = {}

        def merge(one: Shape, other: Shape) -> Shape:
            variable = self.merge(one.variable, other.variable, made)
            if one.result and one.argument and other.result and other.argument:
                return Shape(variable, merge(one.result, other.result), merge(one.argument, other.argument))
            return Shape(variable, one.result, one.argument)

        return merge(left, right)

    def merge(self, one: int, other: int, made: dict[tuple[int, int], int]) -> int:
        one, other = self.find(one), self.find(other)
        if one == other:
            return one
        known = made.get((one, other))
        if known is not None:
            return known
        if self.heads[one] and self.heads[other]:
            variable = self.fresh(self.heads[one] | self.heads[other])
        else:
            self.equate(one, other)
            variable = one
        made[one, other] = variable
        return variable

    def finish(self, shape: Shape, *, conjunct: bool = False) -> Step:
        numbers: dict[int, int] = {}
        heads: list[Words] = []
        slots: list[Slots] = []

        def name(part: Shape) -> Shape:
            root = self.find(part.variable)
            number = numbers.get(root)
            if number is None:
                number = numbers[root] = len(heads)
                heads.append(self.heads[root])
                slots.append(self.slots[root])
            if part.result and part.argument:
                return Shape(number, name(part.result), name(part.argument))
            return Shape(number)

        named = name(shape)
        state = State(named, tuple(heads), tuple(slots), conjunct)
        return Step(state, frozenset(self.resolved) if self.resolved else NOTHING)


def _renamed(shape: Shape, names: list[int]) -> Shape:
    variable = names[shape.variable]
    if shape.result and shape.argument:
        return Shape(variable, _renamed(shape.result, names), _renamed(shape.argument, names))
    return Shape(variable)


def _shifted(shape: Shape, by: int) -> Shape:
    if shape.result and shape.argument:
        return Shape(shape.variable + by, _shifted(shape.result, by), _shifted(shape.argument, by))
    return Shape(shape.variable + by)


def _whole(shape: Shape, conjunct: bool) -> Shape:
    r"""A conjunct met outside its coordination is a modifier ``X\X`` like any other."""
    return Shape(shape.variable, shape, shape) if conjunct else shape


def leaf_state(category: Category, word: int) -> State:
    """The state of a word."""
    lexical = _lexical(category)
    heads = [NO_WORDS] * lexical.variables
    slots: list[set[tuple[int, int]]] = [set() for _ in range(lexical.variables)]
    heads[SELF] = frozenset({word})
    for slot, variable in lexical.slots:
        slots[variable].add((word, slot))
    bench = _Bench(State(lexical.shape, tuple(heads), tuple(map(frozenset, slots))))
    return bench.finish(lexical.shape).state


def unary_step(child: State, old: Category, new: Category) -> Step:
    """A type change or type raising."""
    bench = _Bench(child)
    return bench.finish(bench.change(_whole(child.shape, child.conjunct), old, new))


def binary_step(
    rule: Rule | None,
    left: State,
    left_category: Category,
    right: State,
    right_category: Category,
    result: Category,
    head: int,
    demand: Demand | None = None,
) -> Step | None:
    """Two neighbours joined by a rule; None if that does not resolve what ``demand`` asks for."""
    plan = binary_plan(rule, left_category, right_category, result, head)
    child, category = (right, right_category) if plan.side else (left, left_category)
    if demand is not None and demand.number and plan.way is not Way.TAKE:
        return None  # nothing else ever brings two heads together
    if plan.way is Way.PASS:
        return Step(child, NOTHING)
    if plan.way is Way.CONJOIN:
        conjoined = result.argument if isinstance(result, Functor) else result
        bench = _Bench(child)
        whole = _whole(child.shape, child.conjunct)
        step = bench.finish(bench.change(whole, category, conjoined), conjunct=True)
        return step if demand is None or demand.met(step.resolved) else None
    if plan.way is Way.CHANGE:
        step = unary_step(child, category, result)
        return step if demand is None or demand.met(step.resolved) else None
    other = left if plan.side else right
    bench = _Bench(child, other)
    argument = _shifted(_whole(other.shape, other.conjunct), len(child.heads))
    made = _take(bench, child, argument, plan.degree, result)
    if plan.made is not None:
        made = bench.change(made, plan.made, result)
    return bench.finish(made) if demand is None or demand.met(bench.resolved) else None


def _take(bench: _Bench, functor: State, argument: Shape, degree: int, category: Category) -> Shape:
    opened: list[Shape] = []
    while len(opened) < degree and argument.result is not None and argument.argument is not None:
        opened.append(argument.argument)
        argument = argument.result
    if functor.conjunct:
        made = bench.conjoin(argument, functor.shape)
    elif functor.shape.result is None or functor.shape.argument is None:
        return bench.instance(category, functor.shape.variable)  # no functor, whatever the rule type says
    else:
        bench.unify(functor.shape.argument, argument)
        made = functor.shape.result
    for part in reversed(opened):
        made = Shape(made.variable, made, part)
    return made
