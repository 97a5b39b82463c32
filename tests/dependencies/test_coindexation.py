r"""The principles of co-indexation, one by one, and the notation they are written in."""

from __future__ import annotations

import pytest
from hypothesis import given

from starccg.ccg.category import Category, CategoryError, Functor
from starccg.dependencies import IndexedCategory, coindex
from starccg.dependencies.exceptions import EXCEPTIONS
from tests.strategies import categories, examples

PRINCIPLES = {
    "a verb heads its clause": r"((S[dcl]\NP_1)/NP_2)/NP_3",
    "a preposition heads its phrase": "PP/NP_1",
    "a complementiser heads its clause": "S[em]/S[dcl]_1",
    "a noun heads its phrase": "N/PP_1",
    "a modifier passes its argument's head": "N_1/N_1",
    "a verb phrase modifier passes the verb and shares its subject": r"(S_1\NP_2)_1\(S_1\NP_2)_1",
    "a preposition that makes a modifier": r"((S_1\NP_2)_1\(S_1\NP_2)_1)/NP_3",
    "a modifier of modifiers": r"(N_1/N_1)_2/(N_1/N_1)_2",
    "a determiner passes the noun": "NP[nb]_1/N_1",
    "a possessive clitic": r"(NP_1/N_1)\NP_2",
    "an auxiliary": r"(S[dcl]\NP_1)/(S[pt]_2\NP_1:B)_2",
    "an auxiliary with a complement of its own kind is no modifier": r"(S[b]\NP_1)/(S[b]_2\NP_1:B)_2",
    "an adverb after a verb phrase with a feature is one": r"(S[dcl]_1\NP_2)_1\(S[dcl]_1\NP_2)_1",
    "an adverb of adjectives": r"(S[adj]_1\NP_2)_1/(S[adj]_1\NP_2)_1",
    "subject control past a prepositional phrase": r"((S[dcl]\NP_1)/(S[to]_2\NP_1:B)_2)/PP_3",
    "object control": r"((S[dcl]\NP_1)/(S[to]_2\NP_3:B)_2)/NP_3",
    "object control, the object coming last": r"((S[dcl]\NP_1)/NP_2)/(S[adj]_3\NP_2:B)_3",
    "of two objects the first one controls": r"(((S[b]\NP_1)/(S[to]_2\NP_3:B)_2)/NP_4)/NP_3",
    "no control by an expletive": r"((S[dcl]\NP[expl]_1)/(S[to]_2\NP_3)_2)/(S[adj]_4\NP_5)_4",
    "raising of an expletive": r"(S[dcl]\NP[thr]_1)/(S[to]_2\NP[thr]_1:B)_2",
    "an expletive object keeps the subject from controlling": r"(((S[b]\NP_1)/S[em]_2)/(S[adj]_3\NP_4)_3)/NP[expl]_5",
    "a comparison says nothing of what it compares with": r"(PP/NP_1)/(S[adj]_2\NP_3)_2",
    "inversion": r"(S[q]/(S[b]_1\NP_2:B)_1)/NP_2",
    "an extracted subject": r"((S[dcl]\NP_1)/NP_2)/(S[dcl]_3\NP_2:U)_3",
    "a subject relative": r"(NP_1\NP_1)/(S[dcl]_2\NP_1:B)_2",
    "an object relative": r"(NP_1\NP_1)/(S[dcl]_2/NP_1:U)_2",
    "a relative over nouns": r"(N_1\N_1)/(S[dcl]_2\NP_1:B)_2",
    "a possessive relative": r"((NP_1\NP_1)/(S[dcl]_2\NP_3:B)_2)/N_3",
    "a preposition with a gerund is no relative": r"(NP_1\NP_1)/(S[ng]_2\NP_3)_2",
    "a preposition with its own subject": r"(PP/(S[ng]_1\NP_2:B)_1)/NP_2",
    "an adjunct shares the subject": r"((S_1\NP_2)_1\(S_1\NP_2)_1)/(S[ng]_3\NP_2:B)_3",
    "a sentence adjunct has none to share": r"(S_1/S_1)/(S[ng]_2\NP_3)_2",
    "a free relative": "NP/(S[dcl]_1/NP:U)_1",
    "a question": "S[wq]/(S[q]_1/NP:U)_1",
    "a question with a noun": r"(S[wq]/(S[dcl]_1\NP_2:B)_1)/N_2",
    "an adjunct question": "S[wq]/S[q]_1",
    "a tough adjective": r"(S[adj]\NP_1)/((S[to]_2\NP_3)_2/NP_1:U)_2",
    "a verb of saying after its quotation": r"(S[dcl]\S[dcl]_1)\NP_2",
    "a raised category": r"(S[X]_1\NP_2)_1\((S[X]_1\NP_2)_1/NP)_1",
    "a superlative has no subject here": r"((S_1\NP_2)_1/(S_1\NP_2)_1)/(S[asup]_3\NP_4)_3",
}


@pytest.mark.parametrize("indexed", PRINCIPLES.values(), ids=PRINCIPLES)
def test_principle(indexed: str) -> None:
    category = IndexedCategory.parse(indexed).category
    assert str(coindex(category)) == indexed


@given(categories(8))
@examples(300)
def test_coindexation_changes_no_category_and_is_written_as_it_is_read(category: Category) -> None:
    indexed = coindex(category)
    assert indexed.category is category
    assert IndexedCategory.parse(str(indexed)) == indexed
    assert indexed.renumbered() == indexed


@given(categories(8))
@examples(300)
def test_every_slot_is_an_argument_and_no_slot_comes_twice(category: Category) -> None:
    numbers = [slot.number for slot in coindex(category).slots]
    assert len(set(numbers)) == len(numbers)
    assert all(1 <= number <= category.arity for number in numbers)
    if isinstance(category, Functor):
        assert numbers[0] == category.arity


def test_variables_are_counted_as_they_are_written() -> None:
    assert str(IndexedCategory.parse(r"(S[dcl]\NP_7)/(S[b]_3\NP_7:B)_3").renumbered()) == (
        r"(S[dcl]\NP_1)/(S[b]_2\NP_1:B)_2"
    )


@pytest.mark.parametrize("text", ["", "NP_", "(S[dcl]\\NP_1", "S[dcl]/", "NP_1)", "/NP", "S NP", "S[dcl]_1:X", "()_1"])
def test_what_is_no_indexed_category_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(CategoryError, match="column"):
        IndexedCategory.parse(text)


def test_the_table_of_exceptions_is_read_in_full_and_used() -> None:
    assert len(EXCEPTIONS) == 10
    for category, indexed in EXCEPTIONS.items():
        assert str(coindex(Category.parse(category))) == str(IndexedCategory.parse(indexed).renumbered())


def test_a_modifier_has_one_slot_of_its_own() -> None:
    slots = {text: [slot.number for slot in coindex(Category.parse(text)).slots] for text in ("N/N", r"(S\NP)\(S\NP)")}
    assert slots == {"N/N": [1], r"(S\NP)\(S\NP)": [2]}


@pytest.mark.parametrize("text", [r"(S[dcl]\NP)/NP", r"((S[dcl]\NP)/(S[ng]\NP))/NP", r"(NP\NP)/(S[to]\NP)", "N/N"])
def test_subject_control_changes_only_verbs_with_an_infinitive(text: str) -> None:
    category = Category.parse(text)
    assert coindex(category, subject_control=True) == coindex(category)


def test_subject_control_gives_the_infinitive_the_subject_of_the_verb() -> None:
    category = Category.parse(r"((S[dcl]\NP)/(S[to]\NP))/NP")
    assert str(coindex(category)) == r"((S[dcl]\NP_1)/(S[to]_2\NP_3:B)_2)/NP_3"
    assert str(coindex(category, subject_control=True)) == r"((S[dcl]\NP_1)/(S[to]_2\NP_1:B)_2)/NP_3"
