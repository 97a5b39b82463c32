"""The application: routes, and what every answer carries."""

from __future__ import annotations

import gzip
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import starccg
from starccg.parser import Parser
from starccg.server import requests, schemas
from starccg.server.bodies import checked_route
from starccg.server.describe import media_type, writable
from starccg.server.errors import on_bug, on_http_error, on_invalid_request
from starccg.server.limits import ServerLimits
from starccg.server.metrics import CONTENT_TYPE, Metrics
from starccg.server.openapi_page import STYLE, render
from starccg.server.service import Service
from starccg.server.workers import Workers

STATIC = Path(__file__).parent / "static"
WITHOUT_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>starccg</title>
<h1>starccg</h1><p>The parser is up. <a href="docs">What it answers</a>.</p></html>
"""
HEADERS = {
    "content-security-policy": "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
"""The browser is held to this server, so that the page works offline if it works at all."""
PACKED = 50_000
"""Bytes from which an answer is worth packing: recorded searches shrink to a tenth."""
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": schemas.ErrorAnswer, "description": text}
    for status, text in {
        400: "The body is not JSON in UTF-8.",
        413: "The body is too large.",
        415: "The body is not said to be JSON.",
        422: "A field is wrong, or over a limit of this server.",
        503: "Too many requests wait; Retry-After says when to come again.",
    }.items()
}


def create_app(parser: Parser, limits: ServerLimits | None = None) -> FastAPI:
    """The application for a parser. It keeps no state but its metrics."""
    limits = limits or ServerLimits()
    workers, metrics = Workers(limits.concurrent, limits.waiting), Metrics()
    service = Service(parser, limits, metrics.outcomes)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        workers.close()

    app = FastAPI(
        title="starccg",
        version=starccg.__version__,
        summary="A CCG parser whose answer is proved best",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.workers = workers
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(RequestValidationError, on_invalid_request)
    app.add_exception_handler(Exception, on_bug)
    app.include_router(questions(service, workers, metrics))
    app.include_router(work(service, workers))
    app.include_router(pages(app))
    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False), "static")
    app.add_middleware(Watch, metrics=metrics)
    return app


def questions(service: Service, workers: Workers, metrics: Metrics) -> APIRouter:
    """What is answered at once."""
    router = APIRouter(prefix="/api", tags=["about"])

    @router.get("/health")
    async def health() -> schemas.Health:
        """That the server is up; answers while parses run."""
        return service.health()

    @router.get("/models")
    async def models() -> schemas.Models:
        """The model, decoders, formats and limits of this server."""
        return service.models()

    @router.get("/metrics", response_class=PlainTextResponse)
    async def metrics_text() -> Response:
        """Counts and times as Prometheus reads them."""
        gauges = {"starccg_requests_in_work": ("Parses running or waiting.", float(workers.taken))}
        return Response(metrics.text(gauges), media_type=CONTENT_TYPE)

    return router


def work(service: Service, workers: Workers) -> APIRouter:
    """What needs the parser, and so goes through the workers; the answers are made into JSON there too."""
    router = APIRouter(
        prefix="/api", tags=["parsing"], route_class=checked_route(service.limits.body_bytes), responses=ERRORS
    )

    async def answer(request: Request, make: Callable[[], BaseModel]) -> Response:
        packed = "gzip" in request.headers.get("accept-encoding", "")

        def run() -> tuple[bytes, dict[str, str]]:
            body = make().model_dump_json(by_alias=True).encode()
            if packed and len(body) > PACKED:
                return gzip.compress(body, 1), {"content-encoding": "gzip", "vary": "accept-encoding"}
            return body, {"vary": "accept-encoding"}

        body, headers = await workers.run(run)
        return Response(body, media_type="application/json", headers=headers)

    @router.post("/parse", response_model=schemas.ParseResults)
    async def parse(request: Request, body: requests.ParseRequest) -> Response:
        """Parse text, or many sentences at once: one result for each, in order."""
        return await answer(request, lambda: service.parse(body))

    files: dict[int | str, dict[str, Any]] = {
        200: {"description": "The file.", "content": {media_type(form): {} for form in writable()}}
    }

    @router.post("/export", response_class=Response, responses=files)
    async def export(body: requests.ExportRequest) -> Response:
        """One parse as a file in any format that can be written."""
        file = await workers.run(lambda: service.export(body))
        disposition = f'attachment; filename="{file.name}"'
        return Response(file.text.encode(), media_type=file.media_type, headers={"content-disposition": disposition})

    @router.post("/search", response_model=schemas.SearchAnswer)
    async def search(request: Request, body: requests.SearchRequest) -> Response:
        """A search, step by step: what the explorer shows."""
        return await answer(request, lambda: service.search(body))

    @router.post("/compare", response_model=schemas.CompareResults)
    async def compare(request: Request, body: requests.CompareRequest) -> Response:
        """One sentence under several decoders."""
        return await answer(request, lambda: service.compare(body))

    return router


def pages(app: FastAPI) -> APIRouter:
    """What people look at in a browser."""
    router = APIRouter(include_in_schema=False)

    @router.api_route("/", methods=["GET", "HEAD"])
    async def index() -> Response:
        page = STATIC / "index.html"
        return FileResponse(page) if page.is_file() else HTMLResponse(WITHOUT_PAGE)

    @router.api_route("/docs", methods=["GET", "HEAD"])
    async def docs() -> Response:
        return HTMLResponse(render(app.openapi()))

    @router.api_route("/docs.css", methods=["GET", "HEAD"])
    async def style() -> Response:
        return Response(STYLE, media_type="text/css")

    return router


class Watch:
    """Around everything: counts and times each request, and adds the headers that every answer carries."""

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

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = [(name.encode(), value.encode()) for name, value in extra.items()]
                message["headers"] = [*message.get("headers", []), *own]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            self.metrics.request(route_of(scope), status, time.perf_counter() - begin)


def route_of(scope: Scope) -> str:
    """The route that answered, as the server calls it; everything unknown is one."""
    path = str(scope["path"])
    if path.startswith("/static/"):
        return "/static"
    route = scope.get("route")
    return str(getattr(route, "path", "other")) if route is not None else "other"
