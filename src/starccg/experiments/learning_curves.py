"""Figure 5: dev F1 while the models learn with the three updates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starccg.experiments.published import CURVES
from starccg.experiments.report import Claim, Report, ReportFolder, Table, number
from starccg.tagger.plots import Plot
from starccg.training.pipeline.steps import Result

Curve = Sequence[dict[str, float]]
"""Points with ``epoch`` and ``f1``."""


def learning_curves(folder: ReportFolder, runs: Mapping[str, Sequence[Result]], command: str, about: str) -> Report:
    """The curves of the trainings (one for each seed) with each update."""
    curves = {name: _mean([result["curve"] for result in results]) for name, results in runs.items()}
    report = Report("learning-curves", "Learning curves (Figure 5)", command, notes=[about])
    rows = []
    longest = max(curves.values(), key=len)
    for number_, point in enumerate(longest):
        row = [number(point["epoch"], 2)]
        for name, curve in curves.items():
            row.append(number(curve[number_]["f1"] if number_ < len(curve) else None, 2))
            row.append(number(_published(name, point["epoch"]), 2))
        rows.append(tuple(row))
    headings = ("epoch", *(heading for name in curves for heading in (name, "paper")))
    report.tables.append(Table(headings, rows, "Dev F1"))
    report.plots.append(folder.plot("learning-curves.svg", _plot(curves)))
    best = {name: max(point["f1"] for point in curve) for name, curve in curves.items()}
    first = {name: curve[0]["f1"] for name, curve in curves.items()}
    report.claims.append(
        Claim(
            "All-violations updates converge fastest",
            "87.53 after a third of an epoch, max-violation 85.29, greedy 83.02",
            ", ".join(f"{name} {value:.2f}" for name, value in first.items()),
            first["All-violations"] >= max(first.values()),
            f"The best evaluations: {', '.join(f'{name} {value:.2f}' for name, value in best.items())}.",
        )
    )
    report.data = {"curves": curves}
    return folder.write(report)


def _published(name: str, epoch: float) -> float | None:
    """The paper's F1 at this point; it has one for each third of an epoch."""
    third = round(3 * epoch)
    known = 1 <= third <= len(CURVES[name]) and abs(3 * epoch - third) < 0.1
    return CURVES[name][third - 1] if known else None


def _mean(curves: Sequence[Curve]) -> Curve:
    """The mean of the curves of several seeds, as far as all of them go."""
    return [
        {"epoch": points[0]["epoch"], "f1": sum(point["f1"] for point in points) / len(points)}
        for points in zip(*curves, strict=False)
    ]


def _plot(curves: Mapping[str, Curve]) -> str:
    points = [point for curve in curves.values() for point in curve]
    values = [point["f1"] for point in points]
    last = max(point["epoch"] for point in points)
    low, high = min(values), max(values)
    plot = Plot("Learning curves", ("epoch", 0.0, max(last, 0.1)), ("dev F1", low - 0.1, high + 0.1))
    for name, curve in curves.items():
        plot.line(name, [(point["epoch"], point["f1"]) for point in curve])
    return plot.svg()
