"""What an installation costs: time, packages, size on disk, and how long ``import starccg`` and a first parse take.

    python benchmarks/install.py [--compare depccg ...]

Installs the last commit with ``pip install .`` into a fresh virtual environment, which is removed afterwards. Packages
to compare with are not installed: pip says which wheels it would take, and the directory at the end of each wheel how
large they are unpacked (read from a local file, or over HTTP by ranges). Bytecode, and models that such a package
downloads later, come on top of that. Prints Markdown, then a JSON line; in brackets stands the processor's time, which
other work on the machine changes little.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
import venv
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SENTENCE = "Fruit flies like bananas."


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--compare", nargs="*", default=[], metavar="PACKAGE")
    options = arguments.parse_args()
    found = {"starccg": installed()}
    for package in options.compare:
        found[package] = foreseen(package)
    print("| | packages | download, MB | on disk, MB | time to install | `import` | first parse |")
    print("|---|---|---|---|---|---|---|")
    for name, row in found.items():
        cells = (
            f"{row['packages']}",
            f"{row['download_mb']:,.0f}" if "download_mb" in row else "",
            f"{row['disk_mb']:,.0f}",
            f"{row['seconds']:.0f} s ({row['processor_seconds']:.0f} s)" if "seconds" in row else "",
            f"{row['import_seconds']:.3f} s" if "import_seconds" in row else "",
            f"{row['parse_seconds']:.2f} s ({row['parse_processor_seconds']:.2f} s)" if "seconds" in row else "",
        )
        print(f"| {name} | {' | '.join(cells)} |")
    print(json.dumps({**found, "load": os.getloadavg()[0], "python": sys.version.split()[0]}))


def installed() -> dict[str, Any]:
    """Install the last commit and measure it."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        source, environment = place / "source", place / "environment"
        source.mkdir()
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x"], cwd=source, input=archive, check=True)
        venv.create(environment, with_pip=True)
        packages, program = next(environment.glob("lib/*/site-packages")), environment / "bin"
        before, there = _bytes(environment), len(list(packages.glob("*.dist-info")))
        seconds, processor = _timed([program / "pip", "install", "--quiet", "--no-cache-dir", "."], source)
        script = "import time; t = time.perf_counter(); import starccg; print(time.perf_counter() - t)"
        imports = [float(_quiet([program / "python", "-c", script], place)) for _ in range(5)]
        parses = [_timed([program / "starccg", "parse", SENTENCE], place) for _ in range(5)]
        return {
            "packages": len(list(packages.glob("*.dist-info"))) - there,
            "disk_mb": (_bytes(environment) - before) / 1e6,
            "seconds": seconds,
            "processor_seconds": processor,
            "import_seconds": min(imports),
            "parse_seconds": min(wall for wall, _ in parses),
            "parse_processor_seconds": min(used for _, used in parses),
        }


def foreseen(package: str) -> dict[str, Any]:
    """What pip would install, from its report and the wheels' directories."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(Path(folder) / "environment", with_pip=True)
        report = Path(folder) / "report.json"
        command = [Path(folder) / "environment/bin/pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
        _quiet([*command, "--report", report, package], Path(folder))
        wheels = [entry["download_info"]["url"] for entry in json.loads(report.read_text("utf-8"))["install"]]
    sizes = [wheel_size(url) for url in wheels]
    return {
        "packages": len(wheels),
        "download_mb": sum(packed for packed, _ in sizes) / 1e6,
        "disk_mb": sum(unpacked for _, unpacked in sizes) / 1e6,
    }


def wheel_size(url: str) -> tuple[int, int]:
    """A wheel's own size, and that of the files in it."""
    parts = urllib.parse.urlparse(url)
    file: Any = Path(urllib.parse.unquote(parts.path)).open("rb") if parts.scheme == "file" else Remote(url)  # noqa: SIM115
    with file, zipfile.ZipFile(file) as wheel:
        unpacked = sum(entry.file_size for entry in wheel.infolist())
        return file.seek(0, io.SEEK_END), unpacked


class Remote(io.RawIOBase):
    """A file on a server, read by ranges."""

    def __init__(self, url: str) -> None:
        self.url, self.position = url, 0
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD")) as answer:
            self.size = int(answer.headers["Content-Length"])

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self.position = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self.position, io.SEEK_END: self.size}[whence]
        return self.position

    def read(self, size: int = -1) -> bytes:
        end = self.size if size < 0 else min(self.size, self.position + size)
        if end <= self.position:
            return b""
        asked = urllib.request.Request(self.url, headers={"Range": f"bytes={self.position}-{end - 1}"})
        with urllib.request.urlopen(asked) as answer:
            found: bytes = answer.read()
        self.position += len(found)
        return found


def _bytes(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def _timed(command: list[Any], folder: Path) -> tuple[float, float]:
    """Seconds by the clock, and of the processor in the command and all that it started."""
    began, before = time.perf_counter(), os.times()
    _quiet(command, folder)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - began, used


def _quiet(command: list[Any], folder: Path) -> str:
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
