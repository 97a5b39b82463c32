"""Several pieces of work at the same time, each in its own process; results are left in files.

Processes rather than threads: each has its own torch, device context and memory. A worker that is killed, for example
because memory ran out, is an error here.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Mapping
from multiprocessing import connection
from multiprocessing.process import BaseProcess

from starccg.errors import StarccgError
from starccg.processes import end_with_parent

Work = Callable[[], object]


def run_in_processes(work: Mapping[str, Work], jobs: int) -> None:
    """Call every (picklable) function, at most ``jobs`` at a time.

    If one fails, the others still run to their end, and then it is an error. An interrupt ends them all, as does
    the end of this process.
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
                    failed.append(f"{name} ({_reason(process.exitcode)})")
    finally:
        for process in running.values():
            process.terminate()
        for process in running.values():
            process.join()
    if failed:
        raise StarccgError(f"failed: {', '.join(failed)}; run the command again to resume")


def _work(name: str, task: Work) -> None:
    end_with_parent()
    try:
        task()
    except KeyboardInterrupt:
        sys.exit(130)
    except StarccgError as error:
        sys.stderr.write(f"{name}: {error}\n")
        sys.exit(1)


def _reason(code: int) -> str:
    return f"killed by signal {-code}, perhaps because memory ran out" if code < 0 else f"exit code {code}"
