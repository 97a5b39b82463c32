"""What a browser and a monitor see."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from starccg.server import app as application
from tests.server.serving import client

STATIC = Path(application.__file__).parent / "static"
ELSEWHERE = re.compile(r"""(?:src|href|url|import|from|fetch)\s*[=(]?\s*["'(]+\s*(?:https?:)?//""")


def test_every_answer_holds_the_browser_to_this_server() -> None:
    for path in ("/", "/docs", "/docs.css", "/api/health", "/openapi.json", "/nothing"):
        answer = client().get(path)
        assert answer.headers["content-security-policy"].startswith("default-src 'self';")
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_nothing_is_loaded_from_elsewhere() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    texts = [path.read_text("utf-8") for path in files if path.suffix in (".html", ".css", ".js", ".svg")]
    for text in [*texts, client().get("/").text, client().get("/docs").text]:
        assert not ELSEWHERE.search(text)


def test_files_are_asked_for_again_only_when_they_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "STATIC", tmp_path)
    assert "The parser is running" in client().get("/").text
    (tmp_path / "index.html").write_text("<!doctype html><title>a page</title>")
    (tmp_path / "page.js").write_text("1")
    assert "a page" in client().get("/").text
    first = client().get("/static/page.js")
    assert first.headers["cache-control"] == "no-cache"
    again = client().get("/static/page.js", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content


def test_the_interface_is_told_to_people_and_programs() -> None:
    description = client().get("/openapi.json").json()
    page = client().get("/docs").text
    HTMLParser().feed(page)
    assert set(description["paths"]) == {
        f"/api/{name}" for name in ("health", "models", "metrics", "parse", "export", "search", "compare")
    }
    for path, methods in description["paths"].items():
        assert f"<code>{path}</code>" in page
        for operation in methods.values():
            assert operation["description"] in page
    names = set(re.findall(r'href="#(\w+)"', page))
    assert names <= set(re.findall(r'id="(\w+)"', page))


def test_head_is_answered_where_get_is_for_pages() -> None:
    for path in ("/", "/docs"):
        answer = client().head(path)
        assert answer.status_code == 200 and not answer.content


def test_metrics_count_requests_outcomes_and_time() -> None:
    server = client()
    server.post("/api/parse", json={"sentences": ["It works.", ""]})
    server.post("/api/parse", json={})
    server.post("/api/search", json={"text": "It works."})
    server.post("/api/export", json={"text": "It works.", "format": "auto"})
    server.get("/nothing/a")
    server.get("/nothing/b")
    answer = server.get("/api/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = answer.text.splitlines()
    for line in (
        'starccg_requests_total{route="/api/parse",status="200"} 1',
        'starccg_requests_total{route="/api/parse",status="422"} 1',
        'starccg_requests_total{route="other",status="404"} 2',
        "starccg_sentences_total 4",
        'starccg_outcomes_total{outcome="Failed"} 1',
        'starccg_outcomes_total{outcome="Parsed"} 3',
        'starccg_request_seconds_bucket{route="/api/parse",le="+Inf"} 2',
        'starccg_request_seconds_count{route="/api/parse"} 2',
        "starccg_requests_in_work 0",
    ):
        assert line in lines
    metric = re.compile(r'#( (HELP|TYPE) \w+ .+)|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [0-9.e+-]+')
    assert all(metric.fullmatch(line) for line in lines)
