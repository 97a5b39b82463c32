"""Worker processes that end with their parent, threads that share Python's global lock, and memory that is freed."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection

TURN_SECONDS = 0.0005
"""How long a thread may go on in Python while another waits for the global lock. By default it is 5 ms: every call of
the network or of the search that ends while another thread builds derivations would leave a core idle for so long."""


@contextmanager
def short_turns() -> Iterator[None]:
    """Shorter turns of this process's threads while this block runs."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, TURN_SECONDS))
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def end_with_parent() -> None:
    """In a worker process: end it as soon as its parent ends.

    A parent that is killed cannot stop its workers. They would go on in the files of the run, beside the workers of
    the run that resumes it.
    """
    threading.Thread(target=_wait_for_end, daemon=True).start()


def give_back_memory() -> None:
    """Give the memory that was freed back to the system: in a fragmented heap it would stay with the process."""
    with suppress(OSError, AttributeError):  # a C library other than glibc
        ctypes.CDLL(None).malloc_trim(0)


def _wait_for_end() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
