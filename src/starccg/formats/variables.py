r"""Categories for other tools, without variable features: ``S/(S\NP)`` for ``S[X]/(S[X]\NP)``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from starccg.ccg.category import VARIABLE, Atom, Category, map_atoms
from starccg.ccg.derivation import Sentence


def without_variables(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences with plain categories; one that has no variable features is not copied."""
    for sentence in sentences:
        if all(plain(node.category) is node.category for node in sentence.derivation.postorder()):
            yield sentence
        else:
            derivation = sentence.derivation.fold(lambda node, children: node.rebuilt(children, plain(node.category)))
            yield replace(sentence, derivation=derivation)


@lru_cache(maxsize=1 << 14)
def plain(category: Category) -> Category:
    """The category without variable features."""
    return map_atoms(category, lambda atom: Atom.of(atom.name) if atom.feature == VARIABLE else atom)
