"""Pictures: valid, legible, and nothing on top of anything else, checked on the geometry that a reader of SVG sees."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence, Unary
from starccg.ccg.licensing import annotate
from starccg.ccg.rules import Rule
from starccg.dependencies import Dependency, Reach
from starccg.formats.files import read
from starccg.formats.picture import escape, text_width
from starccg.formats.svg import WORD, arcs_svg, derivation_svg, label_width, write_svg
from tests.formats.trees import balanced, left_branching, right_branching
from tests.strategies import derivations, examples

parse = Category.parse
ODD = st.text(min_size=1, max_size=12)
WORDS = st.one_of(st.sampled_from(["a", "in", "fruit", "<>&\"'", "]]>", "נמל", "𝕏😀", "WWWW", "...", "x" * 40]), ODD)


class Box(NamedTuple):
    """A rectangle with what is in it."""

    left: float
    top: float
    right: float
    bottom: float
    what: str

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def tag(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def texts(svg: ET.Element) -> list[Box]:
    """The boxes of all texts: as wide as their letters may get, from their tallest letters to their descenders."""
    boxes = []
    for element in svg.iter():
        if tag(element) != "text":
            continue
        size = float(element.get("font-size", "0"))
        width = 0.0
        for part in element.iter():
            own = float(part.get("font-size", str(size)))
            width += text_width(part.text or "", own) - (text_width("×", own) if part.get("dx") else 0)
            assert part is element or not part.tail  # all that is drawn is measured
        if element.get("textLength"):
            width = float(element.get("textLength", "0"))
        x, y = float(element.get("x", "0")), float(element.get("y", "0"))
        left = x if element.get("text-anchor") == "start" else x - width / 2
        what = "".join(element.itertext())
        boxes.append(Box(left, y - 0.73 * size, left + width, y + 0.22 * size, what))
    return boxes


def lines(svg: ET.Element) -> list[Box]:
    return [
        Box(*(float(element.get(name, "0")) for name in ("x1", "y1", "x2", "y2")), "line")
        for element in svg.iter()
        if tag(element) == "line"
    ]


def collisions(boxes: list[Box]) -> list[tuple[Box, Box]]:
    return [(one, other) for one, other in itertools.combinations(boxes, 2) if one.meets(other)]


def inside(boxes: list[Box], svg: ET.Element) -> bool:
    _, _, width, height = map(float, svg.get("viewBox", "").split())
    slack = 0.06  # coordinates are rounded
    return all(
        -slack <= box.left and box.right <= width + slack and box.top >= 0 and box.bottom <= height for box in boxes
    )


def shrunk(box: Box) -> Box:
    return Box(box.left + 0.1, box.top + 0.1, box.right - 0.1, box.bottom - 0.1, box.what)


def check(svg: ET.Element) -> None:
    written, drawn = [shrunk(box) for box in texts(svg)], lines(svg)
    assert inside(written + drawn, svg)
    assert not collisions(written)
    strokes = [Box(line.left, line.top - 0.5, line.right, line.bottom + 0.5, "line") for line in drawn]
    assert all(line.right - line.left > 5 for line in strokes)
    assert not collisions(strokes)
    assert not [pair for pair in itertools.product(written, strokes) if pair[0].meets(pair[1])]


@st.composite
def odd_derivations(draw: st.DrawFn) -> Derivation:
    """Trees of any shape with every rule and any word."""
    built: list[Derivation] = []
    for node in draw(derivations(10)):
        match node:
            case Leaf(category):
                built.append(Leaf(category, draw(WORDS)))
            case Unary(category):
                built.append(Unary(category, built.pop(), draw(st.sampled_from([None, *Rule]))))
            case Binary(category):
                right, left = built.pop(), built.pop()
                built.append(Binary(category, left, right, draw(st.sampled_from([None, *Rule]))))
    return built.pop()


@given(odd_derivations())
@examples(100)
def test_nothing_in_the_picture_of_a_derivation_overlaps_or_leaves_it(derivation: Derivation) -> None:
    check(ET.fromstring(derivation_svg(derivation)))


@given(odd_derivations())
@examples(50)
def test_every_word_category_and_step_is_in_the_picture_once(derivation: Derivation) -> None:
    svg = ET.fromstring(derivation_svg(derivation))
    shown: dict[str, list[str]] = {}
    for element in svg.iter():
        if tag(element) == "text":
            shown.setdefault(element.get("class", ""), []).append("".join(element.itertext()))
    assert shown["ccg-word"] == [ET.fromstring(f"<a>{escape(word)}</a>").text or "" for word in derivation.words]
    assert sorted(shown["ccg-category"]) == sorted(str(node.category) for node in derivation)
    steps = sum(not isinstance(node, Leaf) for node in derivation)
    assert len(shown.get("ccg-rule", [])) == steps
    assert len(lines(svg)) == steps + len(derivation)


@pytest.mark.parametrize(
    "tree", [right_branching(1000), left_branching(1000), balanced(7)], ids=["right", "left", "two"]
)
def test_long_sentences_are_drawn(tree: Derivation) -> None:
    svg = ET.fromstring(derivation_svg(tree))
    assert len(lines(svg)) == 2 * len(tree) - 1
    assert inside(texts(svg), svg)
    if len(tree) < 200:
        check(svg)


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4))
@examples(100)
def test_any_word_gives_valid_xml_that_speaks_of_no_other_thing(words: list[str]) -> None:
    tree: Derivation = Leaf(parse("N"), words[0])
    for word in words[1:]:
        tree = Binary(parse("N"), tree, Leaf(parse("N\\N"), word))
    for text in (derivation_svg(tree), arcs_svg(words, []), "\n".join(write_svg([Sentence("1", tree)] * 2))):
        root = ET.fromstring(text.encode("utf-8"))
        assert {tag(element) for element in root.iter()} <= {
            *("svg", "g", "text", "tspan", "line", "path", "desc", "title", "style")
        }


def test_a_picture_takes_the_colour_of_its_page_and_says_what_it_shows() -> None:
    tree = annotate(Binary(parse("S[dcl]"), Leaf(parse("NP"), "It"), Leaf(parse(r"S[dcl]\NP"), "works"), head=1))
    svg = ET.fromstring(derivation_svg(tree))
    assert svg.get("fill") == "currentColor"
    assert {line.get("stroke") for line in svg.iter() if tag(line) == "line"} == {"currentColor"}
    assert svg.get("role") == "img"
    assert svg.get("aria-label") == "CCG derivation: It works"
    assert (
        "".join(svg.itertext())
        .strip()
        .startswith(r"It: NP. works: S[dcl]\NP. It works: S[dcl] by backward application.")
    )
    assert "http" not in derivation_svg(tree).replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_composition_is_written_as_papers_write_it() -> None:
    tree = Binary(
        parse("S"), Leaf(parse("S"), "a"), Leaf(parse("S"), "b"), Rule.GENERALISED_FORWARD_CROSSED_COMPOSITION
    )
    assert '&gt;<tspan font-weight="bold">B</tspan>' in derivation_svg(tree)
    assert label_width(">Bx2") == label_width("<Bx") > label_width(">B") > label_width(">")


def test_a_file_of_several_sentences_has_them_one_under_the_other() -> None:
    root = ET.fromstring("\n".join(write_svg([Sentence("1", balanced(2)), Sentence("2", right_branching(9))])))
    inner = [element for element in root if tag(element) == "svg"]
    assert float(inner[1].get("y", "0")) == float(inner[0].get("height", "0"))
    assert float(root.get("height", "0")) == sum(float(element.get("height", "0")) for element in inner)
    assert float(root.get("width", "0")) == max(float(element.get("width", "0")) for element in inner)
    assert "".join(write_svg([])).startswith("<svg")


# --- arcs ---


@st.composite
def sentences_with_dependencies(draw: st.DrawFn) -> tuple[list[str], list[Dependency]]:
    words = draw(st.lists(WORDS, min_size=1, max_size=10))
    position = st.integers(0, len(words) - 1)
    found = st.builds(
        Dependency, position, st.just(parse("N/N")), st.integers(1, 12), position, st.sampled_from(list(Reach))
    )
    return words, draw(st.lists(found, max_size=14))


Stroke = tuple[float, float, float, float]


def strokes(path: ET.Element) -> list[Stroke]:
    """The two upright strokes and the level one of an arc, corners left out."""
    pieces = path.get("d", "").replace("M", "").replace("V", " ").replace("q", " ").replace("H", " ").split()
    x, floor, bend, _, _, turn, corner, along, *_, foot = map(float, pieces)
    level = bend + corner
    return [(x, bend, x, floor), (x + turn, level, along, level), (along + turn, bend, along + turn, foot)]


@given(sentences_with_dependencies())
@examples(100)
def test_no_arc_runs_into_another_or_through_a_label_or_a_word(case: tuple[list[str], list[Dependency]]) -> None:
    words, dependencies = case
    svg = ET.fromstring(arcs_svg(words, dependencies))
    written = [shrunk(box) for box in texts(svg)]
    assert inside(written, svg)
    assert not collisions(written)
    drawn = [strokes(element) for element in svg.iter() if element.get("class") == "ccg-arc"]
    assert len(drawn) == len(dependencies)
    uprights = [x for arc in drawn for x, _, _, _ in (arc[0], arc[2])]
    assert len({round(x) for x in uprights}) == len(uprights)
    for one, other in itertools.combinations(drawn, 2):
        (a, y, b, _), (c, z, d, _) = one[1], other[1]
        assert y != z or max(a, b) <= min(c, d) or max(c, d) <= min(a, b)
    boxes = [
        Box(min(a, c) - 0.5, min(b, d) - 0.5, max(a, c) + 0.5, max(b, d) + 0.5, "")
        for arc in drawn
        for a, b, c, d in arc
    ]
    assert not [pair for pair in itertools.product(written, boxes) if pair[0].meets(pair[1])]


def test_an_arc_says_what_it_stands_for() -> None:
    verb = parse(r"(S[dcl]\NP)/NP")
    svg = arcs_svg(["who", "we", "saw"], [Dependency(2, verb, 2, 0, Reach.UNBOUNDED), Dependency(2, verb, 1, 1)])
    assert r"<title>who fills slot 2 of saw, (S[dcl]\NP)/NP (unbounded)</title>" in svg
    assert r"<title>we fills slot 1 of saw, (S[dcl]\NP)/NP</title>" in svg
    assert 'class="ccg-dependency ccg-unbounded"' in svg


def test_short_arcs_lie_under_long_ones() -> None:
    words = ["a", "b", "c", "d"]
    dependencies = [Dependency(3, parse("N"), 1, 0), Dependency(2, parse("N"), 1, 1), Dependency(0, parse("N"), 1, 1)]
    svg = ET.fromstring(arcs_svg(words, dependencies))
    long, inner, first = [strokes(path)[1][1] for path in svg.iter() if path.get("class") == "ccg-arc"]
    assert long < inner == first


def test_words_without_dependencies_and_no_words_at_all_are_pictures_too() -> None:
    assert len(texts(ET.fromstring(arcs_svg(["It", "works"], [])))) == 2
    assert not texts(ET.fromstring(arcs_svg([], [])))


def test_a_dependency_on_a_word_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="between words 0 and 2 in a sentence of 2 words"):
        arcs_svg(["It", "works"], [Dependency(0, parse("N"), 1, 2)])


def test_widths_are_known_for_letters_and_bounded_for_the_rest() -> None:
    assert text_width("iiii", WORD) < text_width("mmmm", WORD)
    assert text_width("é", WORD) == text_width("e", WORD)
    assert text_width("e\u0301", WORD) == text_width("e", WORD)
    assert text_width("中", WORD) > WORD


IMAGES = Path(__file__).parents[2] / "docs" / "images"


def test_the_pictures_in_the_documentation_are_those_that_are_drawn() -> None:
    derivation = next(read(IMAGES.parents[1] / "examples" / "fruit_flies.auto")).derivation
    arcs = arcs_svg(derivation.words, derivation.dependencies, standalone=True)
    assert (IMAGES / "derivation.svg").read_text("utf-8") == derivation_svg(derivation, standalone=True) + "\n"
    assert (IMAGES / "dependencies.svg").read_text("utf-8") == arcs + "\n"
