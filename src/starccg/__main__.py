"""The program ``starccg``, also ``python -m starccg``."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import NoReturn

from starccg.cli.interrupts import EXIT_CODES, exit_code, exit_on_interrupt


def main() -> NoReturn:
    """Run the command line. From here on, Ctrl-C gives the exit code 130 and SIGTERM 143, whenever they come."""
    exit_on_interrupt()
    try:
        from starccg.cli import app  # noqa: PLC0415 - takes a while, and may be interrupted

        app(prog_name="starccg")
    except SystemExit as end:
        if end.code not in EXIT_CODES:
            raise
        _exit_now(int(end.code))
    except KeyboardInterrupt as error:  # a second signal while the first was being handled
        _exit_now(exit_code(error) or EXIT_CODES[0])
    sys.exit()


def _exit_now(code: int) -> NoReturn:
    """End without waiting for threads and destructors, in which another signal could change the exit code."""
    with suppress(OSError, ValueError, KeyboardInterrupt):
        sys.stdout.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
