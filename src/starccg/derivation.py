"""Derivations: immutable trees of categories over words.

A derivation is a :class:`Leaf`, a :class:`Unary` or a :class:`Binary`, and matches as one::

    match derivation:
        case Binary(category, (left, right)): ...

Everything here walks with a stack of its own: a thousand-word sentence must not exhaust Python's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from starccg.ccg.category import Category
from starccg.ccg.rules import Rule


class Derivation:
    """What all three kinds of node share."""

    __slots__ = ()
    category: Category

    @property
    def children(self) -> tuple[Derivation, ...]:
        """Its children from left to right."""
        raise NotImplementedError

    @property
    def rule(self) -> Rule | None:
        """The rule type that built it; None for a node no rule of the grammar licenses."""
        raise NotImplementedError

    def leaves(self) -> Iterator[Leaf]:
        """The leaves from left to right."""
        stack: list[Derivation] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, Leaf):
                yield node
            else:
                stack.extend(reversed(node.children))

    def postorder(self) -> Iterator[Derivation]:
        """All nodes, children before parents, left before right."""
        stack: list[tuple[Derivation, bool]] = [(self, False)]
        while stack:
            node, visited = stack.pop()
            if visited or isinstance(node, Leaf):
                yield node
            else:
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(node.children))

    def spans(self) -> Iterator[tuple[int, int, Derivation]]:
        """All nodes in post-order with the words they cover: start, end, node."""
        starts: list[tuple[int, int]] = []
        position = 0
        for node in self.postorder():
            if isinstance(node, Leaf):
                start, position = position, position + 1
            else:
                start = starts[-len(node.children)][0]
                del starts[-len(node.children) :]
            starts.append((start, position))
            yield start, position, node

    @property
    def words(self) -> list[str]:
        """The words from left to right."""
        return [leaf.word for leaf in self.leaves()]

    @property
    def supertags(self) -> list[Category]:
        """The lexical categories from left to right."""
        return [leaf.category for leaf in self.leaves()]

    @property
    def head_leaf(self) -> Leaf:
        """The leaf that the heads of the nodes lead to."""
        node: Derivation = self
        while not isinstance(node, Leaf):
            node = node.children[node.head] if isinstance(node, Binary) else node.children[0]
        return node

    def __len__(self) -> int:
        return sum(1 for _ in self.leaves())

    def __iter__(self) -> Iterator[Derivation]:
        return self.postorder()


@dataclass(frozen=True, slots=True)
class Leaf(Derivation):
    """A word with its supertag, and what CCGbank writes beside it."""

    category: Category
    word: str
    pos: str = "X"
    """The part of speech as CCGbank modified it."""
    original_pos: str = "X"
    """The Penn Treebank's part of speech."""
    indexed: str | None = None
    """The predicate-argument category as written; None stands for the category itself."""

    @property
    def children(self) -> tuple[Derivation, ...]:
        """None."""
        return ()

    @property
    def rule(self) -> Rule:
        """The lexicon."""
        return Rule.LEXICON


@dataclass(frozen=True, slots=True)
class Unary(Derivation):
    """A type change or type raising over one child."""

    __match_args__ = ("category", "child")
    category: Category
    child: Derivation
    rule: Rule | None = None

    @property
    def children(self) -> tuple[Derivation, ...]:
        """The one child."""
        return (self.child,)


@dataclass(frozen=True, slots=True)
class Binary(Derivation):
    """Two neighbours joined by a rule; ``head`` is 0 or 1."""

    __match_args__ = ("category", "children")
    category: Category
    left: Derivation
    right: Derivation
    rule: Rule | None = None
    head: int = 0

    @property
    def children(self) -> tuple[Derivation, ...]:
        """Left and right."""
        return (self.left, self.right)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A derivation as a treebank holds it: with its name and what else its header said."""

    id: str
    derivation: Derivation
    fields: tuple[tuple[str, str], ...] = field(default=())
    """The rest of the header in its order, such as ``PARSER=GOLD``."""
    conj_suffix: bool = False
    r"""Whether conjunction nodes are written ``X[conj]`` (CCGbank) or ``X\X`` (PMB)."""
