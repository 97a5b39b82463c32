"""Ctrl-C (SIGINT) and SIGTERM, such that the exit code is the same whenever they come.

Python raises KeyboardInterrupt in the code that runs at the moment. If that is a C callback or a finalizer, the
exception may be swallowed, and a command that waits for input would then hang. So the signal handler also remembers the
signal, and the command checks for it before it waits for input.

Before a command begins and after it has ended, no code catches the exception: the program would end with a traceback,
killed by its own signal. So there the handler ends the process (:func:`exit_on_interrupt`).
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)
EXIT_CODES = tuple(128 + number for number in SIGNALS)
"""As in shells."""
_pending: list[int] = []
"""The signals that came, in order."""


class Terminated(KeyboardInterrupt):
    """SIGTERM. Code that handles Ctrl-C handles it in the same way; only the exit code differs."""


def exit_on_interrupt() -> None:
    """From now on either signal ends the process at once, with the exit code 128 + the signal's number."""
    for number in SIGNALS:
        if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL):
            signal.signal(number, _exit)


@contextmanager
def remember_interrupts() -> Iterator[None]:
    """Raise and remember the signals in this block; a handler that another library or program installed stays."""
    _pending.clear()
    before: dict[int, Any] = {}
    try:
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                handler = signal.getsignal(number)
                if handler in (signal.default_int_handler, signal.SIG_DFL, _exit):
                    before[number] = handler
                    signal.signal(number, _interrupt)
        yield
    finally:
        for own, handler in before.items():
            signal.signal(own, handler)


def raise_if_interrupted() -> None:
    """Raise the interrupt that came and was swallowed, if one did."""
    if _pending:
        raise _exception(_pending[0])


def exit_code(error: BaseException) -> int | None:
    """The exit code of a command that was interrupted; None if it was not, and the error is an error.

    A library in C that is interrupted while it is imported may raise an ImportError.
    """
    if isinstance(error, KeyboardInterrupt):
        return 128 + (signal.SIGTERM if isinstance(error, Terminated) else signal.SIGINT)
    return 128 + _pending[0] if _pending else None


def _exception(number: int) -> KeyboardInterrupt:
    return Terminated() if number == signal.SIGTERM else KeyboardInterrupt()


def _interrupt(number: int, frame: FrameType | None) -> None:
    _pending.append(number)
    raise _exception(number)


def _exit(number: int, frame: FrameType | None) -> None:
    os._exit(128 + number)
