"""The search is watched: every step of the recording can be reached, and shows what it says."""

from __future__ import annotations

import json
import random
import time
import urllib.request
from typing import Any

import pytest

from tests.browser.conftest import Opener, until
from tests.browser.sentences import FRUIT, HARD, HORSE, query

BLUE, AMBER = (68, 110, 182), (246, 180, 32)
DIGITS = "async ([high, low]) => Math.max(3, (await import('/static/js/format.js')).digits(high, low))"
COUNT = """([red, green, blue]) => {
  const { width, height } = document.getElementById("forest");
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context.drawImage(document.getElementById("forest"), 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255) count += 1;
  return count;
}"""


def recorded(address: str, sentence: str, decoder: str = "global") -> Any:
    body = json.dumps({"text": sentence, "decoder": decoder, "max_steps": 20_000}).encode()
    request = urllib.request.Request(f"{address}api/search", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def watching(opened: Opener, sentence: str = FRUIT, **rest: object) -> Any:
    page = opened(query(sentence, view="search", **rest)).page
    page.wait_for_selector("#scrub")
    return page


def minus(text: str) -> float:
    return float(text.replace("−", "-"))


def test_the_search_starts_at_step_0_and_ends_with_its_certificate(opened: Opener, address: str) -> None:
    page = watching(opened)
    film = recorded(address, FRUIT)
    assert page.text_content("#where") == f"Step 0 of {film['total_steps'] - 1}"
    page.keyboard.press("End")
    assert page.get_attribute("#scrub", "max") == str(film["total_steps"] - 1)
    assert page.text_content("#where") == f"Step {film['total_steps'] - 1} of {film['total_steps'] - 1}"
    assert "complete parse" in page.text_content("#now")
    assert "Best under this model" in page.text_content("#proof")
    assert f"explored {film['certificate']['explored']} of" in page.text_content("#proof")


@pytest.mark.parametrize("decoder", ["global", "supertag", "supertag-forest"])
def test_scrubbing_shows_the_agenda_of_every_step(opened: Opener, address: str, decoder: str) -> None:
    page = watching(opened, decoder=decoder)
    film = recorded(address, FRUIT, decoder)
    items = {item["id"]: item for item in film["items"]}
    heads = [step["bound"] for step in film["steps"][1:]]
    assert heads == sorted(heads, reverse=True), "the curve of the bound rises"
    for number, step in enumerate(film["steps"]):
        if number % 3 and step["kind"] != "drop":
            continue
        page.locator("#scrub").fill(str(number))
        shown = page.locator("#agenda tbody tr")
        rows = shown.evaluate_all("rows => rows.map(row => [...row.cells].map(cell => cell.textContent))")
        assert len(rows) == max(1, min(8, len(step["top"])))
        for row, item in zip(rows, step["top"], strict=False):
            assert row[0].startswith(film["categories"][items[item]["category"]])
            assert minus(row[3]) == pytest.approx(minus(row[1]) + minus(row[2]), abs=0.0021)
        bounds = [minus(row[3]) for row in rows] if step["top"] else []
        assert bounds == sorted(bounds, reverse=True)
        assert f"({step['agenda_size']} item" in page.text_content("#agenda-title")
        assert page.text_content("#now-title").startswith(f"Now: {step['explored']} explored")


def test_the_forest_grows_in_the_colours_of_figure_1(opened: Opener) -> None:
    page = watching(opened)
    blue = []
    last = int(page.get_attribute("#scrub", "max"))
    for number in (0, last // 2, last):
        page.locator("#scrub").fill(str(number))
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        blue.append(page.evaluate(COUNT, BLUE))
    assert blue[0] == 0 < blue[1] < blue[2]
    assert page.evaluate(COUNT, AMBER) > 0


def test_lazy_scoring_is_visible_the_item_comes_is_scored_and_goes_back(opened: Opener, address: str) -> None:
    film = recorded(address, FRUIT)
    rescored = [at for at, step in enumerate(film["steps"]) if step["kind"] == "rescore"]
    number = min(rescored, key=lambda at: film["steps"][at]["global"])
    step = film["steps"][number]
    page = watching(opened, step=number - 1)
    first = page.locator("#agenda tbody tr").first
    assert first.locator("td").last.text_content() == "not yet"
    assert minus(first.locator("td").nth(2).text_content()) == pytest.approx(step["bound"], abs=0.0006)
    page.keyboard.press("Tab")
    page.locator("#scrub").press("ArrowRight")
    told = page.text_content("#now")
    assert "goes back on the agenda" in told
    decimals = page.evaluate(DIGITS, [film["steps"][1]["bound"], film["steps"][-1]["bound"]])
    for value in (step["bound"], step["global"], step["priority"]):
        assert f"{abs(value):.{decimals}f}" in told
    assert "not proved" not in page.text_content("#proof").lower()
    assert "no parse can score more than" in page.text_content("#proof")


def test_play_runs_to_the_end_and_pause_stops_it(opened: Opener) -> None:
    page = watching(opened, step=0)
    page.select_option("#pace", "8")
    page.click("[data-go=play]")
    until(page, "Number(document.getElementById('scrub').value) > 3")
    assert page.get_attribute("#now", "aria-live") == "off"
    page.click("[data-go=play]")
    page.wait_for_selector("[data-go=play][aria-label^=Play]")
    stopped = page.input_value("#scrub")
    time.sleep(0.4)
    assert page.input_value("#scrub") == stopped
    page.click("[data-go=play]")
    until(page, "document.getElementById('scrub').value === document.getElementById('scrub').max")
    page.wait_for_selector("[data-go=play][aria-label^=Play]")
    assert "Best under this model" in page.text_content("#proof")


def test_rescoring_can_be_skipped(opened: Opener, address: str) -> None:
    film = recorded(address, FRUIT)
    pops = [at for at, step in enumerate(film["steps"]) if step["kind"] in ("pop", "goal")]
    page = watching(opened, step=0)
    page.check("#pops")
    for expected in pops:
        page.click("[data-go=forward]")
        assert page.input_value("#scrub") == str(expected)


def test_keys_work_from_the_view(opened: Opener) -> None:
    page = watching(opened)
    last = page.get_attribute("#scrub", "max")
    page.focus("#panel-search")
    for key, expected in (("Home", "0"), ("ArrowRight", "1"), ("ArrowRight", "2"), ("ArrowLeft", "1"), ("End", last)):
        page.keyboard.press(key)
        assert page.input_value("#scrub") == expected, key
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    page.wait_for_selector("[data-go=play][aria-label^=Pause]")
    page.keyboard.press(" ")
    page.wait_for_selector("[data-go=play][aria-label^=Play]")


def test_an_item_is_shown_when_pointed_at_chosen_and_reached_by_keys(opened: Opener, address: str) -> None:
    page = watching(opened)
    page.keyboard.press("End")
    film = recorded(address, FRUIT)
    size = page.locator("#forest").bounding_box()
    page.hover("#forest", position={"x": size["width"] * 0.1, "y": size["height"] - 58})
    until(page, "document.querySelector('#item .span').textContent === 'Fruit'")
    page.mouse.move(0, 0)
    page.locator("#agenda button").nth(1).click()
    chosen = page.locator("#agenda [aria-pressed=true] .category").text_content()
    assert page.text_content("#item .category") == chosen
    assert chosen in page.text_content("#announce")
    page.focus("#forest")
    page.keyboard.press("Escape")
    items = {item["id"]: item for item in film["items"]}
    item = items[film["steps"][-1]["item"]]
    page.keyboard.press("ArrowUp")
    while item["children"]:
        assert page.text_content("#item .span") == " ".join(film["words"][item["start"] : item["end"]])
        page.keyboard.press("ArrowDown")
        item = items[item["children"][0]]
    assert page.text_content("#item .category") == film["categories"][item["category"]]
    page.keyboard.press("ArrowRight")
    assert page.text_content("#item .category, #item .span") != ""
    assert page.get_attribute("#scrub", "max") == page.input_value("#scrub"), "the arrows moved the timeline too"


def crowd(words: list[str], size: int) -> Any:
    """A recording of many items at random: every word has tags, every further item is built from two neighbours."""
    chance = random.Random(1)
    items = [item(number, number % len(words), number % len(words) + 1) for number in range(5 * len(words))]
    while len(items) < size:
        left, right = chance.choice(items), chance.choice(items)
        if left["end"] == right["start"]:
            items.append(item(len(items), left["start"], right["end"], [left["id"], right["id"]]))
    start = {"kind": "start", "item": None, "bound": None, "agenda_size": size, "explored": 0, "recursive_units": 0}
    steps = [{**start, "pushed": [], "top": []}]
    for number in range(size // 2):
        items[number]["popped_at"] = number + 1
        step = {"kind": "pop", "item": number, "bound": -number / size, "explored": number + 1}
        steps.append({**steps[0], **step, "top": list(range(number + 1, number + 11))})
    film = {"words": words, "decoder": "global", "recorded": True, "categories": ["NP"], "items": items, "steps": steps}
    return {**film, "outcome": "Failed", "reason": "made up", "total_steps": len(steps), "truncated": False}


def item(number: int, start: int, end: int, children: list[int] | None = None) -> dict[str, Any]:
    scores = {"inside": -1.0, "outside": -1.0, "local": 0.0, "global": -0.5, "pushed_at": 0, "scored_at": 0}
    return {"id": number, "category": 0, "start": start, "end": end, "children": children or [], **scores}


def test_thousands_of_items_stay_smooth_and_the_cap_is_told(opened: Opener) -> None:
    page = opened().page
    film = crowd(HARD.split(), 6000)
    page.route("**/api/search", lambda route: route.fulfill(json=film))
    page.fill("#sentence", HARD)
    page.click("#tab-search")
    page.wait_for_selector("#scrub")
    note = page.text_content("#forest-note")
    assert note.startswith("The forest shows ")
    shown, total = (int(word.replace(",", "")) for word in note.split() if word.replace(",", "").isdigit())
    assert 500 < shown < total == 6000
    slowest = page.evaluate(
        """async () => {
          const scrub = document.getElementById("scrub");
          const frame = () => new Promise(requestAnimationFrame);
          const times = [];
          for (let at = 0; at <= 20; at += 1) {
            const begin = performance.now();
            scrub.value = String(Math.round((at / 20) * Number(scrub.max)));
            scrub.dispatchEvent(new Event("input"));
            await frame();
            await frame();
            times.push(performance.now() - begin);
          }
          return times.sort((a, b) => a - b)[10];
        }"""
    )
    assert slowest < 250, "a step takes too long to draw"
    page.click("[data-zoom='1']")
    assert page.text_content("#forest-note") != note


def test_the_beam_has_nothing_to_watch_and_says_so(opened: Opener) -> None:
    page = opened(query(HORSE, view="search", decoder="beam")).page
    page.wait_for_selector(".blank")
    assert "no agenda" in page.text_content(".blank")
    page.click(".blank button")
    page.wait_for_selector("#scrub")
    assert page.input_value("#decoder") == "global"


def test_a_search_that_backs_off_is_shown_as_far_as_it_went(opened: Opener) -> None:
    page = opened().page

    def hurried(route: Any) -> None:
        film = route.fetch().json()
        film["steps"].pop()
        film["certificate"] |= {"optimal": False, "stopped": "seconds", "decoder": "supertag", "gap": 1.0}
        route.fulfill(json={**film, "outcome": "BackedOff", "reason": "the time was up", "parse": []})

    page.route("**/api/search", hurried)
    page.fill("#sentence", FRUIT)
    page.click("#tab-search")
    page.wait_for_selector("#scrub")
    page.keyboard.press("End")
    assert "Backed off" in page.text_content("#proof")
    assert "the time was up" in page.text_content("#proof")
    assert "with a proof" not in page.text_content("#now")
