"""From the loop to an answer: certificates, limits and the back-off, as the native core gives them."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from starccg.ccg.table import RuleTable
from starccg.search.options import Bound, Decoder, Limits, Options
from starccg.search.types import Certificate, Node, Parse, SearchResult, Stop, TaggedSentence
from tests.search.reference.agenda_loop import GLOBAL_SCORE, AgendaLoop, Item
from tests.search.reference.recursive_unit import RecursiveUnit

Stopped = Literal["", "forest", "agenda", "recursive_units", "words", "exhausted"]
NO_LIMITS = Limits(forest=10**12, agenda=10**12, recursive_units=10**12)


def search(
    table: RuleTable, sentence: TaggedSentence, options: Options, unit: RecursiveUnit | None = None
) -> SearchResult:
    """Search one sentence; if a limit stops that before the first parse, back off to the supertag-factored parser."""
    begin = time.perf_counter()
    options = options.resolved()
    loop = AgendaLoop(table, sentence, options, unit)
    found: list[Item] = []
    stopped: Stopped
    if sentence.words > options.limits.words and options.decoder is not Decoder.SUPERTAG:
        stopped, bound = "words", loop.before[-1]
    else:
        found = list(itertools.islice(loop.parses(), options.nbest))
        # An agenda that ran empty proves that there are no more parses than those found.
        stopped = loop.stopped if found else loop.stopped or "exhausted"
        bound = loop.upper_bound
    loops, answered = [loop], options.decoder
    proofs = [(item.score, True) for item in found]
    if not found and (waiting := [entry for entry in loop.agenda if entry[-1].waits]):
        found = [min(waiting)[-1]]
        proofs = [(bound, found[0].score == bound)]
    if not found and stopped != "exhausted" and options.backoff and options.decoder is not Decoder.SUPERTAG:
        answered = Decoder.SUPERTAG
        factored = AgendaLoop(table, sentence, _backoff_options(options))
        loops.append(factored)
        found = list(itertools.islice(factored.parses(), 1))
        # Global scores are never positive: the best without them is a bound on the best with them, unless the
        # back-off takes off more for its tie-breaks.
        if not found or (factored.unary_cost <= loop.unary_cost and factored.distance_cost <= loop.distance_cost):
            bound = min(bound, found[0].score if found else -math.inf)
        for item in found:
            score = _rescored(loop, item)
            proofs.append((bound, score == bound))

    def certificate(score: float, upper_bound: float, optimal: bool) -> Certificate:
        return Certificate(
            optimal=optimal,
            score=score,
            upper_bound=upper_bound,
            gap=0.0 if score == upper_bound else upper_bound - score,
            explored=sum(each.explored for each in loops),
            agenda=sum(each.pushed for each in loops),
            recursive_units=sum(each.recursive_units for each in loops),
            decoder=answered if found else options.decoder,
            seconds=time.perf_counter() - begin,
            stopped=Stop(stopped),
        )

    parses = tuple(
        Parse(tuple(nodes_of(item)), certificate(item.score, upper, optimal))
        for item, (upper, optimal) in zip(found, proofs, strict=True)
    )
    return SearchResult(parses, parses[0].certificate if parses else certificate(-math.inf, bound, optimal=False))


def _backoff_options(options: Options) -> Options:
    return replace(
        options,
        decoder=Decoder.SUPERTAG,
        heuristic=True,
        bound=Bound.TAGS,
        nbest=1,
        limits=NO_LIMITS,
        unary_cost=options.backoff_unary_cost,
        distance_cost=options.backoff_distance_cost,
    )


def _rescored(loop: AgendaLoop, parse: Item) -> float:
    """Give a supertag-factored parse the scores of the model and the costs that were asked for."""
    loop.memo.clear()
    for item in parse.nodes():
        if item.left is not None and item.right is not None:
            item.local_score = -loop.distance_cost * abs(item.left.head - item.right.head)
        elif item.left is not None:
            item.local_score = -loop.unary_cost
        children = [child.inside for child in (item.left, item.right) if child is not None]
        item.inside = item.local_score + sum(children)
        if loop.options.decoder in GLOBAL_SCORE:
            loop.score_globally(item)
    return parse.score


def nodes_of(item: Item) -> Sequence[Node]:
    """A subtree as a list, children before parents."""
    order = list(item.nodes())
    place = {id(node): position for position, node in enumerate(order)}
    return [
        Node(
            node.rule,
            node.category,
            node.start,
            node.end,
            -1 if node.left is None else place[id(node.left)],
            -1 if node.right is None else place[id(node.right)],
            node.local_score + (node.root_score if node is item else 0.0),
            node.global_score or 0.0,
        )
        for node in order
    ]
