r"""Small differences, one construction each: gerunds, *half an hour*, *very old*, *of* with a noun, *a year old*."""

from __future__ import annotations

from collections import Counter

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Binary, Derivation, Leaf
from starccg.treebanks.normalise.editing import change, join, relabel, rewrite

_parse = Category.parse
N, NP = _parse("N"), _parse("NP")
PREDETERMINER, DETERMINER, NOUN_MODIFIER = _parse("NP/NP"), _parse("NP/N"), _parse("N/N")
TAKES_PREDICATE, MODIFIES_MODIFIER = _parse(r"(N/N)/(S[adj]\NP)"), _parse("(N/N)/(N/N)")
GERUND_WITH_OBJECT = _parse(r"(S[ng]\NP)/NP")
OF = frozenset(["of", "in", "on", "from", "nor"])
MEASURED = frozenset(["old", "high", "tall", "long", "wide", "deep"])


def normalise_phrases(derivation: Derivation, tally: Counter[str]) -> Derivation:
    """Each construction as CCGbank has it."""
    return rewrite(derivation, tally, _gerund, _half, _bare_noun, _degree)


def _gerund(node: Binary, tally: Counter[str]) -> Derivation | None:
    """*Playing chess* is a verb phrase made a noun phrase, not a noun phrase with a predeterminer."""
    verb = node.left
    if not (isinstance(verb, Leaf) and verb.category is PREDETERMINER and verb.word.lower().endswith("ing")):
        return None
    tally["gerund made a verb"] += 1
    return change(join(relabel(verb, GERUND_WITH_OBJECT), node.right), NP)


def _half(node: Binary, tally: Counter[str]) -> Derivation | None:
    """*Half an hour* is half of an hour."""
    half_a, noun = node.left, node.right
    if not (isinstance(half_a, Binary) and half_a.category is DETERMINER and noun.category is N):
        return None
    half, article = half_a.left, half_a.right
    if not (isinstance(half, Leaf) and isinstance(article, Leaf) and article.category is Functor.of(NP, "\\", N)):
        return None
    tally["half before its determiner"] += 1
    return join(relabel(half, PREDETERMINER), join(relabel(article, DETERMINER), noun))


def _degree(node: Binary, tally: Counter[str]) -> Derivation | None:
    """*Very* before an attribute modifies a modifier; PMB has it take a predicate."""
    very, adjective = node.left, node.right
    if not (isinstance(very, Leaf) and very.category is TAKES_PREDICATE and isinstance(adjective, Leaf)):
        return None
    tally["degree word of an attribute"] += 1
    return join(relabel(very, MODIFIES_MODIFIER), relabel(adjective, NOUN_MODIFIER))


def _bare_noun(node: Binary, tally: Counter[str]) -> Derivation | None:
    """A preposition or *old* takes a noun phrase, bare or not."""
    left, right = node.left, node.right
    if (
        isinstance(left, Leaf)
        and isinstance(left.category, Functor)
        and left.category.argument is N
        and right.category is N
        and left.word.lower() in OF
    ):
        tally["preposition with a noun phrase"] += 1
        return join(relabel(left, Functor.of(left.category.result, "/", NP)), change(right, NP), node.category)
    if (
        isinstance(right, Leaf)
        and isinstance(right.category, Functor)
        and right.category.slash == "\\"
        and right.category.argument is N
        and left.category is N
        and right.word.lower() in MEASURED
    ):
        tally["measured adjective with a noun phrase"] += 1
        return join(change(left, NP), relabel(right, Functor.of(right.category.result, "\\", NP)), node.category)
    return None
