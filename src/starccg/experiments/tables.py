"""Tables 2 to 5 of the paper and lazy scoring: systems measured on the same sentences, the paper's figures beside ours.

Each function takes an :class:`~starccg.experiments.measurement.Experiment` and returns its report. The commands
``starccg experiment`` and ``starccg reproduce`` share them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from starccg.evaluation import compare
from starccg.experiments import claims
from starccg.experiments.measurement import TAGS_ALONE, TAGS_WITH_COSTS, Experiment, Measurement, System
from starccg.experiments.published import (
    DECODERS,
    MODELS,
    OTHERS,
    TEST_EXPLORED,
    TEST_OPTIMAL,
    TEST_SPEED,
    UPDATES,
    Published,
)
from starccg.experiments.report import Report, Table, number
from starccg.search.options import PAPER_OPTIONS, Bound, Decoder

PLAIN, COSTS, GLOBAL = "Supertag-factored", "Supertag-factored, with costs", "Global A*"
DRAWN = "All-violations, gold drawn to zero"
"""``learning.gold_weight``: not in the paper, for shorter searches."""
FEW_UNITS = 5000
SHORT = f"{GLOBAL}, {FEW_UNITS:,} recursive units"
GRAMMAR_BOUND = f"{GLOBAL}, bound by the grammar"
LAZY, EAGER, BY_GRAMMAR = "Lazy", "Eager", ", bound by the grammar"

_forest = Decoder.SUPERTAG_FOREST
_by_grammar = replace(PAPER_OPTIONS, bound=Bound.GRAMMAR)
RESULTS = (System(PLAIN, TAGS_ALONE, None), System(COSTS, TAGS_WITH_COSTS, None), System(GLOBAL, PAPER_OPTIONS))
ABLATIONS = (
    System(PLAIN, TAGS_ALONE, None),
    System(f"{PLAIN}, - dynamic program", replace(TAGS_ALONE, decoder=_forest), None),
    System(COSTS, TAGS_WITH_COSTS, None),
    System(f"{COSTS}, - dynamic program", replace(TAGS_WITH_COSTS, decoder=_forest), None),
    System("Span-factored", replace(PAPER_OPTIONS, decoder=Decoder.SPAN), "span"),
    System("Span-factored, - dynamic program", replace(PAPER_OPTIONS, decoder=Decoder.SPAN_FOREST), "span"),
    System(GLOBAL, PAPER_OPTIONS),
    System("- lexical inputs", PAPER_OPTIONS, "no-inputs"),
    System("- lexical context", PAPER_OPTIONS, "no-context"),
)
UPDATE_VARIANTS = {"Greedy": "greedy", "Max-violation": "max", "All-violations": "all"}
DECODER_SYSTEMS = (
    System(GLOBAL, PAPER_OPTIONS),
    System(GRAMMAR_BOUND, _by_grammar),
    System(SHORT, PAPER_OPTIONS, most_units=FEW_UNITS),
    System("Best-first", replace(PAPER_OPTIONS, heuristic=False)),
    *(System(f"{n}-best reranking", replace(PAPER_OPTIONS, decoder=Decoder.RERANK, rerank_size=n)) for n in (10, 100)),
    *(
        System(f"{n}-best reranking, with costs", replace(TAGS_WITH_COSTS, decoder=Decoder.RERANK, rerank_size=n))
        for n in (10, 100)
    ),
    *(System(f"{n}-best beam search", replace(PAPER_OPTIONS, decoder=Decoder.BEAM, beam_size=n)) for n in (2, 4, 8)),
)
LAZY_SYSTEMS = (
    System(LAZY, PAPER_OPTIONS),
    System(EAGER, replace(PAPER_OPTIONS, lazy=False)),
    System(LAZY + BY_GRAMMAR, _by_grammar),
    System(EAGER + BY_GRAMMAR, replace(_by_grammar, lazy=False)),
)
ON_TEST = {GLOBAL: Published(optimal=TEST_OPTIMAL, explored=TEST_EXPLORED)}
NEWS_LENGTHS = range(20, 28)
"""Sentence lengths with about the mean of CCGbank's section 23 (23 words), at which the paper's speed compares."""
PERMUTATIONS = 10_000
RESAMPLES = 1000


def report(experiment: Experiment, name: str, title: str, found: Mapping[str, Measurement], seeds: int = 1) -> Report:
    """A report without tables, with the sentences and the training of the models described."""
    several = (
        f" Each model was trained {seeds} times with different random seeds; figures are means." if seeds > 1 else ""
    )
    sentences = experiment.sentences
    text = (
        f"{len(sentences.words):,} sentences of {', '.join(dict.fromkeys(sentences.sources))}, with a mean of "
        f"{sentences.words_per_sentence:.1f} words and {sentences.tags_per_word:.1f} tags per word. Times are "
        "processor seconds of the search on one thread without tagging and word LSTM, the best of three runs."
    )
    data = {own: measured.summary() for own, measured in found.items()}
    return Report(name, title, experiment.command, notes=[f"{text}{several} {experiment.about}".strip()], data=data)


def results(experiment: Experiment, test: Experiment | None = None, seeds: int = 1) -> Report:
    """Table 2: the tags alone against the global model, on dev and, if given, on test."""
    found = experiment.measure(RESULTS, seeds)
    table = report(experiment, "results", "Results (Table 2)", found, seeds)
    on_test = test.measure(RESULTS, seeds) if test is not None else {}
    if test is not None:
        rows = [(name, "", "", number(own.f1), number(own.test_f1)) for name, own in OTHERS.items()]
        for name, measured in found.items():
            paper = MODELS.get(name, Published())
            rows.append((name, _f1(measured), _f1(on_test[name]), number(paper.f1), number(paper.test_f1)))
        headings = ("parser", "dev F1", "test F1", "published dev F1", "published test F1")
        table.tables.append(Table(headings, rows, "Labelled F1"))
        table.data["test"] = {name: measured.summary() for name, measured in on_test.items()}
        table.claims += claims.test(on_test)
    sources = list(dict.fromkeys(experiment.sentences.sources))
    published = {name: own.f1 for name, own in MODELS.items()}
    for source in [*sources, "all"] if len(sources) > 1 else sources:
        numbers = [i for i, name in enumerate(experiment.sentences.sources) if source in (name, "all")]
        table.tables.append(
            _scores(source, {name: measured.of(numbers) for name, measured in found.items()}, published)
        )
    if test is not None:
        published = {name: own.test_f1 for name, own in MODELS.items()}
        table.tables.append(_scores(test.sentences.sources[0], on_test, published))
    news = experiment.sentences.some(
        i for i, own in enumerate(experiment.sentences.words) if len(own) in NEWS_LENGTHS
    )  # fmt: skip
    speeds = replace(experiment, sentences=news).measure(RESULTS, seeds) if news.words else {}
    table.tables.append(_searches("all sentences", found, MODELS, speeds, speed=test is None))
    if test is not None:
        table.tables.append(_searches("test", on_test, ON_TEST))
    table.notes.append(
        f"F1 is labelled, with its 95% bootstrap interval; p is the probability of the difference to {GLOBAL} under "
        f"approximate randomisation over sentences ({PERMUTATIONS:,} permutations). With the tags alone many "
        f"derivations have the same score; *{PLAIN}* returns the one found first, *{COSTS}* has the authors' unary "
        "cost of 0.1 and head distance cost of 0.00001 per word, and is the fair baseline."
    )
    table.claims += claims.results(found, speeds)
    return experiment.folder.write(table)


def _f1(measured: Measurement) -> str:
    low, high = measured.scores(resamples=RESAMPLES).intervals["labelled_f1"]
    seeds = f"; seeds {', '.join(f'{f1:.2f}' for f1 in measured.f1_by_seed)}" if measured.f1_by_seed else ""
    return f"{measured.f1:.2f} ({100 * low:.2f} - {100 * high:.2f}{seeds})"


def _scores(source: str, found: dict[str, Measurement], paper: Mapping[str, float | None]) -> Table:
    rows = []
    best = found[GLOBAL].scores()
    for name, measured in found.items():
        scores = measured.scores()
        p_value = "" if name == GLOBAL else f"{compare(scores, best, permutations=PERMUTATIONS)[0].p_value:.4f}"
        rows.append(
            (
                name,
                _f1(measured),
                p_value,
                number(100 * scores.unlabelled.f1, 2),
                number(100 * (scores.supertag_accuracy or 0), 2),
                number(100 * scores.coverage, 2, "%"),
                number(paper.get(name)),
            )
        )
    headings = ("model", "F1 (95% interval)", "p", "unlabelled F1", "supertags", "parsed", "paper F1")
    return Table(headings, rows, f"{source}, {best.sentences:,} sentences")


def _search(measured: Measurement, paper: Published) -> tuple[str, ...]:
    """Proofs and explored nodes, the paper's beside ours."""
    return (
        number(measured.percent_optimal, 2, "%"),
        number(paper.optimal, 1, "%"),
        number(measured.mean_explored),
        number(paper.explored),
    )


def _searches(
    sentences: str,
    found: Mapping[str, Measurement],
    paper: Mapping[str, Published],
    speeds: Mapping[str, Measurement] | None = None,
    *,
    speed: bool = True,
) -> Table:
    """The searches of a set of sentences; ``speeds``: of those of common lengths; ``speed``: with the paper's."""
    headings = ["model", "optimal", "paper", "explored", "paper", "sentences/s"]
    if speeds is not None:
        count = len(speeds[GLOBAL].rows) if speeds else 0
        headings.append(f"of {NEWS_LENGTHS.start} to {NEWS_LENGTHS.stop - 1} words ({count})")
    rows = []
    for name, measured in found.items():
        row = [name, *_search(measured, paper.get(name, Published())), number(measured.sentences_per_second)]
        if speeds is not None:
            row.append(number(speeds[name].sentences_per_second if speeds else None))
        rows.append((*row, number(TEST_SPEED if name == GLOBAL else None)) if speed else tuple(row))
    return Table((*headings, "paper") if speed else tuple(headings), rows, f"The searches, {sentences}")


def _models(found: Mapping[str, Measurement], paper: Mapping[str, Published], first: str) -> Table:
    rows = [
        (name, _f1(measured), number((own := paper.get(name, Published())).f1), *_search(measured, own))
        for name, measured in found.items()
    ]
    return Table((first, "dev F1 (95% interval)", "paper", "optimal", "paper", "explored", "paper"), rows)


def ablations(experiment: Experiment, seeds: int = 1, variants: Iterable[str] | None = None) -> Report:
    """Table 3; with ``variants``, only the rows of these models."""
    known = None if variants is None else {None, *variants}
    found = experiment.measure([s for s in ABLATIONS if known is None or s.variant in known], seeds)
    table = report(experiment, "ablations", "Ablations (Table 3)", found, seeds)
    table.tables.append(_models(found, MODELS, "model"))
    table.claims = claims.ablations(found)
    return experiment.folder.write(table)


def updates(experiment: Experiment, seeds: int = 1, *, drawn: bool = True) -> Report:
    """Table 4; with ``drawn``, one more row: gold parses drawn towards zero."""
    variants = {**UPDATE_VARIANTS, DRAWN: "gold"} if drawn else UPDATE_VARIANTS
    found = experiment.measure([System(name, PAPER_OPTIONS, variant) for name, variant in variants.items()], seeds)
    table = report(experiment, "updates", "Updates (Table 4)", found, seeds)
    table.tables.append(_models(found, UPDATES, "update"))
    table.claims = claims.updates(found)
    if drawn:
        table.claims.append(claims.shorter(found["All-violations"], found[DRAWN]))
    return experiment.folder.write(table)


def decoders(experiment: Experiment, seeds: int = 1) -> Report:
    """Table 5: the same model under other searches."""
    found = experiment.measure(DECODER_SYSTEMS, seeds)
    best = found[GLOBAL]
    rows = []
    for name, measured in found.items():
        paper = DECODERS.get(name, Published())
        rows.append(
            (
                name,
                _f1(measured),
                number(paper.f1),
                f"{measured.f1_without_backoff:.2f} ({measured.percent_own:.2f}%)",
                f"{paper.f1_without_backoff} ({paper.parsed}%)" if paper.parsed else "",
                number(measured.seconds / max(best.seconds, 1e-9), 2, "X"),
                number(paper.relative_time, 1, "X"),
                number(claims.median_time(measured, best), 2, "X"),
                number(measured.mean_recursive_units),
            )
        )
    headings = (
        "decoder", "F1 (95% interval)", "paper", "F1 - back-off (parsed)", "paper", "time", "paper", "median",
        "recursive units",
    )  # fmt: skip
    table = report(experiment, "decoders", "Decoders (Table 5)", found, seeds)
    table.tables.append(Table(headings, rows))
    table.notes.append(
        "All decoders have the same limits and the same back-off, the supertag-factored parser; one more row backs off "
        f"after {FEW_UNITS:,} recursive units, where the paper has 200,000. *{GRAMMAR_BOUND}* is A* with a closer "
        "bound (`Options.bound`): the best score that the tags around an item allow in the grammar, in place of the "
        "sum of the best tags. Reranking takes its list from the tags alone; *with costs*, the authors' costs order "
        "the list and remain in the score. *time* is that of all sentences, *median* the wall-clock time of the median "
        "sentence; both are relative to A*."
    )
    table.claims = claims.decoders(found, experiment.sentences)
    return experiment.folder.write(table)


def lazy(experiment: Experiment, seeds: int = 1) -> Report:
    """Section 4: recursive units only for items that reach the head of the agenda."""
    found = experiment.measure(LAZY_SYSTEMS, seeds)
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
    headings = ("scoring", "F1", "optimal", "explored", "recursive units", "time per sentence")
    table = report(experiment, "lazy", "Lazy scoring (section 4)", found, seeds)
    table.tables.append(Table(headings, rows))
    for bound in ("", BY_GRAMMAR):
        table.claims += claims.lazy(found[LAZY + bound], found[EAGER + bound], experiment.sentences, bound)
    limited = sum(not a == b == 1 for a, b in zip(found[LAZY].optimal, found[EAGER].optimal, strict=True))
    table.notes.append(
        "All find the same best score. Their parses differ only where scores are equal or where one of them ended "
        f"without a proof ({limited} sentences here under the paper's bound)."
    )
    return experiment.folder.write(table)
