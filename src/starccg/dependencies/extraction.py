r"""Dependencies of a derivation: heads are passed bottom-up through variables, then every slot of every word is read.

:mod:`starccg.dependencies.passing` passes the heads; this module stores the variables of one derivation.
"""

from __future__ import annotations

from dataclasses import dataclass

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.dependencies.passing import LEVELS, HeadPassing, Heads, Level
from starccg.dependencies.plans import binary_plan
from starccg.dependencies.types import Dependency

_REACHES = tuple(LEVELS)


@dataclass(frozen=True, slots=True)
class Extraction:
    """The dependencies, and the number of nodes that no rule licenses, whose heads are guessed."""

    dependencies: tuple[Dependency, ...]
    unlicensed: int


def extract(derivation: Derivation) -> tuple[Dependency, ...]:
    """The dependencies of a derivation, sorted and without repetition."""
    return extraction(derivation).dependencies


def extraction(derivation: Derivation) -> Extraction:
    """The dependencies of a derivation, and the number of nodes whose heads are guessed."""
    variables = _Variables()
    unlicensed = words = 0
    stack: list[Heads] = []
    for node in derivation.postorder():
        if isinstance(node, Leaf):
            stack.append(Heads(variables.leaf(node.category, words, node.word)))
            words += 1
        elif isinstance(node, Unary):
            stack.append(Heads(variables.change(stack.pop().whole, node.child.category, node.category)))
        elif isinstance(node, Binary):
            plan = binary_plan(node.rule, node.left.category, node.right.category, node.category, node.head)
            unlicensed += not plan.licensed
            right, left = stack.pop(), stack.pop()
            child, other = (right, left) if plan.side else (left, right)
            category = node.children[plan.side].category
            stack.append(variables.join(plan, child, category, other.whole, node.category))
    return Extraction(tuple(sorted(variables.dependencies(), key=_order)), unlicensed)


class _Variables(HeadPassing):
    """Head variables as a union-find with links between classes.

    Variables that are equated form a class. Two classes may also be linked: heads pass from one to the other, but
    have then travelled (bounded or unbounded). Heads are looked up when the whole derivation has been read.
    """

    __slots__ = ("_links", "_slots", "_words")

    def __init__(self) -> None:
        self.parent = []
        self._words: list[tuple[int, ...]] = []
        self._links: dict[int, list[tuple[int, Level]]] = {}
        self._slots: list[tuple[int, Category, int, int]] = []

    def dependencies(self) -> set[Dependency]:
        """What fills each slot of each word."""
        return {
            Dependency(word, category, slot, argument, _REACHES[level])
            for word, category, slot, variable in self._slots
            for argument, level in self.words(variable).items()
            if argument != word
        }

    def wait(self, word: int, category: Category, slot: int, variable: int) -> None:
        self._slots.append((word, category, slot, variable))

    def fresh(self, *words: int) -> int:
        self.parent.append(len(self.parent))
        self._words.append(words)
        return len(self.parent) - 1

    def allot(self, count: int) -> int:
        first = len(self.parent)
        self.parent.extend(range(first, first + count))
        self._words.extend([()] * count)
        return first

    def equate(self, first: int, second: int) -> None:
        first, second = self.find(first), self.find(second)
        if first == second:
            return
        self.parent[second] = first
        if self._words[second]:
            mine = self._words[first]
            self._words[first] = mine + tuple(word for word in self._words[second] if word not in mine)
        if second in self._links:
            self._links.setdefault(first, []).extend(self._links.pop(second))

    def link(self, first: int, second: int, level: Level) -> None:
        if level == 0:
            self.equate(first, second)
            return
        first, second = self.find(first), self.find(second)
        if first != second:
            self._links.setdefault(first, []).append((second, level))
            self._links.setdefault(second, []).append((first, level))

    def words(self, variable: int) -> dict[int, Level]:
        """The words that head a variable, each with how far it has travelled on its shortest way."""
        root = self.find(variable)
        if root not in self._links:
            return dict.fromkeys(self._words[root], 0)
        found: dict[int, Level] = {}
        seen: set[int] = set()
        pending: tuple[list[int], list[int], list[int]] = ([root], [], [])
        for level in (0, 1, 2):
            while pending[level]:
                current = self.find(pending[level].pop())
                if current in seen:
                    continue
                seen.add(current)
                for word in self._words[current]:
                    found.setdefault(word, level)
                for other, step in self._links.get(current, ()):
                    pending[max(level, step)].append(other)
        return found


def _order(dependency: Dependency) -> tuple[int, int, int, str, str]:
    return dependency.head, dependency.slot, dependency.argument, str(dependency.category), dependency.reach
