"""The gold derivations of a whole treebank, on as many cores as are given."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace

from starccg.ccg.grammar import Grammar
from starccg.derivation import Derivation, Sentence
from starccg.treebanks.gold import MAX_NODES, Gold, GoldSearch, Outcome
from starccg.treebanks.normalise import DIALECT, PMB

FEW = 200
"""Sentences for which other processes are not worth their start."""


@dataclass(slots=True)
class GoldBank:
    """The sentences to learn from, those set aside (each says why in its header), and how many of which outcome."""

    found: list[Sentence] = field(default_factory=list)
    aside: list[Sentence] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)


def usable(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Those that are in CCGbank's dialect."""
    return [sentence for sentence in sentences if (DIALECT, PMB) not in sentence.fields]


def gold_bank(
    sentences: Sequence[Sentence], grammar: Grammar, *, own: bool = True, jobs: int = 1, max_nodes: int = MAX_NODES
) -> GoldBank:
    """The gold derivation of every sentence; without ``own`` the treebank's own never stands in for one."""
    bank = GoldBank()
    kept = usable(sentences)
    if dropped := len(sentences) - len(kept):
        bank.outcomes["dialect"] = dropped
        bank.aside = [
            _tell(sentence, "ASIDE", "dialect") for sentence in sentences if (DIALECT, PMB) in sentence.fields
        ]
    derivations = [sentence.derivation for sentence in kept]
    for sentence, gold in zip(kept, _search(derivations, grammar, jobs, max_nodes), strict=True):
        bank.outcomes[gold.outcome.value] += 1
        if gold.derivation is None or (gold.outcome is Outcome.OWN and not own):
            bank.aside.append(_tell(sentence, "ASIDE", gold.outcome.value))
        else:
            bank.found.append(_tell(replace(sentence, derivation=gold.derivation), "GOLD", gold.outcome.value))
    return bank


def _search(derivations: Sequence[Derivation], grammar: Grammar, jobs: int, max_nodes: int) -> Iterator[Gold]:
    if jobs <= 1 or len(derivations) < FEW:
        search = GoldSearch(grammar, max_nodes=max_nodes)
        yield from map(search.gold, derivations)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(grammar, max_nodes)) as pool:
        yield from pool.map(_gold, derivations, chunksize=16)


_OF_THIS_PROCESS: list[GoldSearch] = []


def _begin(grammar: Grammar, max_nodes: int) -> None:
    _OF_THIS_PROCESS[:] = [GoldSearch(grammar, max_nodes=max_nodes)]


def _gold(derivation: Derivation) -> Gold:
    return _OF_THIS_PROCESS[0].gold(derivation)


def _tell(sentence: Sentence, key: str, value: str) -> Sentence:
    fields = (*(pair for pair in sentence.fields if pair[0] != key), (key, value.replace(" ", "-")))
    return replace(sentence, fields=fields)
