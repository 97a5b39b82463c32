"""One document from several reports, such as ``docs/results.md``: the claims of the paper, then every report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from starccg.experiments.report import Report, claims_table, read_report
from starccg.files import write_atomically

SECTIONS = {
    "results": ("Results (Table 2)", "starccg experiment results --model en --dev DEV.auto"),
    "ablations": ("Ablations (Table 3)", "starccg experiment ablations --data DATA"),
    "updates": ("Updates (Table 4)", "starccg experiment updates --data DATA"),
    "learning-curves": ("Learning curves (Figure 5)", "starccg experiment learning-curves --data DATA"),
    "decoders": ("Decoders (Table 5)", "starccg experiment decoders --model en --dev DEV.auto"),
    "lazy": ("Lazy scoring (section 4)", "starccg experiment lazy --model en --dev DEV.auto"),
    "garden-path": ("Garden paths (Figure 4)", "starccg experiment garden-path --model en WORD ..."),
    "confidence": ("Confidence", "starccg experiment confidence --model en --dev DEV.auto"),
    "scaling": ("Scaling with sentence length", "starccg experiment scaling --model en --dev DEV.auto"),
}

HEAD = """# The paper's experiments on open data

Written by `starccg experiment document` from the reports of the experiments; every section begins with its command.
The paper (Lee, Lewis and Zettlemoyer, 2016) measured on CCGbank; these are converted or open treebanks, another tagger
and another machine. Its figures are shown beside ours for orientation; the claims can be checked.

All systems of a table have the same tags, grammar, limits and back-off, use one thread, and are timed without tagging,
as in the paper. The supertag-factored parser is shown without costs, as in the paper's equations, and with the costs of
the authors' code; claims of better parses are checked against the latter. The models were selected on the development
sentences that are scored here, which favours the global model a little. Where a claim does not hold, the reason given
is our reading of the figures beside it.
"""


def document(folder: Path, target: Path) -> list[str]:
    """Write the document and copy its plots; returns the experiments without a report."""
    found = {name: folder / f"{name}.json" for name in SECTIONS if (folder / f"{name}.json").is_file()}
    reports = {name: [read_report(path)] for name, path in found.items()}
    for name, own in reports.items():
        own += [read_report(path) for path in sorted(folder.glob(f"{name}-beam-*.json"))]
    missing = {name: section for name, section in SECTIONS.items() if name not in reports}
    sections = [
        f"## {title}\n\nNot run yet: `{command}`\n" if name in missing else _section(reports[name], target.stem)
        for name, (title, command) in SECTIONS.items()
    ]
    compose(HEAD, [own[0] for own in reports.values()], sections, folder, target)
    return list(missing)


def compose(head: str, reports: Sequence[Report], sections: Sequence[str], folder: Path, target: Path) -> None:
    """Write a document: the head, the claims of all reports, the sections; plots are copied to a folder beside it."""
    claims = [claim for report in reports for claim in report.claims]
    parts = [head]
    if claims:
        parts.append("\n".join(["## Claims", "", *claims_table(claims).markdown()]))
    place = target.parent / target.stem
    for plot in (plot for report in reports for plot in report.plots):
        place.mkdir(parents=True, exist_ok=True)
        write_atomically(place / plot, (folder / plot).read_bytes())
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, "\n".join(part.rstrip() + "\n" for part in (*parts, *sections)).encode())


def section(report: Report, plots: str) -> str:
    """A report as a section of a document; the claims are listed at the top of the document."""
    return replace(report, claims=[]).markdown(plots=f"{plots}/")


def _section(reports: Sequence[Report], plots: str) -> str:
    """The claims with another beam are listed here: the list at the top has those of the first report."""
    first, *others = reports
    parts = [section(first, plots)]
    for other in others:
        own = other.markdown(plots=f"{plots}/", heading=False)
        parts.append(f"### The same with another beam of tags\n\n{own}")
    return "\n".join(part.rstrip() + "\n" for part in parts)
