"""A recorded search as steps: what was taken off the agenda, what it pushed, and the agenda after it.

The recording has pushes, rescorings and pops. It does not have the items that dynamic programming drops: those that
came to the head of the agenda but lost their place in the chart. The order of the agenda (larger priority, then larger
span, then the older item) is known exactly, so every item before the one that was taken next must have been dropped.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from starccg.ccg.table import RuleTable
from starccg.search.options import Bound
from starccg.search.types import Event

TOP = 10
"""How much of the agenda each step shows."""

Key = tuple[float, int, int]
"""Priority, length of the span, age: the larger, the nearer to the head."""


@dataclass(slots=True)
class TimedItem:
    """An item with the steps at which something happened to it."""

    event: Event
    """Its push."""
    pushed_at: int
    scored_at: int | None
    global_score: float | None
    popped_at: int | None = None
    dropped_at: int | None = None


@dataclass(slots=True)
class Step:
    """The head of the agenda is taken; ``event`` holds the scores after it. The first step has none.

    ``returned`` is the priority of a complete parse that went back on the agenda with its root score.
    """

    kind: Literal["start", "rescore", "pop", "drop", "goal"]
    event: Event | None = None
    bound: float | None = None
    returned: float | None = None
    agenda_size: int = 0
    explored: int = 0
    recursive_units: int = 0
    pushed: list[Event] = field(default_factory=list)
    top: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Timeline:
    """All items by number, and all steps."""

    items: dict[int, TimedItem]
    steps: list[Step]

    def parse(self) -> list[int]:
        """The items of the parse that was found, children first; none without a goal."""
        last = self.steps[-1] if self.steps else Step("start")
        if last.kind != "goal" or last.event is None:
            return []
        found: list[int] = []
        stack = [(last.event.item, False)]
        while stack:
            number, visited = stack.pop()
            if visited:
                found.append(number)
                continue
            stack.append((number, True))
            stack.extend((child, False) for child in reversed(children(self.items[number].event)))
        return found


def children(event: Event) -> list[int]:
    """The items it is built from."""
    return [child for child in (event.left, event.right) if child >= 0]


def root_scores(table: RuleTable) -> dict[int, float]:
    """The scores of roots as the search has them, on the grid; those that are zero are left out."""
    scores = {root: round(score * 2**20) / 2**20 for root, score in zip(table.roots, table.root_scores, strict=False)}
    return {root: score for root, score in scores.items() if score}


def timeline(
    events: Sequence[Event],
    words: int,
    roots: Mapping[int, float],
    *,
    scored: bool,
    found: bool,
    bound: Bound = Bound.TAGS,
) -> Timeline:
    """The steps of a search over ``words`` words, with the :func:`root_scores` of its table.

    ``scored``: a global model scores the items, lazily. Without one every push is fully scored and, unless its bound is
    its own, a word's next tag is pushed when the one before it is taken off. ``found``: the last pop is the parse.
    """
    replay = _Replay(words, roots, scored, tags_wait=not scored and bound is Bound.TAGS)
    for event in events:
        if event.kind == "push":
            replay.push(event)
        else:
            replay.take(event)
    replay.finish()
    steps = replay.steps
    if found and steps[-1].kind == "pop":
        steps[-1].kind = "goal"
    return Timeline(replay.items, steps)


class _Replay:
    """The agenda as the search had it."""

    def __init__(self, words: int, roots: Mapping[int, float], scored: bool, *, tags_wait: bool) -> None:
        self.words, self.roots, self.scored, self.tags_wait = words, roots, scored, tags_wait
        self.items: dict[int, TimedItem] = {}
        self.steps = [Step("start")]
        self.agenda: list[Key] = []
        """In order, the head last."""
        self.latest: dict[int, Event] = {}
        self.explored = self.units = 0
        self.tagged: set[int] = set()
        self.next_tags: dict[int, list[Event]] = {}
        """Pushes of tags in their turn: recorded just before the step that they belong to."""

    def push(self, event: Event) -> None:
        """A push, which belongs to the last step; unless it is a word's next tag."""
        if event.left < 0 and self.tags_wait:
            if event.start in self.tagged:
                self.next_tags.setdefault(event.start, []).append(event)
                return
            self.tagged.add(event.start)
        self.enter(event)

    def enter(self, event: Event) -> None:
        """Put a new item, which the last step pushed, on the agenda."""
        now = len(self.steps) - 1
        self.items[event.item] = TimedItem(
            event, now, None if self.scored else now, None if self.scored else event.global_score
        )
        self.steps[-1].pushed.append(event)
        self.put(event, event.inside + event.outside)

    def put(self, event: Event, priority: float) -> None:
        """Put an item on the agenda."""
        insort(self.agenda, (priority, event.end - event.start, -event.item))
        self.latest[event.item] = event

    def take(self, event: Event) -> None:
        """Anything but a push: its item is the head, after those that were dropped before it."""
        while self.agenda and self.agenda[-1][2] != -event.item:
            dropped = -self.agenda[-1][2]
            self.step("drop", self.latest[dropped])
            self.items[dropped].dropped_at = len(self.steps) - 1
        if event.kind == "pop":
            self.explored += 1
            self.step("pop", event)
            self.items[event.item].popped_at = len(self.steps) - 1
            if event.end - event.start == self.words and event.category in self.roots:
                self.steps[-1].returned = event.inside + self.roots[event.category]
                self.put(event, self.steps[-1].returned)
        elif event.kind == "goal":
            self.step("goal", event)
        else:
            self.units += 1
            self.step("rescore", event)
            item = self.items[event.item]
            item.scored_at, item.global_score = len(self.steps) - 1, event.global_score
            self.put(event, event.inside + event.outside)

    def step(self, kind: Literal["rescore", "pop", "drop", "goal"], event: Event) -> None:
        """Take the head off the agenda; if it is a tag, the next tag of its word is pushed."""
        self.finish()
        bound = self.agenda.pop()[0]
        self.steps.append(Step(kind, event, bound, explored=self.explored, recursive_units=self.units))
        if event.left < 0 and (waiting := self.next_tags.get(event.start)):
            self.enter(waiting.pop(0))

    def finish(self) -> None:
        """Store the agenda after the last step, when all pushes of the step are known."""
        self.steps[-1].agenda_size = len(self.agenda)
        self.steps[-1].top = [-number for _, _, number in reversed(self.agenda[-TOP:])]
