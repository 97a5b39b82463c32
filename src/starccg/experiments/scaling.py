"""Proofs, gaps, time, explored nodes and memory against sentence length, for natural sentences and for joined ones."""

from __future__ import annotations

import ctypes
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Literal

from starccg.experiments.evaluation_set import LoadedModel, Words
from starccg.experiments.measurement import TAGS_WITH_COSTS
from starccg.experiments.report import Report, ReportFolder, Table, number
from starccg.search.options import PAPER_OPTIONS, Bound, Decoder, Limits, Options
from starccg.search.tag_widening import search_widening
from starccg.search.types import SearchResult, TaggedSentence
from starccg.tagger.plots import Plot

LENGTHS = (5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100, 150)
RANGES = ((51, 60), (61, 80), (81, 250))
"""Of long natural sentences there are few of each length: they are also measured by range."""
WITHIN = 1
"""The maximum difference between the length of a sentence and the length that it is counted under."""
ENDS = frozenset(".!?;:")
PARSER, BEAM = "Global A*, as the parser runs it", "8-best beam"
DECODERS = {
    "Supertag-factored": TAGS_WITH_COSTS,
    "Global A*": PAPER_OPTIONS,
    "Global A*, bound by the grammar": replace(PAPER_OPTIONS, bound=Bound.GRAMMAR, refine_after=None),
    PARSER: Options(),
    BEAM: Options(decoder=Decoder.BEAM, limits=Limits(recursive_units=10**9, forest=10**9)),
}


@dataclass(frozen=True)
class Sample:
    """Natural or joined sentences of about one length, or of a range of lengths."""

    lengths: str
    kind: Literal["natural", "joined"]
    longest: int
    sentences: tuple[Words, ...]


def samples(words: Sequence[Words], lengths: Sequence[int], count: int, seed: int = 0) -> list[Sample]:
    """For each length at most ``count`` natural sentences, and joined ones where there are fewer; always the same.

    Long natural sentences are sampled by range too.
    """
    found = []
    for length in lengths:
        choose = Random(f"{seed}-{length}")
        natural = _sample(words, length - WITHIN, length + WITHIN, count, choose)
        joined = tuple(made for _ in range(count - len(natural)) if (made := join(words, length, choose)))
        found += [Sample(str(length), "natural", length, natural), Sample(str(length), "joined", length, joined)]
    for least, most in RANGES:
        if least <= max(lengths):
            chosen = _sample(words, least, most, count, Random(f"{seed}-{least}-{most}"))
            found.append(Sample(f"{least} to {most}", "natural", most, chosen))
    return [sample for sample in found if sample.sentences]


def _sample(words: Sequence[Words], least: int, most: int, count: int, choose: Random) -> tuple[Words, ...]:
    natural = [own for own in words if least <= len(own) <= most]
    return tuple(choose.sample(natural, min(count, len(natural))))


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
    work: ReportFolder,
    model: LoadedModel,
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
        key = [model.key, sample.sentences]
        measured = work.once(
            f"searches of {sample.kind} sentences, {sample.lengths} words", key, partial(_measure, model, sample)
        )
        data.append(measured)
        rows += [
            (
                sample.lengths,
                f"{len(sample.sentences)} {sample.kind}",
                name,
                number(own["milliseconds"], 2),
                number(own["slowest"], 1),
                number(own["explored"], 0),
                number(own["optimal"], 1, "%"),
                number(own["gap"], 2),
                number(own["largest_gap"], 4),
                str(own["behind_beam"]),
                number(own["parsed"], 1, "%"),
                number(own["megabytes"], 1),
            )
            for name, own in measured["decoders"].items()
        ]
    report = Report("scaling", "Scaling with sentence length", command)
    headings = (
        "words", "sentences", "search", "ms, median", "ms, slowest", "explored, median", "proved", "gap, mean",
        "gap, largest", "gap above the beam's", "parsed", "MB, peak",
    )  # fmt: skip
    report.tables.append(Table(headings, rows))
    report.plots += [
        work.plot(f"scaling-{field}.svg", _plot(data, field, label))
        for field, label in (("milliseconds", "ms a sentence, median"), ("explored", "explored, median"))
    ]
    report.notes.append(
        f"At most {count} sentences per length, one word more or fewer; where the treebanks have too few of a length, "
        "others are joined with “and” and tagged again, a worst case, and are shown apart. Times are those of the "
        "processor, without tagging. The gap is the upper bound less the score of the answer, 0 for a proved parse, "
        "over the sentences with a parse; *gap above the beam's* counts the sentences for which it is larger than that "
        "of the 8-best beam, or which have no parse. Sentences for which the kept tags allow no parse count as not "
        "proved; the parser tags and searches these again with more tags, and its time includes both. The paper gives "
        "no such figures. Memory is the most that the process held above what it held before the first search of that "
        "length; *parsed* counts parses without the back-off."
    )
    report.data = {"lengths": data}
    return work.write(report)


def _measure(model: LoadedModel, sample: Sample) -> dict[str, Any]:
    tagged = model.tag(sample.sentences)
    measured = {name: _measure_one(model, sample.sentences, tagged, name) for name in DECODERS}
    beam = measured[BEAM].gaps
    found = {name: {**own.figures, "behind_beam": own.behind(beam)} for name, own in measured.items()}
    own = {"length": sample.longest, "lengths": sample.lengths, "kind": sample.kind, "sentences": len(tagged)}
    return {**own, "decoders": found}


@dataclass(frozen=True)
class _Measured:
    figures: dict[str, float | None]
    gaps: list[float]
    """Of each sentence; infinite without a parse."""

    def behind(self, gaps: Sequence[float]) -> int:
        """How many sentences have a larger gap than these, or no parse."""
        return sum(own == inf or own > other for own, other in zip(self.gaps, gaps, strict=True))


def _measure_one(
    model: LoadedModel, sentences: Sequence[Words], tagged: Sequence[TaggedSentence], name: str
) -> _Measured:
    results, seconds = list[SearchResult](), list[float]()
    before = reset_peak_memory()
    for words, sentence in zip(sentences, tagged, strict=True):
        begin = time.process_time()
        results.append(_search(model, words, sentence, name))
        seconds.append(time.process_time() - begin)
    after = _status("VmHWM")
    explored = sorted(result.certificate.explored for result in results)
    gaps = [result.certificate.gap if result.parses else inf for result in results]
    known = [gap for gap in gaps if gap < inf]
    parsed = sum(bool(it.parses) and it.certificate.decoder == DECODERS[name].decoder for it in results)
    figures = {
        "milliseconds": 1000 * sorted(seconds)[len(seconds) // 2],
        "slowest": 1000 * max(seconds),
        "explored": float(explored[len(explored) // 2]),
        "optimal": 100 * sum(result.certificate.optimal for result in results) / len(tagged),
        "gap": statistics.fmean(known) if known else None,
        "largest_gap": max(known, default=None),
        "parsed": 100 * parsed / len(tagged),
        "megabytes": None if before is None or after is None else max(0.0, after - before),
    }
    return _Measured(figures, gaps)


def _search(model: LoadedModel, words: Words, sentence: TaggedSentence, name: str) -> SearchResult:
    def search(some: Sequence[TaggedSentence]) -> list[SearchResult]:
        return model.searcher.search_batch(some, DECODERS[name])

    def tag_again(_: Sequence[int], tag_beam: float) -> list[TaggedSentence]:
        return model.tag([words], tag_beam, len(model.tagger.categories))

    if name != PARSER:
        return search([sentence])[0]
    return search_widening([sentence], search, tag_again, over_all_tags=False)[0]


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
    lengths = [entry for entry in data if entry["lengths"].isdigit()]
    # Of one length the larger sample stands for all.
    shown = {entry["length"]: entry for entry in sorted(lengths, key=lambda entry: entry["sentences"])}
    values = [own[field] for entry in shown.values() for own in entry["decoders"].values()]
    plot = Plot("Against sentence length", ("words", 0.0, float(max(LENGTHS))), (label, 0.0, max([1e-3, *values])))
    for name in DECODERS:
        plot.line(name, [(length, shown[length]["decoders"][name][field]) for length in sorted(shown)])
    return plot.svg()
