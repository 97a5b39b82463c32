"""How sure the parser is: a posterior, a margin, and a probability that is calibrated."""

from __future__ import annotations

from math import exp, inf

import numpy as np
import pytest

import starccg
from starccg.ccg.derivation import Leaf
from starccg.confidence import CONFIDENCE_NBEST, Calibration, confidence_of
from starccg.errors import StarccgError
from starccg.outcome import Confidence, Parsed
from starccg.parsed_derivation import ParsedDerivation
from starccg.search.options import Decoder
from starccg.search.types import Certificate
from tests.parser.english import parsed, parser


def listed(*scores: tuple[str, float]) -> Parsed:
    """Parses of one word, each with its category and score: none has dependencies."""
    parses = tuple(
        ParsedDerivation.of(
            Leaf(starccg.Category.parse(category), "rain"),
            Certificate(True, score, score, 0.0, 0, 0, 0, Decoder.GLOBAL, 0.0),
            rank,
        )
        for rank, (category, score) in enumerate(scores, 1)
    )
    return Parsed(("rain",), parses, parses[0].certificate)


def test_parses_with_the_same_dependencies_count_once_and_roots_cost_nothing() -> None:
    found = confidence_of(listed(("N", -1.0), ("NP", -1.5)), parser().grammar)
    assert (found.posterior, found.margin) == (1.0, inf)
    root = starccg.Category.parse("NP")
    cost = parser().grammar.root_costs.get(root, 0.0)
    assert confidence_of(listed(("NP", -1.0)), parser().grammar).score == -1.0 + cost


def test_the_posterior_is_the_share_of_the_best_among_parses_with_other_dependencies() -> None:
    text = "Fruit flies like bananas."
    outcome = parsed(text, confidence=True)
    readings: dict[frozenset[object], float] = {}
    for parse in parsed(text, nbest=CONFIDENCE_NBEST):
        key = frozenset((it.head, it.category, it.slot, it.argument) for it in parse.dependencies)
        readings.setdefault(key, parse.score + parser().grammar.root_costs.get(parse.category, 0.0))
    first, second, *_ = readings.values()
    assert outcome.confidence is not None
    assert outcome.confidence.posterior == pytest.approx(exp(first) / sum(map(exp, readings.values())))
    assert outcome.confidence.margin == pytest.approx(first - second)
    assert 0.0 < (outcome.confidence.probability or 0.0) < 1.0


def test_confidence_is_off_unless_asked_for_and_changes_nothing_else() -> None:
    text = "Time flies like an arrow."
    plain, sure = parsed(text, nbest=2), parsed(text, nbest=2, confidence=True)
    assert plain.confidence is None
    assert list(plain) == list(sure) and len(sure) == sure.nbest == 2
    assert [it.certificate.score for it in plain] == [it.certificate.score for it in sure]
    assert sure.to_dict()["confidence"].keys() == {"posterior", "margin", "score", "probability"}
    assert plain.to_dict()["confidence"] is None
    assert parser().parse("", confidence=True).confidence is None


def test_a_calibration_fitted_to_sentences_predicts_their_rate() -> None:
    random = np.random.default_rng(1)
    truth = Calibration(1.0, 0.1, 0.3, 0.5, -0.4)
    cases = [
        (Confidence(random.uniform(0.2, 1.0), random.uniform(0.0, 12.0), -random.exponential(3.0)), int(length))
        for length in random.integers(1, 40, 20_000)
    ]
    chances = [truth.probability(it.posterior, it.margin, it.score, words) for it, words in cases]
    right = [bool(value) for value in random.uniform(size=len(chances)) < chances]
    fitted = Calibration.fit(cases, right)
    predicted = [fitted.probability(it.posterior, it.margin, it.score, words) for it, words in cases]
    assert np.mean(predicted) == pytest.approx(np.mean(right), abs=0.005)
    assert np.abs(np.subtract(predicted, chances)).max() < 0.05
    assert Calibration.from_dict(fitted.to_dict()) == fitted


def test_a_fit_to_data_that_can_be_separated_stays_finite() -> None:
    cases = [(Confidence(1.0, inf, 0.0), 3)] * 10
    assert Calibration.fit(cases, [True] * 10).probability(1.0, inf, 0.0, 3) > 0.5


@pytest.mark.parametrize(
    "value", [{}, None, [], {"intercept": "x"}, {**Calibration(0, 0, 0, 0, 0).to_dict(), "score": inf}]
)
def test_a_damaged_calibration_is_reported(value: object) -> None:
    with pytest.raises(StarccgError, match="calibration"):
        Calibration.from_dict(value)
