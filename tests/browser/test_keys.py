"""The keys of the player work where people land, in windows of every size."""

from __future__ import annotations

from typing import Any

from tests.browser.conftest import Opener, until
from tests.browser.sentences import FRUIT, query


def steps(page: Any) -> None:
    """Home, arrows, End and space drive the player, without a click."""
    last = page.get_attribute("#scrub", "max")
    for key, expected in (("End", last), ("Home", "0"), ("ArrowRight", "1"), ("ArrowRight", "2"), ("ArrowLeft", "1")):
        page.keyboard.press(key)
        assert page.input_value("#scrub") == expected, key
    page.keyboard.press(" ")
    page.wait_for_selector("[data-go=play][aria-label^=Pause]")
    page.keyboard.press(" ")
    page.wait_for_selector("[data-go=play][aria-label^=Play]")


def test_the_keys_work_after_the_tab_was_clicked(sized: Opener) -> None:
    page = sized(query(FRUIT)).page
    page.wait_for_selector(".derivation svg")
    page.click("#tab-search")
    page.wait_for_selector("#scrub")
    steps(page)
    assert page.get_attribute("#tab-search", "aria-selected") == "true"


def test_the_keys_work_after_the_card_of_the_start_page(sized: Opener) -> None:
    page = sized().page
    page.click("[data-try=search]")
    page.wait_for_selector("#scrub")
    steps(page)


def test_the_keys_work_after_a_shared_link(sized: Opener) -> None:
    page = sized(query(FRUIT, view="search", step=3)).page
    page.wait_for_selector("#scrub")
    assert page.input_value("#scrub") == "3"
    steps(page)


def test_the_selected_tab_leaves_the_keys_to_the_player(sized: Opener) -> None:
    page = sized(query(FRUIT, view="search")).page
    page.wait_for_selector("#scrub")
    page.focus("#tab-search")
    steps(page)


def test_who_types_a_sentence_goes_on_typing(opened: Opener) -> None:
    page = opened(query(FRUIT, view="search")).page
    page.wait_for_selector("#scrub")
    page.fill("#sentence", "It works")
    page.press("#sentence", "Enter")
    until(page, "document.querySelector('#forest')?.getAttribute('aria-label')?.startsWith('Forest after step 0')")
    page.keyboard.type(" well")
    assert page.input_value("#sentence") == "It works well"
    assert page.input_value("#scrub") == "0"
