"""Every call of every command, or of those named: ``python -m tests.io_errors [COMMAND ...]``."""

from __future__ import annotations

import sys

from tests.io_errors.runs import COMMANDS, failing_calls


def main() -> None:
    print("| command | calls that failed | faults |\n|---|---:|---:|")
    worst = 0
    for name in sys.argv[1:] or COMMANDS:
        calls, found = failing_calls(name)
        print(f"| {name} | {calls} | {len(found)} |", flush=True)
        for fault in found:
            print(fault, file=sys.stderr)
        worst = max(worst, len(found))
    sys.exit(worst > 0)


if __name__ == "__main__":
    main()
