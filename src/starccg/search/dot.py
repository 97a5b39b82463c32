"""Graphviz DOT of a recorded search: the explored hypergraph in the colours of the paper's Figure 1."""

from __future__ import annotations

from collections.abc import Sequence

from starccg.ccg.rules import Rule
from starccg.search.types import Event, Recording

FOREST, AGENDA, UNEXPLORED = "#446eb6", "#f6b420", "#f0f0f0"


def to_dot(recording: Recording, categories: Sequence[str], words: Sequence[str]) -> str:
    """Explored nodes, what is left fully scored on the agenda, and what was never scored, each in its colour.

    Hyperedges between explored nodes are bold, those of unscored items dashed. Leaves hang on the start node.
    """
    last: dict[int, Event] = {}
    explored: set[int] = set()
    rescored: set[int] = set()
    for event in recording.events:
        last[event.item] = event  # of an accepted parse: with its root score
        if event.kind == "pop":
            explored.add(event.item)
        elif event.kind == "rescored":
            rescored.add(event.item)
    lazily = bool(rescored)
    lines = [
        "digraph search {",
        '  node [shape=box, style=filled, fontname="Helvetica"];',
        '  start [label="∅", shape=circle, fillcolor=white];',
    ]
    for item, event in last.items():
        scored = item in explored or item in rescored or not lazily
        colour = FOREST if item in explored else AGENDA if scored else UNEXPLORED
        ink = "white" if item in explored else "black"
        text = " ".join(words[event.start : event.end])
        label = _quote(
            f"{text}\n{categories[event.category]}  {_label(event.rule)}\n{event.inside:.3f} + {event.outside:.3f}"
        )
        lines.append(f'  n{item} [label={label}, fillcolor="{colour}", fontcolor={ink}];')
        style = "penwidth=2" if item in explored else "penwidth=0.7" if scored else "style=dashed"
        tails = [f"n{child}" for child in (event.left, event.right) if child >= 0] or ["start"]
        lines += [f"  {tail} -> n{item} [{style}];" for tail in tails]
    return "\n".join([*lines, "}", ""])


def _label(rule: int) -> str:
    return Rule(rule).label if rule in Rule._value2member_map_ else str(rule)


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
