r"""Categories for other tools, without variable features: ``S/(S\NP)`` for ``S[X]/(S[X]\NP)``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from starccg.ccg.category import VARIABLE, Atom, Category, Functor
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence, Unary


def without_variables(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences with plain categories; one that has no variable features is not copied."""
    for sentence in sentences:
        if all(plain(node.category) is node.category for node in sentence.derivation.postorder()):
            yield sentence
        else:
            yield replace(sentence, derivation=_plain_tree(sentence.derivation))


@lru_cache(maxsize=1 << 14)
def plain(category: Category) -> Category:
    """The category without variable features."""
    if isinstance(category, Functor):
        return Functor.of(plain(category.result), category.slash, plain(category.argument))
    assert isinstance(category, Atom)
    return Atom.of(category.name) if category.feature == VARIABLE else category


def _plain_tree(derivation: Derivation) -> Derivation:
    built: list[Derivation] = []
    for node in derivation.postorder():
        category = plain(node.category)
        if isinstance(node, Leaf):
            built.append(Leaf(category, node.word, node.pos, node.original_pos, node.indexed, node.lemma))
        elif isinstance(node, Binary):
            right, left = built.pop(), built.pop()
            built.append(Binary(category, left, right, node.rule, node.head))
        else:
            built.append(Unary(category, built.pop(), node.rule))
    return built.pop()
