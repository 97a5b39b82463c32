r"""Dependencies that are not scored, by CCGbank's convention.

Its PARG files lack some dependencies that every derivation has, so predictions of these are left out rather than
counted as wrong: slot 1 of auxiliaries such as ``be`` in *will be seen*, dependencies of a word on itself, and question
words that fill their own gap. Relations too rare in training to be learnt are left out too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from starccg.ccg.category import Atom, Category, Functor
from starccg.dependencies import Dependency, Reach
from starccg.evaluation.analyses import Analysis

Relation = tuple[Category, int]
"""A category without ``[nb]``, and a slot."""

AUXILIARIES = frozenset({"be", "been", "have", "going"})
COMPLEMENTS = frozenset({"pss", "adj", "ng", "pt", "to"})
RARE = 10
"""Relations with a lower count in training are not scored."""


def count_relations(training: Iterable[Analysis]) -> Counter[Relation]:
    """How often each category and slot is filled in a treebank."""
    return Counter(
        (dependency.category.bare_nb, dependency.slot) for analysis in training for dependency in analysis.dependencies
    )


@dataclass(frozen=True, slots=True)
class CcgbankExclusions:
    """The dependencies that are not scored."""

    training: Mapping[Relation, int] | None = None
    """Counts of relations; None: rare relations are scored as well."""

    def predicted(self, analysis: Analysis) -> tuple[Dependency, ...]:
        """The predicted dependencies that are scored."""
        return tuple(
            dependency
            for dependency in analysis.dependencies
            if not unwritten(dependency, analysis) and not self.is_rare(dependency)
        )

    def gold(self, analysis: Analysis) -> tuple[Dependency, ...]:
        """The scored gold dependencies: all of a PARG file; of a derivation, those that a PARG file would have."""
        if analysis.from_parg:
            return analysis.dependencies
        return tuple(dependency for dependency in analysis.dependencies if not unwritten(dependency, analysis))

    def is_rare(self, dependency: Dependency) -> bool:
        """Whether its relation is too rare in training."""
        return self.training is not None and self.training.get((dependency.category.bare_nb, dependency.slot), 0) < RARE


def unwritten(dependency: Dependency, analysis: Analysis) -> bool:
    """Whether CCGbank's PARG files do not write such a dependency."""
    head, category, slot, argument, reach = dependency
    if head == argument or (slot == 1 and _is_auxiliary(analysis.words[head], category)):
        return True
    return reach is not Reach.LOCAL and analysis.supertags is not None and _asks(analysis.supertags[argument])


def _is_auxiliary(word: str | None, category: Category) -> bool:
    return (
        word is not None
        and word.lower() in AUXILIARIES
        and isinstance(category, Functor)
        and category.slash == "/"
        and category.argument.skeleton is _VERB_PHRASE
        and category.result.skeleton is _VERB_PHRASE
        and category.argument.target.feature in COMPLEMENTS
    )


_VERB_PHRASE = Category.parse(r"S\NP")


def _asks(category: Category) -> bool:
    r"""``S[wq]/(S[q]/NP)`` and similar categories; in *which book* the noun fills the gap."""
    return (
        isinstance(category, Functor)
        and isinstance(category.result, Atom)
        and category.target.name == "S"
        and category.target.feature in ("wq", "qem")
    )
