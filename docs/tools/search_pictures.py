"""The pictures of docs/how-the-search-works.md, drawn from a real search: needs Graphviz (``dot``).

    python docs/tools/search_pictures.py

Four moments of one search, in the colours of the paper's Figure 1: the start; every word has an explored tag; the
global model turns down an item that looked best; the end. And the bound of the agenda's head, from step to step. Only
some of the items that were never explored are shown, or the picture would be a wall of boxes.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from itertools import pairwise
from math import ceil, floor
from pathlib import Path

import starccg
from starccg.server.timeline import TimedItem, Timeline, children, root_scores, timeline
from starccg.tagger.plots import Plot

FOREST, AGENDA, UNEXPLORED = "#446eb6", "#f6b420", "#f0f0f0"
"""Explored items, scored items on the agenda and unscored items, in the colours of the paper's Figure 1."""
SENTENCES = ("Dogs watch birds", "They fish here", "She saw her duck", "Police help dog owners")
"""The first of them whose search has all four moments under the model is drawn; the page names it."""
PAGE = Path(__file__).parents[1] / "how-the-search-works.md"
FOLDER = Path(__file__).parents[1] / "images"
LEFT_OUT = 4
"""As many scored items that were never explored are shown, and one unscored tag a word."""
SHORT = 16
"""Letters of a category that fits into the picture, if there is a choice."""

LOW = -3.0
"""The global score of an item that is turned down."""


def recorded(parser: starccg.Parser, words: tuple[str, ...]) -> Timeline:
    """The search of a sentence, step by step."""
    (tagged,) = parser.tag([words], parser.options.decoder)
    options = replace(parser.options, bound="tags")  # the paper's: under the closer one there is less to see
    record = parser.searcher.record(tagged, options)
    assert record.result.certificate.optimal
    return timeline(record.events, len(words), root_scores(parser.table), scored=True, found=True)


def moments(line: Timeline, words: int, names: list[str]) -> list[int]:
    """The steps to draw."""
    tagged: set[int] = set()
    ready = turned_down = 0
    for number, step in enumerate(line.steps):
        event = step.event
        if event is None:
            continue
        if not ready and step.kind == "pop" and event.left < 0:
            tagged.add(event.start)
            ready = number if len(tagged) == words else 0
        fits = len(names[event.category]) <= SHORT
        if ready and not turned_down and fits and step.kind == "rescore" and event.global_score < LOW:
            turned_down = number
    return [0, ready, turned_down, len(line.steps) - 1]


def chosen(line: Timeline, steps: list[int], words: int, names: list[str]) -> dict[int, TimedItem]:
    """The items to show."""
    turned_down = line.steps[steps[2]].event
    assert turned_down is not None
    shown = {number for number, item in line.items.items() if item.popped_at is not None}
    shown |= {*line.parse(), turned_down.item}
    rest = sorted((n for n in line.items if n not in shown), key=lambda n: -line.items[n].priority)
    scored = [n for n in rest if line.items[n].scored_at is not None]
    shown |= set(sorted(scored, key=lambda n: len(names[line.items[n].event.category]))[:LEFT_OUT])
    for word in range(words):
        tags = [n for n in rest if line.items[n].event.start == word and line.items[n].event.left < 0]
        shown |= set(tags[:1])
    waiting = list(shown)
    while waiting:
        waiting += [child for child in children(line.items[waiting.pop()].event) if child not in shown]
        shown |= set(waiting)
    return {number: line.items[number] for number in sorted(shown)}


def dot(items: dict[int, TimedItem], now: int, own: set[int], words: tuple[str, ...], names: list[str]) -> str:
    """One moment; what is not there yet keeps its place, unseen, so that the four pictures lie over each other."""
    lines = [
        "digraph search {",
        '  graph [rankdir=BT, nodesep=0.16, ranksep=0.42, bgcolor="transparent", margin=0];',
        '  node [shape=box, fontname="Helvetica,Arial,sans-serif", fontsize=11, margin="0.09,0.05"];',
        '  edge [arrowsize=0.5, color="#444444"];',
    ]
    for word, text in enumerate(words):
        lines.append(f'  w{word} [label="{text}", shape=plaintext, style="", fontsize=15];')
    lines.append("  {rank=same; " + " -> ".join(f"w{word}" for word in range(len(words))) + " [style=invis]}")
    for number, item in items.items():
        lines += node(number, item, now, own, names)
    leaves = sorted((n for n in items if items[n].event.left < 0), key=lambda n: (items[n].event.start, n))
    lines.append("  {rank=same; " + " -> ".join(f"n{n}" for n in leaves) + " [style=invis]}")
    return "\n".join([*lines, "}", ""])


def node(number: int, item: TimedItem, now: int, own: set[int], names: list[str]) -> list[str]:
    """An item as it stands at this moment, and what leads to it."""
    event = item.event
    tails = [f"n{child}" for child in children(event)] or [f"w{event.start}"]
    scored = item.scored_at is not None and item.scored_at <= now
    explored = item.popped_at is not None and item.popped_at <= now
    score = item.priority + (item.global_score or 0.0) if scored else item.priority
    label = f"{names[event.category]}\\n{score:.2f}".replace("\\", "\\\\").replace("\\\\n", "\\n")
    if item.pushed_at > now:
        return [f'  n{number} [label="{label}", style=invis];', *(f"  {t} -> n{number} [style=invis];" for t in tails)]
    colour, ink = (FOREST, "white") if explored else (AGENDA, "black") if scored else (UNEXPLORED, "#333333")
    border = "filled,rounded" if scored or explored else "filled,rounded,dashed"
    width = 2.6 if number in own and explored else 1.0
    edge = f"penwidth={2.2 if explored else 0.8}" + ("" if scored or explored else ", style=dashed")
    return [
        f'  n{number} [label="{label}", fillcolor="{colour}", fontcolor="{ink}", style="{border}", penwidth={width}];',
        *(f"  {tail} -> n{number} [{edge}];" for tail in tails),
    ]


def svg(text: str, title: str) -> str:
    """What Graphviz makes of it, without what changes from version to version."""
    drawn = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True, check=True).stdout
    drawn = re.sub(r"<!--.*?-->\s*", "", drawn[drawn.index("<svg") :], flags=re.DOTALL)
    drawn = re.sub(r"<title>.*?</title>\s*", "", drawn)
    return drawn.replace("<g ", f"<title>{title}</title>\n<g ", 1)


def bound_plot(line: Timeline) -> str:
    """The bound of the head of the agenda at each step: it never rises."""
    bounds = [step.bound for step in line.steps if step.bound is not None]
    assert all(after <= before for before, after in pairwise(bounds))
    steps = ("step", 0.0, 4.0 * ceil(len(bounds) / 4))
    plot = Plot("No parse can score more than this", steps, ("", floor(min(bounds)), 0.0))
    plot.line("bound of the head", list(enumerate(bounds, 1)))
    return plot.svg()


def main() -> None:
    """Draw all five."""
    parser = starccg.load()
    names = [str(category) for category in parser.table.categories]
    for sentence in SENTENCES:
        words = tuple(sentence.split())
        line = recorded(parser, words)
        steps = moments(line, len(words), names)
        if 0 < steps[1] < steps[2]:
            break
    else:
        raise SystemExit("error: no sentence has all four moments under this model: add others to SENTENCES")
    if f"*{sentence}*" not in PAGE.read_text("utf-8"):
        raise SystemExit(f"error: {PAGE.name} must name the sentence *{sentence}*")
    items = chosen(line, steps, len(words), names)
    own = set(line.parse())
    for number, step in enumerate(steps, 1):
        text = dot(items, step, own, words, names)
        (FOLDER / f"search-{number}.svg").write_text(svg(text, f"Step {step} of {steps[-1]}"), "utf-8")
        event = line.steps[step].event
        told = "" if event is None else f"{' '.join(words[event.start : event.end])} {names[event.category]}"
        print(f"search-{number}.svg: step {step}, {line.steps[step].kind} {told}")
    (FOLDER / "search-bound.svg").write_text(bound_plot(line), "utf-8")


if __name__ == "__main__":
    main()
