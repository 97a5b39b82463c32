from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Atom, Category, Functor
from starccg.ccg.unification import saturate, substitute, unify
from tests.strategies import categories, examples


def accepts(slot: Category, argument: Category) -> bool:
    """The claim, once variables are substituted: same shape, and each feature of the slot is absent or equal."""
    return slot.skeleton is argument.skeleton and all(
        wanted.feature in (None, given.feature)
        for wanted, given in zip(slot.bare_nb.atoms, argument.bare_nb.atoms, strict=True)
    )


@st.composite
def same_shape(draw: st.DrawFn) -> tuple[Category, Category]:
    """Two categories that differ at most in features, so that most of them get past the shape."""

    def decorated(category: Category) -> Category:
        if isinstance(category, Functor):
            return Functor.of(decorated(category.result), category.slash, decorated(category.argument))
        assert isinstance(category, Atom)
        return Atom.of(category.name, draw(st.sampled_from([None, "dcl", "b", "X", "nb"])))

    shape = draw(categories(5))
    return decorated(shape), decorated(shape)


@given(st.one_of(same_shape(), st.tuples(categories(4), categories(4))))
@examples(1000)
def test_unification_is_sound(pair: tuple[Category, Category]) -> None:
    slot, argument = pair
    found = unify(slot, argument)
    if found is not None:
        assert accepts(substitute(slot.bare_nb, found.slot), substitute(argument.bare_nb, found.argument))


@given(categories(5))
@examples(200)
def test_every_category_unifies_with_itself_and_with_its_skeleton(category: Category) -> None:
    assert unify(category, category) is not None
    assert unify(category.skeleton, category) is not None


@given(categories(4), st.sampled_from(["/", "\\"]))
@examples(100)
def test_a_modifier_returns_its_argument_unchanged(category: Category, slash: str) -> None:
    modifier = Functor.of(category.skeleton, "/" if slash == "/" else "\\", category.skeleton)
    assert saturate(modifier, category) is category.bare_nb


@pytest.mark.parametrize(
    ("slot", "argument", "does"),
    [
        ("S", "S[dcl]", True),
        ("S[dcl]", "S", False),
        ("S[dcl]", "S[b]", False),
        ("S[X]", "S[dcl]", True),
        ("S[dcl]", "S[X]", True),
        ("NP", "NP[nb]", True),
        ("NP[nb]", "NP", True),
        (r"S[X]\NP", r"S[dcl]\NP", True),
        (r"S\NP", r"S[dcl]/NP", False),
        ("N", "NP", False),
    ],
)
def test_features_unify_as_in_the_base_parsers(slot: str, argument: str, does: bool) -> None:
    assert (unify(Category.parse(slot), Category.parse(argument)) is not None) is does


def test_a_variable_means_one_thing_throughout_a_category() -> None:
    both = Category.parse(r"S[X]/S[X]")
    assert unify(both, Category.parse("S[dcl]/S[dcl]")) is not None
    assert unify(both, Category.parse("S[dcl]/S[b]")) is None


def test_what_the_variable_stands_for_is_carried_into_the_result() -> None:
    functor = Category.parse(r"(S[X]/PP)/(S[X]\NP)")
    assert isinstance(functor, Functor)
    assert saturate(functor, Category.parse(r"S[ng]\NP")) is Category.parse("S[ng]/PP")


def test_a_raised_category_without_features_gives_back_those_of_the_verb() -> None:
    raised = Category.parse(r"(S\NP)\((S\NP)/NP)")
    assert isinstance(raised, Functor)
    assert saturate(raised, Category.parse(r"(S[dcl]\NP[thr])/NP")) is Category.parse(r"S[dcl]\NP[thr]")


def test_substitution_touches_nothing_but_the_variable() -> None:
    assert substitute(Category.parse(r"S[X]\NP[nb]"), "b") is Category.parse(r"S[b]\NP[nb]")
    assert substitute(Category.parse("S[X]"), "") is Atom.of("S")
    assert substitute(Category.parse("S[X]"), None) is Category.parse("S[X]")
