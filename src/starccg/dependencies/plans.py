r"""How heads pass through a node of a derivation, as its rule type and categories determine it.

Plans are cached, because a treebank has few kinds of nodes. If no rule licenses a node, the plan is a guess:
application or composition without features, a skipped mark, a type change, or only the head.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from starccg.ccg.category import Atom, Category, Functor, Slash
from starccg.ccg.combinators import TAKES
from starccg.ccg.rules import Rule

MAX_DEGREE = 4
"""The maximum number of arguments that composition may leave open in a guess."""


class Way(Enum):
    """How a binary node treats the heads of its children."""

    TAKE = "one child takes the other, which may leave arguments open"
    CONJOIN = "the right child waits for its left conjunct"
    PASS = "the child's structure, unchanged"
    CHANGE = "the child's head under another category"


class Plan(NamedTuple):
    """``side``: the functor of TAKE, otherwise the child that is used; ``degree``: the number of open arguments."""

    way: Way
    side: int
    degree: int = 0
    licensed: bool = True
    made: Category | None = None
    """The result of TAKE if it is not the category of the node."""


_RULES: dict[Rule, Plan] = {
    **{rule: Plan(Way.TAKE, side, degree) for rule, (side, degree) in TAKES.items()},
    Rule.CONJUNCTION: Plan(Way.CONJOIN, 1),
    Rule.RIGHT_PUNCTUATION: Plan(Way.PASS, 0),
    Rule.LEFT_PUNCTUATION: Plan(Way.PASS, 1),
}


@lru_cache(maxsize=1 << 16)
def binary_plan(rule: Rule | None, left: Category, right: Category, result: Category, head: int) -> Plan:
    """The plan of a node with two children."""
    if rule is Rule.COMMA:
        return Plan(Way.CHANGE, 1 if is_mark(left) else 0)
    return _RULES[rule] if rule is not None else _guess(left, right, result, head)


def _guess(left: Category, right: Category, result: Category, head: int) -> Plan:
    way = Way.CHANGE
    if is_mark(left) and not is_mark(right):
        conjunct = isinstance(result, Functor) and result.slash == "\\" and result.is_modifier and result is not right
        way, side = (Way.CONJOIN if conjunct else Way.CHANGE), 1
    elif is_mark(right):
        side = 0
    else:
        for functor, other, functor_side in ((left, right, 0), (right, left, 1)):
            taken = _taken(functor, "/" if functor_side == 0 else "\\", other)
            if taken is not None:
                degree, made = taken
                same = made.skeleton is result.skeleton
                return Plan(Way.TAKE, functor_side, degree, licensed=False, made=None if same else made)
        side = head
    if way is Way.CHANGE and (left, right)[side].skeleton is result.skeleton:
        way = Way.PASS
    return Plan(way, side, licensed=False)


def _taken(functor: Category, slash: Slash, other: Category) -> tuple[int, Category] | None:
    """How many arguments of ``other`` stay open when ``functor`` takes it, ignoring features, and the result."""
    if not isinstance(functor, Functor) or functor.slash != slash:
        return None
    wanted = functor.argument.skeleton
    opened: list[Functor] = []
    while other.skeleton is not wanted:
        if not isinstance(other, Functor) or len(opened) == MAX_DEGREE:
            return None
        opened.append(other)
        other = other.result
    made = functor.result
    for outer in reversed(opened):
        made = Functor.of(made, outer.slash, outer.argument)
    return len(opened), made


def is_mark(category: Category) -> bool:
    """A conjunction or a punctuation mark."""
    return category.is_punctuation or (isinstance(category, Atom) and category.name == "conj")


class Change(Enum):
    """How a unary node treats the heads of its child."""

    PASS = "the same shape: every head stays where it is"
    RAISE = "the child becomes the argument of what takes it"
    MODIFY = "the child modifies; its open argument, if it has one, is what it modifies"
    ADOPT = "the child's head under another category"


@lru_cache(maxsize=1 << 16)
def unary_plan(child: Category, result: Category) -> Change:
    """The plan of a node with one child."""
    if _same_shape(child, result):
        return Change.PASS
    if isinstance(result, Functor):
        if (
            result.is_type_raised
            and isinstance(result.argument, Functor)
            and result.argument.argument.skeleton is child.skeleton
        ):
            return Change.RAISE
        if result.is_modifier:
            return Change.MODIFY
    return Change.ADOPT


def _same_shape(first: Category, second: Category) -> bool:
    stack = [(first, second)]
    while stack:
        one, other = stack.pop()
        if isinstance(one, Functor) and isinstance(other, Functor):
            if one.slash != other.slash:
                return False
            stack += ((one.result, other.result), (one.argument, other.argument))
        elif isinstance(one, Functor) or isinstance(other, Functor):
            return False
        elif (one.target.name == "S") != (other.target.name == "S"):
            return False  # ``S[pss]\NP -> NP\NP`` is a reduced relative, not the same category with other features
    return True
