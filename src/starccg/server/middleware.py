"""Around every request: the check of its headers, the headers of its answer, and its metrics."""

from __future__ import annotations

import time
from collections.abc import Collection

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from starccg.server.errors import ApiError, answer, short
from starccg.server.hosts import is_allowed
from starccg.server.metrics import Metrics

HEADERS = {
    "content-security-policy": "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
"""The browser may load nothing from other servers, and other sites may not load anything from this one."""
CLOSE = {"Connection": "close"}
CLIENT_LEFT = 499
"""The status in the metrics of a request whose client left before the answer was complete."""


class HeaderCheck:
    """Refuses requests for hosts that this server does not know, and those whose end is not clear.

    A request with both ``Content-Length`` and ``Transfer-Encoding`` may end at another place for a proxy than for us,
    which lets a client hide a second request in it. Parts of files (``Range``) are not served.
    """

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self.app, self.names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "http":
            if {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}:
                message = "Content-Length and Transfer-Encoding exclude each other: send one of them"
                await answer(ApiError("unclear_length", message, headers=CLOSE))(scope, receive, send)
                return
            if scope["path"].startswith("http://"):  # the absolute form, which clients of a proxy send
                scope["path"] = "/" + scope["path"].removeprefix("http://").partition("/")[2]
            if "\0" in scope["path"]:  # older versions of starlette look for such a file and fail
                message = f"there is no {short(scope['path'])} here; GET /docs lists all paths"
                await answer(ApiError("not_found", message))(scope, receive, send)
                return
            scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"range"]
            hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
            if len(hosts) != 1 or not is_allowed(hosts[0], self.names):
                message = "the request must have one Host header"
                if len(hosts) == 1:
                    name = short(hosts[0])
                    message = f"this server does not answer for the host {name}: start it with --allow-host NAME"
                await answer(ApiError("wrong_host", message))(scope, receive, send)
                return
        await self.app(scope, receive, send)


class RequestMetrics:
    """Counts and times each request, and adds the headers that every answer has."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begin, status = time.perf_counter(), 500
        api = scope["path"].startswith("/api/")
        extra = {**HEADERS, "cache-control": "no-store" if api else "no-cache"}
        own = [(name.encode(), value.encode()) for name, value in extra.items()]

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), *own]
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        finally:
            status = CLIENT_LEFT if scope.get("client_left") else status
            self.metrics.request(route_of(scope), status, time.perf_counter() - begin)


def route_of(scope: Scope) -> str:
    """The template of the route that answered; all unknown paths are ``other``."""
    path = str(scope["path"])
    if path.startswith("/static/"):
        return "/static"
    route = scope.get("route")
    return str(getattr(route, "path", "other")) if route is not None else "other"
