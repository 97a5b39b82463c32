"""Tables 2 to 5 of the paper: each row a decoder and a model, measured on the same tagged sentences."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from starccg.ccg.table import RuleTable
from starccg.evaluation import Analysis, CcgbankExclusions, evaluate
from starccg.globalmodel import GlobalModel
from starccg.search import core
from starccg.search.types import Decoder, Options, Outcome
from starccg.training.data import Example
from starccg.training.trees import Bridge


@dataclass(frozen=True, slots=True)
class Row:
    """A system: what the paper calls it, its model (none: tags alone) and how it searches."""

    table: str
    name: str
    model: str | None
    options: Options


@dataclass(frozen=True, slots=True)
class Measured:
    """A row of a table."""

    table: str
    name: str
    f1: float
    f1_without_backoff: float
    optimal: float
    """Share of sentences with a proved parse."""
    parsed: float
    """Share of sentences parsed without the back-off."""
    explored: float
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """A plain value."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Systems:
    """What all rows share."""

    table: RuleTable
    examples: Sequence[Example]
    gold: Sequence[Analysis]
    exclusions: CcgbankExclusions
    models: Mapping[str, GlobalModel]


def rows(models: Mapping[str, GlobalModel], *, full: bool) -> list[Row]:
    """The rows there are models for; without ``full`` only those of Table 2."""
    tags, best = Options(decoder=Decoder.SUPERTAG), Options()
    found = [Row("2", "Supertag-factored", None, tags), Row("2", "Global A*", "all", best)]
    if full:
        found += [
            Row("3", "Supertag-factored", None, tags),
            Row("3", "- dynamic program", None, replace(tags, decoder=Decoder.SUPERTAG_FOREST)),
            Row("3", "Span-factored", "span", replace(best, decoder=Decoder.SPAN)),
            Row("3", "- dynamic program (span)", "span", replace(best, decoder=Decoder.SPAN_FOREST)),
            Row("3", "Global A*", "all", best),
            Row("3", "- lexical inputs", "no-inputs", best),
            Row("3", "- lexical context", "no-context", best),
            Row("4", "Greedy", "greedy", best),
            Row("4", "Max-violation", "max", best),
            Row("4", "All-violations", "all", best),
            Row("5", "Global A*", "all", best),
            Row("5", "Best-first", "all", replace(best, heuristic=False)),
            *(
                Row("5", f"{n}-best reranking", "all", replace(best, decoder=Decoder.RERANK, nbest=n))
                for n in (10, 100)
            ),
            *(Row("5", f"{n}-best beam search", "all", replace(best, decoder=Decoder.BEAM, beam=n)) for n in (2, 4, 8)),
        ]
    return [row for row in found if row.model is None or row.model in models]


def measure_all(systems: Systems, *, full: bool, say: Callable[[str], None]) -> list[Measured]:
    """Measure every row, one thread, so that times compare. A system that stands in two tables is run once."""
    seen: dict[tuple[str | None, Options], Measured] = {}
    found: list[Measured] = []
    for row in rows(systems.models, full=full):
        key = row.model, row.options
        if key not in seen:
            seen[key] = measure(systems, row)
            say(f"table {row.table}, {row.name}: F1 {seen[key].f1:.2f}")
        found.append(replace(seen[key], table=row.table, name=row.name))
    return found


def measure(systems: Systems, row: Row) -> Measured:
    """Run one system over all sentences."""
    model = None if row.model is None else systems.models[row.model]
    sentences = [example.tagged for example in systems.examples]
    if model is not None:
        states = model.leaf_states([example.words for example in systems.examples])
        sentences = [replace(tagged, states=own) for tagged, own in zip(sentences, states, strict=True)]
    unit = None if model is None else core.TreeLstm(model.weights(systems.table.categories))
    native, bridge = core.SearchTable(systems.table), Bridge(systems.table)
    begin = time.perf_counter()
    outcomes = core.search_batch(native, sentences, row.options, unit)
    seconds = time.perf_counter() - begin

    def analysis(outcome: Outcome, example: Example, backoff: bool) -> Analysis | None:
        own = outcome.certificate.decoder == row.options.decoder
        if not outcome.parses or not (own or backoff):
            return None
        return Analysis.of_derivation(bridge.derivation(outcome.parses[0].nodes, example.words), example.id)

    def f1(backoff: bool) -> float:
        predicted = [analysis(o, e, backoff) for o, e in zip(outcomes, systems.examples, strict=True)]
        scores = evaluate(systems.gold, predicted, exclusions=systems.exclusions, resamples=1)
        return 100 * scores.labelled.f1

    count = max(1, len(outcomes))
    parsed = sum(bool(o.parses) and o.certificate.decoder == row.options.decoder for o in outcomes) / count
    return Measured(
        table=row.table,
        name=row.name,
        f1=f1(True),
        f1_without_backoff=f1(False),
        optimal=sum(outcome.certificate.optimal for outcome in outcomes) / count,
        parsed=parsed,
        explored=sum(outcome.certificate.explored for outcome in outcomes) / count,
        seconds=seconds,
    )


def to_markdown(measured: Mapping[str, Sequence[Measured]]) -> str:
    """The tables for people."""
    lines = ["# The paper's tables", "", "Made by `starccg reproduce`. Labelled F1 of CCGbank dependencies.", ""]
    dev = measured.get("dev", ())
    test = {row.name: row for row in measured.get("test", ()) if row.table == "2"}
    lines += ["## Table 2", "", "| model | dev F1 | test F1 |", "|---|---|---|"]
    lines += [
        f"| {row.name} | {row.f1:.1f} | {f'{test[row.name].f1:.1f}' if row.name in test else ''} |"
        for row in dev
        if row.table == "2"
    ]
    for table in ("3", "4"):
        lines += ["", f"## Table {table}", "", "| model | dev F1 | optimal | explored |", "|---|---|---|---|"]
        lines += [
            f"| {row.name} | {row.f1:.1f} | {100 * row.optimal:.1f}% | {row.explored:.1f} |"
            for row in dev
            if row.table == table
        ]
    own = [row for row in dev if row.table == "5"]
    lines += ["", "## Table 5", "", "| decoder | dev F1 | - back-off | relative time |", "|---|---|---|---|"]
    lines += [
        f"| {row.name} | {row.f1:.1f} | {row.f1_without_backoff:.1f} ({100 * row.parsed:.1f}%) "
        f"| {row.seconds / max(own[0].seconds, 1e-9):.1f}X |"
        for row in own
    ]
    return "\n".join(lines) + "\n"
