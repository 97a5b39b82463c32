"""The Python face of the native search: dataclasses in, dataclasses out; the work happens in
``starccg._core``.

What is promised, precisely enough for the plain reference to pop the same items in the same order:

*Scores* live on a grid of multiples of 2^-20. Tag log-probabilities, ``unary_cost``, ``distance_cost``
(the cost of one word of distance) and each global score are rounded to the grid, half to even, when they
are produced; every sum of them is exact. A tag of log-probability minus infinity does not exist.

*Priority* of an item: inside score + outside bound. The bound is the sum of the best log-probability of
each word outside the span, or 0 without the heuristic (best-first; log-probabilities must then be <= 0).
With ``Bound.GRAMMAR`` (sentences of at most 100 words) it is the best local score that all else of a complete
parse can have, root score included, in a grammar without normal form, distance cost and bound on unary chains;
an item that fits into no such parse is dropped when pushed, and all tags are pushed at the start. That is the
truth above a *floor*: 3 below the sum of the best tags, then 4.5, 6.75 and so on, each half as deep again, and
none at all from 32 on, or after one above which there are more than 32 categories a span; floors that no parse
by the tags alone exceeds are skipped. A node whose best inside score and best tags outside come to less than the
floor has the latter for its bound, any other node at least the floor less its best inside score. When the head's
priority is at the floor or below, the floor falls before anything is popped, and what waits gets its new
priority or is dropped. A search that is recorded has no floor, so that the bound of an item never changes: it pops
the same, and does not push what fits into no parse. Gold-guided searches and the back-off keep to the tags.
*Agenda order*: larger priority, then larger span, then the older item. An item's age is the moment it was
first pushed; rescoring keeps it.

*Leaves.* The supertag decoders push each word's best tag first (words from left to right); a word's next
tag is pushed when the one before it comes off the agenda, dominated or not, before anything else happens;
where that push is dropped, the tag after it follows at once. Tags of a word go by log-probability, ties
in the order given. Decoders with a global model push all tags of all words at the start, word by word,
because a tag's own global score is not known before it is run.

*A pop.* An unscored item (lazy scoring) runs one recursive unit, adds its score and goes back on the
agenda. A fully scored item enters the chart or forest (``explored``), and pushes
  1. unary rules over it, in the order of the table, unless it spans the sentence and ``unary_at_root`` is
     false;
  2. binary rules with the items on its right that start where it ends, then
  3. with the items on its left that end where it starts: partners by number of their category, the newest
     in the chart first among those of one category; several rules over one pair in the order of the
     table.
A complete parse (the whole sentence, a root category) is accepted when popped; the search ends at the
``nbest``-th of them, before that item pushes anything.

*Root scores* (``RuleTable.root_scores``, rounded to the grid, never positive) are part of a complete parse's
local score. Where a root's score is not zero, the parse is not accepted when popped: it pushes what any item
does, goes back on the agenda with the root score added (its age kept), and is accepted when popped again,
which explores no second node. Found derivations hold the root score in the local score of their root. A
search that a limit stops while parses wait so, with none accepted, answers with the best of them, unproved.

*Dynamic programming.* Signature: span, category, normal-form class of the rule
(``signature.normal_form_classes``), length of the unary chain above the last non-unary node (only if
``signature.chain_length_matters``), head word (only if ``distance_cost`` > 0). Each signature has a place
held by its best fully scored item: better inside, or equal and older. A push is dropped when the place is
held with an inside score at least as good as its own. An unscored item takes no place; when popped, and
again when scored, it is dropped if the place is held by a better, or equal and older, item. A scored item
that lost its place is dropped when popped. Dropped items are not ``explored``; items dropped at push have
no age.

*n-best with dynamic programming* records dominated hyperedges instead of dropping them (fully scored ones
at once, without the agenda; unscored ones once scored), then reads the n best off the chart (Huang and
Chiang 2005, algorithm 3). The list is final once its n-th score is no less than the priority of the
agenda's head. The forest decoders pop until they have n.

*Limits* are looked at before each pop: ``explored`` >= forest, then items pushed >= agenda, then
recursive units; the clock every 256 pops. The head's priority is then the upper bound. The back-off
(supertag decoder, dynamic programming, no limits but as many seconds again and the larger of four million
items and ``limits.agenda``, with the costs ``backoff_unary_cost`` and ``backoff_distance_cost``) answers
with its derivation rescored under the model and the costs that were asked for. Where its costs are no larger
than those, its own optimum is an upper bound too, since global scores are <= 0, and the smaller of the two
bounds is reported. Where a quarter of its room does not do, it leaves the distance cost out; should it run
out of room even so, the beam answers, without the global model. Words over
``limits.words`` go to the back-off at once; the supertag decoder itself has no back-off and does not look
at ``limits.words``.

*Beam.* Spans by length, then from left to right. In each, candidates from all splits (left to right, kept
left subtrees, kept right subtrees, rules of the table, in that order) wait in a heap by inside score, the
older first; the head is scored if it is not, else kept, and pushes its unary parents. ``beam`` are kept;
over the whole sentence only root categories count.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from starccg.search.model import TreeLstm
from starccg.search.native import core as _core
from starccg.search.table import SearchTable
from starccg.search.types import (
    Bound,
    Certificate,
    Decoder,
    Event,
    Ints1d,
    Limits,
    Node,
    Options,
    Outcome,
    Parse,
    Parses,
    Recording,
    TaggedSentence,
    Trace,
)

__all__ = [
    "SearchTable",
    "TreeLstm",
    "recording",
    "score_derivation",
    "search",
    "search_batch",
    "search_gold",
    "search_gold_batch",
]

_Statistics = tuple[int, int, int, int, float, Any]

_DECODERS = tuple(Decoder)
_DECODER_NUMBERS = {decoder: number for number, decoder in enumerate(_DECODERS)}

_DEFAULT_OPTIONS = Options()
_TRAINING_LIMITS = Limits(forest=2000)


def search(
    table: SearchTable, sentence: TaggedSentence, options: Options = _DEFAULT_OPTIONS, model: TreeLstm | None = None
) -> Outcome:
    """Search one sentence."""
    return search_batch(table, (sentence,), options, model)[0]


def search_batch(
    table: SearchTable,
    sentences: Sequence[TaggedSentence],
    options: Options = _DEFAULT_OPTIONS,
    model: TreeLstm | None = None,
    *,
    threads: int = 1,
) -> list[Outcome]:
    """Search many sentences over ``threads`` threads: answers in order, the same whatever their number."""
    return _core.search_batch(
        table.native, list(sentences), _native_options(options), _native_model(model), threads, Outcome
    )


def search_gold(
    table: SearchTable,
    sentence: TaggedSentence,
    gold: Sequence[Node],
    model: TreeLstm,
    *,
    limits: Limits = _TRAINING_LIMITS,
    options: Options = _DEFAULT_OPTIONS,
    ties: bool = False,
) -> Trace:
    """Algorithm 1 on one sentence: search with the gold derivation beside it and note where it falls behind.

    A violation is a head of the agenda that is better than the best gold item on it, as in the paper. With ``ties``
    every head that is not gold is one, though it be no better (its value is then 0, its coefficients are not): so no
    violations means that nothing but gold was explored. The order of the search is the same either way.
    """
    return search_gold_batch(table, (sentence,), (gold,), model, limits=limits, options=options, ties=ties)[0]


def search_gold_batch(
    table: SearchTable,
    sentences: Sequence[TaggedSentence],
    golds: Sequence[Sequence[Node]],
    model: TreeLstm,
    *,
    limits: Limits = _TRAINING_LIMITS,
    options: Options = _DEFAULT_OPTIONS,
    ties: bool = False,
    threads: int = 1,
) -> list[Trace]:
    """:func:`search_gold` for many sentences over threads."""
    if len(sentences) != len(golds):
        raise ValueError(f"{len(sentences)} sentences but {len(golds)} gold derivations")
    return _core.search_gold_batch(
        table.native,
        list(sentences),
        [list(gold) for gold in golds],
        _native_options(options, limits, ties=ties),
        model.native,
        threads,
        _trace,
    )


def score_derivation(
    table: SearchTable,
    sentence: TaggedSentence,
    nodes: Sequence[Node],
    model: TreeLstm | None = None,
    options: Options = _DEFAULT_OPTIONS,
) -> tuple[float, tuple[Node, ...]]:
    """The score of a given derivation under ``options.decoder``, and its nodes with their own scores filled in."""
    score, derivation = _core.score_derivation(
        table.native, sentence, list(nodes), _native_options(options), _native_model(model)
    )
    return score, derivation.nodes(0)


def recording(
    table: SearchTable, sentence: TaggedSentence, options: Options = _DEFAULT_OPTIONS, model: TreeLstm | None = None
) -> Recording:
    """Search one sentence and keep every push and pop. Takes memory: for looking at a search, not for parsing."""
    outcome, events = _core.record(table.native, sentence, _native_options(options), _native_model(model), Outcome)
    return Recording(outcome, tuple(Event(*event) for event in events))


def _native_model(model: TreeLstm | None) -> _core.Model | None:
    return None if model is None else model.native


def _native_options(options: Options, limits: Limits | None = None, *, ties: bool = False) -> tuple[Any, ...]:
    limits = limits or options.limits
    return (
        _DECODER_NUMBERS[Decoder(options.decoder)],
        options.heuristic,
        options.lazy,
        options.nbest,
        options.beam,
        options.unary_cost,
        options.distance_cost,
        limits.forest,
        limits.agenda,
        limits.recursive_units,
        limits.words,
        limits.seconds,
        options.backoff,
        ties,
        options.backoff_unary_cost,
        options.backoff_distance_cost,
        Bound(options.bound) is Bound.GRAMMAR,
    )


def _read(found: _core.Derivations) -> tuple[Parses, Certificate]:
    statistics = found.statistics()
    return Parses(len(found), partial(_parse, found, statistics)), _certificate(found.best_proof(), statistics)


def _parse(found: _core.Derivations, statistics: _Statistics, index: int) -> Parse:
    return Parse(partial(found.nodes, index), _certificate(found.proof(index), statistics))


def _certificate(proof: tuple[float, float, bool], statistics: _Statistics) -> Certificate:
    score, upper_bound, optimal = proof
    explored, agenda, units, decoder, seconds, stopped = statistics
    gap = 0.0 if score == upper_bound else upper_bound - score
    return Certificate(optimal, score, upper_bound, gap, explored, agenda, units, _DECODERS[decoder], seconds, stopped)


_core.set_python_types(Node, _read)


def _trace(
    columns: list[Ints1d],
    violations: tuple[float, ...],
    stopped: Any,
    explored: int,
    agenda: int,
    units: int,
    seconds: float,
) -> Trace:
    rules, categories, lefts, rights, starts, ends, greedy, largest, everything = columns
    return Trace(
        rules,
        categories,
        lefts,
        rights,
        starts,
        ends,
        greedy,
        largest,
        everything,
        violations,
        stopped == "gold",
        stopped,
        explored,
        agenda,
        units,
        seconds,
    )
