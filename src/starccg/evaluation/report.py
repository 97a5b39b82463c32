"""Scores as tables (percentages) and as plain values for programs (shares between 0 and 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from starccg.errors import counted
from starccg.evaluation.comparison import Comparison
from starccg.evaluation.resampling import CONFIDENCE
from starccg.evaluation.scores import Scores, Tally

_FIGURE_NAMES = {
    "labelled_f1": "labelled F1",
    "unlabelled_f1": "unlabelled F1",
    "supertag_accuracy": "supertag accuracy",
}


def to_json(scores: Scores) -> dict[str, Any]:
    """Everything as a value for :func:`json.dump`."""
    return {
        "labelled": _tally(scores.labelled),
        "unlabelled": _tally(scores.unlabelled),
        "supertag_accuracy": scores.supertag_accuracy,
        "coverage": scores.coverage,
        "exact_match": scores.exact_match,
        "sentences": scores.sentences,
        "excluded": scores.excluded,
        "confidence": {
            "level": CONFIDENCE,
            **{name: [interval.low, interval.high] for name, interval in scores.intervals.items()},
        },
        "by_name": {name: _tally(tally) for name, tally in scores.by_name.items()},
        "by_relation": [
            {"category": str(relation.category), "slot": relation.slot, "name": relation.name, **_tally(relation.tally)}
            for relation in scores.relations
        ],
    }


def comparison_to_json(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """The differences (second minus first) and their p-values, by figure."""
    return {
        comparison.figure: {"difference": comparison.difference, "p_value": comparison.p_value}
        for comparison in comparisons
    }


def _tally(tally: Tally) -> dict[str, float | int]:
    names = ("precision", "recall", "f1", "matched", "predicted", "gold")
    return {name: getattr(tally, name) for name in names}


def print_scores(
    console: Console,
    predictions: Mapping[str, Scores],
    comparisons: Sequence[Comparison] = (),
    *,
    relations: int = 0,
) -> None:
    """Print the tables; ``relations``: the number of rows by category and slot."""
    for name, scores in predictions.items():
        console.print(_summary(name, scores))
    for name, scores in predictions.items():
        console.print(_breakdown("By relation", name if len(predictions) > 1 else "", scores.by_name))
        if relations:
            named = {f"{r.category} {r.slot}": r.tally for r in scores.relations[:relations]}
            console.print(_breakdown("By category and slot", name if len(predictions) > 1 else "", named))
    if comparisons:
        table = Table(title="Second against first", title_justify="left")
        for heading in ("figure", "difference", "p"):
            table.add_column(heading, justify="left" if heading == "figure" else "right")
        for comparison in comparisons:
            chance = f"{comparison.p_value:.4f}{' *' if comparison.significant else ''}"
            table.add_row(_FIGURE_NAMES[comparison.figure], f"{100 * comparison.difference:+.2f}", chance)
        console.print(table)


def _summary(name: str, scores: Scores) -> Table:
    table = Table(title=name, title_justify="left")
    table.add_column("")
    for heading in ("precision", "recall", "F1", f"{100 * CONFIDENCE:.0f}% interval"):
        table.add_column(heading, justify="right")
    for label, tally in (("labelled", scores.labelled), ("unlabelled", scores.unlabelled)):
        shares = map(_percent, (tally.precision, tally.recall, tally.f1))
        table.add_row(label, *shares, _between(scores, f"{label}_f1"))
    tags = "unknown" if scores.supertag_accuracy is None else _percent(scores.supertag_accuracy)
    table.add_section()
    table.add_row("supertag accuracy", "", "", tags, _between(scores, "supertag_accuracy"))
    table.add_row("whole sentences", "", "", _percent(scores.exact_match), "")
    table.add_row("coverage", "", "", _percent(scores.coverage), counted(scores.sentences, "sentence"))
    return table


def _breakdown(title: str, name: str, tallies: Mapping[str, Tally]) -> Table:
    table = Table(title=f"{title} ({name})" if name else title, title_justify="left")
    table.add_column("relation", no_wrap=True)
    for heading in ("precision", "recall", "F1", "gold"):
        table.add_column(heading, justify="right")
    for relation, tally in tallies.items():
        shares = (tally.precision, tally.recall, tally.f1)
        table.add_row(relation.replace("[", r"\["), *map(_percent, shares), str(tally.gold))
    return table


def _between(scores: Scores, figure: str) -> str:
    interval = scores.intervals.get(figure)
    return "" if interval is None else f"{_percent(interval.low)} - {_percent(interval.high)}"


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"
