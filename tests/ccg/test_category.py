from __future__ import annotations

import copy
import pickle
import resource
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given

from starccg.ccg import category as module
from starccg.ccg.category import MAX_ATOMS, MAX_LENGTH, MAX_NESTING, Atom, Category, CategoryError, Functor
from tests.strategies import categories, examples


@given(categories())
@examples(300)
def test_printing_then_parsing_is_the_identity(category: Category) -> None:
    assert Category.parse(str(category)) is category


@pytest.mark.parametrize(
    "text",
    [
        "N",
        "NP[nb]/N",
        r"(S[dcl]\NP)/NP",
        r"((S\NP)\(S\NP))/((S\NP)\(S\NP))",
        r"S[X]/(S[X]\NP)",
        "conj",
        ",",
        ";",
        ":",
        ".",
        "LRB",
        "RQU",
        r"((S[wq]/(S[q]/NP))/N)/(NP/N)",
        r"S[asup]\NP[expl]",
    ],
)
def test_ccgbank_notation_is_printed_as_it_was_read(text: str) -> None:
    assert str(Category.parse(text)) == text


def test_slashes_without_brackets_associate_to_the_left_as_in_textbooks() -> None:
    assert Category.parse(r"S\NP/NP") is Category.parse(r"(S\NP)/NP")


def test_superfluous_brackets_are_dropped() -> None:
    assert str(Category.parse(r"((S[dcl]\(NP)))")) == r"S[dcl]\NP"


@given(categories())
@examples(100)
def test_equal_categories_are_one_object_however_they_are_made(category: Category) -> None:
    assert pickle.loads(pickle.dumps(category)) is category
    assert copy.deepcopy(category) is category
    assert {category: 1}[Category.parse(str(category))] == 1


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("", 1, "missing at the end"),
        ("(S", 3, "not closed"),
        ("S)", 2, "without an opening one"),
        ("S//NP", 3, "missing before this slash"),
        ("S NP", 2, "unexpected ' '"),
        ("S[dcl", 2, r"unexpected '\['"),
        ("S(NP)", 2, "a slash is missing"),
        ("()", 2, "missing before this bracket"),
        ("S/", 3, "missing at the end"),
        ("/NP", 1, "missing before this slash"),
        ("S[]", 2, "unexpected"),
        ("<T", 1, "unexpected"),
    ],
)
def test_what_is_not_a_category_is_refused_with_the_place_and_the_reason(text: str, column: int, reason: str) -> None:
    with pytest.raises(CategoryError, match=f"column {column}: .*{reason}"):
        Category.parse(text)


def test_brackets_nested_without_end_are_refused_and_do_not_exhaust_the_stack() -> None:
    with pytest.raises(CategoryError, match=f"deeper than {MAX_NESTING}"):
        Category.parse("(" * 100_000)


def test_slashes_without_end_are_refused_and_do_not_exhaust_the_stack() -> None:
    assert Category.parse("/".join(["N"] * MAX_ATOMS)).bare_nb.skeleton.size == MAX_ATOMS
    with pytest.raises(CategoryError, match=f"more than {MAX_ATOMS} atoms"):
        Category.parse("/".join(["N"] * 100_000))


def test_long_categories_are_refused_since_caches_hold_thousands_and_the_message_is_short() -> None:
    assert Category.parse("N" * MAX_LENGTH)
    for text in ("N" * 100_000, f"S[{'a' * 100_000}]", "N" * 100_000 + "("):
        with pytest.raises(CategoryError, match=f"longer than {MAX_LENGTH} characters|slash is missing") as raised:
            Category.parse(text)
        assert len(str(raised.value)) < 600


def test_slots_are_numbered_from_the_leftmost_argument() -> None:
    category = Category.parse(r"((S[dcl]\NP)/PP)/N")
    assert category.arguments == (("\\", Atom.of("NP")), ("/", Atom.of("PP")), ("/", Atom.of("N")))
    assert category.target is Atom.of("S", "dcl")
    assert category.arity == 3
    assert category.size == 4


def test_modifiers_and_raised_categories_are_told_by_their_shape() -> None:
    parse = Category.parse
    assert parse(r"(S\NP)\(S\NP)").is_modifier
    assert parse("NP[nb]/NP").is_modifier, "[nb] is no feature"
    assert not parse("S[dcl]/S[b]").is_modifier
    assert parse(r"S[X]/(S[X]\NP)").is_type_raised
    assert parse(r"(S\NP)\((S\NP)/NP)").is_type_raised
    assert not parse(r"S/(S/NP)").is_type_raised
    assert parse(";").is_punctuation
    assert not parse("conj").is_punctuation


def test_categories_match_as_patterns() -> None:
    match Category.parse(r"S[dcl]\NP"):
        case Functor(Atom("S", feature), "\\", Atom("NP")):
            assert feature == "dcl"
        case _:
            pytest.fail("did not match")


def test_categories_are_written_with_slashes_in_python_too() -> None:
    s, np = Atom.of("S"), Atom.of("NP")
    assert (s | np) / np is Category.parse(r"(S\NP)/NP")


@pytest.mark.slow
def test_categories_that_nobody_holds_are_freed() -> None:
    def memory() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    def read(count: int) -> None:
        for number in range(count):
            found = Category.parse(rf"(S[f{number}]\NP)/A{number}")
            assert found.bare_nb is found and found.skeleton is not found

    kept = Category.parse(r"(S[kept]\NP)/Kept")
    read(50_000)
    before = memory()
    read(300_000)
    assert memory() - before < 50_000_000
    assert len(module._FUNCTORS) < 20 * module.REMEMBERED
    assert Category.parse(r"(S[kept]\NP)/Kept") is kept


def test_threads_make_one_object_of_one_category() -> None:
    with ThreadPoolExecutor(8) as pool:
        for number in range(200):
            text = rf"(S[t{number}]\NP)/T{number}"
            found = list(pool.map(Category.parse.__wrapped__, [text] * 16))
            assert len(set(map(id, found))) == 1
