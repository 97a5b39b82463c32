"""The page in a real Chromium, served by a real server. Without Playwright or a Chromium these tests are skipped."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.browser.sentences import parser

CHROMIUM = os.environ.get("STARCCG_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZES = [{"width": 1280, "height": 800}, {"width": 1440, "height": 900}, {"width": 390, "height": 844}]
IDS = ["1280x800", "1440x900", "390x844"]

try:
    import playwright.sync_api as playwright
    import uvicorn

    from starccg.server.app import create_app
except ImportError:
    playwright = None
MISSING = "Playwright" if playwright is None else "a Chromium" if CHROMIUM is None else ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if MISSING and item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.skip(reason=f"{MISSING} is missing; make browser-test installs it"))


@contextmanager
def serving() -> Iterator[str]:
    """A server with the default model; its address."""
    app = create_app(parser())
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serving() as found:
        yield found


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as manager:
        browser = manager.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield browser
        browser.close()


class Watched:
    """A page, and what went wrong on it."""

    def __init__(self, page: Any, home: str) -> None:
        self.page, self.home = page, home
        self.troubles: list[str] = []
        self.requests: list[str] = []
        self.refused_expected = False
        """Set where the server is meant to answer with an error, which Chromium writes to its console."""
        page.on("console", self._told)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.set_default_timeout(15_000)

    def _told(self, message: Any) -> None:
        refused = "Failed to load resource" in message.text
        if message.type in ("error", "warning") and not (refused and self.refused_expected):
            self.troubles.append(message.text)

    def check(self) -> None:
        assert self.troubles == []
        outside = [url for url in self.requests if not url.startswith((self.home, f"blob:{self.home}"))]
        assert outside == [], "a request left the server"


def until(page: Any, expression: str) -> None:
    """Waits for a JavaScript expression to hold. Playwright's own waiting needs ``eval``, which the page forbids."""
    give_up = time.monotonic() + 15
    while not page.evaluate(expression):
        assert time.monotonic() < give_up, f"never came true: {expression}"
        time.sleep(0.02)


Opener = Callable[..., Watched]


@pytest.fixture
def opened(chromium: Any, address: str) -> Iterator[Opener]:
    """Opens the page with a query, as a function; every page it opened is checked at the end."""
    watched: list[Watched] = []
    contexts: list[Any] = []

    def open_page(query: str = "", **settings: Any) -> Watched:
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **settings})
        contexts.append(context)
        found = Watched(context.new_page(), address)
        watched.append(found)
        found.page.goto(address + query)
        found.page.wait_for_selector("#model:not(:empty)")
        return found

    yield open_page
    for each in watched:
        each.check()
    for context in contexts:
        context.close()


@pytest.fixture(params=SIZES, ids=IDS)
def sized(request: pytest.FixtureRequest, opened: Opener) -> Opener:
    """Opens the page in a window of each size."""
    return partial(opened, viewport=request.param)
