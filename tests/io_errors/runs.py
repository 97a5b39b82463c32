"""Run commands with their n-th call failing; see :mod:`tests.io_errors`."""

from __future__ import annotations

import ctypes
import json
import multiprocessing.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from tests.fuzz import tiny_model

SHIM = Path(__file__).with_name("shim.cpp")
EXAMPLE = Path(__file__).parents[2] / "examples" / "fruit_flies.auto"
SECONDS = 60
"""After which a run counts as hanging."""


@dataclass(frozen=True)
class Command:
    """A command line, separated by spaces, that is run in a folder with the files of :func:`prepare`."""

    words: str
    partial: str = ""
    """A file that may hold the beginning of the output after an error."""
    leaves: frozenset[str] = field(default_factory=frozenset)
    """Files of a run that was not finished, which the next one uses or removes."""


CORPUS = frozenset({"made/.lock", "made/manifest.json"})
COMMANDS = MappingProxyType(
    {
        "parse": Command("parse -m model --tokenized -i words.txt -o out.auto", "out.auto.partial"),
        "parse to standard output": Command("parse -m model --tokenized -i words.txt -f jsonl"),
        "convert": Command("convert good.auto.gz out.jsonl"),
        "convert over a file": Command("convert good.auto.gz old.jsonl"),
        "eval": Command("eval --gold good.auto --predicted good.auto"),
        "corpus": Command(
            "corpus words.tok --out made -m model -p 1 --shard-rows 2 --no-progress",
            leaves=CORPUS,
        ),
        "bench": Command("bench good.auto -m model --repeat 1"),
        "treebank normalise": Command("treebank normalise good.auto out.auto"),
        "treebank gold": Command("treebank gold good.auto -o out.auto --set-aside aside.auto --grammar grammar.json"),
        "treebank stats": Command("treebank stats good.auto"),
        "treebank split": Command("treebank split good.auto part --into one=0.5 --into two=0.5"),
        "models assemble": Command("models assemble made --tagger model/tagger --treebank good.auto"),
    }
)


@dataclass(frozen=True)
class Run:
    """What a command left behind."""

    code: int
    out: str
    err: str
    files: dict[str, bytes]
    """The files of the folder by name."""
    calls: int = 0
    """Calls that could have failed."""


def failing_calls(name: str, most: int = 0) -> tuple[int, list[str]]:
    """Run a command once for each of its calls that can fail, or for ``most`` of them; how many, and what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "shim.so"
        compiler = os.environ.get("CXX", "c++")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SHIM, "-ldl"], check=True)
        done = subprocess.run(
            [sys.executable, "-m", __name__, name, str(most)],
            env={**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(Path(__file__).parents[2])},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    calls, found = json.loads(done.stdout.splitlines()[-1])
    return calls, found


def main() -> None:
    """The body of :func:`failing_calls`, in a process in which calls can fail."""
    import onnxruntime  # noqa: F401, PLC0415 - so that the process of each run need not import it

    import starccg.cli.parse  # noqa: PLC0415
    import starccg.parser  # noqa: F401, PLC0415

    command, most = COMMANDS[sys.argv[1]], int(sys.argv[2])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "work"
        whole = run(command, folder, 0)
        assert whole.code == 0, whole.err
        chosen = range(1, whole.calls + 1, max(1, whole.calls // most) if most else 1)
        found = []
        for number in chosen:
            failed = run(command, folder, number)
            again = run(command, folder, 0, fresh=False)
            found += [f"{command.words}: call {number}: {fault}" for fault in faults(command, whole, failed, again)]
    print(json.dumps([len(chosen), found]))


def prepare(folder: Path) -> None:
    """The input of the commands."""
    tiny_model.write(tiny_model.files(), folder / "model")
    (folder / "words.txt").write_text("a b a\nb a\n")
    (folder / "words.tok").write_text("a b a\nb a\nb b\na\n")
    text = EXAMPLE.read_text()
    (folder / "good.auto").write_text(text)
    subprocess.run(["gzip", "-kn", "good.auto"], cwd=folder, check=True)
    (folder / "old.jsonl").write_text("old\n")


def run(command: Command, folder: Path, failing: int, *, fresh: bool = True) -> Run:
    """Run a command in a process of its own; its call number ``failing`` fails, none if that is 0."""
    if fresh:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        prepare(folder)
    with tempfile.TemporaryDirectory() as outside:
        child = os.fork()
        if child == 0:
            _child(command, folder, failing, Path(outside))
        _, status = os.waitpid(child, 0)
        out, err, calls = (_text(Path(outside) / name) for name in ("out", "err", "calls"))
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return Run(os.waitstatus_to_exitcode(status), out, err, files, int(calls or 0))


def _text(path: Path) -> str:
    return path.read_text(errors="replace") if path.exists() else ""


def _child(command: Command, folder: Path, failing: int, outside: Path) -> None:
    """The process of one run: its output goes to files outside of the folder whose calls fail."""
    code = 70
    try:
        signal.alarm(SECONDS)
        os.chdir(folder)
        for stream, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(outside / name, os.O_WRONLY | os.O_CREAT), stream)
        sys.stdout, sys.stderr = (os.fdopen(stream, "w") for stream in (1, 2))
        from starccg.cli import app  # noqa: PLC0415

        calls = ctypes.CDLL(os.environ["LD_PRELOAD"])
        calls.calls_seen.restype = ctypes.c_long
        calls.fail_at(ctypes.c_long(failing), os.fsencode(folder))
        try:
            app(command.words.split(), prog_name="starccg")
        except SystemExit as end:
            code = int(end.code or 0)
        seen = calls.calls_seen()
        calls.fail_at(ctypes.c_long(-1), b"")
        (outside / "calls").write_text(str(seen))
        multiprocessing.util._exit_function()  # which os._exit leaves out
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def faults(command: Command, whole: Run, failed: Run, again: Run | None) -> Iterator[str]:
    """What is wrong with a run in which a call failed, compared with an undisturbed one.

    Either it succeeds with the same results, or it exits with 1, says why in one line that names the file, and leaves
    each file as it was or as an undisturbed run leaves it. Afterwards the same command succeeds (``again``).
    """
    if failed.code not in (0, 1):
        yield f"exit code {failed.code}: {failed.err[-300:]}"
    errors = [line for line in failed.err.splitlines() if line.startswith("error: ")]
    if "Traceback" in failed.err or "a bug in starccg" in failed.err:
        yield f"no plain error: {failed.err[-600:]}"
    if failed.code == 0 and (errors or failed.files != whole.files):
        yield f"exit code 0, but {errors or 'other files'}"
    if failed.code == 1 and (len(errors) != 1 or not failed.err.rstrip().splitlines()[-1].startswith("error: ")):
        yield f"one error at the end is expected: {failed.err[-300:]!r}"
    if errors and (errors[0].startswith("error: standard") or not errors[0].partition(": ")[2].strip("[]")):
        yield f"the error does not name the file: {errors[0]}"
    for name, content in failed.files.items():
        if name == command.partial:
            if not whole.files[name.removesuffix(".partial")].startswith(content):
                yield f"{name} is no beginning of the output"
        elif name in command.leaves:
            continue
        elif name not in whole.files:
            yield f"{name} is left behind"
        elif content != whole.files.get(name, content) and not _is_old(name, content):
            yield f"{name} is neither as before nor complete"
    if again is not None and (again.code or {**again.files, **_only(again, command)} != whole.files):
        different = sorted(n for n in {*again.files, *whole.files} if again.files.get(n) != whole.files.get(n))
        yield f"run again, the command ends with {again.code} {again.err[-300:]} and other files: {different}"


def _only(run: Run, command: Command) -> dict[str, bytes]:
    return {name: content for name, content in run.files.items() if name == command.partial and not run.code}


def _is_old(name: str, content: bytes) -> bool:
    return name == "old.jsonl" and content == b"old\n"


if __name__ == "__main__":
    main()
