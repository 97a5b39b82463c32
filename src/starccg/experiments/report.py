"""What an experiment leaves: ``NAME.json`` for programs, ``NAME.md`` for people, plots as SVG, and finished parts.

A part (one system over all sentences, one training) is kept under ``parts/`` with a fingerprint of what went into it,
so an experiment that was killed, or is called again with one more row, does only what is missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from starccg.errors import StarccgError
from starccg.folders import fingerprint_of, write_atomically

Say = Callable[[str], None]
Cell = str | float | None


@dataclass(frozen=True)
class Table:
    """A table as people read it."""

    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    title: str = ""

    def markdown(self) -> list[str]:
        """Its lines."""
        lines = [f"**{self.title}**", ""] if self.title else []
        lines += [_line(self.headings), "|---|" + "--:|" * (len(self.headings) - 1)]
        return [*lines, *map(_line, self.rows), ""]


@dataclass(frozen=True)
class Claim:
    """Something the paper says, what it measured, what we did, and whether it holds here."""

    text: str
    paper: str
    ours: str
    holds: bool
    why: str = ""
    """Where it does not hold: the reason, as far as it was measured."""


@dataclass
class Report:
    """One experiment."""

    name: str
    title: str
    command: str
    """How to make it again, with files named as they are and not where they lie."""
    tables: list[Table] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    plots: list[str] = field(default_factory=list)
    """Names of SVG files beside the report."""
    data: dict[str, Any] = field(default_factory=dict)
    """The numbers behind the tables."""

    def markdown(self, plots: str = "", *, heading: bool = True) -> str:
        """The report; ``plots`` is the folder its plots are in, seen from where the text will be."""
        lines = [f"## {self.title}", ""] if heading else []
        lines += [f"    {self.command}", ""]
        for table in self.tables:
            lines += table.markdown()
        lines += [line for name in self.plots for line in (f"![{self.title}]({plots}{name})", "")]
        lines += [line for note in self.notes for line in (note, "")]
        if self.claims:
            lines += claims_table(self.claims).markdown()
        return "\n".join(lines)


def claims_table(claims: Sequence[Claim]) -> Table:
    """What holds and what does not."""
    rows = [(c.text, c.paper, c.ours, "yes" if c.holds else f"**no** {c.why}".strip()) for c in claims]
    return Table(("claim", "paper", "here", "holds"), rows)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def number(value: float | None, digits: int = 1, unit: str = "") -> str:
    """A cell; empty where there is no number."""
    return "" if value is None else f"{value:,.{digits}f}{unit}"


class Workbench:
    """The folder of an experiment's results."""

    def __init__(self, folder: Path, say: Say = lambda text: None, *, again: bool = False, suffix: str = "") -> None:
        self.folder, self.say, self.again, self.suffix = folder, say, again, suffix
        (folder / "parts").mkdir(parents=True, exist_ok=True)

    def part(self, name: str, key: Any, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """What ``work`` found, now or when the same was asked before; ``key`` is all that the answer depends on."""
        path = self._path(name, key)
        if self.has(name, key):
            self.say(f"{name}: done before")
            found: dict[str, Any] = json.loads(path.read_text("utf-8"))
            return found
        self.say(f"{name} ...")
        result = work()
        write_atomically(path, json.dumps(result).encode())
        return result

    def has(self, name: str, key: Any) -> bool:
        """Whether a part is there already."""
        return not self.again and self._path(name, key).exists()

    def _path(self, name: str, key: Any) -> Path:
        return self.folder / "parts" / f"{_file_name(name)}-{fingerprint_of(key)[:12]}.json"

    def write(self, report: Report) -> Report:
        """Write the report and return it; a suffix keeps that of another setting beside the main one."""
        report.name += self.suffix
        value = json.dumps(asdict(report), indent=1, ensure_ascii=False)
        write_atomically(self.folder / f"{report.name}.json", f"{value}\n".encode())
        write_atomically(self.folder / f"{report.name}.md", (report.markdown().rstrip() + "\n").encode())
        return report

    def plot(self, name: str, svg: str) -> str:
        """Write a plot; returns its name."""
        write_atomically(self.folder / name, svg.encode())
        return name


def read_report(path: Path) -> Report:
    """A report that :meth:`Workbench.write` wrote."""
    try:
        value = json.loads(path.read_text("utf-8"))
        tables = [
            Table(tuple(t["headings"]), [tuple(row) for row in t["rows"]], t["title"]) for t in value.pop("tables")
        ]
        claims = [Claim(**claim) for claim in value.pop("claims")]
        return Report(tables=tables, claims=claims, **value)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StarccgError(f"{path}: not a report of 'starccg experiment': {error}") from error


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower()).strip("-")
