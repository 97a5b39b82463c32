"""A ``tokenizer.json`` that its package cannot use is a ModelError, even where the package panics."""

from __future__ import annotations

import json
from typing import Any

import pytest

from starccg.errors import ModelError
from starccg.tagger.subwords import Subwords

pytest.importorskip("tokenizers")

MARKS = {name: {"id": name, "ids": [number], "tokens": [name]} for number, name in enumerate(("[CLS]", "[SEP]"))}
SINGLE = [
    {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
    {"Sequence": {"id": "A", "type_id": 0}},
    {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
]
GOOD: dict[str, Any] = {
    "version": "1.0",
    "added_tokens": [],
    "normalizer": None,
    "pre_tokenizer": {"type": "Whitespace"},
    "post_processor": {"type": "TemplateProcessing", "single": SINGLE, "pair": [], "special_tokens": MARKS},
    "decoder": None,
    "truncation": None,
    "padding": None,
    "model": {"type": "WordLevel", "vocab": {"[CLS]": 0, "[SEP]": 1, "a": 2, "[UNK]": 3}, "unk_token": "[UNK]"},
}
BAD: dict[str, dict[str, Any]] = {
    "no marks": {"post_processor": {**GOOD["post_processor"], "special_tokens": {}}},
    "no size": {"pre_tokenizer": {"type": "FixedLength", "length": 0}},
    "no table": {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"}},
    "no model": {"model": {"type": "Unigram", "unk_id": 99, "vocab": []}},
}


def content(**changes: Any) -> bytes:
    return json.dumps({**GOOD, **changes}).encode()


def test_the_file_itself_is_read() -> None:
    subwords = Subwords(content())
    assert (subwords.encode("a"), subwords.encode("b"), subwords.unknown) == ((2,), (3,), 3)


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_cannot_be_used_is_named(name: str) -> None:
    with pytest.raises(ModelError, match=r"^x/tokenizer\.json is not a file that the package tokenizers can use"):
        Subwords(content(**BAD[name]), "x/tokenizer.json")


def test_a_word_that_cannot_be_split_is_an_error_of_the_file() -> None:
    subwords = Subwords(content(model={"type": "WordLevel", "vocab": {"[CLS]": 0, "a": 1, "*": 2}, "unk_token": "?"}))
    with pytest.raises(ModelError, match=r"^tokenizer\.json is not a file"):
        subwords.encode("b")
