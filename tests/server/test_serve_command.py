"""``starccg serve``: what it prints, how it stops, and every error a person can cause."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlparse

import pytest
from typer.testing import CliRunner

from starccg.cli import app
from starccg.cli.serve import listen
from tests.server.live import request

COMMAND = [sys.executable, "-m", "starccg", "serve", "--port", "0"]


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of its own process, and its address."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        address = re.fullmatch(r"starccg serves at (http://127\.0\.0\.1:\d+) \(Ctrl-C stops it\)\n", said)
        assert address, said + process.communicate(timeout=30)[1]
        yield process, address[1]
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_it_says_where_it_serves_answers_there_and_stops_cleanly_on_ctrl_c() -> None:
    with serving("--max-words", "5") as (process, address):
        request = urllib.request.Request(
            f"{address}/api/parse", b'{"text": "It works."}', {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            assert json.load(answer)["results"][0]["outcome"] == "Parsed"
        with urllib.request.urlopen(f"{address}/api/models") as answer:
            assert json.load(answer)["limits"]["words"] == 5
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (out, err, process.returncode) == ("stopped\n", "", 0)


@pytest.mark.slow
def test_a_second_ctrl_c_ends_a_busy_server_at_once_and_cleanly() -> None:
    with serving() as (process, address), socket.create_connection(("127.0.0.1", urlparse(address).port)) as client:
        client.sendall(request("search", json.dumps({"text": " ".join(["a"] * 250)}).encode()))
        time.sleep(1)
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
        out, err = process.communicate(timeout=30)
        assert (out, err, process.returncode) == ("stopped\n", "", 0)
        assert b'"code":"stopping"' in client.recv(1 << 16)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
def test_every_curl_in_the_documentation_is_answered() -> None:
    page = (Path(__file__).parents[2] / "docs" / "server.md").read_text("utf-8")
    commands = re.findall(r"^curl .*$", page, re.MULTILINE)
    assert len(commands) > 4
    with serving() as (_, address):
        for told in commands:
            command = told.replace("localhost:8000", address).replace("curl ", "curl --fail --noproxy '*' ")
            done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
            assert done.returncode == 0 and done.stdout, command


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "none"], "error: no model is called 'none' and no folder has that name; models here: en"),
        (["--host", "999.1.1.1"], "error: 999.1.1.1 is not an address of this machine: choose another with --host"),
        (
            ["--host", ""],
            "error: the host is empty, which means all addresses: if that is wanted, choose --host 0.0.0.0",
        ),
        (["--host", "192.0.2.1"], "error: 192.0.2.1 is not an address of this machine: choose another with --host"),
    ],
)
def test_what_cannot_be_served_is_one_line_and_leaves_with_1(arguments: list[str], message: str) -> None:
    done = CliRunner().invoke(app, ["serve", "--port", "0", *arguments])
    assert done.exit_code == 1
    assert done.stderr.startswith(message) and done.stderr.count("\n") == 1


def test_a_port_that_is_taken_is_told_with_the_way_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = CliRunner().invoke(app, ["serve", "--port", str(port)])
    assert done.exit_code == 1
    said = f"error: port {port} of 127.0.0.1 is in use: choose another with --port, or 0 for any free one\n"
    assert done.stderr == said


def test_answers_are_not_held_back_to_be_sent_together() -> None:
    with listen("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP  # or asyncio leaves Nagle's delay on


def test_a_port_of_the_system_is_told_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    done = CliRunner().invoke(app, ["serve", "--port", "80"])
    assert done.exit_code == 1
    assert done.stderr == "error: port 80 needs administrator rights: choose a port over 1023 with --port\n"


@pytest.mark.parametrize("missing", ["fastapi", "uvicorn"])
def test_without_the_extra_it_says_how_to_install_it(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("starccg.server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    done = CliRunner().invoke(app, ["serve", "--port", "0"])
    assert done.exit_code == 1
    said = (
        f"error: this needs {missing}, which is not installed: in a checkout of starccg, run pip install '.[serve]'\n"
    )
    assert done.stderr == said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "70000"], "for --port:"),
        (["--port", "http"], "for --port:"),
        (["--threads", "0"], "--threads"),
        (["--queue", "-1"], "for --queue:"),
        (["--max-words", "0"], "for --max-words:"),
        (["--max-characters", "0"], "for --max-characters:"),
        (["--max-sentences", "0"], "for --max-sentences:"),
        (["--max-nbest", "0"], "for --max-nbest:"),
        (["--max-steps", "0"], "for --max-steps:"),
        (["--seconds", "0"], "for --seconds:"),
        (["--seconds", "nan"], "for --seconds:"),
        (["somewhere"], "unexpected extra argument"),
    ],
)
def test_a_wrong_command_line_is_explained_and_leaves_with_2(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["serve", *arguments])
    assert done.exit_code == 2
    assert said in done.stderr and "Traceback" not in done.stderr
