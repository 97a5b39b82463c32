r"""Categories of CCG in CCGbank's notation: ``(S[dcl]\NP)/NP``.

Categories are interned: two of the same shape are the same object, so equality is identity and hashing is fast. This
makes it possible to compile a grammar of thousands of rules in seconds. A category that is no longer used is freed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from threading import RLock
from typing import Literal, NoReturn, TypeVar
from weakref import WeakValueDictionary

from starccg.errors import StarccgError

Slash = Literal["/", "\\"]
T = TypeVar("T")

PUNCTUATION_NAMES = frozenset({",", ".", ":", ";", "!", "?", "-", "''", "``", "LRB", "RRB", "LQU", "RQU"})
"""The atoms of punctuation marks."""

VARIABLE = "X"
"""The feature that stands for any feature, as in ``S[X]/(S[X]\\NP)``."""

MAX_NESTING = 64
"""The maximum depth of brackets, far above that of any treebank, so that hostile input cannot exhaust the stack."""

MAX_ATOMS = 128
"""The maximum number of atoms of a category, for the same reason."""

MAX_LENGTH = 4000
"""The maximum length of a category in characters: an atom may have any name, and caches hold many categories."""

REMEMBERED = 16384
"""Categories that a cache holds: more than any treebank or grammar has, so that hostile ones cannot fill the memory."""

_TOKEN = re.compile(
    r"(?P<atom>[A-Za-z][A-Za-z0-9_@~+*-]*|''|``|[.,:;!?$#\"'`-])(?:\[(?P<feature>[^\[\]()/\\\s<>]+)\])?|(?P<sign>[()/\\])"
)


class CategoryError(StarccgError):
    """A text that is not a category, with the column of the first error (from 0)."""

    def __init__(self, text: str, column: int, reason: str) -> None:
        shown = text if len(text) <= 400 else f"{text[:397]}..."
        super().__init__(f"not a category: {shown!r}, column {column + 1}: {reason}")
        self.text = text
        self.column = column
        self.reason = reason


class Category:
    """An atom or a functor. Make one with :meth:`parse`, :meth:`Atom.of` or :meth:`Functor.of`."""

    __slots__ = ("__weakref__", "_text")
    __match_args__: tuple[str, ...] = ()
    _text: str

    @staticmethod
    @lru_cache(maxsize=REMEMBERED)
    def parse(text: str) -> Category:
        """Read CCGbank notation; slashes without brackets associate to the left, as in textbooks."""
        return read_category(text, _TOKEN, lambda token: Atom.of(token["atom"], token["feature"]), Functor.of, _inner)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Category({self._text!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return _unpickle, (self._text,)  # copies and other processes intern it again

    def __copy__(self) -> Category:
        return self

    def __deepcopy__(self, memo: object) -> Category:
        return self

    def __lt__(self, other: Category) -> bool:
        return self._text < other._text

    def __truediv__(self, argument: Category) -> Functor:
        """``S / NP`` seeks an NP to its right."""
        return Functor.of(self, "/", argument)

    def __or__(self, argument: Category) -> Functor:
        """``S | NP`` stands for ``S\\NP``: Python has no backslash operator."""
        return Functor.of(self, "\\", argument)

    @property
    def arguments(self) -> tuple[tuple[Slash, Category], ...]:
        """The slots from the innermost (slot 1 of the dependencies) to the outermost."""
        slots: list[tuple[Slash, Category]] = []
        category: Category = self
        while isinstance(category, Functor):
            slots.append((category.slash, category.argument))
            category = category.result
        return tuple(reversed(slots))

    @property
    def target(self) -> Atom:
        """The innermost result: S of ``(S\\NP)/NP``."""
        category: Category = self
        while isinstance(category, Functor):
            category = category.result
        assert isinstance(category, Atom)
        return category

    @property
    def arity(self) -> int:
        """The number of arguments."""
        return len(self.arguments)

    @property
    def is_modifier(self) -> bool:
        """Whether it is ``X/X`` or ``X\\X``."""
        return isinstance(self, Functor) and self.result.bare_nb is self.argument.bare_nb

    @property
    def is_type_raised(self) -> bool:
        """Whether it is ``T/(T\\Y)`` or ``T\\(T/Y)``."""
        return (
            isinstance(self, Functor)
            and isinstance(self.argument, Functor)
            and self.argument.slash != self.slash
            and self.argument.result is self.result
        )

    @property
    def is_punctuation(self) -> bool:
        """Whether it is the category of a punctuation mark."""
        return isinstance(self, Atom) and self.name in PUNCTUATION_NAMES

    @property
    def atoms(self) -> Iterator[Atom]:
        """Its atoms from left to right."""
        stack: list[Category] = [self]
        while stack:
            category = stack.pop()
            if isinstance(category, Functor):
                stack += (category.argument, category.result)
            else:
                assert isinstance(category, Atom)
                yield category

    @property
    def size(self) -> int:
        """The number of atoms."""
        return sum(1 for _ in self.atoms)

    @property
    def skeleton(self) -> Category:
        """The same category without features."""
        return _without_features(self)

    @property
    def bare_nb(self) -> Category:
        """The same without ``[nb]``, CCGbank's mark of non-bare noun phrases, which no rule uses."""
        return _without_nb(self)


class Atom(Category):
    """A basic category with at most one feature: ``NP``, ``S[dcl]``, ``conj``, a comma."""

    __slots__ = ("feature", "name")
    __match_args__ = ("name", "feature")
    name: str
    feature: str | None

    @staticmethod
    def of(name: str, feature: str | None = None) -> Atom:
        """The interned atom of this name and feature."""
        key = (name, feature)
        return _ATOMS.get(key) or _intern(_ATOMS, Atom, key, f"{name}[{feature}]" if feature else name)


class Functor(Category):
    """A category that seeks an argument: result, slash, argument."""

    __slots__ = ("argument", "result", "slash")
    __match_args__ = ("result", "slash", "argument")
    result: Category
    slash: Slash
    argument: Category

    @staticmethod
    def of(result: Category, slash: Slash, argument: Category) -> Functor:
        """The interned functor of these parts."""
        key = (result, slash, argument)
        known = _FUNCTORS.get(key)
        return known or _intern(_FUNCTORS, Functor, key, f"{_bracket(result)}{slash}{_bracket(argument)}")


Key = TypeVar("Key", bound=tuple[object, ...])
C = TypeVar("C", bound=Category)
_ATOMS: WeakValueDictionary[tuple[str, str | None], Atom] = WeakValueDictionary()
_FUNCTORS: WeakValueDictionary[tuple[Category, Slash, Category], Functor] = WeakValueDictionary()
_LOCK = RLock()
"""Held while a category is added: two threads must not make the same category twice."""


def _intern(table: WeakValueDictionary[Key, C], kind: type[C], key: Key, text: str) -> C:
    """Make the category whose parts are the key, unless another thread has just made it."""
    with _LOCK:
        category = table.get(key)
        if category is None:
            category = kind.__new__(kind)
            for part, value in zip(kind.__match_args__, key, strict=True):
                setattr(category, part, value)
            category._text = text
            table[key] = category
        return category


def _bracket(category: Category) -> str:
    return f"({category})" if isinstance(category, Functor) else str(category)


def _unpickle(text: str) -> Category:
    return Category.parse(text)


@lru_cache(maxsize=REMEMBERED)
def _without_features(category: Category) -> Category:
    return map_atoms(category, lambda atom: Atom.of(atom.name))


@lru_cache(maxsize=REMEMBERED)
def _without_nb(category: Category) -> Category:
    return map_atoms(category, lambda atom: Atom.of(atom.name) if atom.feature == "nb" else atom)


def map_atoms(category: Category, change: Callable[[Atom], Category]) -> Category:
    """The category with every atom changed."""
    if isinstance(category, Functor):
        return Functor.of(map_atoms(category.result, change), category.slash, map_atoms(category.argument, change))
    assert isinstance(category, Atom)
    return change(category)


def _inner(category: Category, _: re.Match[str]) -> Category:
    return category


def read_category(
    text: str,
    tokens: re.Pattern[str],
    atom: Callable[[re.Match[str]], T],
    functor: Callable[[T, Slash, T], T],
    close: Callable[[T, re.Match[str]], T],
) -> T:
    """Shift tokens; reduce ``result slash argument`` as soon as the argument is complete.

    A token is either an ``atom`` or a ``sign``, which are groups of the pattern. ``close`` gives what a pair of
    brackets holds, once it is closed.
    """
    frames: list[tuple[T | None, Slash | None]] = []  # the result and slash before each open bracket
    left: T | None = None
    slash: Slash | None = None
    position = atoms = 0

    def fail(reason: str) -> NoReturn:
        raise CategoryError(text, position, reason)

    def attach(operand: T) -> T:
        if left is None:
            return operand
        if slash is None:
            fail("a slash is missing before this")
        return functor(left, slash, operand)

    while position < len(text):
        token = tokens.match(text, position)
        if token is None:
            fail(f"unexpected {text[position]!r}")
        sign = token["sign"]
        if sign is None:
            atoms += 1
            if atoms > MAX_ATOMS:
                fail(f"more than {MAX_ATOMS} atoms")
            left, slash = attach(atom(token)), None
        elif sign == "(":
            if left is not None and slash is None:
                fail("a slash is missing before this bracket")
            if len(frames) == MAX_NESTING:
                fail(f"brackets nest deeper than {MAX_NESTING}")
            frames.append((left, slash))
            left = slash = None
        elif sign == ")":
            if not frames:
                fail("a closing bracket without an opening one")
            if left is None or slash is not None:
                fail("a category is missing before this bracket")
            inner = close(left, token)
            left, slash = frames.pop()
            left, slash = attach(inner), None
        else:
            if left is None or slash is not None:
                fail("a category is missing before this slash")
            slash = "/" if sign == "/" else "\\"
        position = token.end()
    if frames:
        fail("a bracket is not closed")
    if left is None or slash is not None:
        fail("a category is missing at the end")
    if len(text) > MAX_LENGTH:
        fail(f"longer than {MAX_LENGTH} characters")
    return left
