"""A server with the default model, in the same process."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from fastapi.testclient import TestClient

import starccg
from starccg.parser import Parser
from starccg.server.app import create_app
from starccg.server.limits import ServerLimits

SMALL = ServerLimits(body_bytes=4000, characters=400, words=12, sentences=3, nbest=5, decoders=3, steps=50)
"""Limits that tests can reach."""


@cache
def parser() -> Parser:
    return starccg.load()


@cache
def tags_only() -> Parser:
    """The same without its global model."""
    return Parser(parser().tagger, parser().grammar, None, name="tags-only")


def client(limits: ServerLimits | None = None, model: Parser | None = None, **changes: Any) -> TestClient:
    app = create_app(model or parser(), replace(limits or ServerLimits(), **changes))
    return TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False)
