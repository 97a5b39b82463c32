"""What a client did wrong (or we did), as one shape of JSON: a code for programs, a message for people, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

STATUS = {
    "invalid_json": 400,
    "invalid_utf8": 400,
    "not_found": 404,
    "method_not_allowed": 405,
    "body_too_large": 413,
    "unsupported_media_type": 415,
    "invalid_request": 422,
    "too_long": 422,
    "too_many": 422,
    "unknown_decoder": 422,
    "unknown_format": 422,
    "needs_global_model": 422,
    "no_parse": 422,
    "no_such_rank": 422,
    "cannot_write": 422,
    "internal": 500,
    "busy": 503,
}
"""Every code there is, with its status."""


class ApiError(HTTPException):
    """An error with a code of :data:`STATUS`, a message for people, and the place in the body, if one is at fault."""

    def __init__(
        self, code: str, message: str, where: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(STATUS[code], message, dict(headers) if headers else None)
        self.code, self.message, self.where = code, message, where


def answer(error: ApiError) -> JSONResponse:
    """The response that tells of an error."""
    value = {"error": {"code": error.code, "message": error.message, "where": error.where}}
    return JSONResponse(value, error.status_code, error.headers)


async def on_http_error(request: Request, error: Exception) -> JSONResponse:
    """Ours, and those of the framework: unknown paths, wrong methods."""
    if isinstance(error, ApiError):
        return answer(error)
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.NOT_FOUND:
        return answer(ApiError("not_found", f"there is nothing at {request.url.path}; GET /docs lists what there is"))
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = (error.headers or {}).get("Allow", "")
        message = f"{request.url.path} takes {allowed or 'another method'}, not {request.method}"
        return answer(ApiError("method_not_allowed", message, headers=error.headers))
    return answer(ApiError("internal", str(error.detail)))


async def on_invalid_request(request: Request, error: Exception) -> JSONResponse:
    """A body that is JSON but not what the route takes: the first mistake in it, in words."""
    assert isinstance(error, RequestValidationError)
    where, message = describe(error.errors())
    return answer(ApiError("invalid_request", message, where))


async def on_bug(request: Request, error: Exception) -> JSONResponse:
    """Anything else is a bug: said to be one, the traceback kept for the server's log."""
    return answer(ApiError("internal", f"a bug in starccg, please report it: {type(error).__name__}"))


EXPECTED = {
    "string_type": "a string",
    "string_unicode": "text without halves of surrogate pairs",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a whole number of reasonable size",
    "bool_type": "true or false",
    "list_type": "a list",
    "model_attributes_type": "an object",
    "model_type": "an object",
    "dict_type": "an object",
}
"""What each kind of pydantic's type errors would have liked to see."""


def describe(errors: Sequence[Any]) -> tuple[str | None, str]:
    """Where the first mistake is, and what it is, without the vocabulary of the library that found it."""
    first = errors[0]
    kind, context = str(first["type"]), first.get("ctx", {})
    # The alternatives of a union have names that are no identifiers, and are left out.
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
    """What a client sent, in quotes, as far as it fits on a line."""
    return repr(value if len(value) <= 40 else value[:37] + "...")
