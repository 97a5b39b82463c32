"""Model folders: what is saved is what is loaded, and what was damaged is refused with a reason."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from starccg.ccg.category import Category
from starccg.errors import StarccgError
from starccg.globalmodel import Dimensions, GlobalModel, Vocabulary
from starccg.globalmodel.parameters import initial
from starccg.model_folder.global_model import load_global_model, save_global_model
from starccg.search.options import Decoder

NOTHING = hashlib.sha256(b"").hexdigest()
MANIFEST = '{"format": 1, "model": "global", "dimensions": {}, "sha256": {"global.safetensors": "' + NOTHING + '"}}'
CATEGORIES = ("NP", "S[dcl]", "S[dcl]\\NP")


def small_model(**changes: object) -> GlobalModel:
    dimensions = Dimensions.from_json({"words": 4, "categories": 2, "cells": 3, **changes})
    vocabulary = Vocabulary(["the", "café", "…"])
    arrays = initial(dimensions, len(vocabulary), len(CATEGORIES) + 1, 7)
    return GlobalModel(dimensions, vocabulary, CATEGORIES, arrays)


@pytest.mark.parametrize("changes", [{}, {"leaves": "none"}, {"structure": "span"}, {"inputs": "encoder"}])
def test_a_saved_model_is_loaded_bit_for_bit(tmp_path: Path, changes: dict[str, object]) -> None:
    model = small_model(**changes)
    save_global_model(model, tmp_path, {"trained_on": "toys"})
    again = load_global_model(tmp_path)
    assert again.dimensions == model.dimensions
    assert again.vocabulary.words == model.vocabulary.words
    assert again.categories == model.categories
    assert set(again.arrays) == set(model.arrays)
    for name, array in model.arrays.items():
        np.testing.assert_array_equal(again.arrays[name], array)


def test_a_small_model_takes_a_byte_a_number_and_is_off_by_half_a_step_at_most(tmp_path: Path) -> None:
    model = small_model()
    model.arrays["words"][2] = 0  # a row of nothing has no largest number to divide by
    save_global_model(model, tmp_path, small=True)
    again = load_global_model(tmp_path).arrays
    rows = model.arrays["words"]
    step = np.abs(rows).max(axis=1, keepdims=True) / 127
    assert (np.abs(again["words"] - rows) <= step / 2 + 1e-7).all()
    np.testing.assert_array_equal(again["words"][2], 0)
    np.testing.assert_array_equal(again["tree.candidate"], model.arrays["tree.candidate"])
    save_global_model(load_global_model(tmp_path), tmp_path / "copy", small=True)
    np.testing.assert_allclose(load_global_model(tmp_path / "copy").arrays["words"], again["words"], rtol=1e-6)


def test_one_flipped_bit_is_noticed(tmp_path: Path) -> None:
    save_global_model(small_model(), tmp_path)
    path = tmp_path / "global.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(StarccgError, match="its SHA-256 is not"):
        load_global_model(tmp_path)


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        (None, "is not a model"),
        ("{", "is damaged"),
        ("[]", "not of format 1"),
        ('{"format": 1}', "expected kind 'global'"),
        ('{"format": 1, "model": "global"}', "the model lacks"),
        ('{"format": 1, "model": "global", "sha256": {"../a": ""}}', "is no file of its folder"),
        ('{"format": 1, "model": "global", "sha256": {"global.safetensors": ""}}', "is damaged"),
        (MANIFEST.replace("{}", '{"tails": 2}'), "does not know tails"),
        (MANIFEST.replace("{}", '{"leaves": "roots"}'), "must be one of"),
        (MANIFEST, "not a safetensors file"),
    ],
)
def test_what_is_not_a_model_is_refused_with_a_reason(tmp_path: Path, manifest: str | None, message: str) -> None:
    (tmp_path / "global.safetensors").write_bytes(b"")
    if manifest is not None:
        (tmp_path / "model.json").write_text(manifest)
    with pytest.raises(StarccgError, match=message):
        load_global_model(tmp_path)


def test_categories_the_model_never_saw_share_one_embedding() -> None:
    model = small_model()
    weights = model.weights([Category.parse(text) for text in ("S[dcl]", "PP", "NP", "N/N")])
    rows = model.arrays["tree.categories"]
    np.testing.assert_array_equal(weights.categories, rows[[1, 3, 0, 3]])


def test_words_in_any_case_and_numbers_of_one_shape_share_a_row() -> None:
    vocabulary = Vocabulary(["the", "0000"])
    assert vocabulary.rows(["The", "THE", "1997", "2016", "12"]) == [1, 1, 2, 2, 0]


def test_a_model_over_encoder_states_asks_for_them() -> None:
    model = small_model(inputs="encoder")
    with pytest.raises(StarccgError, match="encoder states"):
        model.leaf_states([["the"]])
    with pytest.raises(StarccgError, match="should be"):
        model.leaf_states([["the"]], [np.zeros((2, 4), np.float32)])
    assert model.leaf_states([["the"]], [np.zeros((1, 4), np.float32)])[0].shape == (1, 4, 3)


def test_no_sentences_and_empty_sentences_have_states_too() -> None:
    model = small_model()
    assert model.leaf_states([]) == []
    assert [states.shape for states in model.leaf_states([[], ["the"], []])] == [(0, 4, 3), (1, 4, 3), (0, 4, 3)]


def test_the_span_factored_model_brings_its_own_decoder() -> None:
    assert small_model(structure="span").decoder is Decoder.SPAN
    assert small_model().decoder is Decoder.GLOBAL
