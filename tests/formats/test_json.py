from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation, Leaf, Sentence
from starccg.formats.auto import format_tree
from starccg.formats.errors import FormatError
from starccg.formats.json import from_json, read_json, read_jsonl, to_json, write_json, write_jsonl
from tests.formats.trees import right_branching
from tests.strategies import examples, sentences


@given(st.lists(sentences(), max_size=2))
@examples(40)
def test_writing_then_reading_is_the_identity_in_both_shapes(some: list[Sentence]) -> None:
    assert list(read_jsonl(write_jsonl(some))) == some
    assert list(read_json(write_json(some))) == some


def test_an_indexed_category_survives() -> None:
    leaf = Leaf(Category.parse("N/N"), "old", "JJ", "JJ", "N_1/N_1")
    assert list(read_jsonl(write_jsonl([Sentence("1", leaf)]))) == [Sentence("1", leaf)]


@pytest.mark.slow
def test_a_sentence_of_thousands_of_words_does_not_exhaust_the_stack() -> None:
    deep = right_branching(3000)
    (line,) = write_jsonl([Sentence("deep", deep)])
    (read,) = read_jsonl([line])
    assert format_tree(read.derivation) == format_tree(deep)


def test_tokens_come_first_and_nodes_count_on_from_them() -> None:
    value = to_json(Sentence("1", right_branching(3)))
    assert [token["word"] for token in value["tokens"]] == ["very", "very", "old"]
    assert [node["children"] for node in value["nodes"]] == [[1, 2], [0, 3]]
    assert [node["rule"] for node in value["nodes"]] == [">", ">"]


def test_unknown_keys_are_passed_over_and_what_has_a_default_may_be_left_out() -> None:
    read = from_json({"id": "1", "tokens": [{"word": "Yes", "category": "S[intj]", "mood": "good"}], "nodes": []})
    assert read == Sentence("1", Leaf(Category.parse("S[intj]"), "Yes"))


def example() -> dict[str, Any]:
    return to_json(Sentence("1", right_branching(3)))


def _set(*path: str | int, to: Any) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        for key in path[:-1]:
            value = value[key]
        if to is None:
            del value[path[-1]]
        else:
            value[path[-1]] = to

    return change


BROKEN = [
    (_set("id", to=None), "'id' is missing"),
    (_set("id", to=7), "'id' must be a text"),
    (_set("tokens", to="x"), "'tokens' must be a list, not 'x'"),
    (_set("tokens", to=[]), "child 1 is not a token"),
    (_set("tokens", 0, "word", to=""), "tokens[0]: 'word' must be a text that is not empty"),
    (_set("tokens", 0, to=[]), "tokens[0]: expected an object, found []"),
    (_set("tokens", 2, "category", to="N/"), "tokens[2]: not a category: 'N/', column 3"),
    (_set("nodes", 0, to=None), "child 3 is not a token or earlier node"),
    (_set("nodes", 1, to=None), "2 nodes have no parent"),
    (_set("nodes", 0, "children", to=[]), "nodes[0]: a node must have one or two children, not 0"),
    (_set("nodes", 0, "children", to=[0, 0]), "child 0 is not a token or earlier node without a parent"),
    (_set("nodes", 0, "children", to=[True, 2]), "child True"),
    (_set("nodes", 0, "children", to=[2, 1]), "are not adjacent"),
    (_set("nodes", 0, "children", to=[0, 2]), "are not adjacent"),
    (_set("nodes", 0, "children", to=[1, [2]]), "child [2]"),
    (_set("nodes", 0, "rule", to="=>"), "unknown rule '=>'; the rules are lex >"),
    (_set("nodes", 0, "head", to=2), "the head must be 0 or 1, not 2"),
    (_set("fields", to=[["a"]]), "fields: expected pairs of texts"),
    (_set("conj_suffix", to=1), "conj_suffix: expected true or false"),
]


@pytest.mark.parametrize(("change", "reason"), BROKEN)
def test_json_that_is_no_derivation_is_refused_with_its_place_and_the_reason(
    change: Callable[[Any], None], reason: str
) -> None:
    value = copy.deepcopy(example())
    change(value)
    good, broken = json.dumps(example()), json.dumps(value)
    with pytest.raises(FormatError) as caught:
        list(read_jsonl([good, broken]))
    assert reason in str(caught.value)
    assert (caught.value.line, caught.value.column) == (2, 1)
    bad: list[FormatError] = []
    assert len(list(read_json(["[", f"{good},", f"  {broken}, {good}", "]"], bad))) == 2
    assert [(mistake.line, mistake.column) for mistake in bad] == [(3, 3)]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("7", 1, 1),
        ("[", 1, 2),
        ("[\n{},]", 2, 4),
        ("[{}\n{}]", 2, 1),
        ("[] x", 1, 4),
        ("{}\n]", 2, 1),
        ('[\n\n {"id": }]', 3, 9),
        ("[" * 100_000, 1, 1),
        ("[" + "9" * 10_000 + "]", 1, 2),
    ],
)
def test_text_that_is_no_json_is_refused_with_its_place(text: str, line: int, column: int) -> None:
    bad: list[FormatError] = []
    with pytest.raises(FormatError) as caught:
        list(read_json(text.split("\n"), bad))
    if len(text) < 100_000:
        assert (caught.value.line, caught.value.column) == (line, column)
    else:
        assert "recursion" in caught.value.reason


KEYS = st.sampled_from(["id", "tokens", "nodes", "word", "category", "children", "head", "rule"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just("N"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=10,
)


@given(VALUES)
@examples(100)
def test_no_json_whatever_crashes_the_reader(value: Any) -> None:
    list(read_jsonl([json.dumps(value)], []))


def test_a_derivation_of_one_word_is_a_sentence_too() -> None:
    tree: Derivation = Leaf(Category.parse("NP"), "Rain")
    assert list(read_json(write_json([Sentence("1", tree)]))) == [Sentence("1", tree)]
