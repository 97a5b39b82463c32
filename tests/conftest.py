"""What all tests share."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would the processes that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).parent
SLOW = ("browser", "corpus", "experiments", "training", "test_readme.py", "test_tutorial.py")
"""What ``make check`` leaves out: tests that train, drive a browser, start many processes, or run every example of the
documentation. Single slow tests elsewhere carry ``@pytest.mark.slow``."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.relative_to(TESTS).parts[0] in SLOW:
            item.add_marker(pytest.mark.slow)
