"""Checks of request bodies: content type, size, encoding and syntax, each with its own error."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.types import Message, Receive

from starccg.server.errors import ApiError, short
from starccg.server.limits import ServerLimits

MOST_FIELDS = 32
"""Of an object. No route has so many, and to say of each of many thousands that it is wrong would take seconds."""


def checked_route(limits: ServerLimits) -> type[APIRoute]:
    """A kind of route that accepts only JSON bodies within the limits."""

    class CheckedRoute(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            handle = super().get_route_handler()

            async def checked(request: Request) -> Response:
                if request.method == "POST":
                    body = await read(request, limits.body_bytes)
                    check(body, limits)
                    request = Request(request.scope, once(body, request.receive))
                return await handle(request)

            return checked

    return CheckedRoute


async def read(request: Request, limit: int) -> bytes:
    """The body, if its content type is JSON and it is not too large. Reading stops at the limit."""
    kind = request.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != "application/json":
        given = f", not {kind[:80]}" if kind else ""
        raise ApiError("unsupported_media_type", f"Content-Type must be application/json{given}")
    said = request.headers.get("content-length", "")
    size = int(said) if said.isdecimal() else 0
    parts: list[bytes] = []
    if size <= limit:
        size = 0
        async for part in request.stream():
            parts.append(part)
            size += len(part)
            if size > limit:
                break
    if size > limit:
        raise ApiError("body_too_large", f"the body is larger than the limit of {limit} bytes: send it in parts")
    return b"".join(parts)


def check(body: bytes, limits: ServerLimits) -> None:
    """Refuse a body that is not JSON, or that has text which is not Unicode."""
    # Each character of a text, each word and each sentence adds one at most. To read more takes long.
    marks, most = (
        sum(map(body.count, (b"[", b"{", b":", b","))),
        2 * (limits.characters + limits.sentences + MOST_FIELDS),
    )
    if marks > most:
        message = f"the body has {marks} brackets, colons and commas; {most} are enough for any request here"
        raise ApiError("too_many", message)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ApiError("invalid_utf8", "the body is not UTF-8", f"byte {error.start + 1}") from error
    try:
        value = json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ApiError("invalid_json", f"the body is not JSON: {error.msg}", where) from error
    except UnicodeEncodeError as error:
        raise ApiError("invalid_json", "the body has an unpaired surrogate, which is not a character") from error
    except (ValueError, RecursionError) as error:
        raise ApiError(
            "invalid_json", "the body cannot be read: it is nested too deep, or a number is too long"
        ) from error


def _object(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; programs before this one may have read the other of two fields with one name."""
    if len(fields) > MOST_FIELDS:
        message = f"the body has an object of {len(fields)} fields; GET /docs lists the fields"
        raise ApiError("invalid_request", message)
    value = dict(fields)
    if len(value) < len(fields):
        twice = next(name for place, (name, _) in enumerate(fields) if name in dict(fields[:place]))
        raise ApiError("invalid_json", f"the body has the field {short(twice)} twice")
    return value


def _refuse(constant: str) -> NoReturn:
    raise ApiError("invalid_json", f"the body is not JSON: {constant} is not a number in JSON")


def once(body: bytes, then: Receive) -> Receive:
    """A receive function that returns the body first, and then passes on what comes after it."""
    given = False

    async def receive() -> Message:
        nonlocal given
        if given:
            return await then()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
