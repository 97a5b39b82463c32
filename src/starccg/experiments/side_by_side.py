"""Several pieces of work at once, each in a process of its own that leaves its result in files.

Processes and not threads: each has its own torch, its own device context and its own memory to lose. A worker that is
killed, for want of memory say, is an error here and not a wait for ever.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Mapping
from multiprocessing import connection
from multiprocessing.process import BaseProcess

from starccg.errors import StarccgError
from starccg.tagger.model import available_cores

Work = Callable[[], None]


def threads_each(jobs: int) -> int:
    """Threads for each of so many processes, that together they use the cores there are."""
    return max(1, available_cores() // max(1, jobs))


def side_by_side(work: Mapping[str, Work], jobs: int) -> None:
    """Call every piece of work, at most ``jobs`` at a time; what is called must be picklable and keep its results.

    One that fails lets the others end, and is an error afterwards. An interrupt ends them all.
    """
    context = multiprocessing.get_context("spawn")  # a fork would copy torch's locks in whatever state they are
    waiting = list(work.items())
    running: dict[str, BaseProcess] = {}
    failed: list[str] = []
    try:
        while waiting or running:
            while waiting and len(running) < max(1, jobs):
                name, task = waiting.pop(0)
                running[name] = context.Process(target=_work, args=(name, task), name=name)
                running[name].start()
            connection.wait([process.sentinel for process in running.values()])
            for name, process in [(name, process) for name, process in running.items() if not process.is_alive()]:
                process.join()
                del running[name]
                if process.exitcode:
                    failed.append(f"{name} ({_ended(process.exitcode)})")
    finally:
        for process in running.values():
            process.terminate()
        for process in running.values():
            process.join()
    if failed:
        raise StarccgError(f"did not end well: {', '.join(failed)}; call the command again and they go on")


def _work(name: str, task: Work) -> None:
    try:
        task()
    except KeyboardInterrupt:
        sys.exit(130)
    except StarccgError as error:
        sys.stderr.write(f"{name}: {error}\n")
        sys.exit(1)


def _ended(code: int) -> str:
    return f"killed by signal {-code}, for want of memory perhaps" if code < 0 else f"exit code {code}"
