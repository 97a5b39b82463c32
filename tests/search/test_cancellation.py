"""A search that another thread cancels, or that meets a deadline, ends soon and says so."""

from __future__ import annotations

import threading
import time
from math import inf

import pytest

from starccg.search.options import Decoder, Limits, Options
from starccg.search.searcher import Cancellation
from tests.server.serving import parser

HARD = ("a",) * 250
"""No decoder finishes this in less than many seconds."""
LIMITS = Limits(forest=10**9, agenda=10**9, recursive_units=10**9, seconds=600)
PATIENT = Options(decoder=Decoder.GLOBAL, limits=LIMITS)


def timed(cancellation: Cancellation, count: int = 1, options: Options = PATIENT) -> tuple[float, list[str]]:
    tagged = parser().tag([HARD] * count, options.decoder)
    begin = time.monotonic()
    found = parser().searcher.search_batch(tagged, options, cancellation=cancellation)
    return time.monotonic() - begin, [result.certificate.stopped for result in found]


@pytest.mark.parametrize("decoder", [Decoder.GLOBAL, Decoder.SUPERTAG_FOREST, Decoder.BEAM])
def test_a_search_that_is_cancelled_ends_soon(decoder: Decoder) -> None:
    cancellation = Cancellation()
    timer = threading.Timer(0.3, cancellation.cancel)
    timer.start()
    seconds, stopped = timed(cancellation, options=Options(decoder=decoder, limits=LIMITS))
    timer.join()
    assert seconds < 3 and cancellation.cancelled
    assert stopped in (["interrupted"], [""]), "the beam may have finished before"


def test_all_sentences_of_a_cancelled_batch_end_soon() -> None:
    cancellation = Cancellation()
    cancellation.cancel()
    seconds, stopped = timed(cancellation, 20)
    assert seconds < 3 and stopped == ["interrupted"] * 20


def test_the_deadline_holds_for_the_search_and_its_back_off_together() -> None:
    seconds, stopped = timed(Cancellation(0.5))
    assert seconds < 2 and stopped == ["seconds"]


def test_a_deadline_can_be_moved() -> None:
    cancellation = Cancellation()
    assert cancellation.seconds_left == inf
    cancellation.expire_in(5)
    assert 4 < cancellation.seconds_left <= 5
    cancellation.expire_in(-1)
    assert cancellation.seconds_left <= 0
    cancellation.expire_in(1e300)
    assert cancellation.seconds_left == inf
    with pytest.raises(ValueError, match="not a number"):
        Cancellation(float("nan"))


def test_a_cancellation_with_time_left_changes_nothing() -> None:
    (tagged,) = parser().tag([("It", "works")], Decoder.GLOBAL)
    plain = parser().searcher.search(tagged)
    (with_one,) = parser().searcher.search_batch([tagged], cancellation=Cancellation(60))
    assert with_one.parses[0].nodes == plain.parses[0].nodes and with_one.certificate.optimal
