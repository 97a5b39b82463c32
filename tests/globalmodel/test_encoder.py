"""The native leaf encoder against the equations of section 3 written out word by word."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.globalmodel.encoder import LeafEncoder
from starccg.globalmodel.parameters import Arrays, Dimensions, Floats, initial
from tests.strategies import examples


def one_direction(dimensions: Dimensions, arrays: Arrays, inputs: Floats, direction: int) -> Floats:
    """i, o, c~, c and h of one sentence, as the paper writes them; (words, 2, d)."""

    def sigmoid(x: Floats) -> Floats:
        return 1 / (1 + np.exp(-x))

    w_i, w_o, w_c = (arrays[f"lstm.{name}"][direction] for name in ("input_gate", "output_gate", "candidate"))
    b_i, b_o, b_c = arrays["lstm.biases"][direction]
    c, h = arrays["lstm.boundary"][direction]
    states = []
    for x in inputs if direction == 0 else inputs[::-1]:
        i = sigmoid(w_i @ np.concatenate((c, h, x)) + b_i)
        c_tilde = np.tanh(w_c @ np.concatenate((h, x)) + b_c)
        c = i * c_tilde + (1 - i) * c
        o = sigmoid(w_o @ np.concatenate((c if dimensions.output_reads_new_cell else c_tilde, h, x)) + b_o)
        h = o * np.tanh(c)
        states.append(np.stack((c, h)))
    return np.array(states if direction == 0 else states[::-1]).reshape(-1, 2, dimensions.cells)


lengths_of_batches = st.lists(st.integers(0, 6), min_size=1, max_size=5)


@examples(30)
@given(lengths_of_batches, st.booleans(), st.integers(0, 1000))
def test_a_batch_gives_each_sentence_what_it_gets_alone(lengths: list[int], new_cell: bool, seed: int) -> None:
    dimensions = Dimensions(words=3, cells=5, output_reads_new_cell=new_cell)
    arrays = initial(dimensions, 1, 1, seed)
    inputs = np.random.default_rng(seed).normal(size=(sum(lengths), 3)).astype(np.float32)
    states = LeafEncoder(dimensions, arrays).states(inputs, lengths)
    assert states.shape == (sum(lengths), 4, 5)
    assert states.dtype == np.float32
    first = 0
    for length in lengths:
        own = slice(first, first + length)
        both = [one_direction(dimensions, arrays, inputs[own], direction) for direction in (0, 1)]
        np.testing.assert_allclose(states[own], np.concatenate(both, axis=1), atol=2e-6)
        first += length


@examples(30)
@given(lengths_of_batches)
def test_a_schedule_reads_every_word_once_in_each_direction(lengths: list[int]) -> None:
    schedule = pytest.importorskip("starccg.globalmodel.torch_encoder").Schedule.of(lengths)
    assert sum(schedule.steps) == sum(lengths)
    for direction in (0, 1):
        assert sorted(schedule.words[direction]) == list(range(sum(lengths)))
        assert (schedule.words[direction][schedule.places[direction]] == np.arange(sum(lengths))).all()


@pytest.mark.parametrize("leaves", ["context", "words", "none"])
@pytest.mark.parametrize("new_cell", [False, True])
def test_torch_encodes_as_the_native_core_does(leaves: str, new_cell: bool) -> None:
    torch = pytest.importorskip("torch")
    from starccg.globalmodel import torch_encoder as network  # noqa: PLC0415

    dimensions = Dimensions.from_json({"words": 7, "cells": 12, "leaves": leaves, "output_reads_new_cell": new_cell})
    arrays = initial(dimensions, 4, 2, 3)
    lengths = [5, 0, 9, 1]
    inputs = np.random.default_rng(0).normal(size=(15, 7)).astype(np.float32)
    ours = network.leaf_states(
        dimensions, {name: torch.from_numpy(array) for name, array in arrays.items()}, torch.from_numpy(inputs), lengths
    )
    np.testing.assert_allclose(ours.numpy(), LeafEncoder(dimensions, arrays).states(inputs, lengths), atol=2e-6)


def test_without_lexical_inputs_all_words_look_alike() -> None:
    dimensions = Dimensions(words=3, cells=5, leaves="none")
    states = LeafEncoder(dimensions, initial(dimensions, 1, 1, 0)).states(np.zeros((4, 0), np.float32), [4])
    assert not states.any()


def test_without_lexical_context_a_word_looks_the_same_in_every_sentence() -> None:
    dimensions = Dimensions(words=3, cells=5, leaves="words")
    arrays = initial(dimensions, 1, 1, 0)
    inputs = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    together = LeafEncoder(dimensions, arrays).states(inputs, [4])
    alone = LeafEncoder(dimensions, arrays).states(inputs[2:3], [1])
    np.testing.assert_allclose(together[2], alone[0], atol=1e-6)
    assert not np.allclose(together[1], together[2])


@pytest.mark.parametrize("cells", [1, 16, 17, 64, 100])
def test_the_states_of_a_sentence_do_not_depend_on_the_sentences_beside_it(cells: int) -> None:
    dimensions = Dimensions(words=9, cells=cells)
    encoder = LeafEncoder(dimensions, initial(dimensions, 1, 1, 3))
    inputs = np.random.default_rng(1).normal(size=(11, 9)).astype(np.float32)
    together = encoder.states(inputs, [4, 0, 7])
    assert (encoder.states(inputs[4:], [7]) == together[4:]).all()


def test_wrong_shapes_and_numbers_are_refused() -> None:
    dimensions = Dimensions(words=3, cells=5)
    arrays = initial(dimensions, 1, 1, 0)
    encoder = LeafEncoder(dimensions, arrays)
    with pytest.raises(ValueError, match=r"inputs has the shape \(2, 3\), not \(3, 3\)"):
        encoder.states(np.zeros((2, 3), np.float32), [3])
    with pytest.raises(TypeError):
        encoder.states(np.zeros((2, 3), np.float32), [-1, 3])
    with pytest.raises(ValueError, match="biases of the leaf LSTM holds a number that is not finite"):
        LeafEncoder(dimensions, {**arrays, "lstm.biases": np.full((2, 3, 5), np.nan, np.float32)})
