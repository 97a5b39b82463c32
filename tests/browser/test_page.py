"""The page around the views: addresses, themes, phones, errors, and staying at home."""

from __future__ import annotations

import urllib.request
from typing import Any
from urllib.parse import parse_qs, urlparse

from tests.browser.conftest import Opener, until
from tests.browser.sentences import FRUIT, HARD, HORSE, query

VIEWS = ("parse", "search", "compare")
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
WIDE = "[...document.querySelectorAll('.scroller')].filter(box => box.scrollWidth > box.clientWidth).length"
SHOWN = ".derivation svg, #scrub, .blank, .trouble:not([hidden])"


def hold(page: Any, held: list[Any]) -> None:
    """Keeps the answers about one sentence back."""

    def handle(route: Any) -> None:
        if "Fruit" in route.request.post_data:
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/parse", handle)


def test_the_first_page_says_what_there_is_and_leads_to_it(opened: Opener) -> None:
    page = opened().page
    for view, shown in zip(VIEWS, (".derivation svg", "#scrub", "#with-beam"), strict=True):
        page.click(f"[data-try={view}]")
        page.wait_for_selector(shown)
        page.go_back()
        page.wait_for_selector(f"[data-try={view}]")


def test_an_address_shares_sentence_decoder_number_view_and_step(opened: Opener) -> None:
    page = opened().page
    page.fill("#sentence", "Tim, René & “co” = 100% #1?")
    page.press("#sentence", "Enter")
    page.wait_for_selector(".derivation svg")
    page.select_option("#nbest", "2")
    page.select_option("#decoder", "supertag")
    page.click("#tab-search")
    page.wait_for_selector("#scrub")
    page.locator("#scrub").fill("7")
    until(page, "location.search.includes('step=7')")
    asked = parse_qs(urlparse(page.url).query)
    assert asked == {
        "s": ["Tim, René & “co” = 100% #1?"],
        "n": ["2"],
        "decoder": ["supertag"],
        "view": ["search"],
        "step": ["7"],
    }
    other = opened(f"?{urlparse(page.url).query}").page
    other.wait_for_selector("#scrub")
    assert other.input_value("#scrub") == "7"
    assert other.input_value("#sentence") == "Tim, René & “co” = 100% #1?"
    assert (other.input_value("#nbest"), other.input_value("#decoder")) == ("2", "supertag")


def test_back_and_forward_go_through_what_was_seen(opened: Opener) -> None:
    page = opened().page
    page.select_option("#example", FRUIT)
    page.wait_for_selector(".derivation svg")
    page.click("#tab-compare")
    page.wait_for_selector("#with-beam")
    page.select_option("#example", HORSE)
    until(page, "document.querySelectorAll('.compared .ccg-word').length === 24")
    page.go_back()
    until(page, "document.querySelectorAll('.compared .ccg-word').length === 15")
    assert page.input_value("#sentence") == FRUIT
    page.go_back()
    page.wait_for_selector("#tab-parse[aria-selected=true]")
    page.go_forward()
    page.wait_for_selector("#tab-compare[aria-selected=true]")


def test_what_is_typed_counts_whatever_is_pressed(opened: Opener) -> None:
    page = opened(query(FRUIT)).page
    page.wait_for_selector(".derivation svg")
    page.fill("#sentence", "It works.")
    page.select_option("#nbest", "2")
    page.wait_for_selector("#parse-2")
    assert page.locator(".derivation .ccg-word").first.text_content() == "It"
    page.fill("#sentence", HORSE)
    page.click("#tab-search")
    page.wait_for_selector("#scrub")
    page.keyboard.press("End")
    assert "horse" in page.text_content("#now")


def test_a_step_is_kept_while_another_view_is_looked_at(opened: Opener) -> None:
    page = opened(query(FRUIT, view="search", step=9)).page
    page.wait_for_selector("#scrub")
    page.click("#tab-parse")
    page.wait_for_selector("#panel-parse .derivation svg")
    page.click("#tab-search")
    page.wait_for_selector("#scrub")
    assert page.input_value("#scrub") == "9"


def test_an_address_that_makes_no_sense_does_no_harm(opened: Opener) -> None:
    watched = opened("?s=It+works.&n=-3&view=nonsense&step=x&k=999")
    watched.page.wait_for_selector(".derivation svg")
    watched.refused_expected = True
    watched.page.goto(f"{watched.home}?s=It+works.&decoder=nonsense")
    watched.page.wait_for_selector("#trouble:not([hidden])")
    assert "Unknown decoder" in watched.page.text_content("#trouble")
    watched.page.goto(f"{watched.home}?s=It+works.&view=search&step=99999")
    watched.page.wait_for_selector("#scrub")
    assert watched.page.input_value("#scrub") == watched.page.get_attribute("#scrub", "max")


def test_a_text_that_is_too_long_is_refused_with_the_limit(opened: Opener) -> None:
    watched = opened()
    watched.refused_expected = True
    page = watched.page
    page.fill("#sentence", "word " * 5000)
    assert "20,000" in page.text_content("#hint")
    page.click("#go")
    page.wait_for_selector("#trouble:not([hidden])")
    assert page.get_attribute("#trouble", "role") == "alert"
    told = page.text_content("#trouble")
    assert "too long" in told
    assert "20000" in told
    page.fill("#sentence", "It " + "really " * 300 + "works.")
    page.click("#go")
    until(page, "document.getElementById('trouble').textContent.includes('250')")
    page.fill("#sentence", FRUIT)
    page.click("#go")
    page.wait_for_selector(".derivation svg")
    assert page.locator("#trouble").is_hidden()


def test_a_server_that_is_gone_is_told_and_can_be_tried_again(opened: Opener) -> None:
    watched = opened()
    watched.refused_expected = True
    page = watched.page
    page.route("**/api/parse", lambda route: route.abort())
    page.fill("#sentence", FRUIT)
    page.click("#go")
    page.wait_for_selector("#trouble:not([hidden])")
    assert "does not answer" in page.text_content("#trouble")
    page.unroute("**/api/parse")
    page.click("#trouble button")
    page.wait_for_selector(".derivation svg")


def test_waiting_shows_that_something_happens(opened: Opener) -> None:
    page = opened().page
    held: list[Any] = []
    hold(page, held)
    page.fill("#sentence", FRUIT)
    page.click("#go")
    page.wait_for_selector("#loading:not([hidden])")
    assert page.get_attribute("#results", "aria-busy") == "true"
    held[0].continue_()
    page.wait_for_selector(".derivation svg")
    assert page.locator("#loading").is_hidden()


def test_an_answer_that_comes_too_late_is_not_shown(opened: Opener) -> None:
    page = opened().page
    held: list[Any] = []
    hold(page, held)
    page.fill("#sentence", FRUIT)
    page.click("#go")
    page.fill("#sentence", HORSE)
    page.click("#go")
    page.wait_for_selector(".derivation svg")
    held[0].continue_()
    page.wait_for_timeout(200)
    assert page.locator(".derivation .ccg-word").nth(1).text_content() == "horse"


def test_the_theme_follows_the_system_and_a_choice_is_kept(opened: Opener) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    page = opened(color_scheme="dark").page
    dark = page.evaluate(paper)
    page.emulate_media(color_scheme="light")
    until(page, f"{paper} !== {dark!r}")
    light = page.evaluate(paper)
    page.click("#theme")
    page.click("#theme")
    assert page.evaluate(paper) == dark
    assert page.get_attribute("#theme", "aria-label") == "Theme: dark"
    page.reload()
    assert page.evaluate(paper) == dark
    page.click("#theme")
    assert page.evaluate(paper) == light


def test_a_phone_never_scrolls_sideways(opened: Opener) -> None:
    watched = opened(**PHONE)
    page = watched.page
    for sentence in (FRUIT, HARD, "x" * 200):
        for view in VIEWS:
            page.goto(watched.home + query(sentence, view=view, n=2))
            page.wait_for_selector(SHOWN)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, (view, sentence)
            if sentence == HARD:
                assert page.evaluate(WIDE) > 0, "nothing was wide enough to try it"


def test_the_first_page_and_an_error_fit_a_phone_too(opened: Opener) -> None:
    watched = opened(**PHONE)
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= 360
    watched.refused_expected = True
    watched.page.fill("#sentence", "x" * 30_000)
    watched.page.click("#go")
    watched.page.wait_for_selector("#trouble:not([hidden])")
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_every_file_of_the_page_comes_with_a_policy_that_keeps_it_at_home(opened: Opener, address: str) -> None:
    watched = opened(query(FRUIT))
    watched.page.wait_for_selector(".derivation svg")
    files = [url for url in watched.requests if "/static/" in url]
    assert len(files) > 10
    for url in (address, *files):
        with urllib.request.urlopen(url) as response:
            assert response.headers["content-security-policy"].startswith("default-src 'self'")
