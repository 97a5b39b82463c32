"""Clients that leave, do not read, send nothing, or send sentences that take long: others are answered meanwhile.

Everything happens on 127.0.0.1, with few connections and short limits.
"""

from __future__ import annotations

import json
import logging
import signal
import socket
import threading
import time
import urllib.request
from contextlib import ExitStack, closing

import pytest

from tests.server.live import HARD, HARD_AND_SHORT, Live, is_closed, live, request

pytestmark = pytest.mark.slow

PATIENCE = 5.0
"""Seconds that a healthy client may wait where other tests run beside this one. ``benchmarks/server.py --only attacks``
measures it on an idle machine, where the limit is 2 seconds."""


def metric(server: Live, name: str) -> str | None:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/api/metrics") as answer:
        return next((line.split()[-1] for line in answer.read().decode().splitlines() if line.startswith(name)), None)


@pytest.mark.parametrize("path", ["compare", "parse", "search", "export"])
def test_work_ends_when_its_client_leaves(path: str, caplog: pytest.LogCaptureFixture) -> None:
    body = {"format": "auto"} if path == "export" else {}
    with live(seconds=30) as server, caplog.at_level(logging.WARNING):
        for _ in range(6):  # more than there are threads: some wait
            connection = server.send(path, text=HARD, **body)
            time.sleep(0.05)
            connection.close()
        assert server.healthy_wait() < PATIENCE
        assert server.idle_within(PATIENCE)
        assert metric(server, f'starccg_requests_total{{route="/api/{path}",status="499"}}') == "6"
    assert not [record for record in caplog.records if record.name.startswith("uvicorn")], (
        "a client that left is logged"
    )


def test_a_search_that_runs_for_long_ends_when_its_client_leaves() -> None:
    with live(seconds=30) as server:
        connection = server.send("parse", sentences=[HARD])
        last_lane = server.app.state.scheduler._pools[-1]
        while not last_lane._threads:
            time.sleep(0.02)
        time.sleep(0.2)
        connection.close()
        assert server.idle_within(PATIENCE)


def test_a_client_that_leaves_while_it_sends_its_body_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    with live() as server, caplog.at_level(logging.WARNING):
        for _ in range(3):
            connection = server.connect()
            connection.sendall(request("parse", b'{"text": "It works."}')[:-5])
            time.sleep(0.05)
            connection.close()
        assert server.healthy_wait() < PATIENCE
        assert metric(server, 'starccg_requests_total{route="/api/parse",status="499"}') == "3"
        assert metric(server, 'starccg_requests_total{route="/api/parse",status="500"}') is None
    assert not [record for record in caplog.records if record.name.startswith("uvicorn")]


def test_one_deadline_holds_for_all_sentences_of_a_request() -> None:
    with live(seconds=1, request_seconds=2) as server:
        begin = time.monotonic()
        status, value = server.post("parse", sentences=[HARD] * 15, svg=False)
        assert time.monotonic() - begin < 4
        assert status == 200 and len(value["results"]) == 15
        reasons = {result["reason"] for result in value["results"]}
        assert "the time limit of the request is used up: send fewer sentences at once" in reasons


def test_one_deadline_holds_for_all_decoders_of_a_request() -> None:
    with live(seconds=1, request_seconds=2) as server:
        begin = time.monotonic()
        status, value = server.post("compare", text=HARD)
        assert time.monotonic() - begin < 4
        assert status == 200 and len(value["results"]) == 7


def test_the_time_limit_of_a_sentence_holds_for_its_back_off_and_second_search_too() -> None:
    with live(seconds=0.5) as server:
        begin = time.monotonic()
        status, _ = server.post("parse", sentences=[HARD])
        # It runs in lanes of 0.1 and 0.5 seconds, one after the other.
        assert status == 200 and time.monotonic() - begin < 2


@pytest.mark.parametrize("sentence", [HARD, HARD_AND_SHORT], ids=["250 words", "60 words"])
def test_hard_sentences_do_not_delay_others(sentence: str) -> None:
    with live(seconds=5, request_seconds=20) as server, ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(closing(server.send("parse", sentences=[sentence] * 20, svg=False)))
        time.sleep(0.3)
        assert max(server.healthy_wait() for _ in range(10)) < PATIENCE
        assert server.in_work == 8


def test_recordings_of_hard_searches_do_not_delay_others() -> None:
    with live(seconds=4, request_seconds=30) as server, ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(closing(server.send("search", text=HARD)))
        for _ in range(8):  # while they are searched, and while they are recorded
            time.sleep(1)
            begin = time.monotonic()
            status, value = server.post("search", text="It works.")
            assert status == 200 and value["steps"]
            assert time.monotonic() - begin < 2


def test_answers_that_are_not_read_hold_little_and_are_given_up() -> None:
    sentences = ["The report that she wrote last winter surprised everyone who had read it ."] * 100
    with live(write_seconds=1) as server, ExitStack() as stack:
        for _ in range(8):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", server.port))
            body = json.dumps({"sentences": sentences, "nbest": 10}).encode()
            connection.sendall(request("parse", body))
            stack.enter_context(closing(connection))
        assert server.healthy_wait() < PATIENCE
        assert server.idle_within(30), "requests whose answers nobody reads stay in work"


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"POST /api/parse HTTP/1.1\r\nhost: localhost\r\n"])
def test_a_connection_that_sends_no_request_is_closed(sent: bytes) -> None:
    with live(receive_seconds=0.5) as server:
        connection = server.connect()
        connection.sendall(sent)
        assert is_closed(connection, 3)


def test_a_request_that_arrives_byte_by_byte_is_refused() -> None:
    with live(receive_seconds=0.5) as server:
        connection = server.connect()
        whole = request("parse", b'{"text": "It works."}')
        connection.sendall(whole[:-10])
        begin = time.monotonic()
        try:
            for byte in whole[-10:-1]:
                connection.sendall(bytes([byte]))
                time.sleep(0.15)
        except ConnectionError:
            pass
        answer = connection.recv(4096)
        assert answer.startswith(b"HTTP/1.1 408 Request Timeout\r\n") and time.monotonic() - begin < 3
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == "too_slow"


def test_a_connection_that_is_idle_after_an_answer_is_closed() -> None:
    with live(idle_seconds=1) as server:
        connection = server.send("parse", text="It works.", svg=False)
        assert connection.recv(4096).startswith(b"HTTP/1.1 200")
        assert is_closed(connection, 4)


def test_silent_connections_beyond_the_limit_do_not_shut_others_out(caplog: pytest.LogCaptureFixture) -> None:
    with live(connections=20) as server, ExitStack() as stack, caplog.at_level(logging.WARNING):
        for _ in range(60):
            stack.enter_context(closing(server.connect()))
        assert max(server.healthy_wait() for _ in range(3)) < PATIENCE
        assert len(server.server.server_state.connections) <= 21
    assert not caplog.records


def test_a_connection_beyond_the_limit_is_refused_if_all_others_are_in_work() -> None:
    with live(connections=3, seconds=5) as server, ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(closing(server.send("parse", sentences=[HARD])))
        time.sleep(0.2)
        answer = server.connect().recv(4096)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == "busy"


def test_requests_that_follow_each_other_without_waiting_are_answered_in_order() -> None:
    with live() as server:
        connection = server.connect()
        bodies = [json.dumps({"text": text, "svg": False}).encode() for text in ("It works.", "He sleeps.")]
        connection.sendall(b"".join(request("parse", body) for body in bodies))
        received = b""
        while received.count(b'"results"') < 2 or not received.endswith(b"]}"):
            received += connection.recv(65536)
        assert received.index(b'"works"') < received.index(b'"sleeps"')


@pytest.mark.parametrize("together", [True, False])
def test_a_request_that_came_with_the_one_before_has_its_own_time(together: bool) -> None:
    with live(receive_seconds=0.5, seconds=1, connections=2) as server:
        requests = [request("parse", json.dumps({"sentences": [text]}).encode()) for text in ("It works.", HARD)]
        connection = server.connect()
        connection.sendall(requests[0] + (requests[1] if together else b""))
        if not together:
            connection.sendall(requests[1])
        time.sleep(0.3)
        for _ in range(3):  # none of these may take its place
            server.connect()
        received = b""
        while received.count(b'"results"') < 2 or not received.endswith(b"]}"):
            part = connection.recv(65536)
            assert part, received[-200:]
            received += part
        assert server.in_work == 0


def test_a_client_that_keeps_sending_while_it_waits_is_disconnected() -> None:
    with live(seconds=5) as server:
        connection = server.send("parse", sentences=[HARD])
        time.sleep(0.1)
        with pytest.raises(ConnectionError):
            for _ in range(200):
                connection.sendall(b"x" * 4096)
                time.sleep(0.005)
        assert server.idle_within(PATIENCE)


def test_a_server_that_is_stopped_twice_refuses_what_is_in_work(caplog: pytest.LogCaptureFixture) -> None:
    bodies = {"parse": {"sentences": [HARD]}, "search": {"text": HARD}, "export": {"text": HARD, "format": "auto"}}
    with live(seconds=30) as server, caplog.at_level(logging.ERROR), ExitStack() as stack:
        sent = {path: stack.enter_context(closing(server.send(path, **body))) for path, body in bodies.items()}
        time.sleep(0.5)
        for _ in range(2):
            server.server.handle_exit(signal.SIGINT, None)
            time.sleep(0.2)
        server.thread.join(10)
        received = {path: connection.recv(1 << 20).decode() for path, connection in sent.items()}
    assert "the server is stopping" in received["parse"] and '"code":"stopping"' in received["search"]
    assert "retry-after: 1\r\n" in received["search"].lower()
    assert '"code":"no_parse"' in received["export"]
    assert not caplog.records


def test_a_server_that_stops_ends_what_is_in_work_with_complete_answers() -> None:
    answers = []
    with live(seconds=30) as server:
        threads = [
            threading.Thread(target=lambda: answers.append(server.post("parse", sentences=["It works.", HARD])))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        begin = time.monotonic()
        server.server.should_exit = True
        server.thread.join(10)
        assert time.monotonic() - begin < 5
        for thread in threads:
            thread.join(5)
    assert len(answers) == 4
    for status, value in answers:
        assert status == 200
        first, second = value["results"]
        assert first["outcome"] == "Parsed" and second["reason"] == "the server is stopping"
