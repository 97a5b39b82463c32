"""The reports of experiments: ``NAME.json`` for programs, ``NAME.md`` for people, plots as SVG.

Each measurement and each training is a step (:mod:`starccg.training.pipeline.steps`): an experiment that was killed,
or is repeated with one more row, does only what is missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from starccg.errors import StarccgError
from starccg.files import write_atomically
from starccg.training.pipeline.steps import Result, Step, Steps
from starccg.training.progress import Bar, Say, no_bar


@dataclass(frozen=True)
class Table:
    """A table of text cells."""

    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    title: str = ""

    def markdown(self) -> list[str]:
        """Its lines in Markdown."""
        lines = [f"**{self.title}**", ""] if self.title else []
        lines += [_line(self.headings), "|---|" + "--:|" * (len(self.headings) - 1)]
        return [*lines, *map(_line, self.rows), ""]


@dataclass(frozen=True)
class Claim:
    """A claim of the paper with its figures and ours, and whether it holds here."""

    text: str
    paper: str
    ours: str
    holds: bool
    why: str = ""
    """If it does not hold: the reason, as far as it was measured."""


@dataclass
class Report:
    """One experiment."""

    name: str
    title: str
    command: str
    """The command that writes it; file names without folders."""
    tables: list[Table] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    plots: list[str] = field(default_factory=list)
    """Names of SVG files beside the report."""
    data: dict[str, Any] = field(default_factory=dict)
    """The numbers behind the tables."""

    def markdown(self, plots: str = "", *, heading: bool = True) -> str:
        """The report; ``plots`` is the folder of its plots, relative to the text."""
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
    """Which claims hold."""
    rows = [(c.text, c.paper, c.ours, "yes" if c.holds else f"**no** {c.why}".strip()) for c in claims]
    return Table(("claim", "paper", "here", "holds"), rows)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def number(value: float | None, digits: int = 1, unit: str = "") -> str:
    """A cell; empty for None."""
    return "" if value is None else f"{value:,.{digits}f}{unit}"


class ReportFolder:
    """The folder of an experiment's reports, with the steps that were done for them."""

    def __init__(
        self, folder: Path, say: Say = lambda text: None, *, again: bool = False, suffix: str = "", bar: Bar = no_bar
    ) -> None:
        """With ``suffix``, reports of another setting are kept beside the main ones."""
        self.folder, self.suffix, self.bar = folder, suffix, bar
        self.steps = Steps(folder, say, again=again)

    def once(self, name: str, settings: Any, work: Callable[[], Result]) -> Result:
        """The result of ``work``, from before if the same was done; it depends on ``settings`` only."""
        return self.steps.run(Step(name, work, settings=settings))

    def write(self, report: Report) -> Report:
        """Write the report and return it."""
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
    """A report that :meth:`ReportFolder.write` wrote."""
    try:
        value = json.loads(path.read_text("utf-8"))
        tables = [
            Table(tuple(t["headings"]), [tuple(row) for row in t["rows"]], t["title"]) for t in value.pop("tables")
        ]
        claims = [Claim(**claim) for claim in value.pop("claims")]
        return Report(tables=tables, claims=claims, **value)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StarccgError(f"{path}: not a report of 'starccg experiment': {error}") from error
