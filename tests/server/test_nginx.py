"""The nginx configuration of the docs, run: requests pass through, limits hold, other hosts are refused."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from starccg.server.limits import ServerLimits
from tests.server.live import HARD, Live, live

NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(NGINX is None, reason="nginx is not installed")]

CONFIGURATION = Path(__file__).parents[2] / "docs" / "nginx.conf"
NAME = "parser.example.org"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[tuple[Live, int]]:
    port = free_port()
    with live(hosts=(NAME,), seconds=20) as server:
        site = CONFIGURATION.read_text().replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
        site = site.replace("listen 80", f"listen 127.0.0.1:{port}")
        (tmp_path / "site.conf").write_text(site)
        folders = "".join(
            f"{kind}_temp_path {tmp_path};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;" if os.getuid() == 0 else ""  # otherwise it cannot write to these folders
        (tmp_path / "nginx.conf").write_text(
            f"{user} daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}} "
            f"http {{ access_log off; {folders} include {tmp_path}/site.conf; }}"
        )
        assert NGINX is not None
        process = subprocess.Popen([NGINX, "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")])
        try:
            for _ in range(100):
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    assert process.poll() is None, "nginx refuses the configuration"
                    time.sleep(0.05)
            yield server, port
        finally:
            process.terminate()
            process.wait(10)


def ask(port: int, host: str = NAME, path: str = "/api/health", body: str | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    method = "GET" if body is None else "POST"
    connection.request(method, path, body, {"host": host, "content-type": "application/json"})
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_requests_pass_through_and_other_hosts_do_not(proxied: tuple[Live, int]) -> None:
    _, port = proxied
    assert ask(port)[0] == 200
    status, body = ask(port, path="/api/parse", body='{"text": "It works."}')
    assert status == 200 and json.loads(body)["results"][0]["outcome"] == "Parsed"
    assert b"<title>" in ask(port, path="/")[1]
    with pytest.raises(http.client.RemoteDisconnected):
        ask(port, host="evil.example")


def test_the_proxy_accepts_the_bodies_that_the_server_accepts(proxied: tuple[Live, int]) -> None:
    _, port = proxied
    most = ServerLimits().body_bytes
    assert ask(port, path="/api/parse", body='{"text": ""}'.ljust(most))[0] == 200
    assert ask(port, path="/api/parse", body='{"text": ""}'.ljust(most + 1))[0] == 413


def test_many_requests_from_one_address_are_refused(proxied: tuple[Live, int]) -> None:
    _, port = proxied
    statuses = [ask(port)[0] for _ in range(120)]
    assert set(statuses) == {200, 429} and statuses[0] == 200


def test_a_client_that_leaves_ends_its_work_through_the_proxy_too(proxied: tuple[Live, int]) -> None:
    server, port = proxied
    connection = socket.create_connection(("127.0.0.1", port))
    body = json.dumps({"text": HARD}).encode()
    head = f"POST /api/compare HTTP/1.1\r\nhost: {NAME}\r\ncontent-type: application/json\r\n"
    connection.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
    time.sleep(0.5)
    assert server.in_work == 1
    connection.close()
    assert server.idle_within(5)
