"""Relative and interrogative phrases: *which*, *whose name*, *in which*, *how many cells*."""

from __future__ import annotations

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Derivation
from starccg.treebanks.penn.builder import Builder, Unconvertible
from starccg.treebanks.penn.categories import ADJECTIVE, DETERMINER, NP, NP_MODIFIER, PP, N
from starccg.treebanks.penn.trees import Node, is_mark, phrase_of


def build_wh(builder: Builder, node: Node, category: Category) -> Derivation:
    """The fronted phrase as a functor over its clause."""
    if node.is_leaf:
        return builder.leaf(node, category)
    children = [child for child in node.children if not child.empty]
    if any(is_mark(child) for child in children):
        raise Unconvertible("a mark inside a relative pronoun's phrase")
    if not children:
        raise Unconvertible("a relative or interrogative phrase without words")
    if len(children) == 1:
        return build_wh(builder, children[0], category)
    assert isinstance(category, Functor)
    first, *rest = children
    if node.label == "WHPP" or first.label in {"IN", "TO"}:
        return _after_preposition(builder, first, rest, category)
    if node.label == "WHNP":
        if any(child.label == "WHPP" for child in rest):
            return _noun_of_which(builder, children, category)
        if first.label == "WHADJP":
            return _how_many(builder, first, rest, category)
        if first.label in {"WDT", "WP$", "WP", "WHNP"}:
            if rest[0].label == "PP" and len(rest) == 1:
                return builder.join(
                    builder.leaf(_word(first), Functor.of(category, "/", PP)), builder.build(rest[0], PP).tree, category
                )
            noun = builder.build(Node("NML", children=rest), N).tree
            determiner = builder.leaf(_word(first), Functor.of(category, "/", N))
            return builder.join(determiner, noun, category)
    if node.label in {"WHADVP", "WHADJP"} and first.label in {"WRB", "RB"}:
        inner = builder.build(Node("ADJP", children=rest), ADJECTIVE).tree
        return builder.join(builder.leaf(first, Functor.of(category, "/", ADJECTIVE)), inner, category)
    raise Unconvertible(f"a relative or interrogative phrase ({' '.join(child.label for child in children)})")


def _word(node: Node) -> Node:
    words = list(node.leaves())
    if len(words) != 1:
        raise Unconvertible("a relative determiner of more than one word")
    return words[0]


def _after_preposition(builder: Builder, preposition: Node, rest: list[Node], category: Functor) -> Derivation:
    r"""*in which*: ``(NP\NP)/NP`` and ``((NP\NP)/S[dcl])\((NP\NP)/NP)``; in questions the preposition is the head."""
    words = [leaf for node in rest for leaf in node.leaves()]
    if len(rest) != 1:
        raise Unconvertible("a relative phrase with a preposition and more than one phrase")
    if category.result is NP_MODIFIER and len(words) == 1:
        seeking = Functor.of(category.result, "/", NP)
        pronoun = builder.leaf(words[0], Functor.of(category, "\\", seeking))
        return builder.join(builder.leaf(preposition, seeking), pronoun, category)
    noun = (
        builder.leaf(words[0], NP) if len(words) == 1 else builder.build(Node("NP", children=rest[0].children), NP).tree
    )
    return builder.join(builder.leaf(preposition, Functor.of(category, "/", NP)), noun, category)


def _noun_of_which(builder: Builder, children: list[Node], category: Functor) -> Derivation:
    """*most of which*: the pronoun takes ``NP/NP``, which the raised noun phrase and the preposition make."""
    place = next(index for index, child in enumerate(children) if child.label == "WHPP")
    if place != len(children) - 1:
        raise Unconvertible("a phrase after *of which*")
    before, phrase = children[:place], children[place]
    parts = [child for child in phrase.children if not child.empty]
    words = list(parts[1].leaves()) if len(parts) == 2 and parts[0].is_leaf else []
    if len(words) != 1:
        raise Unconvertible("a relative phrase of more than a preposition and a pronoun")
    noun = builder.build(phrase_of("NP", before), NP).tree
    pronoun = builder.leaf(words[0], Functor.of(category, "\\", Functor.of(NP, "/", NP)))
    preposition = builder.leaf(parts[0], Functor.of(NP_MODIFIER, "/", NP))
    seeking = Functor.of(NP, "/", NP)
    return builder.join(builder.join(noun, preposition, seeking), pronoun, category)


def _how_many(builder: Builder, first: Node, rest: list[Node], category: Functor) -> Derivation:
    words = list(first.leaves())
    if len(words) != 2:
        raise Unconvertible("a relative or interrogative determiner of more than two words")
    inner = Functor.of(category, "/", N)
    how = builder.join(
        builder.leaf(words[0], Functor.of(inner, "/", DETERMINER)), builder.leaf(words[1], DETERMINER), inner
    )
    return builder.join(how, builder.build(Node("NML", children=rest), N).tree, category)
