"""Whatever is sent, the answer is an answer or an error that says why, and never a crash."""

from __future__ import annotations

import json
from functools import cache
from typing import Any
from xml.etree import ElementTree

from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from starccg.formats.registry import FORMATS
from starccg.search.options import Decoder
from starccg.server.errors import STATUS
from tests.server.serving import SMALL, client
from tests.strategies import examples

WRITABLE = [form.name for form in FORMATS.values() if form.writer]
TEXTS = st.text(max_size=40) | st.text("It works.,'\"()\n\t -–…\u200b\x00\x1f", max_size=40)
SENTENCES = st.lists(
    st.sampled_from(["it", "works", "the", "dog", ".", "<&>", "a b", "\\", "(", "\u2028"]) | TEXTS, max_size=6
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
FIELDS = {
    "text": TEXTS,
    "words": SENTENCES,
    "sentences": st.lists(TEXTS | SENTENCES, max_size=3),
    "tokenized": st.booleans(),
    "svg": st.booleans(),
    "decoder": st.sampled_from(Decoder) | st.none(),
    "decoders": st.lists(st.sampled_from(Decoder), max_size=3) | st.none(),
    "nbest": st.integers(-1, 6),
    "rank": st.integers(0, 3),
    "max_steps": st.integers(0, 60),
    "format": st.sampled_from(WRITABLE),
}


@cache
def server() -> TestClient:
    return client(SMALL, words=60)


def check(answer: Any) -> None:
    assert answer.status_code < 500, answer.text
    if answer.status_code == 200:
        return
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "where"} and STATUS[error["code"]] == answer.status_code
    assert error["message"] and "\n" not in error["message"]


@given(st.data(), st.sampled_from(["parse", "export", "search", "compare"]))
@examples(60)
def test_any_fields_with_any_values_are_answered(data: st.DataObject, path: str) -> None:
    names = data.draw(st.sets(st.sampled_from([*FIELDS]), max_size=5))
    body = {name: data.draw(FIELDS[name] | ANYTHING) for name in sorted(names)}
    check(server().post(f"/api/{path}", json=body))


@given(st.binary(max_size=60) | st.text('{}[]":,\\u0123eE+-. ntf', max_size=60).map(str.encode))
@examples(60)
def test_any_bytes_are_answered(body: bytes) -> None:
    check(server().post("/api/parse", content=body, headers={"content-type": "application/json"}))


@given(TEXTS | SENTENCES, st.sampled_from(WRITABLE))
@examples(60)
def test_any_sentence_is_parsed_drawn_and_written(sentence: str | list[str], form: str) -> None:
    where = "text" if isinstance(sentence, str) else "words"
    check(server().post("/api/export", json={where: sentence, "format": form, "decoder": "supertag"}))
    answer = server().post("/api/parse", json={"sentences": [sentence], "nbest": 2})
    assert answer.status_code == 200, answer.text
    (result,) = json.loads(answer.text)["results"]
    for parse in result["parses"]:
        assert len(parse["tokens"]) == len(result["words"])
        for drawing in (parse["svg"], parse["arcs"]):
            ElementTree.fromstring(drawing)
