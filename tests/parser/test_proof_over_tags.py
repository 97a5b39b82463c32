"""Over which tags a proof holds: those inside the beam, or all that the tagger knows."""

from __future__ import annotations

from math import exp, inf, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.outcome import Failed, Parsed
from starccg.search.options import Decoder
from starccg.search.types import SearchResult, TaggedSentence
from starccg.tagger.model import MAX_TAGS
from starccg.tagger.pruning import join, prune
from tests.parser.english import SENTENCES, parsed, parser
from tests.strategies import examples

rows = st.lists(st.lists(st.floats(-20.0, 0.0, width=32), min_size=6, max_size=6), min_size=1, max_size=5)


@given(rows, st.sampled_from([0.0, 1e-4, 0.01, 0.3, 1.0]), st.integers(1, 6))
@examples(200)
def test_pruning_knows_the_best_tag_that_it_dropped(values: list[list[float]], beam: float, max_tags: int) -> None:
    scores = np.array(values, np.float32)
    tagged = prune(scores, beam, max_tags)
    best = []
    for word, row in enumerate(scores):
        kept = set(tagged.tags[tagged.offsets[word] : tagged.offsets[word + 1]].tolist())
        best.append(max([-inf, *(float(score) for tag, score in enumerate(row) if tag not in kept)]))
    assert tagged.pruned is not None and tagged.pruned.tolist() == best
    assert tagged.tag_beam == beam
    joined = join([tagged, prune(scores, 0.0, 6)])
    assert joined.pruned is not None and joined.pruned.tolist() == best + [-inf] * len(scores)


@pytest.mark.parametrize("decoder", [Decoder.GLOBAL, Decoder.SUPERTAG])
@pytest.mark.parametrize("beam", [0.3, 0.02, None])
def test_a_parse_proved_over_all_tags_is_the_best_with_all_tags(decoder: Decoder, beam: float | None) -> None:
    proved = 0
    for text in SENTENCES:
        outcome = parser().parse(text, decoder=decoder, beam=beam)
        assert not isinstance(outcome, Failed)
        if outcome.certificate.over_all_tags:
            proved += 1
            everything = parsed(text, decoder=decoder, beam=0.0)
            assert everything.best == outcome.best
            assert everything.certificate.score == outcome.certificate.score
    assert proved or beam is not None


def test_the_bound_is_that_of_the_best_dropped_tag() -> None:
    words = ("Fruit", "flies", "like", "bananas", ".")
    own = parser()
    (tagged,) = own.tag([words], Decoder.GLOBAL)
    (result,) = own.search([words], [tagged], own.options)
    (scores,) = own.tagger.log_probabilities([words])
    best = scores.max(axis=1)
    dropped = [row[row < row.max() + log(own.tagger.beam)].max() - row.max() for row in scores]
    root = max(own.table.root_scores, default=0.0)
    assert result.pruned_bound == pytest.approx(best.sum() + max(dropped) + root, abs=1e-4)
    assert exp(max(dropped)) < own.tagger.beam


HARD = (
    "Can we reschedule our call to sometime next week?",
    "Looking forward to seeing you all next week!",
    'Not sure what you mean by "final version".',
    "Give whoever asks what they need, won't you?",
)
"""With a tag beam of 0.1 the proof is not over all tags; with another model that holds of some of them."""


def narrow_proof() -> tuple[str, Parsed]:
    """A sentence whose proof is over the tags of a narrow beam, and its outcome."""
    outcomes = ((text, parsed(text, beam=0.1)) for text in HARD)
    return next(pair for pair in outcomes if not pair[1].certificate.over_all_tags)


def test_a_parse_is_proved_over_all_tags_where_that_is_asked_for() -> None:
    text, narrow = narrow_proof()
    assert narrow.certificate.beam == 0.1
    proved = parsed(text, beam="proved")
    assert proved.certificate.over_all_tags
    assert proved.best.proof.endswith("proved best over all tags")


def test_a_beam_that_is_asked_for_is_not_cut_to_a_number_of_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the certificate would name a beam of which some tags were not searched."""
    own = parser()
    search, searched = own.search, list[TaggedSentence]()

    def spy(words: Any, tagged: list[TaggedSentence], *options: Any, **more: Any) -> list[SearchResult]:
        searched.extend(tagged)
        return search(words, tagged, *options, **more)

    monkeypatch.setattr(own, "search", spy)
    for beam in (0.0, None):
        parsed("It works.", beam=beam)
    assert len(searched[0].tags) == 3 * len(own.tagger.categories)
    assert max(np.diff(searched[1].offsets)) <= MAX_TAGS


def test_a_proof_over_all_tags_is_sought_where_a_wider_beam_allows_no_derivation_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "Give whoever asks what they need, won't you?"
    own = parser()
    monkeypatch.setattr(own.tagger, "beam", 1.0)  # the best tag of each word alone
    monkeypatch.setattr("starccg.search.tag_widening.WIDER", 0.9)
    failed = own.parse(text)
    assert isinstance(failed, Failed) and failed.certificate is not None
    assert failed.certificate.beam == 0.9 and failed.certificate.widened, "it says what was searched at last"
    assert parsed(text, beam="proved").certificate.over_all_tags


def test_a_certificate_says_which_tags_the_proof_is_over() -> None:
    assert narrow_proof()[1].best.proof.endswith("proved best (tags: beam 0.1)")
    own = parser()
    for text in ("Him I never liked.", "That that is is.", *HARD):
        outcome = own.parse(text, beam=1.0)
        assert outcome.certificate is not None
        if outcome.certificate.widened:
            assert outcome.certificate.beam == 0.01
            assert (
                isinstance(outcome, Failed) or "over all tags" in outcome.best.proof or "widened" in outcome.best.proof
            )
            break
    else:
        pytest.fail("no sentence needed more tags")


def test_a_long_sentence_without_a_derivation_gets_a_few_more_tags_before_many(monkeypatch: pytest.MonkeyPatch) -> None:
    own = parser()
    texts = (
        *SENTENCES,
        "He had his father 's eyes",
        "He drinks too much , if you ask me",
        "Hi Laura ,",
        "Remove the pan from the heat and stir in the cream",
        "What happened",
    )
    words = [text.strip(".").split() for text in texts]
    narrow, few = (own.tag(words, own.options.decoder, beam=beam) for beam in (1.0, 0.1))
    short = own.search(words, narrow, own.options)
    monkeypatch.setattr("starccg.search.tag_widening.LONG", 0)
    long = own.search(words, narrow, own.options)
    direct = own.searcher.search_batch(few, own.options)
    widened = [number for number, result in enumerate(long) if result.certificate.widened]
    for number in widened:
        assert short[number].certificate.beam == pytest.approx(0.01)
        assert long[number].certificate.beam == pytest.approx(0.1 if direct[number].parses else 0.01)
    assert any(direct[number].parses for number in widened)


@pytest.mark.parametrize("beam", ["best", "", -0.1, 2.0])
def test_a_wrong_beam_is_refused(beam: object) -> None:
    with pytest.raises(ValueError, match="beam"):
        parser().parse("It works.", beam=beam)  # type: ignore[call-overload]
