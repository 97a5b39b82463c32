"""Head variables: which words a part of a category has for its heads, known before or after they are met.

Variables that are made equal form a class. Two classes may also be linked across a boundary: heads pass, but what
passes has travelled (bounded or unbounded). Classes merge as a derivation is read; their heads are asked for later.
"""

from __future__ import annotations

Level = int
"""How far a head has travelled: 0 local, 1 bounded, 2 unbounded."""


class Variables:
    """A union-find of head variables with words in it and links between classes."""

    __slots__ = ("_links", "_parent", "_words")

    def __init__(self) -> None:
        self._parent: list[int] = []
        self._words: list[tuple[int, ...]] = []
        self._links: dict[int, list[tuple[int, Level]]] = {}

    def fresh(self, *words: int) -> int:
        """A new variable, headed by ``words``."""
        self._parent.append(len(self._parent))
        self._words.append(words)
        return len(self._parent) - 1

    def allot(self, count: int) -> int:
        """``count`` new variables without heads; the first of them."""
        first = len(self._parent)
        self._parent.extend(range(first, first + count))
        self._words.extend([()] * count)
        return first

    def find(self, variable: int) -> int:
        """The variable that stands for its class."""
        parent = self._parent
        while parent[variable] != variable:
            parent[variable] = variable = parent[parent[variable]]
        return variable

    def equate(self, first: int, second: int) -> None:
        """Both have the same heads from now on."""
        first, second = self.find(first), self.find(second)
        if first == second:
            return
        self._parent[second] = first
        if self._words[second]:
            mine = self._words[first]
            self._words[first] = mine + tuple(word for word in self._words[second] if word not in mine)
        if second in self._links:
            self._links.setdefault(first, []).extend(self._links.pop(second))

    def link(self, first: int, second: int, level: Level) -> None:
        """Heads of one are heads of the other, ``level`` steps away."""
        if level == 0:
            self.equate(first, second)
            return
        first, second = self.find(first), self.find(second)
        if first != second:
            self._links.setdefault(first, []).append((second, level))
            self._links.setdefault(second, []).append((first, level))

    def words(self, variable: int) -> dict[int, Level]:
        """The words that head it, each with how far it has travelled on its shortest way."""
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
