"""Worker processes that end with the process that started them, even if that one was killed."""

from __future__ import annotations

import multiprocessing
import os
import threading
from multiprocessing import connection


def end_with_parent() -> None:
    """In a worker process: end it as soon as its parent ends.

    A parent that is killed cannot stop its workers. They would go on in the files of the run, beside the workers of
    the run that resumes it.
    """
    threading.Thread(target=_wait_for_end, daemon=True).start()


def _wait_for_end() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
