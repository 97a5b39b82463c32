r"""Features: a modifier carries none, and no word has a variable.

``(S[dcl]\NP)\(S[dcl]\NP)`` is ``(S\NP)\(S\NP)``, ``S[dcl]/S[dcl]`` is ``S/S``. Kept are modifiers of adjectives,
auxiliaries (``(S[b]\NP)/(S[b]\NP)``) and verbs of saying (``(S[dcl]\S[dcl])\NP``).
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from starccg.ccg.category import REMEMBERED, VARIABLE, Atom, Category, Functor
from starccg.ccg.derivation import Derivation, Leaf
from starccg.treebanks.normalise.editing import rebuild, relabel

_parse = Category.parse
ADJECTIVE = _parse(r"S[adj]\NP")
NP = _parse("NP")


def normalise_features(derivation: Derivation, tally: Counter[str]) -> Derivation:
    """Modifiers lose their features, in every word."""

    def edit(node: Derivation) -> Derivation:
        if not isinstance(node, Leaf):
            return node
        category = plain_modifiers(node.category)
        if category is node.category:
            return node
        tally["modifier without features"] += 1
        return relabel(node, category)

    return rebuild(derivation, edit)


@lru_cache(maxsize=REMEMBERED)
def plain_modifiers(category: Category) -> Category:
    """The category with the features of its modifiers, and its variables, taken off."""
    if isinstance(category, Atom):
        return Atom.of(category.name) if category.feature == VARIABLE else category
    assert isinstance(category, Functor)
    if _says(category):
        return category
    if category.is_modifier and not _keeps(category):
        bare = _without_sentence_features(category.result)
        return Functor.of(bare, category.slash, bare)
    made = Functor.of(plain_modifiers(category.result), category.slash, plain_modifiers(category.argument))
    return made if made is category else plain_modifiers(made)  # without its variables it may be a modifier


def _keeps(modifier: Functor) -> bool:
    base: Category = modifier.result
    while isinstance(base, Functor) and base.is_modifier:
        base = base.result
    if base is ADJECTIVE:
        return True
    is_verb_phrase = isinstance(base, Functor) and base.argument is NP and base.target.feature not in (None, VARIABLE)
    return modifier.result is base and modifier.slash == "/" and is_verb_phrase


def _says(category: Functor) -> bool:
    r"""Whether it is a verb around a quotation: ``(S[dcl]\S[dcl])\NP`` or ``(S[dcl]/S[dcl])/NP``."""
    inner: Category = category
    while isinstance(inner, Functor) and inner.argument is NP:
        inner = inner.result
    return inner is not category and inner in _QUOTING


_QUOTING = frozenset({_parse(r"S[dcl]\S[dcl]"), _parse("S[dcl]/S[dcl]")})


@lru_cache(maxsize=REMEMBERED)
def _without_sentence_features(category: Category) -> Category:
    if isinstance(category, Functor):
        return Functor.of(
            _without_sentence_features(category.result), category.slash, _without_sentence_features(category.argument)
        )
    assert isinstance(category, Atom)
    return Atom.of(category.name) if category.name == "S" else category
