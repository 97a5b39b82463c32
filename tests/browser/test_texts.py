"""What the page really shows is what ``tests/messages.txt`` lists: no text escapes the reading of the sources."""

from __future__ import annotations

import re
from typing import Any

from starccg.ccg.rules import Rule
from starccg.formats.registry import FORMATS
from starccg.search.options import Decoder
from tests.browser.conftest import Opener
from tests.browser.sentences import FRUIT, HORSE, query
from tests.test_messages import LISTING, SENTENCES, listed

SEEN = """() => {
  const aria = ["label", "valuetext", "roledescription", "description"].map((name) => `aria-${name}`);
  const data = "svg, .category, .span, .what, .score, .fact dd, #which, #model, tbody td, script, style, noscript";
  const found = new Set();
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement.closest(data)) {
      const outer = node.parentElement.closest(":not(kbd)"); // keys are part of the text around them
      found.add(outer.querySelector(":scope > kbd") ? outer.textContent : node.textContent);
    }
  for (const name of [...aria, "title", "placeholder", "alt"])
    for (const each of document.querySelectorAll(`[${name}]`)) found.add(each.getAttribute(name));
  found.add(document.title);
  return [...found].map((text) => text.trim().replace(/\\s+/g, " ")).filter((text) => /\\p{L}/u.test(text));
}"""
"""All texts and read-aloud attributes of the page, except drawings, categories, scores and words."""


CATEGORY = re.compile(r"((NP|N|PP|S|conj)(\[\w+\])?|[()\\/.,])+")


def patterns() -> re.Pattern[str]:
    """Every listed text of the page, with anything where something is filled in."""
    found = {
        text
        for path, text in listed(LISTING.read_text(encoding="utf-8"))
        if path.startswith((*SENTENCES, "stop_reasons.py"))
    }
    said = [text for text in found if len(re.findall(r"[A-Za-z]{2,}", re.sub(r"\{[^{}]*\}", "", text))) > 0]
    exact = [re.sub(r"\\\{.*?\\\}", ".*", re.escape(text)) for text in said if text != "{one}s"]
    return re.compile("|".join(f"(?:{text})" for text in exact), re.DOTALL)


def is_data(text: str, sentence: str) -> bool:
    """Whether a text comes from the sentence, the grammar or the formats, and not from the page."""
    names = {*map(str, Rule), *map(str, Decoder), *FORMATS, "supertag-factored", "span-factored"}
    name = text.removesuffix(" (model not trained for it)").lower()
    by_format = any(text == f"{form.name}: {form.summary}" for form in FORMATS.values())
    words = {*sentence.replace(".", " .").split(), *sentence.split(), "…"}
    return (
        by_format
        or name in names
        or text in names
        or all(word in words or CATEGORY.fullmatch(word) for word in text.split())
    )


def unlisted(page: Any, sentence: str) -> list[str]:
    """The texts of the page that are neither listed nor data; a message of the server is shown as a sentence."""
    allowed = patterns()
    seen = {text: text[:1].lower() + text[1:].removesuffix(".") for text in page.evaluate(SEEN)}
    return [
        text
        for text, message in seen.items()
        if not (allowed.fullmatch(text) or allowed.fullmatch(message) or is_data(text, sentence))
    ]


def test_every_text_of_the_views_is_listed(opened: Opener) -> None:
    page = opened().page
    assert unlisted(page, "") == []
    for sentence, decoder in ((FRUIT, "global"), (HORSE, "beam"), (FRUIT, "supertag")):
        page = opened(query(sentence, n=2, decoder=decoder)).page
        page.wait_for_selector(".arcs svg")
        assert unlisted(page, sentence) == []
        page.click("#tab-search")
        page.wait_for_selector("#scrub, .blank")
        for _ in range(1 if decoder == "beam" else 9):
            page.keyboard.press("ArrowRight")
            assert unlisted(page, sentence) == []
        page.keyboard.press("End")
        assert unlisted(page, sentence) == []
        page.click("#tab-compare")
        page.wait_for_selector("#with-beam")
        assert unlisted(page, sentence) == []


def test_every_text_of_an_error_is_listed(opened: Opener) -> None:
    watched = opened()
    watched.refused_expected = True
    page = watched.page
    page.route("**/api/parse", lambda route: route.abort())
    page.fill("#sentence", FRUIT)
    page.press("#sentence", "Enter")
    page.wait_for_selector("#trouble:not([hidden])")
    assert unlisted(page, FRUIT) == []


def test_a_text_that_is_not_listed_is_seen(opened: Opener) -> None:
    page = opened(query(FRUIT)).page
    page.wait_for_selector(".arcs svg")
    page.evaluate("document.getElementById('hint').textContent = 'planted on the page'")
    page.evaluate("document.getElementById('go').title = 'planted tooltip'")
    assert unlisted(page, FRUIT) == ["planted on the page", "planted tooltip"]
