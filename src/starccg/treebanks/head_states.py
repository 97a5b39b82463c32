r"""Heads and unfilled slots of a partial derivation as one immutable value: dependencies computed one node at a time.

:mod:`starccg.dependencies` reads a finished derivation; a search must know earlier which dependencies a node would
resolve. A state holds the head variables that are still reachable through the category, each with the words that head
it and the slots that wait for it. Equal states have equal futures, so they can be part of the signatures of dynamic
programming. Reach (bounded, unbounded) is left out: it follows from the rest.
"""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple, Protocol

from starccg.ccg.category import Category
from starccg.ccg.grammar import Combination
from starccg.dependencies.passing import HeadPassing, Heads, Level, Structure
from starccg.dependencies.plans import Way, binary_plan

Link = tuple[int, int, int]
"""A dependency without its category and reach: head word, slot, argument word."""

WordNumbers = frozenset[int]
Slots = frozenset[tuple[int, int]]
NO_WORDS: WordNumbers = frozenset()
NO_SLOTS: Slots = frozenset()
NOTHING: frozenset[Link] = frozenset()


class State(NamedTuple):
    """The structure of a category over variables 0, 1, ... in the order of the walk, and what is known of each."""

    structure: Structure
    heads: tuple[WordNumbers, ...]
    slots: tuple[Slots, ...]
    """The slots (word, number) that wait for each variable, including those that already have heads."""
    conjunct: bool = False
    """Whether it waits for its left conjunct: the structure is then that of one conjunct."""


class Step(NamedTuple):
    """A node's state and the dependencies that building it resolved."""

    state: State
    resolved: frozenset[Link]


class Demand(NamedTuple):
    """What a node must resolve: this number of dependencies, all of them among these."""

    number: int
    among: frozenset[Link]

    def met(self, resolved: Set[Link]) -> bool:
        """Whether the demand is met."""
        return len(resolved) == self.number and resolved <= self.among


class _Variables(HeadPassing):
    """The variables of one or two states; notes what equating them resolves."""

    __slots__ = ("heads", "resolved", "slots")
    tracks_reach = False

    def __init__(self, *states: State) -> None:
        self.heads: list[WordNumbers] = [words for state in states for words in state.heads]
        self.slots: list[Slots] = [slots for state in states for slots in state.slots]
        self.parent = list(range(len(self.heads)))
        self.resolved: set[Link] = set()

    def fresh(self, *words: int) -> int:
        self.heads.append(frozenset(words))
        self.slots.append(NO_SLOTS)
        self.parent.append(len(self.parent))
        return len(self.parent) - 1

    def allot(self, count: int) -> int:
        first = len(self.parent)
        self.heads.extend([NO_WORDS] * count)
        self.slots.extend([NO_SLOTS] * count)
        self.parent.extend(range(first, first + count))
        return first

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

    def link(self, first: int, second: int, level: Level) -> None:
        self.equate(first, second)

    def words(self, variable: int) -> WordNumbers:
        return self.heads[variable]

    def wait(self, word: int, category: Category, slot: int, variable: int) -> None:
        self.slots[variable] |= {(word, slot)}

    def finish(self, made: Heads) -> Step:
        """The state of a node, its variables numbered in the order in which a walk meets them."""
        numbers: dict[int, int] = {}

        def name(part: Structure) -> Structure:
            number = numbers.setdefault(self.find(part.variable), len(numbers))
            if part.result and part.argument:
                return Structure(number, 0, name(part.result), name(part.argument))
            return Structure(number)

        named = name(made.structure)
        heads = tuple(self.heads[root] for root in numbers)
        slots = tuple(self.slots[root] for root in numbers)
        return Step(State(named, heads, slots, made.conjunct), frozenset(self.resolved) if self.resolved else NOTHING)


def leaf_state(category: Category, word: int, form: str) -> State:
    """The state of a word: its place in the sentence and its form."""
    variables = _Variables()
    return variables.finish(Heads(variables.leaf(category, word, form))).state


def unary_step(child: State, old: Category, new: Category) -> Step:
    """A type change or type raising."""
    variables = _Variables(child)
    return variables.finish(Heads(variables.change(Heads(child.structure, child.conjunct).whole, old, new)))


class Phrase(Protocol):
    """A partial derivation: its category and its state."""

    category: Category
    state: State


def binary_step(left: Phrase, right: Phrase, made: Combination, demand: Demand | None = None) -> Step | None:
    """Two neighbours joined by a rule; None if that does not resolve what ``demand`` asks for."""
    plan = binary_plan(made.rule, left.category, right.category, made.category, made.head)
    phrase = right if plan.side else left
    child, other = phrase.state, (left if plan.side else right).state
    if plan.way is not Way.TAKE:
        if demand is not None and demand.number:
            return None  # nothing else brings two heads together
        if plan.way is Way.PASS:
            return Step(child, NOTHING)
        variables, argument = _Variables(child), None
    else:
        variables = _Variables(child, other)
        argument = Heads(other.structure, other.conjunct).whole.shifted(len(child.heads))
    heads = variables.join(plan, Heads(child.structure, child.conjunct), phrase.category, argument, made.category)
    return variables.finish(heads) if demand is None or demand.met(variables.resolved) else None
