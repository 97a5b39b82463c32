"""Which result of several searches with wider and wider tag beams is the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import numpy as np
import pytest

from starccg.search.options import Decoder
from starccg.search.tag_widening import search_widening
from starccg.search.types import Certificate, Parse, SearchResult, Stop, TaggedSentence

PROOF = Certificate(True, -1.0, -1.0, 0.0, 1, 1, 1, Decoder.GLOBAL, 0.0)


def result(*, optimal: bool = False, parsed: bool = True, upper_bound: float = -1.0) -> SearchResult:
    certificate = replace(
        PROOF, optimal=optimal, upper_bound=upper_bound, stopped=Stop.NONE if optimal else Stop.FOREST
    )
    return SearchResult((Parse((), certificate),) if parsed else (), certificate)


LOST = result(parsed=False, upper_bound=-inf)
STOPPED = result(parsed=False)
BACKED_OFF = result()
PROVED = result(optimal=True)


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        ((LOST, LOST, BACKED_OFF), 2),
        ((LOST, LOST, PROVED), 2),
        ((LOST, LOST, STOPPED), 1),
        ((LOST, BACKED_OFF), 1),
        ((LOST, STOPPED, BACKED_OFF), 2),
        ((PROVED, BACKED_OFF), 0),
        ((PROVED, PROVED), 1),
        ((BACKED_OFF,), 0),
    ],
)
def test_a_parse_is_kept_if_it_is_the_first_or_proved_over_more_tags(
    found: Sequence[SearchResult], answer: int
) -> None:
    sentence = TaggedSentence(np.zeros(1, np.int32), np.zeros(1, np.float32), np.array([0, 1], np.int32), tag_beam=0.1)
    results = iter(found)
    (chosen,) = search_widening(
        [sentence],
        lambda sentences: [next(results) for _ in sentences],
        lambda numbers, tag_beam: [replace(sentence, tag_beam=tag_beam) for _ in numbers],
        over_all_tags=True,
    )
    assert chosen is found[answer]
    assert next(results, None) is None
