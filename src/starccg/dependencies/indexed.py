r"""Co-indexed categories: the head of each part of a category, in CCGbank's notation.

``(S[dcl]\NP_1)/(S[b]_2\NP_1:B)_2`` says that the subject of *will* is also the subject of its complement (variable 1)
and that this second link is bounded (``:B``; ``:U`` is unbounded). A part without a variable is headed by the word
itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from starccg.ccg.category import Atom, Category, Functor, Slash, read_category
from starccg.dependencies.types import Reach

SELF = 0
"""The variable of the word itself."""

_MARKS = {Reach.LOCAL: "", Reach.BOUNDED: ":B", Reach.UNBOUNDED: ":U"}
_REACHES = {"B": Reach.BOUNDED, "U": Reach.UNBOUNDED, None: Reach.LOCAL}
_TOKEN = re.compile(
    r"(?:(?P<atom>[A-Za-z][A-Za-z0-9@~+*-]*|''|``|[.,:;!?$#\"'`-])(?:\[(?P<feature>[^\[\]()/\\\s<>]+)\])?|(?P<sign>[()/\\]))"
    r"(?:(?<![(/\\])(?:_(?P<index>\d+))?(?::(?P<mark>[BU]))?)?"  # after an atom or a closing bracket
)


@dataclass(frozen=True, slots=True)
class Slot:
    """An argument that fills a numbered slot of the word: slot 1 is the innermost argument."""

    number: int
    variable: int


@dataclass(frozen=True, slots=True)
class IndexedCategory:
    """A category whose every part has a head variable; :data:`SELF` is the word itself."""

    category: Category
    variable: int = SELF
    reach: Reach = Reach.LOCAL
    """How far a head travels that reaches the argument through this part."""
    result: IndexedCategory | None = None
    argument: IndexedCategory | None = None

    @staticmethod
    def parse(text: str) -> IndexedCategory:
        """Read CCGbank's notation; what has no variable is headed by the word itself."""
        return read_category(text, _TOKEN, _atom, _functor, _marked)

    def parts(self) -> Iterator[IndexedCategory]:
        """Itself and all parts below, in the order in which their variables are written."""
        stack: list[tuple[IndexedCategory, bool]] = [(self, False)]
        while stack:
            part, visited = stack.pop()
            if visited or part.result is None or part.argument is None:
                yield part
            else:
                stack += ((part, True), (part.argument, False), (part.result, False))

    def renumbered(self) -> IndexedCategory:
        """The same with variables numbered 1, 2, ... in written order: equal up to renaming becomes equal."""
        numbers = {SELF: SELF}
        for part in self.parts():
            numbers.setdefault(part.variable, len(numbers))
        return self._mapped(numbers)

    def _mapped(self, numbers: dict[int, int]) -> IndexedCategory:
        return IndexedCategory(
            self.category,
            numbers[self.variable],
            self.reach,
            None if self.result is None else self.result._mapped(numbers),
            None if self.argument is None else self.argument._mapped(numbers),
        )

    def relabelled(self, category: Category) -> IndexedCategory:
        """The same variables on a category of the same shape."""
        if self.result is None or self.argument is None or not isinstance(category, Functor):
            return replace(self, category=category)
        result, argument = self.result.relabelled(category.result), self.argument.relabelled(category.argument)
        return replace(self, category=category, result=result, argument=argument)

    @property
    def slots(self) -> tuple[Slot, ...]:
        r"""The slots of the word itself, outermost first.

        The arguments inside X of a modifier ``X|X`` belong to the modified word: ``(S\NP)\(S\NP)`` has slot 2, the
        verb, but no slot 1, because the subject is the verb's and not the adverb's. So does a raised ``T|(T|Y)``.
        """
        found: list[Slot] = []
        handed_on: set[int] = set()
        part = self
        while part.result is not None and part.argument is not None:
            if part.argument.variable not in handed_on:
                found.append(Slot(part.category.arity, part.argument.variable))
            if part.result.variable != part.variable:  # the head comes from the argument, and so do the open arguments
                handed_on.update(inner.variable for inner in part.argument.parts())
            part = part.result
        return tuple(found)

    def __str__(self) -> str:
        return self._write(top=True)

    def _write(self, top: bool = False) -> str:
        index = "" if self.variable == SELF else f"_{self.variable}"
        mark = _MARKS[self.reach]
        if self.result is None or self.argument is None:
            return f"{self.category}{index}{mark}"
        assert isinstance(self.category, Functor)
        inner = f"{self.result._write()}{self.category.slash}{self.argument._write()}"
        return inner if top else f"({inner}){index}{mark}"


def _functor(result: IndexedCategory, slash: Slash, argument: IndexedCategory) -> IndexedCategory:
    category = Functor.of(result.category, slash, argument.category)
    return IndexedCategory(category, result=result, argument=argument)


def _atom(token: re.Match[str]) -> IndexedCategory:
    return _marked(IndexedCategory(Atom.of(token["atom"], token["feature"])), token)


def _marked(part: IndexedCategory, token: re.Match[str]) -> IndexedCategory:
    return replace(part, variable=int(token["index"] or SELF), reach=_REACHES[token["mark"]])
