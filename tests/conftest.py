"""What all tests share."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would the processes that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).parent
SLOW = (
    "browser",
    "corpus",
    "experiments",
    "integrations",
    "io_errors",
    "training",
    "test_readme.py",
    "test_tutorial.py",
)
"""What ``make check`` leaves out: tests that train, drive a browser, start many processes, call other programs, or run
every example of the documentation. Single slow tests elsewhere carry ``@pytest.mark.slow``."""


def _in_slow(path: Path) -> bool:
    return path != TESTS and path.is_relative_to(TESTS) and path.relative_to(TESTS).parts[0] in SLOW


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where slow tests are left out, their modules are not imported either: torch and lambeq take seconds to import."""
    return True if config.option.markexpr == "not slow" and _in_slow(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _in_slow(item.path):
            item.add_marker(pytest.mark.slow)
