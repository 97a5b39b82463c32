"""No input that fuzzing started from or found causes a defect. ``make fuzz`` looks for more."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS, check

CORPUS = Path(__file__).parent / "corpus"


@pytest.mark.parametrize("name", TARGETS)
def test_every_known_input_is_read_or_refused_within_seconds(name: str) -> None:
    files = sorted((CORPUS / name).iterdir())
    assert files, "fuzzing needs a file to start from"
    for file in files:
        began = time.process_time()
        check(name, file.read_bytes())
        assert time.process_time() - began < 5, file.name
