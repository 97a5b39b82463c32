"""Confidence: how well it separates right parses from wrong ones, and whether its probabilities hold.

A parse is right if its labelled dependencies are exactly the gold ones. The probabilities are cross-validated: those of
each fold of the sentences come from a calibration that was fitted on the other folds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from starccg.experiments.report import Report, ReportFolder, Table, number
from starccg.tagger.analysis import in_bins
from starccg.tagger.plots import reliability_plot

FOLDS = 5


@dataclass(frozen=True)
class Judged:
    """The confidence in the best parse of one sentence, and whether the parse is right."""

    source: str
    words: int
    posterior: float
    margin: float
    score: float
    right: bool


Probability = Callable[[Judged], float]
Fit = Callable[[Sequence[Judged]], Probability]
"""Fits a calibration to sentences."""


def auc(values: Sequence[float], right: Sequence[bool]) -> float:
    """The probability that a right parse has a higher value than a wrong one (ties count half); 0.5 without both."""
    ordered, found = np.sort(np.asarray(values, float)), np.asarray(right, bool)
    ranks = (np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right") + 1) / 2
    positive, negative = int(found.sum()), int((~found).sum())
    if not positive or not negative:
        return 0.5
    return float((ranks[found].sum() - positive * (positive + 1) / 2) / (positive * negative))


def cross_validated(judged: Sequence[Judged], fit: Fit) -> list[float]:
    """The probability of each sentence from a calibration that did not see it."""
    found = [0.0] * len(judged)
    for fold in range(FOLDS):
        probability = fit([own for place, own in enumerate(judged) if place % FOLDS != fold])
        for place in range(fold, len(judged), FOLDS):
            found[place] = probability(judged[place])
    return found


def confidence(folder: ReportFolder, judged: Sequence[Judged], failed: int, fit: Fit, command: str) -> Report:
    """AUC and calibration error for each treebank, and a reliability plot."""
    probabilities = cross_validated(judged, fit)
    rows, curves, data = [], {}, {}
    for source in dict.fromkeys(own.source for own in judged):
        chosen = [place for place, own in enumerate(judged) if own.source == source]
        right = [judged[place].right for place in chosen]
        own = [probabilities[place] for place in chosen]
        curves[source], error = in_bins(own, right)
        figures = {
            "sentences": len(chosen),
            "right": 100 * sum(right) / len(chosen),
            "auc": auc(own, right),
            "auc_posterior": auc([judged[place].posterior for place in chosen], right),
            "auc_margin": auc([judged[place].margin for place in chosen], right),
            "auc_score": auc([judged[place].score for place in chosen], right),
            "calibration_error": 100 * error,
        }
        data[source] = figures
        rows.append(
            (
                source,
                f"{len(chosen):,}",
                number(figures["right"], 1, "%"),
                *(number(figures[name], 3) for name in ("auc", "auc_posterior", "auc_margin", "auc_score")),
                number(figures["calibration_error"], 1),
            )
        )
    headings = (
        "treebank", "parses", "right", "AUC, probability", "AUC, posterior", "AUC, margin", "AUC, score",
        "calibration error, points",
    )  # fmt: skip
    report = Report("confidence", "Confidence", command, [Table(headings, rows)], data=data)
    report.plots.append(folder.plot("confidence.svg", reliability_plot(curves)))
    report.notes.append(
        f"A parse is right if its labelled dependencies are exactly the gold ones; {failed} sentences without a parse "
        f"are left out. AUC is the probability that a right parse has a higher value than a wrong one. Probabilities "
        f"are cross-validated ({FOLDS} folds); the plot shows the share of right parses by tenths of the probability."
    )
    return folder.write(report)
