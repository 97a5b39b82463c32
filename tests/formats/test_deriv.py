from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence, Unary
from starccg.ccg.licensing import annotate
from starccg.formats.deriv import display_width, draw, write_deriv
from tests.formats.trees import balanced, left_branching, right_branching
from tests.strategies import derivations, examples

parse = Category.parse


def fruit_flies() -> Derivation:
    subject = Unary(parse("NP"), Binary(parse("N"), Leaf(parse("N/N"), "Fruit"), Leaf(parse("N"), "flies"), head=1))
    verb = Leaf(parse(r"(S[dcl]\NP)/NP"), "like")
    phrase = Binary(parse(r"S[dcl]\NP"), verb, Unary(parse("NP"), Leaf(parse("N"), "bananas")))
    return annotate(Binary(parse("S[dcl]"), subject, phrase, head=1))


def test_a_derivation_is_drawn_as_on_a_blackboard() -> None:
    assert draw(fruit_flies(), 80) == "\n".join(
        [
            r"Fruit  flies       like       bananas",
            r" N/N     N    (S[dcl]\NP)/NP     N",
            r"----------->                  ----<U>",
            r"     N                          NP",
            r"---------<U>  ---------------------->",
            r"     NP              S[dcl]\NP",
            r"------------------------------------<",
            r"               S[dcl]",
        ]
    )


def test_a_sentence_wider_than_the_page_is_drawn_in_parts_that_read_by_themselves() -> None:
    assert draw(fruit_flies(), 30) == "\n".join(
        [
            r"[1] =",
            r"     like       bananas",
            r"(S[dcl]\NP)/NP     N",
            r"                ----<U>",
            r"                  NP",
            r"---------------------->",
            r"       S[dcl]\NP",
            r"",
            r"Fruit  flies     [1]",
            r" N/N     N    S[dcl]\NP",
            r"----------->",
            r"     N",
            r"---------<U>",
            r"     NP",
            r"----------------------<",
            r"        S[dcl]",
        ]
    )


def numbered(derivation: Derivation) -> Derivation:
    """The same with the words w0, w1, ..."""
    built: list[Derivation] = []
    count = 0
    for node in derivation.postorder():
        match node:
            case Leaf(category):
                built.append(Leaf(category, f"w{count}"))
                count += 1
            case Unary(category):
                built.append(Unary(category, built.pop()))
            case Binary(category):
                right, left = built.pop(), built.pop()
                built.append(Binary(category, left, right))
    return built.pop()


@given(derivations(12), st.integers(0, 120))
@examples(80)
def test_every_word_and_every_step_is_drawn_exactly_once_at_any_width(derivation: Derivation, width: int) -> None:
    drawing = draw(numbered(derivation), width)
    assert sorted(re.findall(r"w\d+", drawing)) == sorted(f"w{index}" for index in range(len(derivation)))
    assert len(re.findall(r"-\?", drawing)) == sum(not isinstance(node, Leaf) for node in derivation)
    assert all(line == line.rstrip() for line in drawing.split("\n"))


@pytest.mark.parametrize("width", [40, 72, 100, 200])
@pytest.mark.parametrize("tree", [right_branching(300), left_branching(300), balanced(7)], ids=["right", "left", "two"])
def test_no_line_is_wider_than_the_page(tree: Derivation, width: int) -> None:
    drawing = draw(tree, width)
    assert max(map(display_width, drawing.split("\n"))) <= width
    references = re.findall(r"\[(\d+)\](?! =)", drawing)
    parts = re.findall(r"^\[(\d+)\] =$", drawing, re.MULTILINE)
    assert sorted(references, key=int) == parts == [str(number) for number in range(1, len(parts) + 1)]


def test_a_category_wider_than_the_page_is_drawn_whole() -> None:
    wide = Leaf(parse(r"((S[dcl]\NP)/(S[b]\NP))/((S[dcl]\NP)/(S[b]\NP))"), "x")
    drawing = draw(Binary(parse("N"), wide, wide), 10)
    assert drawing.count(str(wide.category)) == 2


def test_width_zero_never_wraps() -> None:
    assert "[1]" not in draw(right_branching(300), 0)


@pytest.mark.slow
@pytest.mark.parametrize("tree", [right_branching(1500), left_branching(1500)], ids=["right", "left"])
def test_a_sentence_of_thousands_of_words_does_not_exhaust_the_stack(tree: Derivation) -> None:
    assert draw(tree, 100).count("---") >= 1000


def test_wide_and_combining_characters_keep_the_columns_straight() -> None:
    tree = Binary(parse("NP"), Leaf(parse("NP/N"), "果物のハエ"), Leaf(parse("N"), "cafe\u0301s"))
    top, tags, line, _ = draw(tree, 80).split("\n")
    assert display_width("果物のハエ") == 10
    assert display_width("cafe\u0301s") == 5
    assert display_width(top) == display_width(line) == 17
    assert tags.rindex("N") == 14  # under the middle of the second word


def test_control_characters_do_not_reach_the_terminal() -> None:
    drawing = draw(Leaf(parse("N"), "a\x1b[31mb\x9b"), 80)
    assert "\x1b" not in drawing
    assert "\x9b" not in drawing


def test_the_rule_label_stands_at_the_right_end_of_its_line_and_an_unlicensed_step_has_a_question_mark() -> None:
    raised = annotate(Unary(parse(r"S[X]/(S[X]\NP)"), Leaf(parse("NP"), "we")))
    assert draw(raised, 80).split("\n")[2] == "------------>T"
    assert draw(Binary(parse("PP"), Leaf(parse("N"), "a"), Leaf(parse("N"), "b")), 80).split("\n")[2] == "---?"


def test_the_terminal_decides_the_width_if_nobody_else_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    assert "[1] =" in draw(fruit_flies())
    monkeypatch.setenv("COLUMNS", "80")
    assert "[1] =" not in draw(fruit_flies())


def test_drawings_stand_under_their_names() -> None:
    lines = list(write_deriv([Sentence("one", fruit_flies()), Sentence("two", fruit_flies())], width=80))
    assert [line for line in lines if line.startswith("#")] == ["# one", "# two"]
    assert lines[-1] == ""
