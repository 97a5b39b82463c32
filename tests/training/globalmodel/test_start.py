from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from starccg.errors import StarccgError
from starccg.globalmodel import GlobalModel, Vocabulary
from starccg.globalmodel.parameters import Dimensions, initial
from starccg.training.globalmodel.start import begin_with

SMALL = Dimensions(words=4, categories=3, cells=5)


def test_a_training_begins_with_the_rows_of_the_words_and_categories_that_a_model_knows() -> None:
    model = GlobalModel(SMALL, Vocabulary(["cat", "dog"]), ("N", "NP"), initial(SMALL, 3, 3, seed=1))
    fresh = initial(SMALL, 4, 4, seed=2)
    begun = begin_with(model, fresh, Vocabulary(["dog", "new", "cat"]), ["NP", "S", "N"])
    theirs = model.arrays
    np.testing.assert_array_equal(
        begun["words"], [theirs["words"][0], theirs["words"][2], fresh["words"][2], theirs["words"][1]]
    )
    rows = [theirs["tree.categories"][1], fresh["tree.categories"][1], theirs["tree.categories"][0]]
    np.testing.assert_array_equal(begun["tree.categories"], [*rows, theirs["tree.categories"][2]])
    same = set(begun) - {"words", "tree.categories"}
    assert all((begun[name] == theirs[name]).all() for name in same)
    assert (fresh["words"] == initial(SMALL, 4, 4, seed=2)["words"]).all(), "the initial arrays are left as they were"


def test_a_model_of_another_shape_is_refused() -> None:
    other = Dimensions(words=4, categories=3, cells=6)
    model = GlobalModel(other, Vocabulary(["cat"]), ("N",), initial(other, 2, 2, seed=1))
    with pytest.raises(StarccgError, match=r"data\.start"):
        begin_with(model, initial(SMALL, 2, 2, seed=1), Vocabulary(["cat"]), ["N"])
