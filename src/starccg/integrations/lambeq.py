"""starccg as a parser of lambeq: sentences become string diagrams.

::

    from starccg.integrations.lambeq import StarCCGParser

    diagram = StarCCGParser().sentence2diagram("Fruit flies like bananas.")

lambeq is the extra ``lambeq``. Its trees have no features, so ``S[dcl]`` becomes ``s``; ``PR`` (particles) becomes
``pp``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lambeq import CCGParser, CCGRule, CCGTree, CCGType, VerbosityLevel
from lambeq.core.utils import tokenised_batch_type_check, untokenised_batch_type_check

from starccg.ccg.category import Atom, Category, Functor
from starccg.ccg.combinators import COMBINATORS
from starccg.ccg.derivation import Derivation, Leaf
from starccg.ccg.rules import Rule
from starccg.errors import StarccgError
from starccg.integrations.processes import ProcessParser
from starccg.outcome import Failed, ParseOutcome

ROOT_NBEST = 20
"""How many parses are searched for one whose root category is allowed."""

_ATOMS = {
    "N": CCGType.NOUN,
    "NP": CCGType.NOUN_PHRASE,
    "S": CCGType.SENTENCE,
    "PP": CCGType.PREPOSITIONAL_PHRASE,
    "PR": CCGType.PREPOSITIONAL_PHRASE,
    "conj": CCGType.CONJUNCTION,
}
_SAME_NAME = (*COMBINATORS, Rule.CONJUNCTION, Rule.FORWARD_TYPE_RAISING, Rule.BACKWARD_TYPE_RAISING)
_RULES = {
    **{rule: CCGRule[rule.name.replace("GENERALISED", "GENERALIZED")] for rule in _SAME_NAME},
    Rule.RIGHT_PUNCTUATION: CCGRule.REMOVE_PUNCTUATION_RIGHT,
    Rule.LEFT_PUNCTUATION: CCGRule.REMOVE_PUNCTUATION_LEFT,
    Rule.TYPE_CHANGE: CCGRule.UNARY,
}


class StarCCGParseError(StarccgError):
    """A sentence that has no parse."""


class StarCCGParser(CCGParser):  # type: ignore[misc]
    """Parses sentences into lambeq's trees and diagrams.

    ``root_cats``: the categories that a whole sentence may have (``S[dcl]``, ``NP``; ``S`` stands for ``S`` with any
    feature), by default any. Further settings are those of :class:`~starccg.integrations.processes.ProcessParser`:
    ``model``, ``decoder``, ``threads``, ``seconds``, ``batch_size``.
    """

    def __init__(
        self,
        root_cats: Iterable[str] | None = None,
        verbose: str = VerbosityLevel.SUPPRESS.value,
        **settings: Any,
    ) -> None:
        super().__init__(root_cats=root_cats, verbose=verbose)
        self.roots = None if root_cats is None else frozenset(map(Category.parse, root_cats))
        nbest = 1 if self.roots is None else ROOT_NBEST
        self.parser = ProcessParser(**{"nbest": nbest, **settings})

    def sentences2trees(
        self,
        sentences: Sequence[str] | Sequence[Sequence[str]],
        tokenised: bool = False,
        suppress_exceptions: bool = False,
        verbose: str | None = None,
    ) -> list[CCGTree | None]:
        """A tree for each sentence; one without a parse raises, or with ``suppress_exceptions`` is None."""
        fits = tokenised_batch_type_check if tokenised else untokenised_batch_type_check
        if not fits(sentences):
            kind = "a list of lists of words" if tokenised else "a list of texts"
            raise ValueError(f"with tokenised={tokenised}, sentences must be {kind}")
        trees: list[CCGTree | None] = []
        for outcome in self.parser.pipe(sentences):
            derivation = self._chosen(outcome)
            if derivation is None and not suppress_exceptions:
                why = outcome.reason if isinstance(outcome, Failed) else "no parse has one of the root categories"
                raise StarCCGParseError(f"no parse of {' '.join(outcome.words)!r}: {why}")
            trees.append(None if derivation is None else to_tree(derivation))
        return trees

    def _chosen(self, outcome: ParseOutcome) -> Derivation | None:
        """The best parse whose root category is allowed."""
        for parse in outcome.parses:
            if self.roots is None or not self.roots.isdisjoint({parse.category, parse.category.skeleton}):
                return parse
        return None


def to_type(category: Category) -> CCGType:
    """A category without its features."""
    if isinstance(category, Functor):
        return to_type(category.result).slash(category.slash, to_type(category.argument))
    assert isinstance(category, Atom)
    if category.is_punctuation:
        return CCGType.PUNCTUATION
    return _ATOMS.get(category.name) or CCGType(category.name.lower())


def to_tree(derivation: Derivation) -> CCGTree:
    """A derivation as lambeq's tree."""

    def tree(node: Derivation, children: list[CCGTree]) -> CCGTree:
        kind = to_type(node.category)
        if isinstance(node, Leaf):
            return CCGTree(text=node.word, rule=CCGRule.LEXICAL, biclosed_type=kind)
        return CCGTree(rule=_rule(node, children, kind), biclosed_type=kind, children=children)

    return derivation.fold(tree)


def _rule(node: Derivation, children: Sequence[CCGTree], kind: CCGType) -> CCGRule:
    if node.rule in _RULES:
        return _RULES[node.rule]
    if len(children) == 1:
        return CCGRule.UNARY
    return CCGRule.infer_rule([child.biclosed_type for child in children], kind)
