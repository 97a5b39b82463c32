r"""Induce a grammar from a treebank: lexicon, unary and comma rules, roots, and the pairs that combine in it.

The pairs are the seen-rule filter: with it the closure over the lexical categories is finite and compiles in seconds.
Rules that occur once are mostly annotation errors, hence the minimum counts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeVar

from starccg.ccg.category import REMEMBERED, VARIABLE, Atom, Category, Functor
from starccg.ccg.combinators import COMBINATORS
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.english import ENGLISH, is_refused
from starccg.ccg.grammar import CommaRule, Grammar, UnaryChange, seen_key, unary_rule
from starccg.ccg.rules import Rule

T = TypeVar("T")

_MARKS = frozenset({Rule.RIGHT_PUNCTUATION, Rule.LEFT_PUNCTUATION})
_RAISING = frozenset({Rule.FORWARD_TYPE_RAISING, Rule.BACKWARD_TYPE_RAISING})


@dataclass(slots=True)
class Counts:
    """How often each category, rule and pair occurs in a treebank."""

    sentences: int = 0
    lexical: Counter[Category] = field(default_factory=Counter)
    rules: Counter[Rule] = field(default_factory=Counter)
    unary: Counter[UnaryChange] = field(default_factory=Counter)
    comma_rules: Counter[CommaRule] = field(default_factory=Counter)
    pairs: Counter[tuple[Category, Category]] = field(default_factory=Counter)
    roots: Counter[Category] = field(default_factory=Counter)
    unlicensed: Counter[tuple[Category, Category, Category]] = field(default_factory=Counter)
    """Binary nodes that no rule licenses: left, right, result."""

    def add(self, derivation: Derivation) -> None:
        """Count one sentence."""
        self.sentences += 1
        self.roots[derivation.category.bare_nb] += 1
        for node in derivation.postorder():
            category = node.category.bare_nb
            match node:
                case Leaf():
                    self.lexical[category] += 1
                    self.rules[Rule.LEXICON] += 1
                case Unary(_, child):
                    change = raised_with_variable(UnaryChange(child.category.bare_nb, category))
                    self.unary[change] += 1
                    self.rules[change.rule] += 1
                case Binary(_, (left, right), rule=rule):
                    self._binary(left.category.bare_nb, right.category.bare_nb, category, rule)

    def _binary(self, left: Category, right: Category, result: Category, rule: Rule | None) -> None:
        if rule is None and (left.is_punctuation or right.is_punctuation):
            rule = Rule.COMMA
        if rule is None:
            self.unlicensed[left, right, result] += 1
            return
        self.rules[rule] += 1
        if rule is Rule.COMMA:
            self.comma_rules[CommaRule(left, right, result)] += 1
        if rule not in _MARKS:
            self.pairs[seen_key(left), seen_key(right)] += 1


@dataclass(frozen=True, slots=True)
class Induced:
    """A grammar, and the lexical categories to compile it with, most frequent first."""

    grammar: Grammar
    lexical: tuple[Category, ...]


def count(derivations: Iterable[Derivation]) -> Counts:
    """Count a treebank."""
    counts = Counts()
    for derivation in derivations:
        counts.add(derivation)
    return counts


def induce(
    counts: Counts,
    *,
    base: Grammar = ENGLISH,
    min_unary: int = 2,
    min_comma: int = 2,
    min_root: int = 5,
    min_combinator: int | None = None,
    seen: bool = True,
    refuse: bool = False,
    root_weight: float = 0.0,
) -> Induced:
    """The grammar ``base`` with the rules that are frequent enough in the treebank; ``seen``: restricted to its pairs.

    With ``refuse``, type changes that :func:`starccg.ccg.english.is_refused` names are left out, however frequent.
    Combinators that it lacks are added only if ``min_combinator`` is given, because automatic parses use all.
    With a ``root_weight`` above zero, roots have the costs of :func:`root_costs`.
    """
    combinators = base.combinators
    if min_combinator is not None:
        used = {rule for rule, times in counts.rules.items() if times >= min_combinator}
        combinators |= used & frozenset(COMBINATORS)
    changes = Counter({c: times for c, times in counts.unary.items() if not (refuse and is_refused(c))})
    roots = base.roots | {root for root, times in counts.roots.items() if times >= min_root}
    grammar = replace(
        base,
        combinators=combinators,
        unary=_extend(base.unary, changes, min_unary),
        comma_rules=_extend(base.comma_rules, counts.comma_rules, min_comma),
        roots=roots,
        root_costs=root_costs(counts, root_weight, roots) if root_weight else {},
        seen=frozenset(counts.pairs) if seen else None,
    )
    return Induced(grammar, tuple(category for category, _ in _by_frequency(counts.lexical)))


def root_costs(
    counts: Counts | Mapping[Category, int], weight: float, roots: Iterable[Category] | None = None
) -> dict[Category, float]:
    """The cost of each root: ``weight * (log of the highest count - log of its count)``, 0 for the most frequent.

    Given ``roots``, exactly those have a cost, and one that was never seen costs as much as one seen once.
    """
    times = counts.roots if isinstance(counts, Counts) else counts
    seen = {root: max(times.get(root, 0), 1) for root in (times if roots is None else roots)}
    most = max(seen.values(), default=1)
    return {root: weight * (math.log(most) - math.log(often)) for root, often in _by_frequency(Counter(seen))}


def _extend(known: tuple[T, ...], counted: Counter[T], minimum: int) -> tuple[T, ...]:
    more = [rule for rule, times in _by_frequency(counted) if times >= minimum and rule not in set(known)]
    return (*known, *more)


def _by_frequency(counted: Counter[T]) -> list[tuple[T, int]]:
    """Most frequent first, ties in alphabetical order: the same treebank gives the same grammar."""
    return sorted(counted.items(), key=lambda pair: (-pair[1], str(pair[0])))


@lru_cache(maxsize=REMEMBERED)
def raised_with_variable(change: UnaryChange) -> UnaryChange:
    r"""Type raising with the variable: ``NP -> S[dcl]/(S[dcl]\NP)`` is an instance of ``NP -> S[X]/(S[X]\NP)``."""
    if unary_rule(*change) not in _RAISING:
        return change
    assert isinstance(change.result, Functor) and isinstance(change.result.argument, Functor)
    target = _with_variable(change.result.result)
    seeking = Functor.of(target, change.result.argument.slash, change.result.argument.argument)
    return UnaryChange(change.child, Functor.of(target, change.result.slash, seeking))


def _with_variable(category: Category) -> Category:
    if isinstance(category, Functor):
        return Functor.of(_with_variable(category.result), category.slash, category.argument)
    assert isinstance(category, Atom)
    return Atom.of(category.name, VARIABLE) if category.name == "S" else category
