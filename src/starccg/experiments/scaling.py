"""Time, explored nodes and memory against sentence length: sentences as they are, and joined ones beyond them."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from starccg.experiments.bench import Model, Words, with_states
from starccg.experiments.report import Report, Table, Workbench, number
from starccg.experiments.systems import TAGS_ALONE_AT_BEST
from starccg.search import core
from starccg.search.types import Bound, Options, TaggedSentence
from starccg.tagger.plots import Plot

LENGTHS = (5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100)
WITHIN = 1
"""A sentence stands for a length if it has so many words more or fewer."""
ENDS = frozenset(".!?;:")
DECODERS = {
    "Supertag-factored": TAGS_ALONE_AT_BEST,
    "Global A*": Options(),
    "Global A*, bound by the grammar": Options(bound=Bound.GRAMMAR),
}


@dataclass(frozen=True)
class Sample:
    """The sentences of about one length."""

    length: int
    natural: int
    """How many were written so; the others are joined."""
    sentences: tuple[Words, ...]


def samples(words: Sequence[Words], lengths: Sequence[int], count: int, seed: int = 0) -> list[Sample]:
    """For each length so many sentences, drawn at random, always the same; none may be found for a length."""
    found = []
    for length in lengths:
        choose = Random(f"{seed}-{length}")
        natural = [own for own in words if abs(len(own) - length) <= WITHIN]
        picked = choose.sample(natural, min(count, len(natural)))
        joined = [made for _ in range(count - len(picked)) if (made := join(words, length, choose))]
        found.append(Sample(length, len(picked), (*picked, *joined)))
    return found


def join(words: Sequence[Words], length: int, choose: Random) -> Words | None:
    """Sentences with ``and`` between them, to a length; None if chance does not find any that fit."""
    for _ in range(100):
        made: list[str] = []
        for _ in range(length):
            room = length + WITHIN - len(made) - (1 if made else 0)
            one = choose.choice(words)
            if len(one) < 3 or len(one) > room:
                continue
            if made:
                made = made[:-1] if made[-1] in ENDS else made
                made.append("and")
            made += one
            if abs(len(made) - length) <= WITHIN:
                return tuple(made)
    return None


def scaling(
    work: Workbench,
    model: Model,
    words: Sequence[Words],
    command: str,
    *,
    count: int = 40,
    lengths: Sequence[int] = LENGTHS,
) -> Report:
    """Measure each length, shortest first, so that the memory of a length is not that of a longer one."""
    rows: list[tuple[str, ...]] = []
    data: list[dict[str, Any]] = []
    for sample in samples(words, lengths, count):
        if not sample.sentences:
            continue
        key = [model.key, sample.sentences]
        measured = work.part(f"length {sample.length}", key, partial(_measure, model, sample))
        data.append(measured)
        rows += [
            (
                str(sample.length),
                f"{sample.natural} + {len(sample.sentences) - sample.natural}",
                name,
                number(own["milliseconds"], 2),
                number(own["slowest"], 1),
                number(own["explored"], 0),
                number(own["optimal"], 1, "%"),
                number(own["parsed"], 1, "%"),
                number(own["megabytes"], 1),
            )
            for name, own in measured["decoders"].items()
        ]
    report = Report("scaling", "Scaling with sentence length", command)
    headings = (
        "words", "natural + joined", "search", "ms, median", "ms, slowest", "explored, median", "optimal",
        "parsed", "MB, peak",
    )  # fmt: skip
    report.tables.append(Table(headings, rows))
    report.plots += [
        work.plot(f"scaling-{field}.svg", _plot(data, field, label))
        for field, label in (("milliseconds", "ms a sentence, median"), ("explored", "explored, median"))
    ]
    report.notes.append(
        f"{count} sentences a length, one word more or fewer; where the treebanks have too few of a length, some are "
        "joined with “and” and tagged anew, a worst case. The paper gives no such figures. Memory is the most that the "
        "process held above what it held before the first search of that length; *parsed* counts parses without the "
        "back-off."
    )
    report.data = {"lengths": data}
    return work.write(report)


def _measure(model: Model, sample: Sample) -> dict[str, Any]:
    whole = model.require_global()
    tagged = with_states(whole, sample.sentences, model.tagger.tag(sample.sentences))
    table, unit = core.SearchTable(model.table), core.TreeLstm(whole.weights(model.table.categories))
    found = {}
    for name, options in DECODERS.items():
        own = None if options.decoder is TAGS_ALONE_AT_BEST.decoder else unit
        found[name] = _measure_one(table, tagged, options, own)
    return {"length": sample.length, "natural": sample.natural, "sentences": len(tagged), "decoders": found}


def _measure_one(
    table: core.SearchTable, tagged: Sequence[TaggedSentence], options: Options, unit: core.TreeLstm | None
) -> dict[str, float | None]:
    seconds, explored = [], []
    optimal = parsed = 0
    before = reset_peak_memory()
    for sentence in tagged:
        begin = time.process_time()
        outcome = core.search(table, sentence, options, unit)
        seconds.append(time.process_time() - begin)
        explored.append(outcome.certificate.explored)
        optimal += outcome.certificate.optimal
        parsed += bool(outcome.parses) and outcome.certificate.decoder == options.decoder
    after = _status("VmHWM")
    return {
        "milliseconds": 1000 * sorted(seconds)[len(seconds) // 2],
        "slowest": 1000 * max(seconds),
        "explored": float(sorted(explored)[len(explored) // 2]),
        "optimal": 100 * optimal / len(tagged),
        "parsed": 100 * parsed / len(tagged),
        "megabytes": None if before is None or after is None else max(0.0, after - before),
    }


def reset_peak_memory() -> float | None:
    """Give freed memory back and forget the peak; megabytes now held, or None where the system does not tell."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    except (OSError, AttributeError):
        return None
    return _status("VmRSS")


def _status(field: str) -> float | None:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:")), None)


def _plot(data: Sequence[dict[str, Any]], field: str, label: str) -> str:
    values = [own[field] for entry in data for own in entry["decoders"].values()]
    plot = Plot("Against sentence length", ("words", 0.0, float(max(LENGTHS))), (label, 0.0, max([1e-3, *values])))
    for name in DECODERS:
        plot.line(name, [(entry["length"], entry["decoders"][name][field]) for entry in data])
    return plot.svg()
