"""A sentence is typed; its parses are drawn, told and taken away as files."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from starccg.dependencies import Reach
from starccg.formats.registry import FORMATS
from starccg.search.options import Decoder, Options
from tests.browser.conftest import Opener, until
from tests.browser.sentences import FRUIT, HORSE, parser, query


def test_enter_parses_and_the_drawing_shows_the_derivation_of_the_parser(opened: Opener) -> None:
    page = opened().page
    page.fill("#sentence", FRUIT)
    page.press("#sentence", "Enter")
    page.wait_for_selector(".derivation svg")
    best = parser().parse(FRUIT).best
    assert page.locator(".derivation .ccg-word").all_text_contents() == best.words
    leaves = page.locator(".derivation .ccg-leaf .ccg-category").all_text_contents()
    assert leaves == [str(category) for category in best.supertags]
    assert page.locator(".parse h2 .category").text_content() == str(best.category)
    assert "Best under this model" in page.text_content(".certificate")
    assert page.text_content("#announce") == "1 parse found"


def test_dependencies_are_arcs_and_a_table(opened: Opener) -> None:
    page = opened(query(FRUIT)).page
    page.wait_for_selector(".arcs svg")
    best = parser().parse(FRUIT).best
    page.click("summary")
    rows = page.locator("details tbody tr")
    assert rows.count() == len(best.dependencies) == page.locator(".arcs .ccg-arc").count()
    head = best.dependencies[0]
    assert rows.nth(0).text_content().startswith(best.words[head.head])


def test_rules_have_their_names_and_arcs_their_styles_explained(opened: Opener) -> None:
    page = opened(query("The report that she wrote surprised everyone.")).page
    page.wait_for_selector(".arcs svg")
    best = parser().parse("The report that she wrote surprised everyone.").best
    titles = page.locator(".derivation .ccg-rule title").all_text_contents()
    assert sorted(titles) == sorted(str(node.rule) for node in best.postorder() if node.children)
    assert "forward application" in titles
    assert {dependency.reach for dependency in best.dependencies} == {Reach.LOCAL, Reach.UNBOUNDED}
    assert page.locator(".dependencies .fine").all_text_contents() == ["Dotted: through extraction."]


def test_n_best_stand_side_by_side_and_are_told_by_what_is_different(opened: Opener) -> None:
    page = opened(query(FRUIT)).page
    page.select_option("#nbest", "3")
    page.wait_for_selector("#parse-3")
    boxes = [page.locator(".parse").nth(index).bounding_box() for index in range(3)]
    assert len({round(box["y"]) for box in boxes}) == 1, "not side by side"
    assert boxes[0]["x"] < boxes[1]["x"] < boxes[2]["x"]
    scores = [float(text.split()[-1].replace("−", "-")) for text in page.locator(".score").all_text_contents()]
    assert scores == sorted(scores, reverse=True)
    parses = parser().parse(FRUIT, options=Options(decoder=Decoder.GLOBAL, nbest=3)).parses
    for rank in (1, 2):
        pairs = zip(parses[rank].words, parses[rank].supertags, parses[0].supertags, strict=True)
        unlike = [word for word, one, other in pairs if one != other]
        assert page.locator(".parse").nth(rank).locator(".ccg-leaf.unlike").count() == len(unlike)
        assert all(word in page.locator(".differs").nth(rank).text_content() for word in unlike)
    assert page.locator(".verdict").nth(2).text_content().endswith("Number 3 under this model")
    assert "n=3" in page.url


def test_switching_the_decoder_parses_again_with_it(opened: Opener) -> None:
    page = opened(query(HORSE)).page
    page.wait_for_selector(".derivation svg")
    before = page.text_content(".score")
    with page.expect_request("**/api/parse") as asked:
        page.select_option("#decoder", "supertag")
    assert asked.value.post_data_json["decoder"] == "supertag"
    until(page, f"document.querySelector('.score').textContent !== {before!r}")
    page.select_option("#decoder", "beam")
    page.wait_for_selector(".certificate.warn")
    assert "Not proved" in page.text_content(".certificate")
    assert "decoder=beam" in page.url


@pytest.mark.parametrize("name", ["svg", "latex", "json"])
def test_an_export_at_hand_is_the_file_that_the_library_writes(opened: Opener, name: str) -> None:
    page = opened(query(FRUIT, n=2)).page
    with page.expect_download() as saved:
        page.locator(".parse").nth(1).locator(f"[data-format={name}]").click()
    text = saved.value.path().read_text(encoding="utf-8")
    if name == "json":
        (sentence,) = json.loads(text)
        assert [token["word"] for token in sentence["tokens"]] == ["Fruit", "flies", "like", "bananas", "."]
        second = parser().parse(FRUIT, options=Options(decoder=Decoder.GLOBAL, nbest=2)).parses[1]
        assert [token["category"] for token in sentence["tokens"]] == [str(tag) for tag in second.supertags]
        assert saved.value.suggested_filename.endswith(".json")
    elif name == "svg":
        assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
        assert saved.value.suggested_filename.endswith(".svg")
    else:
        assert "bananas" in text
        assert "\\" in text
        assert saved.value.suggested_filename.endswith(".tex")


def test_every_other_format_is_in_the_list(opened: Opener) -> None:
    page = opened(query(FRUIT)).page
    names = {name for name, format in FORMATS.items() if format.write}
    listed = page.locator(".exports select option").evaluate_all("options => options.map(each => each.value)")
    assert {*listed, "svg", "latex", "json"} - {""} <= names
    with page.expect_download() as saved:
        page.select_option(".exports select", "auto")
    assert saved.value.path().read_text(encoding="utf-8").count("(<T ") >= 1


def test_a_text_of_two_sentences_is_shown_one_at_a_time(opened: Opener) -> None:
    page = opened(query("It works. The old man the boats.")).page
    page.wait_for_selector("#which")
    assert page.locator(".derivation .ccg-word").first.text_content() == "It"
    page.select_option("#which", "1")
    until(page, "document.querySelectorAll('.derivation .ccg-word').length === 6")
    assert "k=2" in page.url


def test_words_that_are_separated_already_are_taken_as_they_are(opened: Opener) -> None:
    page = opened().page
    page.check("#tokenized")
    page.fill("#sentence", "Time flies like an arrow.")
    page.click("#go")
    page.wait_for_selector(".derivation svg")
    assert page.locator(".derivation .ccg-word").last.text_content() == "arrow."


def test_a_back_off_says_what_it_is_and_how_much_may_be_missed(opened: Opener) -> None:
    page = opened().page

    def hurried(route: Any) -> None:
        (result,) = route.fetch().json()["results"]
        stopped = {"optimal": False, "stopped": "seconds", "decoder": "supertag", "gap": 1.0}
        result["parses"][0]["certificate"] |= stopped
        route.fulfill(json={"results": [{**result, "outcome": "BackedOff", "reason": "the time was up"}]})

    page.route("**/api/parse", hurried)
    page.fill("#sentence", FRUIT)
    page.press("#sentence", "Enter")
    page.wait_for_selector(".certificate.warn")
    told = page.text_content(".certificate")
    assert "Backed off" in told
    assert "the time was up" in told
    assert "at most 1.000 better" in told
    assert "supertag-factored" in told


def test_a_sentence_without_a_parse_has_a_reason_and_no_tree(opened: Opener) -> None:
    page = opened().page
    failed = {
        "outcome": "Failed",
        "words": ["it"],
        "reason": "no <b>way</b>",
        "certificate": None,
        "parses": [],
    }
    page.route("**/api/parse", lambda route: route.fulfill(json={"results": [failed]}))
    page.fill("#sentence", "it")
    page.press("#sentence", "Enter")
    page.wait_for_selector(".certificate.bad")
    assert "No parse" in page.text_content(".certificate")
    assert "no <b>way</b>" in page.text_content(".certificate")
    assert page.locator(".derivation").count() == 0
    assert page.text_content("#announce").startswith("No parse")


def test_markup_in_a_sentence_is_text(opened: Opener) -> None:
    page = opened(query("<img src=x onerror=alert(1)> works", words=1)).page
    page.wait_for_selector(".derivation svg, .certificate")
    assert page.locator("main img").count() == 0
