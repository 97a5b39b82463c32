"""How two phrases make the category that is wanted, by the rules of a grammar.

The treebank converters build their derivations with this, so that every node is licensed as it is made.
"""

from __future__ import annotations

from functools import lru_cache

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Unary
from starccg.ccg.grammar import Grammar
from starccg.ccg.rules import Rule


class Unconvertible(Exception):  # noqa: N818 - a finding, not a fault
    """A phrase that no rule of a converter turns into a derivation, and why."""

    def __init__(self, reason: str, word: int = -1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.word = word


def change(grammar: Grammar, node: Derivation, result: Category) -> Derivation:
    """A unary rule over ``node``."""
    for rule in grammar.change(node.category):
        if rule.result is result:
            return Unary(result, node, rule.rule)
    raise Unconvertible(f"no rule {node.category} -> {result}")


def join(
    grammar: Grammar, left: Derivation, right: Derivation, wanted: Category, rule: Rule | None = None
) -> Derivation:
    """One binary node, raising a child's type where only that makes it."""
    recipe = _recipe(_Key(grammar), left.category, right.category, wanted, rule)
    if recipe is None:
        raise Unconvertible(f"no rule {left.category} + {right.category} -> {wanted}")
    left_changes, right_changes, made, head = recipe
    for result, kind in left_changes:
        left = Unary(result, left, kind)
    for result, kind in right_changes:
        right = Unary(result, right, kind)
    return Binary(wanted, left, right, made, head)


def joins(grammar: Grammar, left: Category, right: Category, wanted: Category, rule: Rule | None = None) -> bool:
    """Whether :func:`join` would find a rule."""
    return _recipe(_Key(grammar), left, right, wanted, rule) is not None


def compose(grammar: Grammar, left: Derivation, right: Derivation) -> Derivation:
    """Two arguments of a verb as one phrase: raised backward, and composed."""
    for left_changes, left_as in _options(_Key(grammar), left.category):
        for right_changes, right_as in _options(_Key(grammar), right.category):
            for made, rule, head in grammar.combine(left_as, right_as):
                if rule is Rule.BACKWARD_COMPOSITION and left_changes and right_changes:
                    for result, kind in left_changes:
                        left = Unary(result, left, kind)
                    for result, kind in right_changes:
                        right = Unary(result, right, kind)
                    return Binary(made, left, right, rule, head)
    raise Unconvertible(f"no rule composes {left.category} and {right.category}")


class _Key:
    """A grammar as a cache key, by identity: hashing its rules at every node would cost more than using them."""

    __slots__ = ("grammar",)

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar

    def __hash__(self) -> int:
        return id(self.grammar)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.grammar is self.grammar


_Changes = tuple[tuple[Category, Rule], ...]


@lru_cache(maxsize=1 << 17)
def _recipe(
    key: _Key, left: Category, right: Category, wanted: Category, rule: Rule | None
) -> tuple[_Changes, _Changes, Rule, int] | None:
    grammar = key.grammar
    for left_changes, left_as in _options(key, left):
        for right_changes, right_as in _options(key, right):
            for made, how, head in grammar.combine(left_as, right_as):
                if made is wanted and rule in (None, how):
                    return left_changes, right_changes, how, head
    return None


@lru_cache(maxsize=1 << 15)
def _options(key: _Key, category: Category) -> tuple[tuple[_Changes, Category], ...]:
    """The category as it is, after one unary rule, and raised after ``N -> NP``."""
    grammar = key.grammar
    found: list[tuple[_Changes, Category]] = [((), category)]
    for change in grammar.change(category):
        if change.rule is Rule.TYPE_CHANGE and category.target.name != "N":
            continue
        found.append((((change.result, change.rule),), change.result))
        if change.rule is Rule.TYPE_CHANGE:
            found.extend(
                (((change.result, change.rule), (raised.result, raised.rule)), raised.result)
                for raised in grammar.change(change.result)
                if raised.rule is not Rule.TYPE_CHANGE
            )
    return tuple(found)
