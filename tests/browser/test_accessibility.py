"""For those who use a keyboard or listen: names, roles, focus, contrast. The checks are ours, after WCAG 2.1 AA."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Opener
from tests.browser.sentences import FRUIT, query

PAGES = {
    "start": "",
    "parse": query(FRUIT, n=3),
    "search": query(FRUIT, view="search", step=22),
    "end": query(FRUIT, view="search"),
    "beam": query(FRUIT, view="search", decoder="beam"),
    "compare": query(FRUIT, view="compare"),
}
CHECKS = (Path(__file__).parent / "checks.js").read_text(encoding="utf-8").strip().removesuffix(";")
READY = ".derivation svg, #scrub, .blank, [data-try]"


def check(page: Any, call: str) -> Any:
    return page.evaluate(f"{CHECKS}.{call}")


def test_everything_has_a_name_and_the_structure_holds(opened: Opener) -> None:
    watched = opened()
    for name, address in PAGES.items():
        watched.page.goto(watched.home + address)
        watched.page.wait_for_selector(READY)
        assert check(watched.page, "nameless()") == [], name
        assert check(watched.page, "broken()") == [], name


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground_in_both_themes(opened: Opener, scheme: str) -> None:
    watched = opened(color_scheme=scheme)
    for name, address in PAGES.items():
        watched.page.goto(watched.home + address)
        watched.page.wait_for_selector(READY)
        assert check(watched.page, "faint()") == [], name


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_lines_of_controls_stand_out_too(opened: Opener, scheme: str) -> None:
    page = opened(color_scheme=scheme).page
    for control in ("sentence", "decoder", "nbest"):
        assert check(page, f"edge({control!r})") >= 3


def test_the_whole_way_without_a_mouse(opened: Opener) -> None:
    page = opened().page
    keys = page.keyboard

    def tab_to(selector: str) -> None:
        for _ in range(60):
            keys.press("Tab")
            if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
        raise AssertionError(f"{selector} is not reached by the tab key")

    tab_to("#sentence")
    keys.type(FRUIT)
    keys.press("Enter")
    page.wait_for_selector(".derivation svg")
    tab_to("#tab-parse")
    keys.press("ArrowRight")
    page.wait_for_selector("#scrub")
    assert page.evaluate("document.activeElement.dataset.go") == "play", "the keys of the player do not work at once"
    keys.press("Home")
    keys.press("ArrowRight")
    assert page.input_value("#scrub") == "1"
    keys.press("Enter")
    page.wait_for_selector("[data-go=play][aria-label^=Pause]")
    keys.press(" ")
    page.wait_for_selector("[data-go=play][aria-label^=Play]")
    tab_to("#agenda button")
    keys.press("Enter")
    assert page.locator("#agenda [aria-pressed=true]").count() == 1
    assert page.evaluate("document.activeElement.closest('#agenda') !== null"), "the focus was lost"


def test_the_focus_can_be_seen(opened: Opener) -> None:
    page = opened(query(FRUIT, view="search")).page
    page.wait_for_selector("#scrub")
    page.focus("#sentence")
    for _ in range(25):
        page.keyboard.press("Tab")
        assert check(page, "focusShown()"), page.evaluate("document.activeElement.outerHTML")


def test_the_skip_link_leads_past_the_form(opened: Opener) -> None:
    page = opened(query(FRUIT)).page
    page.wait_for_selector(".derivation svg")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#results') !== null")
    assert page.locator(".derivation svg").count() == 1, "the address was lost"


def test_less_motion_is_respected(opened: Opener) -> None:
    page = opened(reduced_motion="reduce").page
    names = page.evaluate("[...document.querySelectorAll('*')].map(each => getComputedStyle(each).animationName)")
    assert set(names) == {"none"}
