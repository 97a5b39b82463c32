"""A long piece of work in steps, each done once.

A step leaves ``done/STEP.json`` with the fingerprint of all it depends on, the checksums of the files it made and what
it found. Called again, it is skipped if all of that still holds. So the work can be killed and called again at any
moment, and a changed number in a configuration does again what depends on it and no more.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from starccg.folders import fingerprint_of, sha256, write_atomically

Say = Callable[[str], None]
Found = dict[str, Any]


class Steps:
    """The steps of one piece of work, in one folder; everything said is also in ``log.txt``."""

    def __init__(self, out: Path, say: Say = lambda text: None) -> None:
        self.out, self._say = out, say
        (out / "done").mkdir(parents=True, exist_ok=True)

    def say(self, text: str) -> None:
        """Tell whoever listens, and the log."""
        with (self.out / "log.txt").open("a", encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')}  {text}\n")
        self._say(text)

    def step(self, name: str, key: Any, work: Callable[[], Found], files: Iterable[Path] = ()) -> Found:
        """What ``work`` finds, now or before; ``key`` is all it depends on, ``files`` are those it makes."""
        path = self.out / "done" / f"{name.replace(' ', '-')}.json"
        mark, made = fingerprint_of(key), list(files)
        if path.exists():
            record = json.loads(path.read_text("utf-8"))
            if record["key"] == mark and record["files"] == _checksums(self.out, made):
                self.say(f"{name}: done before")
                found: Found = record["found"]
                return found
        self.say(f"{name} ...")
        begin = time.monotonic()
        result = work()
        record = {"key": mark, "files": _checksums(self.out, made), "found": result}
        write_atomically(path, json.dumps(record, indent=1, ensure_ascii=False).encode())
        self.say(f"{name}: {_short(result)} ({time.monotonic() - begin:.1f} s)")
        return result

    def folder(self, name: str, key: Any) -> Path:
        """A folder for work that goes on where it was, such as a training; emptied if that was another work."""
        folder, mark = self.out / name, fingerprint_of(key)
        path = folder / "fingerprint"
        if folder.exists() and (not path.exists() or path.read_text("utf-8") != mark):
            shutil.rmtree(folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(path, mark.encode())
        return folder


def _checksums(out: Path, files: Iterable[Path]) -> dict[str, str | None]:
    return {str(file.relative_to(out)): sha256(file) if file.is_file() else None for file in files}


def _short(result: Found) -> str:
    text = json.dumps(result, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:197]}..."
