"""Table 5: the same model under other searches."""

from __future__ import annotations

from dataclasses import replace

from starccg.evaluation import compare
from starccg.experiments.bench import Bench, Model
from starccg.experiments.comparisons import GLOBAL, SHUFFLES, about, typical
from starccg.experiments.published import DECODERS
from starccg.experiments.report import Claim, Report, Table, Workbench, number
from starccg.experiments.systems import TAGS_ALONE_AT_BEST, Measured, System, measure_all
from starccg.search.types import Bound, Decoder, Limits, Options

CLOSE = 0.5
"""F1 within which two decoders are rivals."""

AT_BEST_LIST = replace(TAGS_ALONE_AT_BEST, decoder=Decoder.RERANK)
FEW_UNITS = 5000
SHORT = f"{GLOBAL}, {FEW_UNITS:,} recursive units"
INFORMED = f"{GLOBAL}, bound by the grammar"
DECODER_SYSTEMS = (
    System(GLOBAL, Options()),
    System(INFORMED, Options(bound=Bound.GRAMMAR)),
    System(SHORT, Options(limits=Limits(recursive_units=FEW_UNITS))),
    System("Best-first", Options(heuristic=False)),
    *(System(f"{n}-best reranking", Options(decoder=Decoder.RERANK, nbest=n)) for n in (10, 100)),
    *(System(f"{n}-best reranking, with costs", replace(AT_BEST_LIST, nbest=n)) for n in (10, 100)),
    *(System(f"{n}-best beam search", Options(decoder=Decoder.BEAM, beam=n)) for n in (2, 4, 8)),
)


def decoders(work: Workbench, bench: Bench, model: Model, command: str) -> Report:
    """Table 5: the same model under other searches."""
    found = measure_all(work, bench, model.require_global(), model.key, DECODER_SYSTEMS)
    best = found[GLOBAL]
    rows = []
    for name, measured in found.items():
        paper = DECODERS.get(name)
        time = measured.seconds / max(best.seconds, 1e-9)
        rows.append(
            (
                name,
                number(measured.f1, 2),
                number(paper.f1 if paper else None),
                f"{measured.f1_without_backoff:.2f} ({measured.percent_own:.2f}%)",
                f"{paper.f1_without_backoff} ({paper.parsed}%)" if paper else "",
                number(time, 2, "X"),
                number(paper.relative_time if paper else None, 1, "X"),
                number(typical(measured, best), 2, "X"),
                number(measured.mean_recursive_units),
            )
        )
    headings = (
        "decoder",
        "F1",
        "paper",
        "F1 - back-off (parsed)",
        "paper",
        "time",
        "paper",
        "median",
        "recursive units",
    )
    report = Report("decoders", "Decoders (Table 5)", command, [Table(headings, rows)], [about(bench)])
    report.notes.append(
        "Limits and back-off are the same for all: the paper's limits, then the supertag-factored parser; one more row "
        f"lets A* go to its back-off after {FEW_UNITS:,} recursive units, where the paper has 200,000. *{INFORMED}* is "
        "the same search with a closer bound (`Options.bound`): what the best parse around an item could score by its "
        "tags, not only the best tags of the other words. "
        "Reranking takes its list from the tags alone, whose ties fill a list with derivations that differ in little; "
        "*with costs* is its best case: the authors' costs order the list, and stay in the score. *time* is that of "
        "all sentences together, *median* that of the median sentence by the clock, which other work on the machine "
        "disturbs more; both relative to A*."
    )
    report.claims = _decoder_claims(found, bench)
    report.data = {name: measured.summary() for name, measured in found.items()}
    return work.write(report)


def _decoder_claims(found: dict[str, Measured], bench: Bench) -> list[Claim]:
    best, first = found[GLOBAL], found["Best-first"]
    others = [measured for name, measured in found.items() if name not in (GLOBAL, INFORMED, SHORT, "Best-first")]
    better = [m for m in others if m.f1 > best.f1]
    faster = [m for m in others if m.seconds < best.seconds]
    chances = {m.name: compare(best.scores(), m.scores(), shuffles=SHUFFLES)[0].p_value for m in better}
    ratio = first.seconds / best.seconds
    return [
        Claim(
            "Without the heuristic the search completes few parses",
            "6.7% parsed, 293.4X the time",
            f"{first.percent_own:.2f}% parsed, {ratio:.1f}X the time",
            first.percent_own < 50,
            f"It is slower, but most sentences end within the limits: {bench.words_per_sentence:.1f} words and "
            f"{bench.tags_per_word:.1f} tags a word are a small search space.",
        ),
        Claim(
            "Reranking and beam search are less accurate than A*",
            "0.1 to 0.5 F1 below",
            ", ".join(f"{m.name} {m.f1 - best.f1:+.2f}" for m in others),
            not better,
            "; ".join(f"{name} is not below (p = {chance:.4f})" for name, chance in chances.items()) + ".",
        ),
        Claim(
            "Reranking and beam search are slower than A*",
            "2.0X to 72.3X",
            ", ".join(f"{m.name} {m.seconds / best.seconds:.2f}X" for m in others),
            not faster,
            f"{', '.join(m.name for m in faster)} took less time in all: A* spends {_share_of_slowest(best):.0f}% of "
            "its recursive units on the hardest 1% of the sentences, where it proves its answer or meets a limit. "
            "Of the median sentence: "
            f"{', '.join(f'{m.name} {typical(m, best):.2f}X' for m in faster)}.",
        ),
        _close_claim(found[INFORMED], others),
        _close_claim(found[SHORT], others),
    ]


def _close_claim(short: Measured, others: list[Measured]) -> Claim:
    """A* as we would use it, against all that parse about as well."""
    rivals = [m for m in others if m.f1 > short.f1 - CLOSE]
    faster = [m for m in rivals if m.seconds < short.seconds]
    rest = [m for m in others if m not in rivals and m.seconds < short.seconds]
    return Claim(
        f"{short.name} is faster than what comes within {CLOSE} F1 of it",
        "not measured",
        f"F1 {short.f1:.2f}; "
        + ", ".join(f"{m.name} {m.f1 - short.f1:+.2f} F1 in {m.seconds / short.seconds:.2f}X the time" for m in rivals)
        + "".join(f"; faster but farther: {m.name} {m.f1 - short.f1:+.2f} F1" for m in rest),
        not faster,
        f"{', '.join(m.name for m in faster)} took less time.",
    )


def _share_of_slowest(measured: Measured) -> float:
    units = sorted(measured.recursive_units, reverse=True)
    return 100 * sum(units[: max(1, len(units) // 100)]) / max(1, sum(units))
