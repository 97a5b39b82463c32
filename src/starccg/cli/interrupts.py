"""Ctrl-C that nobody can lose.

Python turns it into an exception in whatever runs at the moment. If that is a callback of a library, in C or at the end
of an object's life, the exception may go no further, and a command that then waits for input waits for ever. So it is
remembered, and asked for before every wait.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_seen = threading.Event()


@contextmanager
def remembered() -> Iterator[None]:
    """Remember Ctrl-C in here; where someone else handles it, or ignores it, that stays so."""
    _seen.clear()
    own = threading.current_thread() is threading.main_thread()
    if not own or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def raise_interrupt() -> None:
    """Raise the Ctrl-C that came and was lost, if one did."""
    if _seen.is_set():
        raise KeyboardInterrupt


def _interrupt(number: int, frame: FrameType | None) -> None:
    _seen.set()
    signal.default_int_handler(number, frame)
