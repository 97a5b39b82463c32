"""The experiments that train: ablations (Table 3), updates (Table 4) and their learning curves (Figure 5).

A budget smaller than the paper's is stated in the report; :mod:`.budget` says how the models are trained.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from starccg.evaluation import compare
from starccg.experiments.budget import CONFIGS, LOOKS_AN_EPOCH, Budget, Trained
from starccg.experiments.published import CURVES, MODELS, UPDATES, Published
from starccg.experiments.report import Claim, Report, Table, Workbench, number
from starccg.experiments.systems import TAGS_ALONE, Measured
from starccg.search.types import Decoder, Options
from starccg.tagger.plots import Plot

UPDATE_MODELS = {"Greedy": "greedy", "Max-violation": "max", "All-violations": "all"}
DRAWN = "All-violations, gold drawn to zero"
"""``learning.gold_weight``: beyond the paper, for shorter searches."""

ABLATIONS: tuple[tuple[str, str | None, Options], ...] = (
    ("Supertag-factored", None, TAGS_ALONE),
    ("Supertag-factored, - dynamic program", None, Options(decoder=Decoder.SUPERTAG_FOREST)),
    ("Span-factored", "span", Options(decoder=Decoder.SPAN)),
    ("Span-factored, - dynamic program", "span", Options(decoder=Decoder.SPAN_FOREST)),
    ("Global A*", "all", Options()),
    ("- lexical inputs", "no-inputs", Options()),
    ("- lexical context", "no-context", Options()),
)
"""Table 3: the name, the model (none: tags alone) and the search."""


def train_models(work: Workbench, budget: Budget, jobs: int = 1, variants: Iterable[str] = CONFIGS) -> None:
    """Train the models of all three experiments, or some of them, ``jobs`` at a time; measure nothing."""
    Trained(work, budget).train_all(variants, jobs)


def _table(found: dict[str, Measured], paper: dict[str, Published], first: str) -> Table:
    rows = [
        (
            name,
            number(measured.f1, 2),
            number(paper[name].f1),
            number(measured.percent_optimal, 2, "%"),
            number(paper[name].optimal, 1, "%"),
            number(measured.mean_explored),
            number(paper[name].explored),
        )
        for name, measured in found.items()
    ]
    return Table((first, "dev F1", "paper", "optimal", "paper", "explored", "paper"), rows)


def ablations(work: Workbench, budget: Budget, command: str, jobs: int = 1) -> Report:
    """Table 3, all seven rows; ``jobs`` models are trained at a time."""
    trained = Trained(work, budget)
    trained.train_all((variant for _, variant, _ in ABLATIONS if variant is not None), jobs)
    found = {name: trained.measure(name, variant, options) for name, variant, options in ABLATIONS}
    report = Report("ablations", "Ablations (Table 3)", command, [_table(found, MODELS, "model")], [trained.about()])
    best, tags = found["Global A*"], found["Supertag-factored"]
    forest = found["Supertag-factored, - dynamic program"]
    report.claims = [
        _order("Global features beat spans", "Global A*", "Span-factored", found, MODELS, trained.in_short()),
        _order(
            "Words at the leaves matter", "Global A*", "- lexical inputs", found, MODELS, trained.in_short(), TAGGER
        ),
        _order("The words around matter", "Global A*", "- lexical context", found, MODELS, trained.in_short(), TAGGER),
        Claim(
            "Without dynamic programming the tags alone explore orders of magnitude more than the global model",
            "17,119.6 against 309.6",
            f"{forest.mean_explored:,.1f} against {best.mean_explored:,.1f} (with it {tags.mean_explored:,.1f})",
            forest.mean_explored > 10 * best.mean_explored,
            f"No search may explore more than {trained.config('all').development.limits.forest:,} nodes here, where "
            "the paper allows 500,000.",
        ),
    ]
    report.data = {name: measured.summary() for name, measured in found.items()}
    return work.write(report)


def updates(work: Workbench, budget: Budget, command: str, jobs: int = 1) -> Report:
    """Table 4."""
    trained = Trained(work, budget)
    models = {**UPDATE_MODELS, DRAWN: "gold"}
    trained.train_all(models.values(), jobs)
    found = {name: trained.measure(name, variant, Options()) for name, variant in models.items()}
    table = _table(found, {**UPDATES, DRAWN: Published()}, "update")
    report = Report("updates", "Updates (Table 4)", command, [table], [trained.about()])
    report.claims = [
        _order(
            "All-violations beats max-violation",
            "All-violations",
            "Max-violation",
            found,
            UPDATES,
            trained.in_short(),
        ),
        _order("All-violations beats greedy updates", "All-violations", "Greedy", found, UPDATES, trained.in_short()),
        _shorter(found["All-violations"], found[DRAWN], trained.in_short()),
    ]
    report.data = {name: measured.summary() for name, measured in found.items()}
    return work.write(report)


def learning_curves(work: Workbench, budget: Budget, command: str, jobs: int = 1) -> Report:
    """Figure 5."""
    trained = Trained(work, budget)
    trained.train_all(UPDATE_MODELS.values(), jobs)
    curves = {name: trained.train(variant)["curve"] for name, variant in UPDATE_MODELS.items()}
    report = Report("learning-curves", "Learning curves (Figure 5)", command, notes=[trained.about()])
    looks = max(len(curve) for curve in curves.values())
    rows = []
    for look in range(looks):
        row = [number((look + 1) / LOOKS_AN_EPOCH, 2)]
        for name, curve in curves.items():
            row.append(number(curve[look]["f1"] if look < len(curve) else None, 2))
            row.append(number(CURVES[name][look] if look < len(CURVES[name]) else None, 2))
        rows.append(tuple(row))
    headings = ("epoch", *(heading for name in curves for heading in (name, "paper")))
    report.tables.append(Table(headings, rows, "Dev F1"))
    report.plots.append(work.plot("learning-curves.svg", _plot(curves)))
    finals = {name: max(point["f1"] for point in curve) for name, curve in curves.items()}
    starts = {name: curve[0]["f1"] for name, curve in curves.items()}
    report.claims.append(
        Claim(
            "All-violations updates converge fastest",
            "87.53 after a third of an epoch, max-violation 85.29, greedy 83.02",
            f"{', '.join(f'{name} {value:.2f}' for name, value in starts.items())}, {trained.in_short()}",
            starts["All-violations"] >= max(starts.values()),
            f"The best looks: {', '.join(f'{name} {value:.2f}' for name, value in finals.items())}.",
        )
    )
    report.data = {"curves": curves}
    return work.write(report)


TAGGER = "The tags come from an encoder that has read the sentence, so words reach the global model through them too."


def _order(
    text: str,
    better: str,
    worse: str,
    found: dict[str, Measured],
    paper: dict[str, Published],
    budget: str,
    reason: str = "",
) -> Claim:
    against = compare(found[worse].scores(), found[better].scores())[0]
    gain = 100 * against.difference
    theirs = (paper[better].f1 or 0) - (paper[worse].f1 or 0)
    return Claim(
        text,
        f"{theirs:+.1f} F1",
        f"{gain:+.2f} F1 (p = {against.p_value:.4f}), {budget}",
        gain > 0 and against.significant,
        f"No significant gain under this budget: a longer training would have to tell. {reason}".rstrip(),
    )


def _shorter(plain: Measured, drawn: Measured, budget: str) -> Claim:
    against = compare(plain.scores(), drawn.scores())[0]
    return Claim(
        "Gold parses drawn towards zero make searches shorter and parse no worse",
        "not in the paper",
        f"{drawn.mean_explored:,.1f} nodes explored against {plain.mean_explored:,.1f}, "
        f"{100 * against.difference:+.2f} F1 (p = {against.p_value:.4f}), {budget}",
        drawn.mean_explored < plain.mean_explored and not (against.significant and against.difference < 0),
        "Shorter searches cost F1 here, or are not shorter.",
    )


def _plot(curves: dict[str, Sequence[dict[str, float]]]) -> str:
    points = [point for curve in curves.values() for point in curve]
    values = [point["f1"] for point in points]
    last = max(point["epoch"] for point in points)
    low, high = min(values), max(values)
    plot = Plot("Learning curves", ("epoch", 0.0, max(last, 0.1)), ("dev F1", low - 0.1, max(high, low) + 0.1))
    for name, curve in curves.items():
        plot.line(name, [(point["epoch"], point["f1"]) for point in curve])
    return plot.svg()
