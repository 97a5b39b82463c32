"""Steps that are done once.

A step has a name, input files, settings and a function. It leaves ``steps/NAME-KEY.json`` with the function's result
and the checksums of the output files; KEY covers the content of the inputs and the settings. A step that was done with
the same key, and whose outputs are unchanged, is skipped. So a run resumes when it is restarted, and a changed setting
or another input repeats only the steps that depend on it.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from starccg.errors import StarccgError
from starccg.files import checksums, fingerprint_of, sha256, write_atomically
from starccg.training.progress import Say

Result = dict[str, Any]


def short(result: Result) -> str:
    """A result in one line of the log."""
    text = json.dumps(result, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:197]}..."


@dataclass(frozen=True)
class Step:
    """A piece of work whose result depends on its inputs and settings only."""

    name: str
    work: Callable[[], Result]
    """Returns a plain value; may take hours and resume from its own checkpoints in ``folder``."""
    inputs: Sequence[Path] = ()
    """Files whose content the result depends on."""
    settings: Any = None
    """Everything else that the result depends on, as a plain value."""
    outputs: Sequence[Path] = ()
    """Files that the work writes, inside the folder of the run."""
    folder: Path | None = None
    """The folder of work that resumes within the step (a training); emptied if it holds work with another key."""
    describe: Callable[[Result], str] = short
    record: str = ""
    """The file name of the record, if not that of the step: steps of the same record and key share a result."""

    @cached_property
    def key(self) -> str:
        """Covers the content of the inputs and the settings."""
        return fingerprint_of([self.settings, checksums(self.inputs)])


class Steps:
    """The steps of one run in one folder. Everything that is reported is also written to ``log.txt``."""

    def __init__(self, folder: Path, say: Say = lambda text: None, *, again: bool = False) -> None:
        """With ``again``, steps that were done are done again."""
        self.folder, self._say, self._again = folder, say, again
        (folder / "steps").mkdir(parents=True, exist_ok=True)

    def say(self, text: str) -> None:
        """Report a line, and log it."""
        with (self.folder / "log.txt").open("a", encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')}  {text}\n")
        self._say(text)

    def run(self, step: Step) -> Result:
        """The result of a step, computed now or found from before."""
        found = self._find(step)
        if found is not None:
            self.say(f"{step.name}: done before")
            return found
        self.say(f"{step.name} ...")
        if step.folder is not None:
            _prepare_folder(step.folder, step.key)
        begin = time.monotonic()
        result = step.work()
        record = {"outputs": self._checksums(step.outputs), "result": result}
        write_atomically(self._path(step), json.dumps(record, ensure_ascii=False).encode())
        self.say(f"{step.name}: {step.describe(result)} ({time.monotonic() - begin:.1f} s)")
        return result

    def is_done(self, step: Step) -> bool:
        """Whether :meth:`run` would find the result from before."""
        return self._find(step) is not None

    def _find(self, step: Step) -> Result | None:
        path = self._path(step)
        if self._again or not path.exists():
            return None
        try:
            record = json.loads(path.read_text("utf-8"))
            result, outputs = record["result"], record["outputs"]
            if not (isinstance(result, dict) and isinstance(outputs, dict)):
                raise TypeError("it has no result and outputs")
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise StarccgError(f"{path} is damaged ({error}): remove it, and the step is done again") from error
        return result if outputs == self._checksums(step.outputs) else None

    def _path(self, step: Step) -> Path:
        name = (step.record or step.name).lower()
        file = "".join(letter if letter.isalnum() else "-" for letter in name).strip("-")
        return self.folder / "steps" / f"{file}-{step.key[:16]}.json"

    def _checksums(self, files: Sequence[Path]) -> dict[str, str | None]:
        return {str(file.relative_to(self.folder)): sha256(file) if file.is_file() else None for file in files}


def _prepare_folder(folder: Path, key: str) -> None:
    path = folder / "key"
    if folder.exists() and (not path.exists() or path.read_text("utf-8") != key):
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(path, key.encode())
