"""A training that begins with a trained model: its rows of words and categories are found by name."""

from __future__ import annotations

from collections.abc import Sequence

from starccg.errors import StarccgError
from starccg.globalmodel import GlobalModel, Vocabulary
from starccg.globalmodel.parameters import Arrays

_WORDS, _CATEGORIES = "words", "tree.categories"


def begin_with(model: GlobalModel, arrays: Arrays, vocabulary: Vocabulary, categories: Sequence[str]) -> Arrays:
    """The initial ``arrays`` with the model's values; words and categories that it does not know stay as they are."""
    begun = {name: array.copy() for name, array in arrays.items()}
    if set(begun) != set(model.arrays):
        raise StarccgError("data.start is a model of another shape: [model] must be as in its own training")
    names = {_WORDS: (vocabulary.words, model.vocabulary.words, 1), _CATEGORIES: (categories, model.categories, 0)}
    for name, array in model.arrays.items():
        if name in names:
            ours, theirs, first = names[name]
            rows = {entry: row for row, entry in enumerate(theirs, first)}
            known = [(row, rows[entry]) for row, entry in enumerate(ours, first) if entry in rows]
            begun[name][[row for row, _ in known]] = array[[row for _, row in known]]
            edge = 0 if first else -1  # the unknown word is the first row, any other category the last
            begun[name][edge] = array[edge]
        elif array.shape != begun[name].shape:
            raise StarccgError(f"data.start: {name} has the shape {array.shape}, not {begun[name].shape} as in [model]")
        else:
            begun[name][...] = array
    return begun
