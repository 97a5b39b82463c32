"""The answers are what the OpenAPI description says: schemathesis makes up requests from it and checks the answers.

``make api-test`` makes up 500 requests for each route (STARCCG_EXAMPLES) instead of 15.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict

import pytest

pytest.importorskip("schemathesis")

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from starccg.server.app import create_app
from tests.server.live import Live, live
from tests.server.serving import SMALL, parser

DESCRIPTION = create_app(parser(), SMALL).openapi()
SCHEMA = schemathesis.openapi.from_dict(DESCRIPTION)
EXAMPLES = int(os.environ.get("STARCCG_EXAMPLES", "15"))
BEYOND_THE_SCHEMA = {"too_long", "too_many", "too_large", "no_parse", "no_such_rank", "cannot_write"}
"""Errors of requests that the schema allows: limits of this server, and sentences without a parse."""


@pytest.fixture(scope="module")
def server() -> Iterator[Live]:
    with live(**asdict(SMALL)) as running:
        yield running


@SCHEMA.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_described(case: schemathesis.Case, server: Live) -> None:
    response = case.call(base_url=f"http://127.0.0.1:{server.port}")
    # A request made wrong on purpose may be answered: a value that is no sentence becomes a result that failed.
    excluded = [negative_data_rejection]
    if response.status_code == 422 and response.json()["error"]["code"] in BEYOND_THE_SCHEMA:
        excluded.append(positive_data_acceptance)
    case.validate_response(response, excluded_checks=excluded)
