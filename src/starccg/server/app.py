"""The application: its routes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.staticfiles import StaticFiles

import starccg
from starccg.parser import Parser
from starccg.server import requests, schemas
from starccg.server.bodies import checked_route
from starccg.server.describe import media_type, writable
from starccg.server.errors import on_bug, on_client_left, on_http_error, on_invalid_request
from starccg.server.limits import ServerLimits
from starccg.server.metrics import CONTENT_TYPE, Metrics
from starccg.server.middleware import HeaderCheck, RequestMetrics
from starccg.server.openapi_page import STYLE, render
from starccg.server.scheduler import Scheduler
from starccg.server.service import Service
from starccg.server.streaming import StreamedAnswer

STATIC = Path(__file__).parent / "static"
WITHOUT_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>starccg</title>
<h1>starccg</h1><p>The parser is running. <a href="docs">The HTTP interface</a>.</p></html>
"""
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": schemas.ErrorAnswer, "description": text}
    for status, text in {
        400: "The body is not JSON in UTF-8.",
        408: "The request did not arrive in time.",
        413: "The body is too large.",
        415: "The content type is not application/json.",
        421: "The Host header names a host that this server does not answer for.",
        422: "A field is wrong, or over a limit of this server.",
        503: "The server is busy or stopping. Retry-After says in how many seconds to try again.",
    }.items()
}


def create_app(parser: Parser, limits: ServerLimits | None = None, hosts: Collection[str] = ()) -> FastAPI:
    """The application for a parser. It keeps no state but its metrics.

    ``hosts``: names, beside ``localhost`` and addresses, that requests may have in their Host header.
    """
    limits = limits or ServerLimits()
    scheduler, metrics = Scheduler(parser, limits), Metrics()
    service = Service(parser, limits, scheduler, metrics.outcome)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        scheduler.close()

    app = FastAPI(
        title="starccg",
        version=starccg.__version__,
        summary="A CCG parser that proves its answer best",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # a redirect would repeat the Host header
        lifespan=lifespan,
    )
    app.state.scheduler = scheduler
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(RequestValidationError, on_invalid_request)
    app.add_exception_handler(ClientDisconnect, on_client_left)
    app.add_exception_handler(Exception, on_bug)
    app.include_router(about(service, metrics))
    app.include_router(parsing(service))
    app.include_router(pages(app))
    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False), "static")
    app.add_middleware(HeaderCheck, names=frozenset(hosts))
    app.add_middleware(RequestMetrics, metrics=metrics)
    return app


def about(service: Service, metrics: Metrics) -> APIRouter:
    """Routes that need no parser."""
    router = APIRouter(prefix="/api", tags=["about"])
    scheduler = service.scheduler

    @router.get("/health")
    async def health() -> schemas.Health:
        """The server is running; this also answers while it parses."""
        return schemas.Health(status="ok", version=starccg.__version__, model=service.parser.name)

    @router.get("/models")
    async def models() -> schemas.Models:
        """The model, decoders, formats and limits of this server."""
        return service.models()

    @router.get("/metrics", response_class=PlainTextResponse)
    async def metrics_text() -> Response:
        """Counts and times in the text format of Prometheus."""
        gauges = {
            "starccg_requests_in_work": ("Requests that are parsed, wait, or are being sent.", len(scheduler.open)),
            "starccg_sentences_waiting": ("Sentences that wait for a thread.", scheduler.waiting),
        }
        return Response(metrics.text(gauges), media_type=CONTENT_TYPE)

    return router


def parsing(service: Service) -> APIRouter:
    """Routes that need the parser. Their work ends when the client leaves."""
    router = APIRouter(prefix="/api", tags=["parsing"], route_class=checked_route(service.limits), responses=ERRORS)

    def streamed(request: Request, chunks: AsyncIterator[bytes]) -> Response:
        return StreamedAnswer(chunks, gzip="gzip" in request.headers.get("accept-encoding", ""))

    @router.post("/parse", response_model=schemas.ParseResults)
    async def parse(request: Request, body: requests.ParseRequest) -> Response:
        """Parse text, or many sentences at once: one result for each, in order."""
        return streamed(request, service.parse(body))

    files: dict[int | str, dict[str, Any]] = {
        200: {"description": "The file.", "content": {media_type(form): {} for form in writable()}}
    }

    @router.post("/export", response_class=Response, responses=files)
    async def export(request: Request, body: requests.ExportRequest) -> Response:
        """One parse as a file in any format that can be written."""

        async def chunks() -> AsyncIterator[bytes]:
            file = await service.export(body)
            answer.headers["content-type"] = content_type(file.media_type)
            answer.headers["content-disposition"] = f'attachment; filename="{file.name}"'
            yield file.text.encode()

        answer = StreamedAnswer(chunks(), gzip=False)
        return answer

    @router.post("/search", response_model=schemas.SearchAnswer)
    async def search(request: Request, body: requests.SearchRequest) -> Response:
        """A search, step by step, as the page shows it."""
        return streamed(request, service.search(body))

    @router.post("/compare", response_model=schemas.CompareResults)
    async def compare(request: Request, body: requests.CompareRequest) -> Response:
        """One sentence under several decoders."""
        return streamed(request, service.compare(body))

    return router


def content_type(media: str) -> str:
    """The Content-Type of a file in UTF-8."""
    return f"{media}; charset=utf-8" if media.startswith("text/") else media


def pages(app: FastAPI) -> APIRouter:
    """The pages for a browser."""
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
