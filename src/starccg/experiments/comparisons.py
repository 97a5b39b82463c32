"""The experiments that compare searches under one trained model: Table 2 and lazy scoring."""

from __future__ import annotations

from dataclasses import replace

from starccg.evaluation import compare
from starccg.experiments.bench import Bench, Model
from starccg.experiments.published import LAZY_SPARES, LAZY_SPEED, MODELS, SENTENCES_PER_SECOND
from starccg.experiments.report import Claim, Report, Table, Workbench, number
from starccg.experiments.systems import TAGS_ALONE, TAGS_ALONE_AT_BEST, Measured, System, measure_all
from starccg.search.types import Bound, Options

PLAIN, AT_BEST, GLOBAL = "Supertag-factored", "Supertag-factored, with costs", "Global A*"
SYSTEMS = (
    System(PLAIN, TAGS_ALONE, uses_model=False),
    System(AT_BEST, TAGS_ALONE_AT_BEST, uses_model=False),
    System(GLOBAL, Options()),
)
AS_LONG_AS_NEWS = range(20, 28)
"""Lengths whose mean is that of CCGbank's section 23, some 23 words: where the paper's speed can be compared."""
SHUFFLES = 10_000
RESAMPLES = 1000


def about(bench: Bench) -> str:
    """What was measured on, in a sentence."""
    return (
        f"{len(bench.words):,} sentences of {', '.join(dict.fromkeys(bench.sources))}, "
        f"{bench.words_per_sentence:.1f} words and {bench.tags_per_word:.1f} tags a word on average. "
        "Times are processor seconds of the search on one thread, tagging and word LSTM left out, the best of three."
    )


def results(work: Workbench, bench: Bench, model: Model, command: str) -> Report:
    """Table 2: the tags alone against the global model."""
    found = measure_all(work, bench, model.require_global(), model.key, SYSTEMS)
    report = Report("results", "Results (Table 2)", command, notes=[f"{about(bench)} {model.training()}".strip()])
    sources = list(dict.fromkeys(bench.sources))
    for source in [*sources, "all"] if len(sources) > 1 else sources:
        numbers = [i for i, own in enumerate(bench.sources) if source in (own, "all")]
        report.tables.append(_scores(source, {name: measured.of(numbers) for name, measured in found.items()}))
    long = bench.some(i for i, own in enumerate(bench.words) if len(own) in AS_LONG_AS_NEWS)
    speeds = measure_all(work, long, model.require_global(), model.key, SYSTEMS) if long.words else {}
    report.tables.append(_searches(found, speeds))
    report.notes.append(
        f"F1 is labelled, with its 95% bootstrap interval; p is that of the difference to {GLOBAL} under approximate "
        f"randomisation over sentences ({SHUFFLES:,} shuffles). The tags alone leave many derivations with the same "
        f"score; *{PLAIN}* takes the one found first, *{AT_BEST}* is given the authors' unary cost of 0.1 and 0.00001 "
        "a word of head distance, the fair opponent. The paper's figures are of another treebank: compare differences."
    )
    report.claims = _claims(found, speeds)
    report.data = {name: measured.summary() for name, measured in found.items()}
    return work.write(report)


def _scores(source: str, found: dict[str, Measured]) -> Table:
    rows = []
    best = found[GLOBAL].scores()
    for name, measured in found.items():
        scores = measured.scores(resamples=RESAMPLES)
        low, high = scores.intervals["labelled_f1"]
        chance = "" if name == GLOBAL else f"{compare(scores, best, shuffles=SHUFFLES)[0].p_value:.4f}"
        published = MODELS.get(name)
        rows.append(
            (
                name,
                number(100 * scores.labelled.f1, 2),
                f"{100 * low:.2f} - {100 * high:.2f}",
                chance,
                number(100 * scores.unlabelled.f1, 2),
                number(100 * (scores.supertag_accuracy or 0), 2),
                number(100 * scores.coverage, 2, "%"),
                number(published.f1 if published else None),
            )
        )
    headings = ("model", "F1", "95% interval", "p", "unlabelled F1", "supertags", "parsed", "paper F1")
    return Table(headings, rows, f"{source}, {best.sentences:,} sentences")


def _searches(found: dict[str, Measured], speeds: dict[str, Measured]) -> Table:
    rows: list[tuple[str, ...]] = []
    for name, measured in found.items():
        paper = MODELS.get(name)
        rows.append(
            (
                name,
                number(measured.percent_optimal, 2, "%"),
                number(paper.optimal if paper else None, 1, "%"),
                number(measured.mean_explored),
                number(paper.explored if paper else None),
                number(measured.sentences_per_second, 0),
                number(speeds[name].sentences_per_second if speeds else None, 0),
                number(SENTENCES_PER_SECOND if name == GLOBAL else None),
            )
        )
    bounds = f"{AS_LONG_AS_NEWS.start} to {AS_LONG_AS_NEWS.stop - 1}"
    count = len(speeds[GLOBAL].rows) if speeds else 0
    headings = (
        "model", "optimal", "paper", "explored", "paper", "sentences/s",
        f"of {bounds} words ({count})", "paper",
    )  # fmt: skip
    return Table(headings, rows, "The searches, all sentences")


def _claims(found: dict[str, Measured], speeds: dict[str, Measured]) -> list[Claim]:
    tags, best = found[AT_BEST], found[GLOBAL]
    against = compare(tags.scores(), best.scores(), shuffles=SHUFFLES)[0]
    gain = 100 * against.difference
    return [
        Claim(
            "The global model parses better than the tags alone",
            "+0.9 dev F1",
            f"{gain:+.2f} F1 (p = {against.p_value:.4f}) over the tags with costs, "
            f"{best.f1 - found[PLAIN].f1:+.2f} over the plain ones",
            gain > 0 and against.significant,
            "The difference is not significant on these sentences.",
        ),
        Claim(
            "Nearly every sentence has a proved parse",
            "99.8%",
            f"{best.percent_optimal:.2f}%",
            best.percent_optimal >= 99,
            "Sentences reach the limits on forest, agenda or recursive units.",
        ),
        Claim(
            "The global model explores fewer nodes than the tags alone, dynamic program and all",
            "309.6 against 402.5",
            f"{best.mean_explored:.1f} against {found[PLAIN].mean_explored:.1f}",
            best.mean_explored < found[PLAIN].mean_explored,
            f"The median sentence: {_median(best)} against {_median(found[PLAIN])}; "
            f"the {sum(not o for o in best.own)} sentences it could not finish have "
            f"{_share_of_backed_off(best):.0f}% of all nodes explored.",
        ),
        Claim(
            "Speed, one core",
            f"{SENTENCES_PER_SECOND} sentences/s (3.5 GHz)",
            f"{best.sentences_per_second:.0f} sentences/s; at the length of the paper's sentences "
            f"{f'{speeds[GLOBAL].sentences_per_second:.0f}' if speeds else 'not measured'}",
            best.sentences_per_second > SENTENCES_PER_SECOND,
        ),
    ]


def _median(measured: Measured) -> int:
    return sorted(measured.explored)[len(measured.explored) // 2]


def _share_of_backed_off(measured: Measured) -> float:
    lost = sum(nodes for nodes, own in zip(measured.explored, measured.own, strict=True) if not own)
    return 100 * lost / max(1, sum(measured.explored))


def typical(measured: Measured, best: Measured) -> float:
    """The time of the median sentence, relative to another system's."""
    own, other = (sorted(m.times)[len(m.times) // 2] for m in (measured, best))
    return own / max(other, 1e-9)


LAZY, EAGER, CLOSER = "Lazy", "Eager", ", bound by the grammar"


def lazy(work: Workbench, bench: Bench, model: Model, command: str) -> Report:
    """Section 4: recursive units only for items that reach the head of the agenda; under the paper's bound and ours."""
    closer = Options(bound=Bound.GRAMMAR)
    systems = [
        System(LAZY, Options()),
        System(EAGER, Options(lazy=False)),
        System(LAZY + CLOSER, closer),
        System(EAGER + CLOSER, replace(closer, lazy=False)),
    ]
    found = measure_all(work, bench, model.require_global(), model.key, systems)
    rows = [
        (
            name,
            number(measured.f1, 2),
            number(measured.percent_optimal, 2, "%"),
            number(measured.mean_explored),
            number(measured.mean_recursive_units),
            number(1000 * measured.seconds / max(1, len(measured.rows)), 2, " ms"),
        )
        for name, measured in found.items()
    ]
    headings = ("scoring", "F1", "optimal", "explored", "recursive units", "time a sentence")
    report = Report("lazy", "Lazy scoring (section 4)", command, [Table(headings, rows)], [about(bench)])
    for under in ("", CLOSER):
        report.claims += _lazy_claims(found[LAZY + under], found[EAGER + under], bench, under)
    cut = sum(not (a and b) for a, b in zip(found[LAZY].own, found[EAGER].own, strict=True))
    report.notes.append(
        "All find the same best score; they may differ in parses only where scores tie or where one of them met a "
        f"limit ({cut} sentences here under the paper's bound)."
    )
    report.data = {name: measured.summary() for name, measured in found.items()}
    return work.write(report)


def _lazy_claims(one: Measured, other: Measured, bench: Bench, under: str) -> list[Claim]:
    both = [i for i, (a, b) in enumerate(zip(one.own, other.own, strict=True)) if a and b]
    spared = 100 * (1 - one.mean_recursive_units / max(other.mean_recursive_units, 1e-9))
    clean = 100 * (1 - one.of(both).mean_recursive_units / max(other.of(both).mean_recursive_units, 1e-9))
    speed = other.seconds / max(one.seconds, 1e-9)
    unhindered = sum(other.of(both).times) / max(sum(one.of(both).times), 1e-9)
    return [
        Claim(
            f"Lazy scoring spares most recursive units{under}",
            f"over {LAZY_SPARES:.0f}%",
            f"{spared:.1f}% ({clean:.1f}% where neither search met a limit)",
            spared >= LAZY_SPARES,
            f"Measured at {bench.tags_per_word:.1f} tags a word: what can be spared depends on how many are kept "
            "(`--beam`), and on how much there is to look at before the answer is known.",
        ),
        Claim(
            f"Lazy scoring is faster{under}",
            f"{LAZY_SPEED}X",
            f"{speed:.2f}X in all, {unhindered:.2f}X where neither search met a limit, {typical(other, one):.2f}X for "
            "the median sentence",
            speed >= LAZY_SPEED,
            "Most of a recursive unit is its children's shares, which are computed once for all that use the child, "
            "lazily or not; and every lazy item passes the agenda twice.",
        ),
    ]
