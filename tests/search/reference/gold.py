"""Algorithm 1 in plain Python: search with the gold derivation beside it, and note where it falls behind."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from starccg.ccg.table import RuleTable
from starccg.search.options import Bound, Options
from starccg.search.types import Node, Stop, TaggedSentence, Trace
from tests.search.reference.agenda_loop import AgendaLoop, Item
from tests.search.reference.recursive_unit import RecursiveUnit, on_grid

MARGIN = on_grid(math.log(1000))
"""Once a complete parse is found, a head this far below it has nothing left to teach."""

Coefficients = Counter[Item]
Stopped = Literal["gold", "lost", "margin", "forest", "agenda", "recursive_units", "exhausted"]


class GoldLoop(AgendaLoop):
    """The same loop over the forest, which knows of each item whether its whole subtree is gold."""

    def __init__(
        self,
        table: RuleTable,
        sentence: TaggedSentence,
        gold: Sequence[Node],
        unit: RecursiveUnit,
        options: Options,
    ) -> None:
        super().__init__(table, sentence, options, unit)
        self.root = len(gold) - 1
        self.gold_nodes = {
            (node.rule, node.category, node.start, node.end, node.left, node.right): position
            for position, node in enumerate(gold)
        }
        self.gold: dict[Item, int] = {}
        """The place in the gold derivation of each gold item, waiting or explored."""
        self.waiting: set[Item] = set()
        """The gold items on the agenda."""

    def push(self, item: Item) -> bool:
        """Note what is gold, and score that at once: a violation compares items that are fully scored."""
        left, right = (-1 if child is None else self.gold.get(child, -2) for child in (item.left, item.right))
        place = self.gold_nodes.get((item.rule, item.category, item.start, item.end, left, right))
        if place is not None:
            self.gold[item] = place
            self.waiting.add(item)
            if self.options.lazy:
                self.score_globally(item)
        return super().push(item)

    def priority(self, item: Item) -> float:
        """g(path) + h."""
        return item.score + self.outside(item)

    def best_gold(self) -> Item:
        """The gold item closest to the head of the agenda."""
        return min(self.waiting, key=lambda item: (-self.priority(item), -item.length, item.age))


def search_gold(
    table: RuleTable,
    sentence: TaggedSentence,
    gold: Sequence[Node],
    unit: RecursiveUnit,
    options: Options,
    *,
    ties: bool = False,
) -> Trace:
    """All violations of the agenda until the gold parse is explored, and the coefficients of the three losses.

    With ``ties`` a head that is not gold is a violation even where it is no better than the best gold item.
    """
    loop = GoldLoop(table, sentence, gold, unit, replace(options, bound=Bound.TAGS))
    violations: list[float] = []
    coefficients: list[Coefficients] = []
    complete: float | None = None
    stopped: Stopped | None = None
    loop.push_leaves()
    while stopped is None:
        head = loop.agenda[0][-1] if loop.agenda else None
        if head is None:
            stopped = "exhausted"
        elif limit := loop.limit_hit():
            stopped = limit
        elif not loop.waiting:
            stopped = "lost"
        elif complete is not None and loop.priority(head) < complete - MARGIN:
            stopped = "margin"
        elif head.global_score is None:
            loop.pop()
        else:
            best = loop.best_gold()
            violation = loop.priority(head) - loop.priority(best)  # v(E^, A)
            second = head.waits  # a complete parse, popped again with its root score
            gold_parse = loop.gold.get(head) == loop.root
            if violation > 0 or (ties and not (gold_parse if second else head in loop.gold)):
                violations.append(violation)
                coefficients.append(_path(head, best))
            loop.pop()
            loop.waiting.discard(head)
            parse = second or loop.is_parse(head)
            waits = parse and not second and loop.goes_back(head)
            if gold_parse and waits:
                loop.waiting.add(head)
            elif gold_parse:
                stopped = "gold"
                continue
            if complete is None and parse and not waits:
                complete = head.score
            if not second:
                loop.expand(head)
    return _trace(loop, violations, coefficients, stopped)


def _path(head: Item, best: Item) -> Coefficients:
    """The subgradient of one violation: the nodes on the path of the head less those on the path of the gold item."""
    coefficients: Coefficients = Counter(head.nodes())
    coefficients.subtract(best.nodes())
    return coefficients


def _trace(
    loop: GoldLoop,
    violations: list[float],
    coefficients: list[Coefficients],
    stopped: Stopped,
) -> Trace:
    losses: tuple[Coefficients, Coefficients, Coefficients] = (Counter(), Counter(), Counter())
    if violations:
        losses[0].update(coefficients[0])
        losses[1].update(coefficients[violations.index(max(violations))])
        for step in coefficients:
            losses[2].update(step)
    wanted = {item for loss in losses for item, count in loss.items() if count}
    needed = sorted({node for item in wanted for node in item.nodes()}, key=lambda item: item.age)
    places = {item: place for place, item in enumerate(needed)}

    def child(item: Item | None) -> int:
        return -1 if item is None else places[item]

    rows = [
        (
            *(item.rule, item.category, child(item.left), child(item.right), item.start, item.end),
            *(loss[item] for loss in losses),
        )
        for item in needed
    ]
    columns = np.array(rows, np.int32).reshape(-1, 9).T
    names = ("rules", "categories", "lefts", "rights", "starts", "ends", "greedy", "max", "all")
    return Trace(
        **dict(zip(names, columns, strict=True)),
        violations=tuple(violations),
        stopped=Stop(stopped),
        explored=loop.explored,
        agenda=loop.pushed,
        recursive_units=loop.recursive_units,
        seconds=0.0,
    )
