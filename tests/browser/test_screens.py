"""What a person has on one screen, at the sizes of laptops and phones, and with the keyboard alone."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.browser.conftest import IDS, SIZES, Opener, until
from tests.browser.sentences import FRUIT, HARD, HORSE, SLOW, query
from tests.browser.test_search_view import DIGITS, recorded

LONG = (
    "The old man who the boy that the teacher praised had seen in the park near the big river walked slowly home"
    " because it was getting dark and he did not want to be late for the dinner that his wife had cooked."
)
REPORT = "The report that she wrote surprised everyone."
EDGES = """async ([text, width, height]) => {
  const { Recording } = await import("/static/js/recording.js");
  const { layOut } = await import("/static/js/layout.js");
  const { route } = await import("/static/js/edges.js");
  const { along } = await import("/static/js/detours.js");
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ text, max_steps: 20000 });
  const recording = new Recording(await (await fetch("/api/search", { method: "POST", headers, body })).json());
  const layout = layOut(recording, width, height, 1);
  const boxes = layout.boxes.map((box, item) => ({ ...box, item })).filter((box) => !box.hidden);
  const behind = [];
  let edges = 0;
  recording.items.forEach((item, to) => {
    for (const from of item.children) {
      if (layout.boxes[to].hidden || layout.boxes[from].hidden) continue;
      edges += 1;
      const points = route(layout, recording.items[from], from, item, to);
      for (const [x, y] of along(points))
        for (const box of boxes) {
          const across = x > box.x + 0.5 && x < box.x + box.w - 0.5;
          if (box.item !== from && box.item !== to && across && y > box.y + 0.5 && y < box.y + box.h - 0.5)
            behind.push(`${from} to ${to} behind ${box.item}`);
        }
    }
  });
  return { labels: layout.labels, edges, behind: [...new Set(behind)], height: layout.height, width: layout.width };
}"""


FLAGS = """async ([text, width, height]) => {
  const { Recording } = await import("/static/js/recording.js");
  const { layOut } = await import("/static/js/layout.js");
  const { flagBeside } = await import("/static/js/painting.js");
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ text, max_steps: 20000 });
  const recording = new Recording(await (await fetch("/api/search", { method: "POST", headers, body })).json());
  const layout = layOut(recording, width, height, 1);
  let flags = 0;
  const hidden = [];
  recording.steps.forEach((step, at) => {
    if (step.kind !== "rescore") return;
    flags += 1;
    const shown = layout.boxes.map((box, item) => ({ ...box, item }))
      .filter((box) => !box.hidden && box.item !== step.item && recording.status(box.item, at) !== "unseen");
    const { left, middle } = flagBeside(layout.boxes[step.item], 190, { left: 0, right: layout.width }, shown);
    for (const { x, y, w, h, item } of shown)
      if (x < left + 190 && x + w > left && y < middle + 12 && y + h > middle - 12) hidden.push(`${item} at ${at}`);
  });
  return { flags, hidden };
}"""
BOXES = """async ([text, width, height]) => {
  const { Recording } = await import("/static/js/recording.js");
  const { layOut } = await import("/static/js/layout.js");
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ text, max_steps: 20000 });
  const recording = new Recording(await (await fetch("/api/search", { method: "POST", headers, body })).json());
  const shown = layOut(recording, width, height, 1).boxes.filter((box) => !box.hidden);
  return { shown: shown.length, narrowest: Math.min(...shown.map((box) => box.w)) };
}"""
CUT_FLAGS = """() => {
  const box = document.querySelector("#forest-box");
  window.flags = [];
  const draw = CanvasRenderingContext2D.prototype.roundRect;
  CanvasRenderingContext2D.prototype.roundRect = function (x, y, w, h, ...rest) {
    if (h === 24) window.flags.push(x >= box.scrollLeft && x + w <= box.scrollLeft + box.clientWidth);
    draw.call(this, x, y, w, h, ...rest);
  };
}"""
AGENDA = "document.querySelector('.agenda')"
WRITTEN = """() => {
  window.written = [];
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    window.written.push(text);
    write.call(this, text, ...rest);
  };
}"""


def shown(page: Any, selector: str) -> dict[str, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None, selector
    return dict(box)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
@pytest.mark.parametrize("sentence", [FRUIT, REPORT, HARD], ids=["5 words", "8 words", "25 words"])
def test_forest_player_and_now_are_on_one_screen(opened: Opener, size: dict[str, int], sentence: str) -> None:
    page = opened(query(sentence, view="search"), viewport=size).page
    page.wait_for_selector("#scrub")
    for key in ("Home", "ArrowRight", "End"):
        page.keyboard.press(key)
        page.wait_for_timeout(100)
        for part in ("#now", "#forest-box", ".player", ".transport"):
            box = shown(page, part)
            assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"], (part, box)
    assert shown(page, "#forest-box")["height"] >= 150
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"


@pytest.mark.parametrize("size", SIZES[:2], ids=IDS[:2])
@pytest.mark.parametrize("sentence", [FRUIT, REPORT, HARD], ids=["5 words", "8 words", "25 words"])
def test_the_forest_fits_by_default(opened: Opener, size: dict[str, int], sentence: str) -> None:
    page = opened(query(sentence, view="search"), viewport=size).page
    page.wait_for_selector("#scrub")
    page.wait_for_timeout(200)
    box = "document.getElementById('forest-box')"
    assert page.evaluate(f"{box}.scrollWidth <= {box}.clientWidth + 1")
    assert page.evaluate(f"{box}.scrollHeight <= {box}.clientHeight + 1")


@pytest.mark.parametrize("size", SIZES, ids=IDS)
def test_the_player_stays_on_the_screen_when_the_page_is_scrolled(opened: Opener, size: dict[str, int]) -> None:
    page = opened(query(FRUIT, view="search"), viewport=size).page
    page.wait_for_selector("#scrub")
    page.keyboard.press("End")
    for share in (0, 0.3, 0.7, 1):
        page.evaluate(f"scrollTo(0, {share} * (document.documentElement.scrollHeight - innerHeight))")
        page.wait_for_timeout(50)
        box = shown(page, ".player")
        assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"], share
    assert page.evaluate("scrollY") > 100


def test_edges_run_between_the_boxes(opened: Opener) -> None:
    page = opened().page
    sizes = ((FRUIT, 720, 300), (REPORT, 1180, 380), (HORSE, 1180, 380))
    for sentence, width, height in (*sizes, (HARD, 1180, 310), (HARD, 1340, 400), (HARD, 360, 340)):
        found = page.evaluate(EDGES, [sentence, width, height])
        assert found["labels"] is (sentence != HARD) and found["edges"] > 3
        assert found["behind"] == [], sentence


def test_the_flag_of_a_new_score_hides_no_item(opened: Opener) -> None:
    page = opened().page
    for sentence, width, height in ((FRUIT, 720, 250), (REPORT, 1180, 270), (HARD, 1180, 240), (FRUIT, 420, 250)):
        found = page.evaluate(FLAGS, [sentence, width, height])
        assert found["flags"] > 5
        assert found["hidden"] == [], sentence


def test_a_long_request_shows_its_time_and_can_be_cancelled(sized: Opener) -> None:
    watched = sized()
    page = watched.page
    page.fill("#sentence", SLOW)
    page.press("#sentence", "Enter")
    page.wait_for_selector("#cancel")
    until(page, "/^Parsing: [1-9]/.test(document.getElementById('progress').textContent)")
    assert page.text_content("#progress").endswith("of at most 60 seconds")
    page.focus("#cancel")
    page.keyboard.press("Enter")
    page.wait_for_selector("#trouble:not([hidden])")
    assert "Cancelled" in page.text_content("#trouble") and page.is_hidden("#loading")
    begin = time.monotonic()
    page.fill("#sentence", "It works.")
    page.press("#sentence", "Enter")
    page.wait_for_selector(".derivation svg")
    assert time.monotonic() - begin < 10, "the server still works on what was cancelled"


def test_a_word_that_is_cut_is_shown_when_pointed_at(opened: Opener) -> None:
    words = "Internationalisation of incomprehensibilities overwhelms counterrevolutionaries"
    page = opened(query(words, view="search"), viewport=SIZES[2]).page
    page.wait_for_selector("#scrub")
    box = shown(page, "#forest-box")
    page.mouse.move(box["x"] + 60, box["y"] + box["height"] - 20)
    until(page, "document.getElementById('forest').title === 'Internationalisation'")


def test_in_print_no_category_is_cut(opened: Opener) -> None:
    page = opened(query(REPORT, view="search")).page
    page.wait_for_selector("#scrub")
    page.keyboard.press("End")
    before = page.evaluate("document.getElementById('forest').width")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.getElementById('forest').width") > before
    page.emulate_media(media="print")
    assert page.evaluate(
        "[...document.querySelectorAll('.what')].every(what => what.scrollWidth <= what.clientWidth)"
    ), "a category runs over the numbers beside it"
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.getElementById('forest').width") == before


def test_in_print_each_decoder_has_the_whole_width(opened: Opener) -> None:
    page = opened(query(HORSE, view="compare")).page
    page.wait_for_selector("#with-beam")
    page.emulate_media(media="print")
    boxes = [dict(card.bounding_box()) for card in page.locator(".compared > .card").all()]
    assert len(boxes) == 3
    assert len({box["x"] for box in boxes}) == 1, "decoders share the width of a page"


@pytest.mark.parametrize("size", SIZES, ids=IDS)
def test_a_long_derivation_goes_full_screen_and_fits(opened: Opener, size: dict[str, int]) -> None:
    page = opened(query(HARD), viewport=size).page
    page.wait_for_selector(".derivation svg")
    page.locator(".framed .enlarge").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open] svg")
    box = shown(page, "dialog svg")
    assert box["width"] <= size["width"] and box["height"] <= size["height"]
    page.keyboard.press("Escape")
    until(page, "!document.querySelector('dialog')")


def test_full_screen_is_offered_where_a_drawing_does_not_fit(opened: Opener) -> None:
    for sentence, offered in (("It works.", False), (HARD, True)):
        page = opened(query(sentence)).page
        page.wait_for_selector(".derivation svg")
        page.wait_for_timeout(100)
        assert page.locator(".framed:has(.derivation) .enlarge").is_visible() is offered, sentence


def test_a_parse_without_dependencies_says_so(opened: Opener) -> None:
    page = opened(query("Rain")).page
    page.wait_for_selector(".arcs svg")
    assert "There are no dependencies: no word is an argument of another word." in page.text_content(".dependencies")


def test_the_recording_says_how_it_differs_from_the_search_that_answered(sized: Opener) -> None:
    page = sized(query(REPORT, view="search")).page
    page.wait_for_selector("#scrub")
    assert "The search that answered pushed" in page.text_content("#forest-note")
    page.keyboard.press("End")
    searched = page.text_content("#proof .fine")
    page.click("#tab-parse")
    page.wait_for_selector("#panel-parse .derivation svg")
    parsed = page.text_content("#panel-parse .certificate .fine")
    assert searched.partition(", and took")[0] == parsed.partition(", and took")[0], "the views disagree"


def test_the_curve_has_an_axis_whose_numbers_differ(opened: Opener) -> None:
    page = opened().page
    digits = "async ([high, low]) => (await import('/static/js/format.js')).digits(high, low)"
    for high, low in ((-3.747329, -3.747408), (-0.5, -2.35), (-1, -900)):
        decimals = page.evaluate(digits, [high, low])
        marks = [f"{mark:.{decimals}f}" for mark in (high, (high + low) / 2, low)]
        assert len(set(marks)) == 3 and decimals <= 6


@pytest.mark.parametrize("sentence", [FRUIT, REPORT], ids=["5 words", "8 words"])
def test_the_numbers_of_a_step_are_told_apart_as_on_the_curve(opened: Opener, address: str, sentence: str) -> None:
    film = recorded(address, sentence)
    bounds = [step["bound"] for step in film["steps"][1:]]
    page = opened(query(sentence, view="search")).page
    page.wait_for_selector("#scrub")
    decimals = page.evaluate(DIGITS, [bounds[0], bounds[-1]])
    assert len({round(bound, decimals) for bound in (bounds[0], bounds[-1])}) == 2
    for number, step in enumerate(film["steps"]):
        if step["kind"] == "rescore":
            page.locator("#scrub").fill(str(number))
            assert f"with the bound −{abs(step['bound']):.{decimals}f}" in page.text_content("#now")


@pytest.mark.parametrize("size", SIZES, ids=IDS)
def test_the_agenda_is_not_cut_at_the_side(opened: Opener, size: dict[str, int]) -> None:
    for sentence in (FRUIT, REPORT):
        page = opened(query(sentence, view="search", step=9), viewport=size).page
        page.wait_for_selector("#agenda button")
        assert page.evaluate(f"{AGENDA}.scrollWidth <= {AGENDA}.clientWidth"), sentence


@pytest.mark.parametrize("size", SIZES[:2], ids=IDS[:2])
def test_categories_of_a_sentence_of_eight_words_are_not_cut(opened: Opener, size: dict[str, int]) -> None:
    page = opened(viewport=size).page
    page.evaluate(WRITTEN)
    page.fill("#sentence", REPORT)
    page.press("#sentence", "Enter")
    page.click("#tab-search")
    page.wait_for_selector("#scrub")
    page.click("[data-go=last]")
    page.wait_for_timeout(200)
    written = page.evaluate("window.written")
    assert "surprised" in written
    assert [text for text in written if "…" in text] == []


def test_a_drawing_that_goes_on_has_a_shadow_at_its_edge(opened: Opener) -> None:
    page = opened(query(HARD)).page
    page.wait_for_selector(".derivation svg")
    style = "getComputedStyle(document.querySelector('.drawing.derivation'))"
    assert page.evaluate(f"{style}.backgroundImage").count("linear-gradient") == 4
    assert page.evaluate(f"{style}.backgroundAttachment") == "local, local, scroll, scroll"


def test_the_cards_of_the_start_page_have_pictures_in_both_themes(opened: Opener) -> None:
    for scheme in ("light", "dark"):
        page = opened(color_scheme=scheme).page
        assert page.locator(".entry svg.sketch").count() == 3
        for box in page.locator(".entry svg.sketch").all():
            assert box.bounding_box()["width"] > 200


def test_an_example_that_the_model_gets_wrong_says_so(opened: Opener) -> None:
    page = opened().page
    note = """async ([text, categories]) => (await import("/static/js/examples.js"))
      .exampleNote(text.split(" "), categories.split(" "))"""
    right = page.evaluate(note, ["The old man the boats .", "NP/N N (S[dcl]\\NP)/NP NP/N N ."])
    wrong = page.evaluate(note, ["The old man the boats .", "NP/N N/N N (NP\\NP)/N N ."])
    assert right["right"] and "wrong" not in right["text"]
    assert not wrong["right"] and "The model gets this one wrong" in wrong["text"]
    assert page.evaluate(note, ["It works .", "NP S[dcl]\\NP ."]) is None


def test_the_certificate_claims_no_correctness_and_gives_the_confidence(sized: Opener) -> None:
    page = sized(query(FRUIT)).page
    page.wait_for_selector(".certificate")
    said = page.text_content(".certificate")
    assert "Best under this model" in said and "This does not say that the parse is right." in said
    assert "Estimated probability that all dependencies are right:" in page.text_content(".confidence")


def test_arcs_have_the_names_of_their_relations(sized: Opener) -> None:
    page = sized(query(REPORT)).page
    page.wait_for_selector(".arcs svg")
    assert {"subject", "object", "determiner"} <= set(page.locator(".arcs .ccg-slot").all_text_contents())


@pytest.mark.parametrize("size", SIZES, ids=IDS)
def test_decoders_are_chosen_and_leave_no_hole_in_the_layout(opened: Opener, size: dict[str, int]) -> None:
    page = opened(query(HORSE, view="compare"), viewport=size).page
    page.wait_for_selector("#with-beam")
    costs = "document.querySelector('.costs').parentElement"
    assert page.evaluate(f"{costs}.scrollWidth <= {costs}.clientWidth"), "the table of costs is cut"
    page.focus("#compare-rerank")
    page.keyboard.press(" ")
    page.wait_for_selector("#with-rerank")
    assert "with=global%2Csupertag%2Cbeam%2Crerank" in page.url
    for decoder in ("rerank", "beam"):
        rows: dict[int, float] = {}
        for index in range(page.locator(".compared > .card").count()):
            box = dict(page.locator(".compared > .card").nth(index).bounding_box())
            rows[round(box["y"])] = max(rows.get(round(box["y"]), 0), box["x"] + box["width"])
        assert max(rows.values()) - min(rows.values()) < 2, "a row is not filled"
        page.uncheck(f"#compare-{decoder}")
        page.wait_for_selector(f"#with-{decoder}", state="detached")
    assert "e+" not in page.text_content(".costs")


def test_durations_are_written_as_people_write_them(opened: Opener) -> None:
    page = opened().page
    texts = page.evaluate(
        'async seconds => seconds.map((await import("/static/js/format.js")).duration)',
        [4.2e-5, 0.0042, 0.042, 0.2, 0.999, 2, 61.25],
    )
    assert texts == ["42 µs", "4.2 ms", "42 ms", "200 ms", "999 ms", "2.0 s", "61.3 s"]


def test_the_flag_of_a_step_is_within_the_window_of_a_forest_that_scrolls(opened: Opener) -> None:
    page = opened(query(HARD, view="search"), viewport=SIZES[2]).page
    page.wait_for_selector("#scrub")
    page.evaluate(CUT_FLAGS)
    for _ in range(40):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(20)
    flags = page.evaluate("window.flags")
    assert len(flags) > 20 and all(flags)


def test_the_boxes_of_a_long_sentence_are_wide_enough_to_be_seen(opened: Opener) -> None:
    page = opened(query(LONG, view="search"), viewport=SIZES[0]).page
    page.wait_for_selector("#scrub")
    boxes = page.evaluate(BOXES, [LONG, 1184, 240])
    assert boxes["shown"] > 100 and boxes["narrowest"] >= 7


def test_drawings_that_are_compared_are_readable_on_a_phone(opened: Opener) -> None:
    page = opened(query(HORSE, view="compare"), viewport=SIZES[2]).page
    page.wait_for_selector("#with-beam")
    for drawn in page.locator(".compared .drawing svg").all():
        scale = drawn.evaluate("svg => svg.getBoundingClientRect().width / parseFloat(svg.getAttribute('width'))")
        assert scale > 0.69
