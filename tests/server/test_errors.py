"""Every error a person can cause over HTTP, with the message they see."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest
from httpx import Response

from starccg.formats.registry import FORMATS
from starccg.search.options import Decoder
from starccg.server.errors import STATUS
from tests.server.serving import SMALL, client, parser, tags_only

JSON = {"content-type": "application/json"}
WRITABLE = ", ".join(form.name for form in FORMATS.values() if form.writer)
DECODERS = "supertag, supertag-forest, span, span-forest, global, beam, rerank"
FIELDS = "GET /docs lists the fields"


class Case(NamedTuple):
    """A request, and the error it meets."""

    name: str
    path: str
    code: str
    message: str
    where: str | None = None
    body: Any = None
    """JSON, or bytes to send as they are."""
    method: str = "POST"
    headers: dict[str, str] = JSON


def parse(name: str, code: str, message: str, where: str | None, **body: Any) -> Case:
    return Case(name, "/api/parse", code, message, where, body)


def raw(name: str, message: str, body: bytes, where: str | None = None, code: str = "invalid_json") -> Case:
    return Case(name, "/api/parse", code, message, where, body)


CASES = [
    # where there is nothing
    Case("path", "/api/pars", "not_found", "there is no '/api/pars' here; GET /docs lists all paths", None, {}),
    Case("file", "/static/x", "not_found", "there is no '/static/x' here; GET /docs lists all paths", method="GET"),
    Case(
        "climbing out",
        "/static/%2e%2e/app.py",
        "not_found",
        "there is no '/static/../app.py' here; GET /docs lists all paths",
        method="GET",
    ),
    Case("get", "/api/parse", "method_not_allowed", "'/api/parse' takes POST, not GET", method="GET"),
    Case("post", "/api/health", "method_not_allowed", "'/api/health' takes GET, not POST", None, {}),
    Case("delete", "/api/export", "method_not_allowed", "'/api/export' takes POST, not DELETE", method="DELETE"),
    # bodies that are no JSON
    Case(
        "no kind",
        "/api/parse",
        "unsupported_media_type",
        "Content-Type must be application/json",
        None,
        b"{}",
        headers={},
    ),
    Case(
        "a form",
        "/api/parse",
        "unsupported_media_type",
        "Content-Type must be application/json, not application/x-www-form-urlencoded",
        None,
        b"text=It+works",
        headers={"content-type": "application/x-www-form-urlencoded"},
    ),
    raw(
        "large",
        "the body is larger than the limit of 4000 bytes: send it in parts",
        b" " * 4001,
        code="body_too_large",
    ),
    raw("nothing", "the body is not JSON: Expecting value", b"", "line 1, column 1"),
    raw("cut off", "the body is not JSON: Expecting value", b'{"text":\n', "line 2, column 1"),
    raw("more after", "the body is not JSON: Extra data", b'{"text": "a"} x', "line 1, column 15"),
    raw("not a number", "the body is not JSON: NaN is not a number in JSON", b'{"text": "a", "nbest": NaN}'),
    raw("infinite", "the body is not JSON: Infinity is not a number in JSON", b'{"text": "a", "nbest": Infinity}'),
    raw(
        "brackets",
        "the body has 3999 brackets, colons and commas; 870 are enough for any request here",
        b"[" * 3999,
        code="too_many",
    ),
    raw(
        "half a character",
        "the body has an unpaired surrogate, which is not a character",
        b'{"text": "a \\ud800 b"}',
    ),
    raw("not UTF-8", "the body is not UTF-8", b'{"text": "caf\xe9"}', "byte 14", "invalid_utf8"),
    # JSON that is no request
    raw("a list", "the body should be an object", b"[]", None, "invalid_request"),
    raw("null", "the body should be an object", b"null", None, "invalid_request"),
    parse("empty", "invalid_request", "give either text or sentences", None),
    parse("both", "invalid_request", "give either text or sentences", None, text="a", sentences=["a"]),
    parse("text", "invalid_request", "text should be a string", "text", text=["It", "works"]),
    parse("sentences", "invalid_request", "sentences should be a list", "sentences", sentences="It works"),
    parse(
        "a sentence",
        "invalid_request",
        "sentences[1] should be a string or a list of words",
        "sentences[1]",
        sentences=["It works", 3],
    ),
    parse(
        "a word",
        "invalid_request",
        "sentences[0][1] should be a string",
        "sentences[0][1]",
        sentences=[["It", None]],
    ),
    parse("tokenized", "invalid_request", "tokenized should be true or false", "tokenized", text="a", tokenized=1),
    parse("decoder", "invalid_request", "decoder should be a string", "decoder", text="a", decoder=1),
    parse("nbest", "invalid_request", "nbest should be a whole number", "nbest", text="a", nbest="2"),
    parse("a part", "invalid_request", "nbest should be a whole number", "nbest", text="a", nbest=1.5),
    parse("none", "invalid_request", "nbest should be at least 1", "nbest", text="a", nbest=0),
    parse("svg", "invalid_request", "svg should be true or false", "svg", text="a", svg="yes"),
    parse("misspelt", "invalid_request", f"there is no field 'nbset' here; {FIELDS}", "nbset", text="a", nbset=2),
    Case("words", "/api/search", "invalid_request", "words should be a list", "words", {"words": "a b"}),
    Case("no sentence", "/api/compare", "invalid_request", "give either text or words", None, {}),
    Case("no format", "/api/export", "invalid_request", "the field 'format' is missing", "format", {"text": "a"}),
    Case(
        "no decoders",
        "/api/compare",
        "invalid_request",
        "decoders must name at least one decoder",
        "decoders",
        {"text": "a", "decoders": []},
    ),
    # over the limits
    parse(
        "characters",
        "too_long",
        "there are 401 characters; the limit is 400 for a request: send fewer",
        "text",
        text="a" * 401,
    ),
    parse(
        "characters of all",
        "too_long",
        "there are 402 characters; the limit is 400 for a request: send fewer",
        "sentences",
        sentences=["a" * 201, ["b"] * 201],
    ),
    parse(
        "words of a text",
        "too_long",
        "sentence 2 has 14 words; the limit is 12 for a sentence: split or shorten it",
        "text",
        text="It works. " + "And so " * 6 + "on.",
    ),
    parse(
        "words of a sentence",
        "too_long",
        "sentences[1] has 13 words; the limit is 12 for a sentence: split or shorten it",
        "sentences[1]",
        sentences=["It works", ["so"] * 13],
    ),
    Case(
        "words",
        "/api/search",
        "too_long",
        "the sentence has 13 words; the limit is 12 for a sentence: split or shorten it",
        "words",
        {"words": ["so"] * 13},
    ),
    parse(
        "sentences of a text",
        "too_many",
        "there are 4 sentences; the limit is 3 for a request: send fewer",
        "text",
        text="It works. It works. It works. It works.",
    ),
    parse(
        "sentences",
        "too_many",
        "there are 4 sentences; the limit is 3 for a request: send fewer",
        "sentences",
        sentences=["It works"] * 4,
    ),
    parse("parses", "too_many", "nbest is at most 5 on this server", "nbest", text="a", nbest=10**30),
    Case(
        "steps",
        "/api/search",
        "too_many",
        "max_steps is at most 50 on this server",
        "max_steps",
        {"text": "a", "max_steps": 51},
    ),
    Case(
        "rank",
        "/api/export",
        "too_many",
        "rank is at most 5 on this server",
        "rank",
        {"text": "a", "format": "auto", "rank": 6},
    ),
    Case(
        "decoders",
        "/api/compare",
        "too_many",
        "there are 4 decoders; the limit is 3 for a request: send fewer",
        "decoders",
        {"text": "a", "decoders": ["beam"] * 4},
    ),
    # names that are none
    parse(
        "no decoder",
        "unknown_decoder",
        f"unknown decoder 'magic'; choose one of {DECODERS}",
        "decoder",
        text="a",
        decoder="magic",
    ),
    Case(
        "among decoders",
        "/api/compare",
        "unknown_decoder",
        f"unknown decoder 'Beam'; choose one of {DECODERS}",
        "decoders[1]",
        {"text": "a", "decoders": ["beam", "Beam"]},
    ),
    Case(
        "unknown format",
        "/api/export",
        "unknown_format",
        f"there is no format 'docx' that can be written; choose one of {WRITABLE}",
        "format",
        {"text": "a", "format": "docx"},
    ),
    Case(
        "format only read",
        "/api/export",
        "unknown_format",
        f"there is no format 'conllu' that can be written; choose one of {WRITABLE}",
        "format",
        {"text": "a", "format": "conllu"},
    ),
    # nothing to export
    Case(
        "no words",
        "/api/export",
        "no_parse",
        "there is no parse to export: there are no words",
        None,
        {"text": " ", "format": "auto"},
    ),
    Case(
        "an empty word",
        "/api/export",
        "no_parse",
        "there is no parse to export: word 2 is empty",
        None,
        {"words": ["It", ""], "format": "auto"},
    ),
    Case(
        "rank",
        "/api/export",
        "no_such_rank",
        "the sentence has 2 parses, and none of rank 5",
        "rank",
        {"words": ["Hello"], "format": "auto", "rank": 5, "decoder": "beam"},
    ),
]


def send(case: Case) -> Response:
    body = case.body if isinstance(case.body, bytes | None) else json.dumps(case.body).encode()
    return client(SMALL).request(case.method, case.path, content=body, headers=case.headers)


def check(response: Response, code: str, message: str, where: str | None = None) -> None:
    assert response.json() == {"error": {"code": code, "message": message, "where": where}}
    assert response.status_code == STATUS[code]
    assert response.headers["content-type"] == "application/json"


@pytest.fixture(autouse=True)
def usual_recursion_limit() -> Iterator[None]:
    """Other tests' tools raise the limit, and with it what is too deep."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.name}")
def test_every_error_says_what_is_wrong_and_what_to_do(case: Case) -> None:
    check(send(case), case.code, case.message, case.where)


def test_a_decoder_without_its_model_says_which_there_are() -> None:
    for path, body, where in (
        ("/api/parse", {"text": "It works.", "decoder": "global"}, "decoder"),
        ("/api/compare", {"text": "It works.", "decoders": ["supertag", "global"]}, "decoders[1]"),
    ):
        answer = client(model=tags_only()).post(path, json=body)
        message = "the decoder global needs a global model, and tags-only has none; choose supertag, supertag-forest"
        check(answer, "needs_global_model", message, where)


def test_a_body_that_streams_in_is_cut_off_at_the_limit() -> None:
    def stream() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 1000

    message = "the body is larger than the limit of 4000 bytes: send it in parts"
    check(client(SMALL).post("/api/parse", content=stream(), headers=JSON), "body_too_large", message)


@pytest.mark.parametrize("value", [b"9" * 5000, b"[" * 15_000])
def test_a_number_too_long_for_python_and_lists_nested_too_deep_are_no_crash(value: bytes) -> None:
    body = b'{"text": "a", "nbest": ' + value + b"}"
    message = "the body cannot be read: it is nested too deep, or a number is too long"
    check(client().post("/api/parse", content=body, headers=JSON), "invalid_json", message)


def test_a_parse_that_a_format_cannot_hold_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    body = {"words": ["It", "works\nwell"], "format": "auto", "decoder": "supertag"}
    answer = client().post("/api/export", json=body)
    assert answer.json()["error"]["code"] == "cannot_write"
    assert answer.json()["error"]["message"].startswith("the format auto cannot contain this parse: ")


def test_a_bug_is_called_one_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("a secret")

    monkeypatch.setattr("starccg.server.service.outcome_answer", broken)
    message = "a bug in starccg: KeyError"
    check(client().post("/api/parse", json={"text": "It works."}), "internal", message)


def test_a_full_queue_refuses_requests_and_health_answers_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, over = threading.Event(), threading.Event()
    original = type(parser()).analyse

    def slow(*arguments: Any, **options: Any) -> Any:
        begun.set()
        assert over.wait(20)
        return original(*arguments, **options)

    monkeypatch.setattr(type(parser()), "analyse", slow)
    with client(concurrent=1, waiting=0) as server, ThreadPoolExecutor(1) as pool:
        first = pool.submit(server.post, "/api/parse", json={"text": "It works."})
        assert begun.wait(20)
        busy = server.post("/api/parse", json={"text": "It works."})
        check(busy, "busy", "this server is busy: 1 request is in work; try again later")
        assert busy.headers["retry-after"] == "1"
        assert server.get("/api/health").status_code == 200
        assert "starccg_requests_in_work 1\n" in server.get("/api/metrics").text
        over.set()
        assert first.result(20).status_code == 200
        assert server.post("/api/parse", json={"text": "It works."}).status_code == 200


def test_an_answer_that_would_be_too_large_is_refused_before_any_work() -> None:
    body = {"sentences": ["so it goes"] * 200, "nbest": 50}
    message = (
        "the answer could have 57 MB; this server sends 32 MB at most: ask for fewer sentences, a smaller nbest, or no "
        "drawings (svg: false)"
    )
    check(client().post("/api/parse", json=body), "too_large", message)
    assert client().post("/api/parse", json={**body, "nbest": 1}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8000", "", "a:b"])
def test_a_host_that_is_not_ours_is_refused(host: str) -> None:
    answer = client().get("/api/health", headers={"host": host})
    message = f"this server does not answer for the host {host!r}: start it with --allow-host NAME"
    check(answer, "wrong_host", message)


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:81", "127.0.0.1:8000", "[::1]:8000", "192.0.2.7", "app.localhost"]
)
def test_addresses_and_localhost_are_always_allowed(host: str) -> None:
    assert client().get("/api/health", headers={"host": host}).status_code == 200


def test_a_server_that_stops_refuses_new_requests() -> None:
    server = client()
    server.app.state.scheduler.stop(0)  # type: ignore[attr-defined]
    answer = server.post("/api/parse", json={"text": "It works."})
    check(answer, "stopping", "the server is stopping; try again later")
    assert server.get("/api/health").status_code == 200


def test_no_answer_is_a_redirect() -> None:
    for path in ("/static", "/docs/", "/api/health/", "/evil.example//"):
        answer = client().get(path, follow_redirects=False)
        assert answer.status_code == 404 and "location" not in answer.headers, path


def test_every_code_there_is_is_met_above() -> None:
    elsewhere = {"needs_global_model", "cannot_write", "internal", "busy", "stopping", "too_large", "wrong_host"}
    elsewhere |= {"too_slow", "unclear_length"}  # tests/server/test_attacks.py, test_http.py
    assert {case.code for case in CASES} | elsewhere == set(STATUS)


def test_every_decoder_is_described() -> None:
    assert set(DECODERS.split(", ")) == set(Decoder)
