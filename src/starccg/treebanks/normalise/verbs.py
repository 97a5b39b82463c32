r"""Verbs with a bare verb phrase after their object, one category each: *let us go*, *saw her leave*, *heard him sing*.

PMB has *let us go* as a declarative where its other commands are bare, and a name with what it is heard doing now as
``NP`` and ``S[ng]\NP``, now as a noun phrase with a reduced relative clause. A name takes no such clause.
"""

from __future__ import annotations

from collections import Counter

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.rules import Rule
from starccg.treebanks.normalise.editing import UnlicensedError, join, relabel, retype, rewrite
from starccg.treebanks.ud.lists import words

_parse = Category.parse
NP, NP_MODIFIER = _parse("NP"), _parse(r"NP\NP")
COMMAND, BARE_CLAUSE = _parse(r"S[b]\NP"), _parse("S[b]")
DECLARED_LET = _parse(r"(S[dcl]/(S[b]\NP))/NP")
PREDICATES = frozenset(map(_parse, (r"S[ng]\NP", r"S[b]\NP")))
PERCEIVED = words(
    """see sees saw seen seeing hear hears heard hearing watch watches watched watching notice noticed feel felt
    observe observed smell smelled catch caught find found"""
)


def normalise_verbs(derivation: Derivation, tally: Counter[str]) -> Derivation:
    """Commands with *let* are commands; what is perceived is an object with its predicate."""
    first = next(iter(derivation.leaves()))
    if first.word.lower() == "let" and first.category is DECLARED_LET:
        try:
            derivation = retype(derivation, COMMAND)
            tally["let made a command"] += 1
        except UnlicensedError:
            pass
    return rewrite(derivation, tally, _perceived)


def _perceived(node: Binary, tally: Counter[str]) -> Derivation | None:
    verb, what = node.left, node.right
    if not (isinstance(verb, Leaf) and isinstance(what, Binary)):
        return None
    if verb.word.lower() not in PERCEIVED or node.rule is not Rule.FORWARD_APPLICATION:
        return None
    who, does = what.left, what.right
    if what.category is NP and isinstance(does, Unary) and does.category is NP_MODIFIER and _is_name(who):
        does = does.child
    elif not (what.category is BARE_CLAUSE and who.category is NP):
        return None
    if does.category not in PREDICATES:
        return None
    tally["what is perceived made an object"] += 1
    taking = Functor.of(Functor.of(node.category, "/", does.category), "/", NP)
    return join(join(relabel(verb, taking), who), does, node.category)


def _is_name(phrase: Derivation) -> bool:
    """A pronoun, or a noun with nothing before it that is written like a name."""
    if isinstance(phrase, Unary):
        phrase = phrase.child
        return isinstance(phrase, Leaf) and phrase.word[:1].isupper()
    return isinstance(phrase, Leaf) and phrase.category is NP
