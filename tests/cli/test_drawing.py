from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation, Leaf
from starccg.cli.drawing import coloured, print_derivation
from starccg.formats.deriv import draw
from tests.formats.trees import left_branching
from tests.strategies import derivations, examples


def printed(derivation: Derivation, width: int | None = None, *, terminal: bool = False) -> str:
    file = io.StringIO()
    console = Console(
        file=file, width=60, force_terminal=terminal, color_system="standard" if terminal else None, _environ={}
    )
    print_derivation(console, derivation, width)
    return file.getvalue()


@examples(50)
@given(derivations(), st.sampled_from([0, 20, 60]))
def test_colour_adds_nothing_to_the_letters_of_a_drawing(derivation: Derivation, width: int) -> None:
    assert coloured(derivation, width).plain == draw(derivation, width)


@examples(50)
@given(derivations())
def test_without_a_terminal_the_drawing_has_no_colour(derivation: Derivation) -> None:
    assert printed(derivation) == draw(derivation, 60) + "\n"


def test_a_terminal_gets_words_categories_lines_and_rules_in_colours_of_their_own() -> None:
    shown = printed(left_branching(2), terminal=True)
    for piece in ("\x1b[1mrain\x1b[0m", "\x1b[36mN\\N\x1b[0m", "\x1b[35m<\x1b[0m", "\x1b[2m-"):
        assert piece in shown


def test_a_drawing_that_is_wider_than_the_terminal_is_not_broken_by_it() -> None:
    assert printed(left_branching(30), 0) == draw(left_branching(30), 0) + "\n"


def test_words_cannot_contain_codes_of_the_terminal_or_markup() -> None:
    shown = printed(Leaf(Category.parse("S[b]"), "[red]\x1b[31mstop"), terminal=True)
    assert "[red]" in shown
    assert "\x1b[31m" not in shown
