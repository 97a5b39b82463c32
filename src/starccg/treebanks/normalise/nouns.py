r"""Nouns: no noun takes complements, possessives determine a plain noun, and what follows a noun modifies the phrase.

CCGbank has ``NP/N`` for *his* and ``(NP\NP)/NP`` for the *of* of any noun; the rebanked style has ``NP/(N/PP)``,
``N/PP`` and ``PP/NP``. Particles go the same way: the argument ``PR`` of the verb becomes an adverb.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from starccg.ccg.category import REMEMBERED, Atom, Category, Functor
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.rules import Rule
from starccg.treebanks.normalise.editing import UnlicensedError, change, join, rebuild, relabel, retype
from starccg.treebanks.ud.lists import words

_parse = Category.parse
N, NP, PP = _parse("N"), _parse("NP"), _parse("PP")
ADVERB = _parse(r"(S\NP)\(S\NP)")
NOUN_ADJUNCT, NP_MODIFIER = _parse(r"N\N"), _parse(r"NP\NP")
PARTICLE = _parse("PR")
COUNTED = words("none one two three four five ten plenty half part lots most much little %")
"""Words that CCGbank calls nouns when an *of* follows; *all*, *some*, *that* are noun phrases."""


@lru_cache(maxsize=REMEMBERED)
def without_complements(category: Category) -> Category:
    r"""The category with no noun complement and no particle anywhere in it: ``NP/(N/PP)`` -> ``NP/N``."""
    if category is PARTICLE:
        return ADVERB
    if not isinstance(category, Functor):
        return category
    result = without_complements(category.result)
    if _dropped(category.result, category.argument):
        return result
    return Functor.of(result, category.slash, without_complements(category.argument))


def _dropped(result: Category, argument: Category) -> bool:
    if argument is PARTICLE:
        return True
    if argument is not PP:
        return False
    target = without_complements(result)
    return target in (N, NP) or _is_existential(target)


def _is_existential(category: Category) -> bool:
    """Whether it is the verb of *there is*, whose place is an adjunct in CCGbank."""
    while isinstance(category, Functor):
        if isinstance(category.argument, Atom) and category.argument.feature == "thr":
            return category.slash == "\\"
        category = category.result
    return False


def drop_complements(derivation: Derivation, tally: Counter[str]) -> Derivation:
    """Noun complements become modifiers of the noun, possessives plain determiners, particles adverbs."""

    def edit(node: Derivation, children: list[Derivation]) -> Derivation:
        if isinstance(node, Leaf):
            return _leaf(node, tally)
        want = without_complements(node.category)
        unchanged = all(new is old for new, old in zip(children, node.children, strict=True))
        if isinstance(node, Unary):
            (child,) = children
            unchanged = unchanged and want is node.category
            return node if unchanged else child if child.category is want else change(child, want)
        if unchanged:
            return node
        left, right = children
        old_left, old_right = (child.category for child in node.children)
        if _takes_dropped(old_left, old_right) and right.category is PP:
            right = retype(right, _modifier(left.category))
        elif _takes_dropped(old_right, old_left):
            raise UnlicensedError(f"{old_left} {old_right}: a complement before its noun")
        return join(left, right, want)

    return derivation.fold(edit)


def _leaf(leaf: Leaf, tally: Counter[str]) -> Derivation:
    category = leaf.category
    want = without_complements(category)
    if want is category:
        return leaf
    text = str(category)
    if category is PARTICLE or "PR" in text:
        tally["particle made an adverb" if category is PARTICLE else "verb without its particle"] += 1
    elif text.startswith(("NP/(N/PP)", "(NP/(N/PP))")):
        tally["possessive made a plain determiner"] += 1
    elif category.target in (N, NP) and want in (N, NP):
        tally["noun without its complement"] += 1
    else:
        tally["category without noun complements"] += 1
    if category is Functor.of(NP, "/", PP) and leaf.word.lower() in COUNTED:
        return change(relabel(leaf, N), NP)
    return relabel(leaf, want)


def _takes_dropped(functor: Category, argument: Category) -> bool:
    return isinstance(functor, Functor) and functor.argument is argument and _dropped(functor.result, functor.argument)


def _modifier(category: Category) -> Category:
    if category in (N, NP):
        return Functor.of(category, "\\", category)
    if category.target.name == "S":
        return ADVERB
    raise UnlicensedError(f"{category} takes a complement that nothing can modify")


def lift_modifiers(derivation: Derivation, tally: Counter[str]) -> Derivation:
    """What follows a noun inside a noun phrase modifies the phrase: ``[the father] [of X]``."""

    def edit(node: Derivation) -> Derivation:
        if node.category is not NP:
            return node
        if isinstance(node, Unary) and node.child.category is N:
            core, items = _peel(node.child)
        elif isinstance(node, Binary) and node.rule is Rule.FORWARD_APPLICATION and node.right.category is N:
            core, items = _peel(node.right)
        else:
            return node
        if not any(item.category is NOUN_ADJUNCT for item in items):
            return node
        try:
            phrase: Derivation = change(core, NP) if isinstance(node, Unary) else join(node.left, core, NP)
            for item in items:
                modifies = item.category is NOUN_ADJUNCT
                phrase = join(phrase, retype(item, NP_MODIFIER) if modifies else item, NP)
                tally["modifier lifted from noun to phrase"] += modifies
        except UnlicensedError:
            return node
        return phrase

    return rebuild(derivation, edit)


def _peel(noun: Derivation) -> tuple[Derivation, list[Derivation]]:
    """The noun with its premodifiers, and what follows it, from left to right."""
    before: list[Derivation] = []
    after: list[Derivation] = []
    node = noun
    while isinstance(node, Binary):
        if node.rule is Rule.FORWARD_APPLICATION and node.left.category is Functor.of(N, "/", N):
            before.append(node.left)
            node = node.right
        elif node.rule is Rule.RIGHT_PUNCTUATION or (
            node.rule is Rule.BACKWARD_APPLICATION
            and node.right.category is NOUN_ADJUNCT
            and node.right.rule is not Rule.CONJUNCTION
            and not isinstance(node.right, Leaf)
        ):
            after.append(node.right)
            node = node.left
        else:
            break
    while after and after[-1].category is not NOUN_ADJUNCT:  # marks right after the noun stay with it
        node = join(node, after.pop(), N)
    for modifier in reversed(before):
        node = join(modifier, node, N)
    return node, list(reversed(after))
