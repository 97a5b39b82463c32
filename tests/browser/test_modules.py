"""The parts of the page that only compute, tried in the browser without the page."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.browser.sentences import FRUIT, HARD

VIEWS = ("parse", "search", "compare")
LAID_OUT = """async ([text, width, height, zoom]) => {
  const { Recording } = await import("/static/js/recording.js");
  const { layOut } = await import("/static/js/layout.js");
  const headers = { "content-type": "application/json" };
  window.kept ??= {};
  window.kept[text] ??= await (
    await fetch("/api/search", { method: "POST", headers, body: JSON.stringify({ text, max_steps: 20000 }) })
  ).json();
  const recording = new Recording(window.kept[text]);
  const layout = layOut(recording, width, height, zoom);
  const wrong = [];
  const shown = layout.boxes.map((box, item) => ({ ...box, item })).filter((box) => !box.hidden);
  shown.forEach((one, at) => {
    if (one.x < 0 || one.y < 0 || one.x + one.w > layout.width || one.y + one.h > layout.baseline)
      wrong.push("outside");
    for (const other of shown.slice(at + 1))
      if (one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h)
        wrong.push(`${one.item} lies over ${other.item}`);
  });
  recording.items.forEach(({ start, end, children }, item) => {
    const box = layout.boxes[item];
    for (const child of children) {
      const longer = end - start > recording.items[child].end - recording.items[child].start;
      if (longer && box.y + box.h > layout.boxes[child].y) wrong.push(`${item} is not above its child ${child}`);
    }
    const middle = layout.left + (layout.wordWidth * (start + end)) / 2;
    if (Math.abs(box.x + box.w / 2 - middle) > layout.wordWidth / 2) wrong.push(`${item} is not over its words`);
  });
  const hidden = layout.more.reduce((sum, { items }) => sum + items.length, 0);
  if (layout.shown !== shown.length || shown.length + hidden !== recording.items.length) wrong.push("miscounted");
  return wrong;
}"""
WORDS = """async certificates => {
  const { certificateInWords } = await import("/static/js/format.js");
  return certificates.map(([certificate, context]) => certificateInWords(certificate, context));
}"""
BESIDE = """async falls => {
  const { besideCurve } = await import("/static/js/player.js");
  const [size, room] = [{ width: 160, height: 12 }, { left: 80, right: 1090, top: 11, bottom: 50 }];
  let y = 8;
  const points = falls.flatMap((fall, at) => {
    y += (fall / (falls.reduce((sum, each) => sum + each, 0) || 1)) * 44;
    return [at, at + 1].map((end) => ({ x: 80 + (end / falls.length) * 1010, y }));
  });
  return [besideCurve(points, size, room), size, points];
}"""
ADDRESSES = """async wanted => {
  const { readAddress, writeAddress } = await import("/static/js/state.js");
  return readAddress(writeAddress(wanted));
}"""


@pytest.fixture(scope="module")
def page(chromium: Any, address: str) -> Any:
    page = chromium.new_page()
    page.goto(address)
    return page


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.fixed_dictionaries(
        {
            "sentence": st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
            "tokenized": st.booleans(),
            "decoder": st.sampled_from(["", "global", "supertag", "beam", "a b&c"]),
            "nbest": st.integers(1, 50),
            "view": st.sampled_from(VIEWS),
            "step": st.integers(-1, 20_000),
            "which": st.integers(0, 99),
            "compared": st.sampled_from(["", "global", "global,beam"]),
        }
    )
)
def test_addresses_read_back_as_they_were_written(page: Any, wanted: dict[str, object]) -> None:
    found = page.evaluate(ADDRESSES, wanted)
    told = found.pop("sentence"), wanted.pop("sentence")
    assert told[0].split() == str(told[1]).split()
    step = wanted["step"] if wanted["view"] == "search" else -1
    assert found == {**wanted, "step": step, "compared": wanted["compared"] if wanted["view"] == "compare" else ""}


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([0, 0, 0, 1, 5, 100]), min_size=1, max_size=60))
def test_the_curve_does_not_run_through_its_label(page: Any, falls: list[int]) -> None:
    place, size, points = page.evaluate(BESIDE, falls)
    left, top, right, bottom = place["x"], place["y"], place["x"] + size["width"], place["y"] + size["height"]
    assert left >= 80 and right <= 1090 and top >= 11 and bottom <= 50
    for one, other in itertools.pairwise(points):  # across, then down
        beside = other["x"] < left or one["x"] > right
        assert beside or other["y"] < top or one["y"] > bottom


@pytest.mark.parametrize("sentence", [FRUIT, HARD, "Rain."])
@pytest.mark.parametrize("width", [280, 700, 1400])
@pytest.mark.parametrize("zoom", [0.5, 1, 3])
def test_no_item_hides_another_and_each_stands_over_its_words(
    page: Any, sentence: str, width: int, zoom: float
) -> None:
    assert page.evaluate(LAID_OUT, [sentence, width, 500, zoom]) == []


def test_a_certificate_says_no_more_than_is_proved(page: Any) -> None:
    proved = {
        "optimal": True,
        "score": -1.5,
        "upper_bound": -1.5,
        "gap": 0,
        "explored": 1,
        "agenda": 1,
        "recursive_units": 1,
        "decoder": "global",
        "seconds": 2e-5,
        "stopped": "",
    }
    open_ = {**proved, "optimal": False, "upper_bound": -1.0, "gap": 0.5}
    cases = [
        [proved, {}],
        [proved, {"rank": 2}],
        [{**open_, "decoder": "beam"}, {}],
        [{**open_, "decoder": "supertag", "stopped": "seconds"}, {"reason": "the time was up"}],
    ]
    best, second, beam, backed_off = page.evaluate(WORDS, cases)
    assert best["title"] == "Best under this model" and "does not say that the parse is right" in best["proof"]
    assert (
        best["cost"] == "The search explored 1 of 1 partial parse pushed, ran the recursive unit once, and took 20 µs."
    )
    assert second["title"] == "Number 2 under this model"
    for told, title in ((beam, "Not proved"), (backed_off, "Backed off")):
        assert told["title"] == title
        assert "no other parse" not in told["proof"]
        assert "the best parse is at most 0.500 better" in told["proof"]
    assert "the time was up" in backed_off["proof"]
