"""A call of the system that fails, anywhere in a command, costs neither a file nor a clear message."""

from __future__ import annotations

import shutil
import sys

import pytest

from tests.io_errors.runs import COMMANDS, failing_calls

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the library that makes calls fail is for Linux"),
    pytest.mark.skipif(shutil.which("c++") is None, reason="it needs a compiler"),
]
EACH = 4
"""How many calls of a command fail here, spread over its run; ``python -m tests.io_errors`` makes each of them fail."""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_failing_call_leaves_a_clear_error_and_no_damaged_file(name: str) -> None:
    calls, found = failing_calls(name, EACH)
    assert calls >= 3
    assert found == []
