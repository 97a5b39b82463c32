"""Derivations: immutable trees of categories over words.

A derivation is a :class:`Leaf`, a :class:`Unary` or a :class:`Binary`, and matches as one::

    match derivation:
        case Binary(category, (left, right)): ...

Nothing here recurses, not even comparing and pickling, so a sentence of a thousand words cannot exceed Python's
recursion limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeVar

from starccg.ccg.category import Category
from starccg.ccg.rules import Rule
from starccg.hooks import call, provided

if TYPE_CHECKING:
    from starccg.dependencies.types import Dependency

T = TypeVar("T")

UNKNOWN_POS = "X"
"""The part of speech of a word that has none."""
SHOWN = 60
"""The number of characters of a sentence that ``repr`` shows."""


class Derivation:
    """The base class of the three kinds of nodes."""

    __slots__ = ()
    category: Category

    @property
    def children(self) -> tuple[Derivation, ...]:
        """Its children from left to right."""
        raise NotImplementedError

    @property
    def rule(self) -> Rule | None:
        """The rule type that built it; None if no rule of the grammar licenses the node."""
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
        stack: list[Derivation] = [self]
        found: list[Derivation] = []  # parents before children, right before left: the reverse
        while stack:
            node = stack.pop()
            found.append(node)
            stack.extend(node.children)
        return reversed(found)

    def brackets(self) -> Iterator[tuple[int, Derivation | None]]:
        """Each node with its depth when it begins, from left to right; None where one that has children ends."""
        stack: list[tuple[int, Derivation | None]] = [(0, self)]
        while stack:
            depth, node = top = stack.pop()
            yield top
            if node is not None and node.children:
                stack.append((depth, None))
                stack.extend((depth + 1, child) for child in reversed(node.children))

    def fold(self, make: Callable[[Derivation, list[T]], T]) -> T:
        """The value of the root; ``make`` gives that of each node from the node and the values of its children."""
        built: list[T] = []
        for node in self.postorder():
            first = len(built) - len(node.children)
            built[first:] = [make(node, built[first:])]
        return built.pop()

    def rebuilt(self, children: Sequence[Derivation], category: Category | None = None) -> Derivation:
        """The same node over other children, or with another category."""
        category = self.category if category is None else category
        match self:
            case Binary():
                return Binary(category, children[0], children[1], self.rule, self.head)
            case Unary():
                return Unary(category, children[0], self.rule)
            case Leaf() if category is not self.category:
                return replace(self, category=category)
        return self

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
    def dependencies(self) -> tuple[Dependency, ...]:
        """Which word fills which argument slot of which word; computed at each access."""
        return call("dependencies", self)

    def draw(self, width: int | None = None) -> str:
        """A text drawing of at most ``width`` columns; 0 never wraps, None is the terminal's width."""
        return call("draw", self, width)

    def to(self, name: str, **options: Any) -> str:
        """The text of this derivation in any format that can be written: ``auto``, ``json``, ``svg``, ``latex``, ..."""
        return "\n".join(provided("format_named")(name).write([Sentence("1", self)], **options))

    def to_dict(self) -> dict[str, Any]:
        """The derivation as JSON holds it: tokens, and nodes that refer to their children by number."""
        return call("to_json", Sentence("1", self))

    def _repr_html_(self) -> str:
        """The HTML that a notebook shows."""
        return call("html", self)

    def _repr_svg_(self) -> str:
        """The SVG that a notebook exports."""
        return call("svg", self, standalone=True)

    def __len__(self) -> int:
        return sum(1 for _ in self.leaves())

    def __iter__(self) -> Iterator[Derivation]:
        return self.postorder()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.category}, {shorten(leaf.word for leaf in self.leaves())!r})"

    def __str__(self) -> str:
        return self.draw()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Derivation):
            return NotImplemented
        if self is other:
            return True
        pairs = zip_longest(self.postorder(), other.postorder())
        return all(one is not None and two is not None and one._own() == two._own() for one, two in pairs)

    def __hash__(self) -> int:
        return hash(tuple(node._own() for node in self.postorder()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (tuple(node._own() for node in self.postorder()),)

    def _own(self) -> tuple[Any, ...]:
        """Its class and fields without its children. The list of these in post-order determines the tree."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Leaf(Derivation):
    """A word with its supertag and CCGbank's annotation."""

    category: Category
    word: str
    pos: str = UNKNOWN_POS
    """The part of speech, as modified in CCGbank."""
    original_pos: str = UNKNOWN_POS
    """The Penn Treebank's part of speech."""
    indexed: str | None = None
    """The predicate-argument category as written; None if it is the category itself."""
    lemma: str | None = None
    """The dictionary form; None if it is not known."""

    @property
    def children(self) -> tuple[Derivation, ...]:
        """Always empty."""
        return ()

    @property
    def rule(self) -> Rule:
        """The lexicon."""
        return Rule.LEXICON

    def _own(self) -> tuple[Any, ...]:
        return Leaf, self.category, self.word, self.pos, self.original_pos, self.indexed, self.lemma


@dataclass(frozen=True, slots=True, repr=False, eq=False)
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

    def _own(self) -> tuple[Any, ...]:
        return Unary, self.category, self.rule


@dataclass(frozen=True, slots=True, repr=False, eq=False)
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

    def _own(self) -> tuple[Any, ...]:
        return Binary, self.category, self.rule, self.head


def shorten(words: Iterable[str]) -> str:
    """The words of a sentence, cut to a readable length."""
    text = ""
    for word in words:
        text = f"{text} {word}" if text else word
        if len(text) > SHOWN:
            return text[: SHOWN - 1] + "…"
    return text


def _rebuild(owns: tuple[tuple[Any, ...], ...]) -> Derivation:
    built: list[Derivation] = []
    for kind, category, *rest in owns:
        if kind is Leaf:
            built.append(Leaf(category, *rest))
        elif kind is Unary:
            built.append(Unary(category, built.pop(), *rest))
        else:
            right, left = built.pop(), built.pop()
            built.append(Binary(category, left, right, *rest))
    return built.pop()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A derivation in a treebank: with its name and the other fields of its header."""

    id: str
    derivation: Derivation
    fields: tuple[tuple[str, str], ...] = field(default=())
    """The rest of the header in its order, such as ``PARSER=GOLD``."""
    conj_suffix: bool = False
    r"""Whether conjunction nodes are written ``X[conj]`` (CCGbank) or ``X\X`` (PMB)."""
