"""Reading and writing that fails at every place: what the commands do then.

    python -m tests.io_errors              every call of every command
    python -m tests.io_errors parse        one command

A library in C++ (``shim.cpp``) is loaded before the C library and makes the n-th call fail that opens, reads, writes,
syncs or renames a file below the folder of the test: with "input/output error" for reading, and for writing with "no
space left on device", from then on. Each command of :data:`COMMANDS` is run with its first call failing, its second,
and so on, each in a process of its own. :func:`faults` says what must be true after each run.
"""
