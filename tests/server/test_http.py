"""HTTP that is not what it seems: lengths that disagree, huge heads, upgrades, parts of files, paths that climb."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol

from starccg.server.connections import limited
from starccg.server.limits import ServerLimits
from tests.server.live import Live, live, request
from tests.server.serving import client

GET = b"GET /api/health HTTP/1.1\r\nhost: localhost\r\n"
POST = b"POST /api/parse HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Live]:
    """A server for all of these tests: whatever one of them sends, it answers the next."""
    with live(receive_seconds=1.0) as running:
        yield running


def exchange(server: Live, sent: bytes) -> bytes:
    """What comes back for these bytes, until the connection is closed or nothing comes for half a second."""
    connection, received = server.connect(), b""
    try:
        connection.sendall(sent)
        while part := connection.recv(65536):
            received += part
            connection.settimeout(0.5)
    except OSError:
        pass
    connection.close()
    return received


@pytest.mark.parametrize("order", [0, 1])
def test_a_request_with_two_kinds_of_length_is_refused_and_nothing_after_it_is_read(order: int, server: Live) -> None:
    lengths = [b"content-length: 4\r\n", b"transfer-encoding: chunked\r\n"]
    head = POST + lengths[order] + lengths[1 - order] + b"\r\n"
    received = exchange(server, head + b"0\r\n\r\n" + GET + b"\r\n")
    assert received.count(b"HTTP/1.1 ") == 1 and received.startswith(b"HTTP/1.1 400 ")
    assert json.loads(received.partition(b"\r\n\r\n")[2])["error"]["code"] == "unclear_length"


@pytest.mark.parametrize(
    "framing",
    [
        b"content-length: 5\r\ncontent-length: 12\r\n",
        b"content-length: -5\r\n",
        b"content-length: +24\r\n",
        b"content-length: \xb2\r\n",
        b"content-length: 99999999999999999999999\r\n",
        b"transfer-encoding: xchunked\r\n",
        b"transfer-encoding: chunked, identity\r\n",
        b"transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n",
    ],
)
def test_a_length_that_is_not_one_number_is_refused(framing: bytes, server: Live) -> None:
    received = exchange(server, POST + framing + b"\r\n" + b'{"text": "It works."}' + GET + b"\r\n")
    assert received.startswith(b"HTTP/1.1 400 ") and received.count(b"HTTP/1.1 ") == 1


def test_a_head_of_any_size_is_refused_at_its_limit(server: Live) -> None:
    for sent in (GET + b"x: " + b"a" * 1_000_000, GET + b"x: y\r\n" * 200_000, b"GET /?" + b"a=b&" * 250_000):
        assert b" 200 OK" not in exchange(server, sent + b"\r\n\r\n")
    assert b" 200 OK" in exchange(server, GET + b"x: " + b"a" * 10_000 + b"\r\n\r\n")


def test_the_head_is_limited_whatever_else_is_installed() -> None:
    # With httptools, uvicorn's own choice has no such limit.
    assert issubclass(limited(ServerLimits()), H11Protocol)


@pytest.mark.parametrize(
    "upgrade",
    [
        b"connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: eA==\r\n",
        b"connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n",
    ],
)
def test_an_upgrade_is_ignored(upgrade: bytes, server: Live) -> None:
    assert exchange(server, GET + upgrade + b"\r\n").startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    "sent", [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x00\xa5" + b"\0" * 165, b"\r\n" * 50]
)
def test_other_protocols_are_refused(sent: bytes, server: Live) -> None:
    assert b" 200 OK" not in exchange(server, sent)
    assert server.healthy_wait() < 5


@pytest.mark.parametrize(
    "path",
    [
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/..%5capp.py",
        "/static/%2fetc/passwd",
        "/static/%00",
        "/static/css",
    ],
)
def test_only_files_of_the_page_are_served(path: str) -> None:
    answer = client().get(path)
    assert answer.status_code == 404 and answer.json()["error"]["code"] == "not_found"


@pytest.mark.parametrize("part", ["bytes=0-1", "bytes=abc", "bytes=99999999-", "bytes=5-2", "bytes=0-1,1-2,2-3"])
def test_a_part_of_a_file_is_answered_with_the_file(part: str) -> None:
    for path in ("/", "/static/css/base.css"):
        answer = client().get(path, headers={"range": part})
        assert answer.status_code == 200 and len(answer.content) > 100


def test_a_field_that_is_there_twice_is_refused() -> None:
    answer = client().post(
        "/api/parse", content=b'{"text": "a", "text": "b"}', headers={"content-type": "application/json"}
    )
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == "the body has the field 'text' twice"


ROOM = ServerLimits().body_bytes - 100
COSTLY = {
    "fields": b"{" + b",".join(b'"%x":1' % number for number in range(ROOM // 9)) + b"}",
    "a field twice at the end": b"{" + b",".join(b'"%x":1' % number for number in range(ROOM // 9)) + b',"0":1}',
    "numbers for sentences": b'{"sentences":[' + b"1," * (ROOM // 2) + b"1]}",
    "numbers for words": b'{"words":[' + b"1," * (ROOM // 2) + b'1],"format":"auto"}',
    "numbers in a sentence": b'{"sentences":[[' + b"1," * (ROOM // 2) + b"1]]}",
    "empty sentences": b'{"sentences":[' + b"[]," * (ROOM // 3) + b"[]]}",
    "objects": b'{"text":[' + b"{}," * (ROOM // 3) + b"{}]}",
    "brackets": b'{"text":' + b"[" * ROOM,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COSTLY)
def test_a_body_that_is_made_to_cost_time_is_refused_quickly(name: str) -> None:
    path = "/api/export" if b"format" in COSTLY[name] else "/api/parse"
    asked = client()
    began = time.process_time()
    answer = asked.post(path, content=COSTLY[name], headers={"content-type": "application/json"})
    assert answer.status_code == 422 and len(answer.content) < 300
    assert time.process_time() - began < 0.25  # all requests wait as long; about 0.01 s


@pytest.mark.parametrize("word", ["\U0001f600", ",", "["])
def test_the_largest_request_within_the_limits_is_read(word: str) -> None:
    body = json.dumps({"sentences": [[word] * 78] * 256, "nbest": 50}).encode()
    assert len(body) < ROOM and (word.isascii() or len(body) > ROOM - 100_000)
    answer = client().post("/api/parse", content=body, headers={"content-type": "application/json"})
    assert answer.json()["error"]["code"] == "too_large"  # the answer would be


def test_errors_repeat_little_of_the_request() -> None:
    assert len(client().get("/" + "a" * 10_000).content) < 300
    assert len(client().request("A" * 5000, "/api/parse").content) < 300


def test_other_sites_may_not_ask() -> None:
    origin = {"origin": "http://evil.example", "access-control-request-method": "POST"}
    for answer in (client().options("/api/parse", headers=origin), client().get("/api/health", headers=origin)):
        assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_requests_that_follow_an_error_are_answered(server: Live) -> None:
    received = exchange(server, request("parse", b"{") + request("parse", b'{"text": "", "svg": false}'))
    assert received.startswith(b"HTTP/1.1 400 ") and received.count(b" 200 OK") == 1


@pytest.mark.parametrize("target", [b"http://localhost/api/health", b"http://localhost:8000/", b"http://localhost"])
def test_a_request_may_name_the_whole_address(target: bytes, server: Live) -> None:
    assert exchange(server, b"GET " + target + b" HTTP/1.1\r\nhost: localhost\r\n\r\n").startswith(b"HTTP/1.1 200 ")


def test_a_whole_address_does_not_replace_the_host_header(server: Live) -> None:
    sent = b"GET http://localhost/api/health HTTP/1.1\r\nhost: example.com\r\n\r\n"
    assert exchange(server, sent).startswith(b"HTTP/1.1 421 ")
