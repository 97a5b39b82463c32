"""The gold derivations of a whole treebank, searched in several processes."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace

from starccg.ccg.derivation import Derivation, Sentence
from starccg.ccg.grammar import Grammar
from starccg.dependencies.types import Dependency
from starccg.processes import end_with_parent
from starccg.treebanks.gold import MAX_NODES, Gold, GoldOutcome, GoldSearch
from starccg.treebanks.normalise import DIALECT, PMB

FEW = 200
"""Fewer sentences than this are searched in this process: starting others takes longer."""

Task = tuple[Derivation, Sequence[Dependency] | None]
"""A derivation of the treebank and the gold dependencies; None: those of the derivation."""


@dataclass(slots=True)
class GoldBank:
    """The sentences to learn from, those set aside (the reason is in the header), and the number of each outcome."""

    found: list[Sentence] = field(default_factory=list)
    aside: list[Sentence] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)


def usable(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Those that are in CCGbank's dialect."""
    return [sentence for sentence in sentences if (DIALECT, PMB) not in sentence.fields]


def gold_bank(
    sentences: Sequence[Sentence],
    grammar: Grammar,
    dependencies: Mapping[str, Sequence[Dependency]] | None = None,
    *,
    own: bool = True,
    jobs: int = 1,
    max_nodes: int = MAX_NODES,
) -> GoldBank:
    """The gold derivation of every sentence.

    ``dependencies`` are the gold dependencies by sentence ID, such as those of PARG files; a sentence that has none
    there is given those of its derivation. Without ``own``, the treebank's own derivation never replaces one that was
    not found.
    """
    bank = GoldBank()
    kept = usable(sentences)
    if dropped := len(sentences) - len(kept):
        bank.outcomes["dialect"] = dropped
        bank.aside = [
            _mark(sentence, "ASIDE", "dialect") for sentence in sentences if (DIALECT, PMB) in sentence.fields
        ]
    known = dependencies or {}
    tasks = [(sentence.derivation, known.get(sentence.id)) for sentence in kept]
    for sentence, gold in zip(kept, _search(tasks, grammar, jobs, max_nodes), strict=True):
        bank.outcomes[gold.outcome.value] += 1
        if gold.derivation is None or (gold.outcome is GoldOutcome.OWN and not own):
            bank.aside.append(_mark(sentence, "ASIDE", gold.outcome.value))
        else:
            bank.found.append(_mark(replace(sentence, derivation=gold.derivation), "GOLD", gold.outcome.value))
    return bank


def _search(tasks: Sequence[Task], grammar: Grammar, jobs: int, max_nodes: int) -> Iterator[Gold]:
    if jobs <= 1 or len(tasks) < FEW:
        search = GoldSearch(grammar, max_nodes=max_nodes)
        yield from (search.gold(*task) for task in tasks)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(grammar, max_nodes)) as pool:
        yield from pool.map(_gold, tasks, chunksize=16)


_OF_THIS_PROCESS: list[GoldSearch] = []


def _begin(grammar: Grammar, max_nodes: int) -> None:
    end_with_parent()
    _OF_THIS_PROCESS[:] = [GoldSearch(grammar, max_nodes=max_nodes)]


def _gold(task: Task) -> Gold:
    return _OF_THIS_PROCESS[0].gold(*task)


def _mark(sentence: Sentence, key: str, value: str) -> Sentence:
    fields = (*(pair for pair in sentence.fields if pair[0] != key), (key, value.replace(" ", "-")))
    return replace(sentence, fields=fields)
