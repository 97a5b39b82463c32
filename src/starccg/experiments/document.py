"""``docs/results.md`` from the reports of the experiments: what holds of the paper's claims, what does not, and why."""

from __future__ import annotations

from pathlib import Path

from starccg.experiments.report import Report, claims_table, read_report
from starccg.folders import write_atomically

SECTIONS = {
    "results": ("Results (Table 2)", "starccg experiment results --model en --dev DEV.auto"),
    "ablations": ("Ablations (Table 3)", "starccg experiment ablations --data DATA"),
    "updates": ("Updates (Table 4)", "starccg experiment updates --data DATA"),
    "learning-curves": ("Learning curves (Figure 5)", "starccg experiment learning-curves --data DATA"),
    "decoders": ("Decoders (Table 5)", "starccg experiment decoders --model en --dev DEV.auto"),
    "lazy": ("Lazy scoring (section 4)", "starccg experiment lazy --model en --dev DEV.auto"),
    "garden-path": ("Garden paths (Figure 4)", "starccg experiment garden-path --model en WORD ..."),
    "scaling": ("Scaling with sentence length", "starccg experiment scaling --model en --dev DEV.auto"),
}

HEAD = """# The paper's experiments on open data

Made by `starccg experiment document` from what the experiments wrote; every section begins with its command. The paper
(Lee, Lewis and Zettlemoyer, 2016) measured on CCGbank; here are converted or open treebanks, another tagger and other
machines. So its absolute numbers stand beside ours for orientation, and what can be checked is the claims.

What is fair to whom: all systems of a table get the same tags, grammar, limits and back-off, one thread, and times
leave tagging out as the paper's do. The supertag-factored parser is shown plain, as the paper's equations have it, and
with the costs that the authors' code gives it; claims of a better parse are held against the latter. Models were chosen
on the same development sentences that are scored here, which favours the global model a little. Where a claim does not
hold, the reason given is our reading of the numbers beside it.
"""


def document(folder: Path, target: Path) -> list[str]:
    """Write the document and copy its plots beside it; returns the experiments that were not run yet."""
    reports: dict[str, Report] = {
        name: read_report(folder / f"{name}.json") for name in SECTIONS if (folder / f"{name}.json").is_file()
    }
    claims = [claim for report in reports.values() for claim in report.claims]
    parts = [HEAD]
    if claims:
        parts.append("\n".join(["## What holds", "", *claims_table(claims).markdown()]))
    place = target.parent / target.stem
    for name, (title, command) in SECTIONS.items():
        if name not in reports:
            parts.append(f"## {title}\n\nNot run yet: `{command}`\n")
            continue
        report = reports[name]
        for plot in report.plots:
            place.mkdir(parents=True, exist_ok=True)
            write_atomically(place / plot, (folder / plot).read_bytes())
        report.claims = []  # they stand at the top
        parts.append(report.markdown(plots=f"{place.name}/"))
        for path in sorted(folder.glob(f"{name}-beam-*.json")):
            other = read_report(path).markdown(plots=f"{place.name}/", heading=False)
            parts.append(f"### The same with another beam of tags\n\n{other}")
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, ("\n".join(part.rstrip() + "\n" for part in parts)).encode())
    return [name for name in SECTIONS if name not in reports]
