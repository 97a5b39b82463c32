r"""A grammar as a value: combinators, unary rules, punctuation, roots, normal form and, optionally, the seen rules.

It can be saved, loaded, induced from a treebank (:mod:`starccg.ccg.induction`) and compiled to integers
(:mod:`starccg.ccg.compiler`). :meth:`Grammar.combine` and :meth:`Grammar.change` define what it allows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from starccg.ccg.category import REMEMBERED, Category, CategoryError, Functor
from starccg.ccg.combinators import COMBINATORS, TAKES
from starccg.ccg.normal_form import BLOCKS, NormalForm
from starccg.ccg.rules import Rule
from starccg.ccg.unification import substitute
from starccg.errors import StarccgError

ENGLISH_COMBINATORS = frozenset(
    {
        Rule.FORWARD_APPLICATION,
        Rule.BACKWARD_APPLICATION,
        Rule.FORWARD_COMPOSITION,
        Rule.BACKWARD_CROSSED_COMPOSITION,
        Rule.GENERALISED_FORWARD_COMPOSITION,
        Rule.GENERALISED_BACKWARD_CROSSED_COMPOSITION,
    }
)
OTHER_COMBINATORS = frozenset(COMBINATORS) - ENGLISH_COMBINATORS
"""Additional combinators of other treebanks: backward harmonic and forward crossed composition, also generalised."""

CONJUNCTIONS = frozenset(Category.parse(name) for name in ("conj", ",", ";"))
FORMAT = "starccg-grammar-1"
MOST_ROOT_COST = 1000.0


class GrammarError(StarccgError):
    """A grammar that cannot be read or saved."""


class Combination(NamedTuple):
    """The result of two adjacent categories: the category, the rule type, and which child is the head (0 or 1)."""

    category: Category
    rule: Rule
    head: int


class UnaryChange(NamedTuple):
    """``child -> result`` by a type change or by type raising."""

    child: Category
    result: Category

    @property
    def rule(self) -> Rule:
        """By shape: ``Y -> T/(T\\Y)`` raises forward, ``Y -> T\\(T/Y)`` backward, everything else is a type change."""
        return unary_rule(self.child, self.result)


class CommaRule(NamedTuple):
    """A rule that attaches a punctuation mark and changes the type: ``, S[ng]\\NP -> (S\\NP)\\(S\\NP)``."""

    left: Category
    right: Category
    result: Category


@dataclass(frozen=True, slots=True)
class Grammar:
    """Which categories combine, and how."""

    combinators: frozenset[Rule] = ENGLISH_COMBINATORS
    unary: tuple[UnaryChange, ...] = ()
    comma_rules: tuple[CommaRule, ...] = ()
    conjunctions: frozenset[Category] = CONJUNCTIONS
    not_conjoined: frozenset[Category] = frozenset()
    """Categories that do not coordinate; EasySRL has N here, CCGbank coordinates nouns."""
    roots: frozenset[Category] = frozenset()
    seen: frozenset[tuple[Category, Category]] | None = None
    """Pairs that may combine at all, as :func:`seen_key` writes them; None allows every pair."""
    normal_form: NormalForm = field(default_factory=NormalForm)
    root_costs: Mapping[Category, float] = field(default_factory=dict, hash=False)
    """The cost of a parse with this root, 0 if it is not listed. Never negative, since the search's bound relies on
    that. Computed from a treebank by :func:`starccg.ccg.induction.root_costs`."""

    def __post_init__(self) -> None:
        for root, cost in self.root_costs.items():
            if not 0 <= cost <= MOST_ROOT_COST:
                raise GrammarError(f"the cost of the root {root} must be from 0 to {MOST_ROOT_COST:g}, not {cost}")

    def combine(self, left: Category, right: Category) -> tuple[Combination, ...]:
        """All results of two adjacent categories, before the normal form is applied."""
        if self.seen is not None and not self._is_seen(left, right):
            return self._punctuation(left, right)
        found = [
            Combination(category, rule, head_side(rule, left, right))
            for rule, combinator in COMBINATORS.items()
            if rule in self.combinators and (category := combinator(left, right)) is not None
        ]
        if self.conjoins(left, right):
            found.append(Combination(Functor.of(right.bare_nb, "\\", right.bare_nb), Rule.CONJUNCTION, 1))
        found.extend(
            Combination(rule.result, Rule.COMMA, 1 if left.is_punctuation else 0)
            for rule in self.comma_rules
            if rule.left is left.bare_nb and rule.right is right.bare_nb
        )
        return (*found, *self._punctuation(left, right))

    def change(self, child: Category) -> tuple[UnaryChange, ...]:
        """All results of a unary rule on a category."""
        bare = child.bare_nb
        return tuple(change for change in self.unary if change.child is bare)

    def conjoins(self, left: Category, right: Category) -> bool:
        """Whether ``left`` is a conjunction that ``right`` may follow."""
        return (
            left in self.conjunctions
            and not right.is_punctuation
            and right not in self.conjunctions
            and not right.is_type_raised
            and right.bare_nb not in self.not_conjoined
        )

    def _punctuation(self, left: Category, right: Category) -> tuple[Combination, ...]:
        """Punctuation attaches to any phrase and does not change its category; the seen-rule filter ignores it."""
        if right.is_punctuation and not left.is_punctuation:
            return (Combination(left.bare_nb, Rule.RIGHT_PUNCTUATION, 0),)
        if left.is_punctuation and not right.is_punctuation:
            return (Combination(right.bare_nb, Rule.LEFT_PUNCTUATION, 1),)
        return ()

    def _is_seen(self, left: Category, right: Category) -> bool:
        assert self.seen is not None
        return (seen_key(left), seen_key(right)) in self.seen

    def without_filter(self) -> Grammar:
        """The same grammar with every pair allowed."""
        return replace(self, seen=None)

    def to_json(self) -> dict[str, Any]:
        """A plain value for :func:`json.dump`."""
        if self.normal_form.blocks not in (BLOCKS, ()):
            raise GrammarError("only the standard normal form, or none, can be saved")
        costs = sorted((str(root), cost) for root, cost in self.root_costs.items())
        return {
            "format": FORMAT,
            "combinators": sorted(rule.name for rule in self.combinators),
            "unary": [[str(change.child), str(change.result)] for change in self.unary],
            "comma_rules": [[str(part) for part in rule] for rule in self.comma_rules],
            "conjunctions": sorted(map(str, self.conjunctions)),
            "not_conjoined": sorted(map(str, self.not_conjoined)),
            "roots": sorted(map(str, self.roots)),
            **({"root_costs": dict(costs)} if costs else {}),
            "seen": None if self.seen is None else sorted([str(left), str(right)] for left, right in self.seen),
            "normal_form": {
                "blocks": "standard" if self.normal_form.blocks else "none",
                "left_punctuation_starts": self.normal_form.left_punctuation_starts,
                "type_change_chains": self.normal_form.type_change_chains,
            },
        }

    @classmethod
    def from_json(cls, value: Any) -> Grammar:
        """Read what :meth:`to_json` wrote; anything else raises :class:`GrammarError`."""
        try:
            if value["format"] != FORMAT:
                raise GrammarError(f"expected format {FORMAT!r}, found {value['format']!r}")
            form = value["normal_form"]
            parse = Category.parse
            return cls(
                combinators=frozenset(Rule[name] for name in value["combinators"]),
                unary=tuple(UnaryChange(parse(child), parse(result)) for child, result in value["unary"]),
                comma_rules=tuple(CommaRule(*map(parse, rule)) for rule in value["comma_rules"]),
                conjunctions=frozenset(map(parse, value["conjunctions"])),
                not_conjoined=frozenset(map(parse, value["not_conjoined"])),
                roots=frozenset(map(parse, value["roots"])),
                root_costs={parse(root): float(cost) for root, cost in value.get("root_costs", {}).items()},
                seen=None
                if value["seen"] is None
                else frozenset((parse(left), parse(right)) for left, right in value["seen"]),
                normal_form=NormalForm(
                    blocks=BLOCKS if form["blocks"] == "standard" else (),
                    left_punctuation_starts=bool(form["left_punctuation_starts"]),
                    type_change_chains=int(form["type_change_chains"]),
                ),
            )
        except CategoryError as error:
            raise GrammarError(f"not a saved grammar: {error}") from error
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            if isinstance(error, GrammarError):
                raise
            raise GrammarError(f"not a saved grammar: {type(error).__name__}: {error}") from error

    def dumps(self) -> str:
        """The grammar as JSON text."""
        return json.dumps(self.to_json(), indent=1, ensure_ascii=False)

    @classmethod
    def loads(cls, text: str) -> Grammar:
        """Read a grammar from JSON text."""
        try:
            value = json.loads(text)
        except json.JSONDecodeError as error:
            raise GrammarError(f"not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from error
        return cls.from_json(value)


def unary_rule(child: Category, result: Category) -> Rule:
    r"""The rule type of ``child -> result``: raising if the result takes the functor that seeks the child."""
    if isinstance(result, Functor) and result.is_type_raised:
        seeking = result.argument
        if isinstance(seeking, Functor) and seeking.argument.bare_nb is child.bare_nb:
            return Rule.FORWARD_TYPE_RAISING if result.slash == "/" else Rule.BACKWARD_TYPE_RAISING
    return Rule.TYPE_CHANGE


@lru_cache(maxsize=REMEMBERED)
def seen_key(category: Category) -> Category:
    """How a category is written in the seen rules: without ``[nb]`` and without the variable."""
    return substitute(category.bare_nb, "")


DETERMINER = Category.parse("NP/N")


@lru_cache(maxsize=REMEMBERED)
def head_side(rule: Rule, left: Category, right: Category) -> int:
    """Which child is the head in CCGbank: the functor, unless it is a modifier, type-raised or a determiner."""
    if rule is Rule.RIGHT_PUNCTUATION:
        return 0
    if rule in (Rule.LEFT_PUNCTUATION, Rule.CONJUNCTION, Rule.COMMA):
        return 1
    side, _ = TAKES[rule]
    functor = right if side else left
    yields = functor.is_modifier or functor.is_type_raised or functor.bare_nb is DETERMINER
    return 1 - side if yields else side
