"""Wrong numbers are refused with words that say which and where; they never crash a search or spoil a score."""

from __future__ import annotations

import copy
import threading
import time
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from starccg.ccg.rules import Rule
from starccg.ccg.table import BinaryRule, RuleTable, UnaryRule
from starccg.search.native import core, native_table
from starccg.search.options import Bound, Decoder, Limits, Options
from starccg.search.searcher import Searcher
from starccg.search.types import Node, TaggedSentence, TreeLstmWeights
from tests.search.cases import without_clock

TYPES = len(Rule)
EVERY = (1 << TYPES) - 1
CELLS, EMBEDDING, WORDS = 3, 2, 2


def table(**changes: Any) -> RuleTable:
    plain: dict[str, Any] = {
        "categories": ("A", "B"),
        "lexical": 2,
        "binary": (BinaryRule(0, 1, 0, 1, 0), BinaryRule(0, 0, 0, 1, 0)),
        "unary": (UnaryRule(1, 0, 13),),
        "roots": (0,),
        "allowed": ((EVERY,) * TYPES,) * TYPES,
        "unary_allowed": (EVERY,) * TYPES,
        "start_only": 0,
        "max_unary_chain": 2,
    }
    return RuleTable(**(plain | changes))


def sentence(**changes: Any) -> TaggedSentence:
    plain = TaggedSentence(
        tags=np.array([0, 1, 1], np.int32),
        log_probabilities=np.array([-0.1, -2.0, -0.3], np.float32),
        offsets=np.array([0, 2, 3], np.int32),
        states=np.zeros((WORDS, 4, CELLS), np.float32),
    )
    return replace(plain, **changes)


def weights(**changes: Any) -> TreeLstmWeights:
    def zeros(*shape: int) -> Any:
        return np.zeros(shape, np.float32)

    plain = TreeLstmWeights(
        input_gate=zeros(TYPES, CELLS, 4 * CELLS + EMBEDDING),
        forget_gate=zeros(TYPES, CELLS, 4 * CELLS + EMBEDDING),
        output_gate=zeros(TYPES, CELLS, 3 * CELLS + EMBEDDING),
        candidate=zeros(TYPES, CELLS, 2 * CELLS + EMBEDDING),
        biases=zeros(TYPES, 4, CELLS),
        categories=zeros(2, EMBEDDING),
        unary_left=zeros(2, CELLS),
        output=zeros(CELLS),
    )
    return replace(plain, **changes)


def floats(*values: float) -> Any:
    return np.array(values, np.float32)


def ints(*values: int) -> Any:
    return np.array(values, np.int32)


def test_the_plain_input_of_these_tests_is_fine() -> None:
    for decoder in Decoder:
        result = Searcher(table(), weights()).search(sentence(), Options(decoder=decoder))
        assert result.parses


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"log_probabilities": floats(-0.1, np.nan, -0.3)}, "word 0.*not a number"),
        ({"log_probabilities": floats(-0.1, -2.0, np.inf)}, "word 1.*too large"),
        ({"log_probabilities": floats(-0.1, -2.0, 1e30)}, "word 1.*too large"),
        ({"log_probabilities": floats(-0.1, -2.0, -1e30)}, "word 1"),
        ({"log_probabilities": floats(-0.1, -2.0, -np.inf)}, "word 1.*no tag"),
        ({"log_probabilities": floats(-0.1, -2.0)}, "log.probabilit"),
        ({"tags": ints(0, 2, 1)}, "word 0.*tag 2.*outside"),
        ({"tags": ints(0, 1, -1)}, "word 1.*tag -1.*outside"),
        ({"tags": ints(1, 1, 1)}, "word 0.*tag 1.*twice"),
        ({"offsets": ints(0, 2, 4)}, "offsets"),
        ({"offsets": ints(0, 2, 2)}, "offsets"),
        ({"offsets": ints(1, 2, 3)}, "offsets"),
        ({"offsets": ints(0, 4, 3)}, "offsets"),
        ({"offsets": ints(0, 3, 3)}, "word 1.*no tags"),
        ({"offsets": ints()}, "offsets"),
        ({"offsets": ints(0, -(2**31), 3)}, "offsets"),
        ({"states": None}, "states"),
        ({"states": np.zeros((WORDS, 4, CELLS + 1), np.float32)}, "cells"),
        ({"states": np.zeros((WORDS, 3, CELLS), np.float32)}, "states"),
        ({"states": np.zeros((WORDS + 1, 4, CELLS), np.float32)}, "states"),
        ({"states": np.full((WORDS, 4, CELLS), np.nan, np.float32)}, "word 0.*not finite"),
        ({"states": np.full((WORDS, 4, CELLS), np.inf, np.float32)}, "word 0.*not finite"),
    ],
)
def test_a_bad_sentence_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=f"(?i){says}"):
        Searcher(table(), weights()).search(sentence(**changes), Options())
    for threads in (1, 2):
        batch = [sentence(), sentence(), sentence(**changes), sentence()]
        with pytest.raises(ValueError, match=f"(?i){says}"):
            Searcher(table(), weights()).search_batch(batch, Options(), threads=threads)


def test_an_error_in_a_batch_says_which_sentence() -> None:
    batch = [sentence(), sentence(), sentence(tags=ints(0, 7, 1)), sentence()]
    with pytest.raises(ValueError, match=r"(?i)sentence 2.*word 0"):
        Searcher(table(), weights()).search_batch(batch, Options())


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"binary": (BinaryRule(0, 2, 0, 1, 0),)}, "category 2"),
        ({"binary": (BinaryRule(0, 1, -1, 1, 0),)}, "category -1"),
        ({"binary": (BinaryRule(0, 1, 0, TYPES, 0),)}, "rule type"),
        ({"binary": (BinaryRule(0, 1, 0, -1, 0),)}, "rule type"),
        ({"binary": (BinaryRule(0, 1, 0, 1, 2),)}, "head 2"),
        ({"unary": (UnaryRule(5, 0, 13),)}, "category 5"),
        ({"unary": (UnaryRule(0, 5, 13),)}, "category 5"),
        ({"unary": (UnaryRule(0, 1, 40),)}, "rule type"),
        ({"roots": (2,)}, "root 2"),
        ({"roots": (-1,)}, "root -1"),
        ({"root_scores": (0.5,)}, "score of root 0 must be .* up to 0, not 0.5"),
        ({"root_scores": (float("nan"),)}, "score of root 0 must be .* not nan"),
        ({"root_scores": (float("-inf"),)}, "score of root 0 must be"),
        ({"root_scores": (0.0, -1.0)}, "2 root scores for 1 roots"),
        ({"lexical": 3}, "lexical"),
        ({"lexical": -1}, "lexical"),
        ({"max_unary_chain": -1}, "max_unary_chain"),
        ({"max_unary_chain": 10**6}, "max_unary_chain"),
        ({"allowed": ((EVERY,) * TYPES,) * (TYPES - 1)}, "allowed"),
        ({"unary_allowed": (EVERY,) * (TYPES - 1)}, "allowed"),
        ({"unary_allowed": ()}, "allowed"),
        ({"categories": ()}, "categories"),
    ],
)
def test_a_bad_rule_table_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Searcher(table(**changes))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"nbest": 0}, "nbest"),
        ({"nbest": -3}, "nbest"),
        ({"beam_size": 0}, "beam_size"),
        ({"rerank_size": 0}, "rerank_size"),
        ({"decoder": "globl"}, "unknown decoder 'globl'; choose one of supertag, "),
        ({"bound": "gramar"}, "unknown bound 'gramar'; choose one of tags, grammar"),
        ({"refine_after": -1}, "refine_after must not be negative"),
        ({"unary_cost": -0.1}, "cost"),
        ({"distance_cost": -0.1}, "cost"),
        ({"unary_cost": float("nan")}, "cost"),
        ({"backoff_unary_cost": -0.1}, "backoff_unary_cost"),
        ({"backoff_distance_cost": float("nan")}, "backoff_distance_cost"),
        ({"distance_cost": float("nan")}, "cost"),
        ({"unary_cost": float("inf")}, "cost"),
        ({"distance_cost": float("inf")}, "cost"),
        ({"unary_cost": 1e30}, "cost"),
        ({"limits": Limits(seconds=float("nan"))}, "seconds"),
    ],
)
def test_bad_options_are_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Searcher(table(), weights()).search(sentence(), replace(Options(), **changes))


def test_best_first_search_refuses_positive_scores() -> None:
    positive = sentence(log_probabilities=floats(0.5, -1.0, -0.3))
    with pytest.raises(ValueError, match="best-first"):
        Searcher(table()).search(positive, Options(decoder=Decoder.SUPERTAG, heuristic=False))


@pytest.mark.parametrize("decoder", [Decoder.GLOBAL, Decoder.SPAN, Decoder.BEAM, Decoder.RERANK])
def test_a_decoder_that_needs_a_model_asks_for_it(decoder: Decoder) -> None:
    with pytest.raises(ValueError, match="model"):
        Searcher(table()).search(sentence(), Options(decoder=decoder))


@pytest.mark.parametrize(
    "name", ["input_gate", "forget_gate", "output_gate", "candidate", "biases", "unary_left", "output"]
)
def test_weights_of_a_wrong_shape_are_refused(name: str) -> None:
    whole = getattr(weights(), name)
    for wrong in (whole[:-1], whole[..., :-1], whole.reshape(-1), whole[None]):
        if wrong.shape != whole.shape:
            with pytest.raises(ValueError, match=r"has the shape|must have . axes"):
                Searcher(table(), weights(**{name: np.ascontiguousarray(wrong)}))


@pytest.mark.parametrize("name", ["input_gate", "biases", "categories", "unary_left", "output"])
def test_weights_that_are_not_numbers_are_refused(name: str) -> None:
    broken = getattr(weights(), name).copy()
    broken.flat[0] = np.nan
    with pytest.raises(ValueError, match=name):
        Searcher(table(), weights(**{name: broken}))


def test_a_model_with_too_few_categories_or_rule_types_is_refused() -> None:
    few = weights(categories=np.zeros((1, EMBEDDING), np.float32))
    with pytest.raises(ValueError, match="categories"):
        Searcher(table(), few).search(sentence(), Options())


@pytest.mark.parametrize(
    "lengths", [[1], [3], [-1], [2**64 - 1, 3], [2**63, 2**63, 2], [2**40, 1, 2**64 - 2**40, 1], [2**64], [1.5], "ab"]
)
def test_the_leaf_lstm_refuses_lengths_that_are_not_those_of_its_inputs(lengths: Any) -> None:
    def zeros(*shape: int) -> Any:
        return np.zeros(shape, np.float32)

    lstm = core.LeafLstm(
        input_gate=zeros(2, CELLS, 2 * CELLS + 5),
        output_gate=zeros(2, CELLS, 2 * CELLS + 5),
        candidate=zeros(2, CELLS, CELLS + 5),
        biases=zeros(2, 3, CELLS),
        boundary=zeros(2, 2, CELLS),
        output_reads_new_cell=False,
    )
    assert lstm.states(zeros(2, 5), [1, 1]).shape == (2, 4, CELLS)
    with pytest.raises((TypeError, ValueError)):
        lstm.states(zeros(2, 5), lengths)


@pytest.mark.parametrize("number", [-1, 0, 2**31 - 1])
@pytest.mark.parametrize("name", ["categories", "types"])
def test_a_table_of_any_size_is_refused_before_memory_is_taken(name: str, number: int) -> None:
    none: dict[str, Any] = {
        "binary": np.zeros((0, 5), np.int32),
        "unary": np.zeros((0, 3), np.int32),
        "roots": np.zeros(0, np.int32),
        "root_scores": np.zeros(0, np.float64),
        "allowed": np.zeros((1, 1), np.uint32),
        "unary_allowed": np.zeros(1, np.uint32),
        "classes": np.zeros(1, np.int32),
    }
    sizes = {"categories": 1, "lexical": 0, "types": 1, "start_only": 0, "max_unary_chain": 0}
    flags = {"unary_at_root": False, "chain_length_matters": False}
    core.Table(**none, **sizes, **flags)
    with pytest.raises(ValueError, match=f"from 1 to .* {name if name == 'categories' else 'rule types'}"):
        core.Table(**none, **{**sizes, name: number}, **flags)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((-1, 0, None, np.zeros((2, CELLS))), "rule"),
        ((TYPES, 0, None, np.zeros((2, CELLS))), "rule"),
        ((0, 2, None, np.zeros((2, CELLS))), "category"),
        ((0, -1, None, np.zeros((2, CELLS))), "category"),
        ((0, 0, None, np.zeros((2, CELLS + 1))), "state"),
        ((0, 0, np.zeros((3, CELLS)), np.zeros((2, CELLS))), "state"),
    ],
)
def test_one_recursive_unit_refuses_what_it_cannot_compute(arguments: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Searcher(table(), weights()).unit(*arguments)


@pytest.mark.parametrize(
    ("nodes", "says"),
    [
        ([], "no nodes"),
        ([Node(0, 0, 0, 1)], "cover the sentence"),
        ([Node(0, 0, 0, 1), Node(0, 0, 1, 2), Node(1, 0, 0, 2, 0, 1)], "does not have this tag"),
        ([Node(0, 1, 0, 1), Node(0, 1, 1, 2), Node(1, 0, 0, 2, 0, 1)], "no such rule"),
        ([Node(0, 0, 0, 1), Node(0, 1, 1, 2), Node(40, 0, 0, 2, 0, 1)], "rule"),
        ([Node(0, 0, 0, 1), Node(0, 1, 1, 2), Node(1, 9, 0, 2, 0, 1)], "category"),
        ([Node(0, 0, 0, 1), Node(0, 1, 1, 2), Node(1, 0, 0, 2, 0, 7)], "before"),
        ([Node(13, 0, 0, 1), Node(0, 1, 1, 2), Node(1, 0, 0, 2, 0, 1)], "node 0: a leaf must have the rule type"),
        ([Node(0, 0, 0, 1), Node(0, 1, 1, 2), Node(1, 0, 0, 2, 0, 1), Node(13, 1, 0, 2, 2)], "node 3: .* no such rule"),
        ([Node(0, 0, 0, 1), Node(0, 1, 1, 2), Node(0, 0, 0, 1), Node(1, 0, 0, 2, 0, 1)], "node 2: it has no parent"),
        (
            [Node(0, 0, 0, 1), Node(0, 1, 1, 2), Node(13, 0, 1, 2, 1), Node(13, 0, 1, 2, 1), Node(1, 0, 0, 2, 0, 2)],
            "node 1: it has two parents",
        ),
    ],
)
def test_scoring_refuses_what_is_no_derivation_of_the_sentence(nodes: list[Node], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Searcher(table(), weights()).score_derivation(sentence(), nodes)


@pytest.mark.parametrize("threads", [0, -1])
def test_a_batch_needs_at_least_one_thread(threads: int) -> None:
    with pytest.raises(ValueError, match="thread"):
        Searcher(table(), weights()).search_batch([sentence()], Options(), threads=threads)


def test_arrays_of_other_types_and_layouts_are_taken_as_they_are() -> None:
    """What numpy hands out by default (64 bits, slices) is no reason to fail, let alone to read wrong numbers."""
    plain = sentence()
    wide = TaggedSentence(
        plain.tags.astype(np.int64),
        plain.log_probabilities.astype(np.float64),
        plain.offsets.astype(np.int64),
        np.zeros((WORDS, 4, 2 * CELLS), np.float32)[..., ::2],
    )
    found = [Searcher(table(), weights()).search(one, Options()) for one in (plain, wide)]
    assert found[0].parses[0].nodes == found[1].parses[0].nodes


class ReadSentence:
    """A sentence that says when a search has read its tags."""

    def __init__(self, whole: TaggedSentence) -> None:
        self.tags, self.log_probabilities, self.offsets = whole.tags, whole.log_probabilities, whole.offsets
        self.pruned, self.tag_beam, self.widened = None, 0.0, False
        self.own_states, self.is_read = whole.states, threading.Event()

    @property
    def states(self) -> Any:
        """What a search reads last."""
        self.is_read.set()
        return self.own_states


def test_changing_the_arrays_of_a_sentence_during_a_search_changes_nothing() -> None:
    random = np.random.default_rng(1)
    words, number = 40, 12
    rules = {(a, b): BinaryRule(a, b, c, 1, 0) for a, b, c in random.integers(0, number, (100, 3)).tolist()}
    names = tuple(f"C{i}" for i in range(number))
    own_table = table(categories=names, lexical=number, binary=tuple(rules.values()), unary=(), roots=range(number))
    own_weights = weights(
        categories=random.uniform(-1, 1, (number, EMBEDDING)).astype(np.float32),
        candidate=random.uniform(-3, 3, (TYPES, CELLS, 2 * CELLS + EMBEDDING)).astype(np.float32),
        output=random.uniform(-3, 3, CELLS).astype(np.float32),
    )
    whole = TaggedSentence(
        np.concatenate([random.permutation(number)[:5] for _ in range(words)]).astype(np.int32),
        random.uniform(-3, 0, 5 * words).astype(np.float32),
        np.arange(0, 5 * words + 1, 5, dtype=np.int32),
        random.uniform(-1, 1, (words, 4, CELLS)).astype(np.float32),
    )
    searcher, options = Searcher(own_table, own_weights), Options(limits=Limits(forest=20_000), bound=Bound.TAGS)
    expected = searcher.search(whole, options)
    shared = ReadSentence(copy.deepcopy(whole))

    def spoil() -> None:
        shared.is_read.wait()
        for _ in range(20):
            shared.tags[:] = random.integers(-(2**31), 2**31, len(shared.tags))
            shared.log_probabilities[:] = np.nan
            shared.offsets[:] = random.integers(-(2**31), 2**31, words + 1)
            time.sleep(0.001)

    thread = threading.Thread(target=spoil)
    thread.start()
    found = searcher.search(cast("TaggedSentence", shared), options)
    thread.join()
    assert without_clock(found) == without_clock(expected)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        (None, None, None, [], 1, None),
        ("table", None, core.Options(), [], 1, None),
        (native_table(table()), None, (4, True), [], 1, None),
        (native_table(table()), None, None, [], 1, None),
        (native_table(table()), "model", core.Options(), [], 1, None),
        (native_table(table()), None, core.Options(), 7, 1, None),
        (native_table(table()), None, core.Options(), [], "one", None),
    ],
)
def test_the_native_module_refuses_arguments_of_other_types(arguments: Any) -> None:
    with pytest.raises(TypeError):
        core.search_batch(*arguments)


@pytest.mark.parametrize("wrong", [None, 7, "a sentence", (), [1, 2], object()])
def test_the_native_module_refuses_what_is_no_sentence(wrong: Any) -> None:
    with pytest.raises((AttributeError, TypeError, ValueError)):
        Searcher(table()).search_batch([wrong], Options(decoder=Decoder.SUPERTAG))


@pytest.mark.parametrize("name", ["tags", "log_probabilities", "offsets", "states", "pruned"])
@pytest.mark.parametrize("wrong", [7, "text", b"bytes", [["a"]], object(), np.zeros((1, 1, 1, 1)), np.array(["a"])])
def test_the_native_module_refuses_arrays_that_are_none(name: str, wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        Searcher(table(), weights()).search(sentence(**{name: wrong}))


@pytest.mark.parametrize("wrong", [None, "a", 1.5, 2**40, 2**70, -(2**40)])
@pytest.mark.parametrize("field", ["rule", "category", "start", "end", "left", "right"])
def test_the_native_module_refuses_nodes_that_are_none(field: str, wrong: Any) -> None:
    nodes = [Node(0, 0, 0, 1), Node(0, 1, 1, 2), Node(1, 0, 0, 2, 0, 1)]
    with pytest.raises((TypeError, ValueError, OverflowError)):
        Searcher(table(), weights()).score_derivation(sentence(), [*nodes[:2], nodes[2]._replace(**{field: wrong})])


def test_the_log_probability_of_a_dropped_tag_is_checked() -> None:
    for wrong, says in ((floats(np.nan, -1.0), "word 0"), (floats(-1.0, np.inf), "word 1"), (floats(-1.0), "pruned")):
        with pytest.raises(ValueError, match=says):
            Searcher(table(), weights()).search(sentence(pruned=wrong))
