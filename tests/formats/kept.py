"""What is left of a sentence in a format that has no room for all of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from starccg.ccg.derivation import Derivation, Leaf, Sentence
from starccg.ccg.licensing import annotate
from starccg.ccg.rules import Rule
from starccg.formats.building import build_node


def mapped(derivation: Derivation, change: Callable[[Leaf], Leaf], *, heads: bool = True) -> Derivation:
    """The same tree with other leaves and with the rules that the categories say; without heads, with guessed ones."""
    built: list[Derivation] = []
    for node in annotate(derivation).postorder():
        if isinstance(node, Leaf):
            built.append(change(node))
            continue
        first = len(built) - len(node.children)
        head = getattr(node, "head", None) if heads else None
        built[first:] = [build_node(node.category, built[first:], pytest.fail, head)]
    return built.pop()


def suffixed(sentence: Sentence) -> bool:
    """Whether the file shows how the sentence writes its conjunctions: only if it has one."""
    return sentence.conj_suffix and any(node.rule is Rule.CONJUNCTION for node in sentence.derivation)


def one_pos(leaf: Leaf) -> Leaf:
    return replace(leaf, original_pos=leaf.pos)


def no_index(leaf: Leaf) -> Leaf:
    return replace(leaf, original_pos=leaf.pos, indexed=None)
