"""Editing derivations: join, rebuild and retype; each raises an error where the grammar does not license the result.

``retype`` gives a phrase another category and changes the words below it accordingly, so that a rule of the
normalisation only has to say what category a phrase gets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from starccg.ccg.category import Category, Functor, Slash
from starccg.ccg.combinators import TAKES
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.english import ENGLISH
from starccg.ccg.grammar import OTHER_COMBINATORS, Combination, Grammar, UnaryChange, unary_rule
from starccg.ccg.rules import Rule

EXTRA_UNARY = (UnaryChange(Category.parse(r"S[adj]\NP"), Category.parse("N/N")),)
"""What PMB changes and CCGbank writes in the lexicon; allowed while a derivation is being rewritten."""

EDITING_GRAMMAR = Grammar(
    combinators=ENGLISH.combinators | OTHER_COMBINATORS,
    unary=(*ENGLISH.unary, *EXTRA_UNARY),
    comma_rules=ENGLISH.comma_rules,
    roots=ENGLISH.roots,
)
"""Every combinator, since PMB uses them all; the gold derivations come from the English grammar later."""


class UnlicensedError(Exception):
    """A rewriting that no rule of the grammar supports; the sentence keeps its own dialect."""


@lru_cache(maxsize=1 << 16)
def combinations(left: Category, right: Category) -> tuple[Combination, ...]:
    """What two neighbours make while a derivation is edited."""
    return EDITING_GRAMMAR.combine(left, right)


def join(left: Derivation, right: Derivation, want: Category | None = None) -> Binary:
    """Two neighbours as one phrase: of the wanted category, else of its shape; anything if none is wanted."""
    made = combinations(left.category, right.category)
    if want is not None:
        made = tuple(m for m in made if m.category is want.bare_nb) or tuple(
            m for m in made if m.category.skeleton is want.skeleton
        )
    if not made:
        raise UnlicensedError(f"{left.category} {right.category} -> {want or 'anything'}")
    category, rule, head = made[0]
    return Binary(category, left, right, rule, head)


def change(child: Derivation, result: Category) -> Unary:
    """A unary rule of the grammar over a phrase."""
    if not any(c.result is result for c in EDITING_GRAMMAR.change(child.category)):
        raise UnlicensedError(f"{child.category} -> {result}")
    return Unary(result, child, unary_rule(child.category, result))


def rebuild(derivation: Derivation, edit: Callable[[Derivation], Derivation]) -> Derivation:
    """From the leaves up: each node over its new children goes through ``edit``.

    A node whose children changed is joined anew before ``edit`` sees it, so that features come out as the rules say.
    """

    def anew(node: Derivation, children: list[Derivation]) -> Derivation:
        if any(new is not old for new, old in zip(children, node.children, strict=True)):
            node = _over(node, children, node.category)
        return edit(node)

    return derivation.fold(anew)


def _over(node: Derivation, children: list[Derivation], category: Category) -> Derivation:
    """A node over new children, as the grammar makes it."""
    return join(children[0], children[1], category) if isinstance(node, Binary) else change(children[0], category)


def rewrite(
    derivation: Derivation, tally: Counter[str], *rules: Callable[[Binary, Counter[str]], Derivation | None]
) -> Derivation:
    """Every binary node as the first rule that applies rewrites it, or as it was if the result is not licensed."""

    def edit(node: Derivation) -> Derivation:
        if not isinstance(node, Binary):
            return node
        try:
            return next((made for rule in rules if (made := rule(node, tally)) is not None), node)
        except UnlicensedError:
            return node

    return rebuild(derivation, edit)


def relabel(leaf: Leaf, category: Category) -> Leaf:
    """The same word under another category."""
    return Leaf(category, leaf.word, leaf.pos, leaf.original_pos)


def retype(derivation: Derivation, wanted: Category) -> Derivation:
    """The same phrase with another category, the words that decide it relabelled."""
    wants: dict[int, Category] = {}
    stack: list[tuple[Derivation, Category]] = [(derivation, wanted)]
    while stack:
        node, want = stack.pop()
        if node.category is want:
            continue
        wants[id(node)] = want
        if isinstance(node, Binary):
            left, right = _wanted_of_children(node, want)
            stack += ((node.right, right), (node.left, left))

    def edit(node: Derivation, children: list[Derivation]) -> Derivation:
        target = wants.get(id(node))
        if target is None:
            return node
        return relabel(node, target) if isinstance(node, Leaf) else _over(node, children, target)

    return derivation.fold(edit)


def _wanted_of_children(node: Binary, want: Category) -> tuple[Category, Category]:
    left, right = node.left.category, node.right.category
    if node.rule is Rule.RIGHT_PUNCTUATION:
        return want, right
    if node.rule is Rule.LEFT_PUNCTUATION:
        return left, want
    if node.rule is Rule.CONJUNCTION:
        if isinstance(want, Functor) and want.is_modifier:
            return left, want.result
        raise UnlicensedError(f"a conjunct cannot be {want}")
    if node.rule not in TAKES:
        raise UnlicensedError(f"{left} {right} -> {node.category} cannot become {want}")
    side, degree = TAKES[node.rule]
    functor, argument = (right, left) if side else (left, right)
    assert isinstance(functor, Functor)
    slots = _outer(argument, degree)
    if degree and isinstance(node.category, Functor) and want.skeleton is node.category.result.skeleton:
        slots, inner = slots[:-1], want  # the phrase loses its last open argument
    else:
        slots, inner = _outer(want, degree), want
    for _ in slots:
        assert isinstance(inner, Functor)
        inner = inner.result
    base = argument
    for _ in range(degree):
        assert isinstance(base, Functor)
        base = base.result
    if functor.is_modifier:
        new_functor, base = Functor.of(_bare(functor, inner), functor.slash, _bare(functor, inner)), inner
    elif functor.is_type_raised:
        seeking = functor.argument
        assert isinstance(seeking, Functor)
        base = Functor.of(inner, seeking.slash, seeking.argument)
        new_functor = Functor.of(inner, functor.slash, base)
    else:
        new_functor = Functor.of(inner, functor.slash, functor.argument)
    for slash, slot in slots:
        base = Functor.of(base, slash, slot)
    return (base, new_functor) if side else (new_functor, base)


def _outer(category: Category, degree: int) -> list[tuple[Slash, Category]]:
    """The last ``degree`` open arguments, the inner one first."""
    slots = list(category.arguments)
    if len(slots) < degree:
        raise UnlicensedError(f"{category} has fewer than {degree} arguments")
    return slots[len(slots) - degree :]


def _bare(modifier: Functor, modified: Category) -> Category:
    """A modifier keeps its own notation if it still fits: ``S\\NP`` of ``S[dcl]\\NP`` stays featureless."""
    return modifier.argument if modifier.argument.skeleton is modified.skeleton else modified
