"""Pages and graphs: read back by the standard library's parser of HTML, and by Graphviz where it is installed."""

from __future__ import annotations

import html.parser
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence
from starccg.formats.deriv import draw
from starccg.formats.dot import write_dot
from starccg.formats.html import derivation_html, write_html
from tests.formats.trees import balanced, right_branching
from tests.strategies import derivations, examples

parse = Category.parse
VOID = {"meta", "br", "path", "line"}


class Page(html.parser.HTMLParser):
    """Elements that are closed as they were opened, and what was said of outside."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.links: list[str] = []
        self.pre = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "onload")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "pre" in self.open:
            self.pre += data


@given(st.lists(st.text(min_size=1), min_size=1, max_size=3), st.text())
@examples(60)
def test_a_page_is_well_formed_and_asks_nothing_of_the_network_whatever_the_words(words: list[str], name: str) -> None:
    tree: Derivation = Leaf(parse("N"), words[0])
    for word in words[1:]:
        tree = Binary(parse("N"), tree, Leaf(parse("N\\N"), word))
    text = "\n".join(write_html([Sentence(name, tree)] * 2))
    page = Page(text)
    assert not page.links
    assert "script" not in page.names
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", re.sub(r">[^<]*<", "><", text))
    text.encode("utf-8")


@given(derivations(8))
@examples(30)
def test_a_page_has_the_drawing_as_text_for_those_who_do_not_see_pictures(derivation: Derivation) -> None:
    page = Page("\n".join(write_html([Sentence("1", derivation)])))
    assert page.pre.strip("\n") == draw(derivation, 0)
    assert {"main", "h2", "figure", "svg", "details"} <= page.names


def test_a_fragment_is_a_picture_that_the_keyboard_can_scroll() -> None:
    fragment = derivation_html(right_branching(40))
    assert Page(fragment).names >= {"div", "svg"}
    assert 'tabindex="0"' in fragment and "overflow-x:auto" in fragment


def test_no_sentences_are_a_page_too() -> None:
    assert "</html>" in "\n".join(write_html([]))


def drawn(source: str) -> ET.Element:
    if shutil.which("dot") is None:
        pytest.skip("no Graphviz here")
    done = subprocess.run(["dot", "-Tsvg"], input=source.encode(), capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    assert b"rror" not in done.stderr
    return ET.fromstring(done.stdout)


def shown(svg: ET.Element) -> list[str]:
    return [(element.text or "").strip() for element in svg.iter() if element.tag.endswith("}text")]


MEANT = [
    '"',
    "\\",
    r"\N",
    r"\G",
    r"\n",
    r"\L",
    "&amp;",
    "<b>",
    "&",
    "{x|y}",
    "]]>",
    "->",
    "--",
    "//",
    "#",
    "שלום",
    "😀",
]
"""Words that mean something to Graphviz."""


@pytest.mark.slow
@pytest.mark.parametrize("word", MEANT)
def test_graphviz_shows_words_and_categories_as_they_are(word: str) -> None:
    tree = Binary(parse(r"S[dcl]\NP"), Leaf(parse("NP/N"), word), Leaf(parse(r"N\N"), "x"))
    graph = "\n".join(write_dot([Sentence(word, tree)]))
    assert set(shown(drawn(graph))) == {word, "x", "NP/N", r"N\N", r"S[dcl]\NP", "?"}


@pytest.mark.slow
@given(st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=6))
@examples(8)
def test_graphviz_reads_any_word(words: list[str]) -> None:
    tree: Derivation = Leaf(parse("N"), words[0])
    for word in words[1:]:
        tree = Binary(parse("N"), tree, Leaf(parse("N\\N"), word))
    drawn("\n".join(write_dot([Sentence("1", tree)])))


@pytest.mark.slow
def test_the_words_of_a_graph_stand_in_their_order_on_top() -> None:
    svg = drawn("\n".join(write_dot([Sentence("1", balanced(4))])))
    places = [
        (float(element.get("x", "0")), float(element.get("y", "0")))
        for element in svg.iter()
        if element.tag.endswith("}text") and element.text == "leaf"
    ]
    assert places == sorted(places)
    assert len({y for _, y in places}) == 1
    assert places[0][1] == min(float(element.get("y", "0")) for element in svg.iter() if element.tag.endswith("}text"))
