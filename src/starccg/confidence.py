"""How sure the parser is of its best parse: a posterior and a margin from the list of its best parses.

Parses that differ only in irrelevant ways would distort both. So the cost of the root category is removed
from the scores, and of parses with the same dependencies only the best one counts. A :class:`Calibration`, fitted on
development data, turns posterior, margin, score and length into the probability that all dependencies are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import exp, inf, isfinite, log
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from starccg.ccg.grammar import Grammar
from starccg.errors import StarccgError
from starccg.outcome import Confidence, Failed, Parsed, ParseOutcome

CONFIDENCE_NBEST = 10
"""The number of parses that the confidence is computed from."""
MAX_MARGIN = 10.0
"""Larger margins are clipped to this one."""
MIN_SCORE = -100.0
"""Lower scores are clipped to this one."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic regression: the probability that all labelled dependencies of the best parse are right."""

    intercept: float
    log_odds: float
    """The weight of the log-odds of the posterior."""
    margin: float
    score: float
    """The weight of the log-score of the best parse, without the root cost."""
    length: float
    """The weight of the logarithm of the number of words."""

    def probability(self, posterior: float, margin: float, score: float, words: int) -> float:
        """The probability that the parse is right."""
        weights = np.array((self.intercept, self.log_odds, self.margin, self.score, self.length))
        return float(_sigmoid(features(posterior, margin, score, words) @ weights))

    def to_dict(self) -> dict[str, float]:
        """The weights as the manifest of a model folder holds them."""
        return asdict(self)

    @classmethod
    def from_dict(cls, value: Any) -> Calibration:
        """Read what :meth:`to_dict` wrote."""
        try:
            weights = {name: float(value[name]) for name in cls.__dataclass_fields__}
        except (KeyError, TypeError, ValueError) as error:
            raise StarccgError(f"the calibration of the confidence is damaged ({error})") from None
        if not all(map(isfinite, weights.values())):
            raise StarccgError("the calibration of the confidence has a number that is not finite")
        return cls(**weights)

    @classmethod
    def fit(cls, outcomes: Sequence[tuple[Confidence, int]], right: Sequence[bool], rounds: int = 50) -> Calibration:
        """Fit to confidences (each with the number of words) and to whether each parse was right.

        Newton's method on the logistic loss with a small quadratic penalty, so that it always has a solution.
        """
        rows = np.stack([features(it.posterior, it.margin, it.score, words) for it, words in outcomes])
        target = np.asarray(right, dtype=float)
        weights = np.zeros(rows.shape[1])
        penalty = np.eye(rows.shape[1])
        for _ in range(rounds):
            predicted = _sigmoid(rows @ weights)
            gradient = rows.T @ (predicted - target) + penalty @ weights
            curvature = (rows * (predicted * (1.0 - predicted))[:, None]).T @ rows + penalty
            step = np.linalg.solve(curvature, gradient)
            weights -= step
            if np.abs(step).max() < 1e-9:
                break
        return cls(*map(float, weights))


def features(posterior: float, margin: float, score: float, words: int) -> npt.NDArray[np.float64]:
    """The features of the regression: 1, log-odds of the posterior, margin, score, logarithm of the length."""
    inside = min(max(posterior, 1e-6), 1.0 - 1e-6)
    log_odds = log(inside / (1.0 - inside))
    return np.array((1.0, log_odds, min(margin, MAX_MARGIN), max(score, MIN_SCORE), log(max(words, 1))))


def _sigmoid(value: npt.ArrayLike) -> npt.NDArray[np.float64]:
    found: npt.NDArray[np.float64] = 1.0 / (1.0 + np.exp(-np.clip(value, -500.0, 500.0)))
    return found


class _Reading(NamedTuple):
    """The best parse of those with the same dependencies."""

    score: float
    dependencies: frozenset[Any]


def confidence_of(outcome: Parsed, grammar: Grammar, calibration: Calibration | None = None) -> Confidence:
    """The confidence in ``outcome.best``, from all parses of the outcome."""
    readings: list[_Reading] = []
    for parse in outcome.parses:
        score = parse.score + grammar.root_costs.get(parse.category, 0.0)
        dependencies = frozenset((it.head, it.category, it.slot, it.argument) for it in parse.dependencies)
        if all(dependencies != reading.dependencies for reading in readings):
            readings.append(_Reading(score, dependencies))
    best = readings[0].score
    highest = max(reading.score for reading in readings)
    posterior = exp(best - highest) / sum(exp(reading.score - highest) for reading in readings)
    margin = best - readings[1].score if len(readings) > 1 else inf
    probability = None
    if calibration is not None:
        probability = calibration.probability(posterior, margin, best, len(outcome.words))
    return Confidence(posterior, margin, best, probability)


def with_confidence(
    outcome: ParseOutcome, grammar: Grammar, calibration: Calibration | None, nbest: int
) -> ParseOutcome:
    """The outcome with its confidence, computed from all of its parses, of which the first ``nbest`` are kept."""
    if isinstance(outcome, Failed):
        return replace(outcome, nbest=nbest)
    confidence = confidence_of(outcome, grammar, calibration)
    complete = len(outcome.parses) >= nbest
    parses = outcome.parses[:nbest]
    # If the requested parses are complete and proved, a limit that was reached after them does not matter.
    reason = "" if complete and all(parse.certificate.optimal for parse in parses) else outcome.reason
    return replace(outcome, parses=parses, nbest=nbest, reason=reason, confidence=confidence)
