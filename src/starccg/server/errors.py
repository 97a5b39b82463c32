"""Errors as one shape of JSON: a code for programs, a message for people, and the place in the body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

STATUS = {
    "invalid_json": 400,
    "invalid_utf8": 400,
    "unclear_length": 400,
    "not_found": 404,
    "method_not_allowed": 405,
    "too_slow": 408,
    "body_too_large": 413,
    "unsupported_media_type": 415,
    "wrong_host": 421,
    "invalid_request": 422,
    "too_long": 422,
    "too_many": 422,
    "too_large": 422,
    "unknown_decoder": 422,
    "unknown_format": 422,
    "needs_global_model": 422,
    "no_parse": 422,
    "no_such_rank": 422,
    "cannot_write": 422,
    "internal": 500,
    "busy": 503,
    "stopping": 503,
}
"""Every error code, with its HTTP status."""


class ApiError(HTTPException):
    """An error with a code of :data:`STATUS`, a message, and the place in the body if the body is wrong."""

    def __init__(
        self, code: str, message: str, where: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(STATUS[code], message, dict(headers) if headers else None)
        self.code, self.message, self.where = code, message, where


def answer(error: ApiError) -> JSONResponse:
    """The response for an error."""
    value = {"error": {"code": error.code, "message": error.message, "where": error.where}}
    return JSONResponse(value, error.status_code, error.headers)


async def on_http_error(request: Request, error: Exception) -> JSONResponse:
    """Our own errors, and those of the framework: unknown paths, wrong methods."""
    if isinstance(error, ApiError):
        return answer(error)
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.NOT_FOUND:
        return answer(ApiError("not_found", f"there is no {short(request.url.path)} here; GET /docs lists all paths"))
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = (error.headers or {}).get("Allow", "")
        message = f"{short(request.url.path)} takes {allowed or 'another method'}, not {request.method[:20]}"
        return answer(ApiError("method_not_allowed", message, headers=error.headers))
    detail = ApiError("internal", str(error.detail))
    detail.status_code = error.status_code
    return answer(detail)


async def on_invalid_request(request: Request, error: Exception) -> JSONResponse:
    """A body that is JSON but not what the route accepts: the first mistake in it."""
    assert isinstance(error, RequestValidationError)
    where, message = describe(error.errors())
    return answer(ApiError("invalid_request", message, where))


async def on_client_left(request: Request, error: Exception) -> Response:
    """The client disconnected while it sent its request, so this response is not read."""
    request.scope["client_left"] = True
    return Response(status_code=HTTPStatus.BAD_REQUEST)


async def on_bug(request: Request, error: Exception) -> JSONResponse:
    """Any other exception is a bug. The traceback goes to the log, not to the client."""
    return answer(ApiError("internal", f"a bug in starccg: {type(error).__name__}"))


EXPECTED = {
    "string_type": "a string",
    "string_unicode": "text without unpaired surrogates",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a whole number that is not too large",
    "bool_type": "true or false",
    "list_type": "a list",
    "model_attributes_type": "an object",
    "model_type": "an object",
    "dict_type": "an object",
}
"""What was expected, for each kind of type error of pydantic."""


def describe(errors: Sequence[Any]) -> tuple[str | None, str]:
    """The place of the first mistake, and what is wrong, without the vocabulary of pydantic."""
    first = errors[0]
    kind, context = str(first["type"]), first.get("ctx", {})
    # The alternatives of a union have names that are not identifiers; they are left out.
    path = [part for part in first["loc"][1:] if isinstance(part, int) or str(part).isidentifier()]
    where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")
    if kind == "missing":
        return (where or None), (f"the field {where!r} is missing" if where else "the body should be an object")
    if kind == "extra_forbidden":
        return where, f"there is no field {where!r} here; GET /docs lists the fields"
    if kind == "value_error":
        return (where or None), str(context.get("error", first["msg"]))
    name = where or "the body"
    if kind in EXPECTED:
        if path[:1] == ["sentences"] and len(path) == 2:
            return where, f"{name} should be a string or a list of words"
        return (where or None), f"{name} should be {EXPECTED[kind]}"
    if "ge" in context:
        return (where or None), f"{name} should be at least {context['ge']}"
    return (where or None), f"{name}: {first['msg']}"


def short(value: str) -> str:
    """A value that a client sent, in quotes, shortened to fit on a line."""
    return repr(value if len(value) <= 40 else value[:37] + "...")
