"""Figure 4: how the global model scores the partial parses of one sentence, and which ones the search avoids."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from starccg.errors import StarccgError
from starccg.experiments.evaluation_set import LoadedModel
from starccg.experiments.report import Claim, Report, ReportFolder, Table, number
from starccg.search.options import PAPER_OPTIONS, Decoder, Limits
from starccg.search.types import Certificate, Event, Recording
from starccg.tagger.plots import Plot

SHOWN, KEPT = 8, 1000
"""Partial parses in a table; in the plot and in the report's data. An untrained model scores a hundred thousand."""
PLAUSIBLE = math.log(10)
"""A partial parse is plausible if the best tags of its words are at most ten times as likely as its own tags."""


@dataclass(frozen=True)
class Partial:
    """A partial parse whose recursive unit ran."""

    words: str
    category: str
    global_score: float
    """Summed over all its nodes, at most 0."""
    last: float
    """Of its root alone."""
    behind: float
    """Log-probability of the best tags of its words minus that of its own tags; 0 for the tagger's choice."""
    built: bool
    """Whether its root joins two children."""
    explored: bool
    """False: it was scored, put back on the agenda and never reached its head again."""
    in_parse: bool


def partial_parses(
    recorded: Recording, words: Sequence[str], categories: Sequence[str], best_tags: Sequence[float]
) -> list[Partial]:
    """Every scored partial parse, worst first."""
    scored: dict[int, Event] = {}
    explored: set[int] = set()
    for event in recorded.events:
        if event.kind == "rescored":
            scored[event.item] = event
        elif event.kind == "pop" and event.item in scored:
            explored.add(event.item)
    totals: dict[int, float] = {}

    def total(item: int) -> float:
        waiting = [item]
        while waiting:
            event = scored[waiting[-1]]
            missing = [c for c in (event.left, event.right) if c >= 0 and c not in totals]
            if missing:
                waiting += missing
            else:
                children = sum(totals[c] for c in (event.left, event.right) if c >= 0)
                totals[waiting.pop()] = event.global_score + children
        return totals[item]

    best = _items_of_best(recorded, scored)
    found = [
        Partial(
            words=" ".join(words[event.start : event.end]),
            category=categories[event.category],
            global_score=total(item),
            last=event.global_score,
            behind=max(0.0, sum(best_tags[event.start : event.end]) - (event.inside - total(item))),
            built=event.right >= 0,
            explored=item in explored,
            in_parse=item in best,
        )
        for item, event in scored.items()
    ]
    return sorted(found, key=lambda partial: partial.global_score)


def _items_of_best(recorded: Recording, scored: dict[int, Event]) -> set[int]:
    """The items of the best parse: the last one popped and its descendants."""
    root = next((event.item for event in reversed(recorded.events) if event.kind in ("pop", "goal")), -1)
    found, waiting = set(), [root] if recorded.result.certificate.optimal and root in scored else []
    while waiting:
        item = waiting.pop()
        found.add(item)
        waiting += [child for child in (scored[item].left, scored[item].right) if child >= 0]
    return found


def garden_path(
    folder: ReportFolder, model: LoadedModel, words: Sequence[str], command: str, limits: Limits = PAPER_OPTIONS.limits
) -> Report:
    """Record the search of a sentence, and list the global scores of its partial parses."""
    if not words:
        raise StarccgError("the sentence is empty: give at least one word")
    tokens = tuple(words)
    (tagged,) = model.tag([tokens])
    options = replace(PAPER_OPTIONS, limits=limits)
    recorded = model.searcher.record(tagged, options)
    names = [str(category) for category in model.table.categories]
    best_tags = [float(tagged.log_probabilities[first]) for first in tagged.offsets[:-1]]
    partials = partial_parses(recorded, tokens, names, best_tags)
    alone = model.searcher.search(tagged, replace(options, decoder=Decoder.SUPERTAG_FOREST, backoff=False))
    others = [partial for partial in partials if not partial.in_parse]
    plausible = [partial for partial in others if partial.built and partial.behind <= PLAUSIBLE]
    report = Report("garden-path", "Garden paths (Figure 4)", command)
    for title, some in (
        (f"“{' '.join(tokens)}”: the worst of {len(partials)} partial parses", partials),
        ("The worst plausible ones that are not in the parse: garden paths", plausible),
    ):
        report.tables.append(_table(title, some[:SHOWN]))
    step = -(-len(partials) // KEPT) or 1
    report.plots.append(folder.plot("garden-path.svg", _plot(partials[::step])))
    certificate = recorded.result.certificate
    avoided = sum(not partial.explored for partial in partials)
    report.notes.append(
        f"{len(partials)} partial parses were scored; {avoided} of them were put back and never explored. "
        f"The parse: {_outcome(certificate)}, {certificate.explored} explored; "
        "with the tags alone over the same forest, without dynamic programming, "
        f"{alone.certificate.explored}{'' if alone.certificate.optimal else ' until a limit'}."
    )
    if others and len(others) < len(partials):
        inside = [partial.last for partial in partials if partial.in_parse]
        mean, own = sum(partial.last for partial in others) / len(others), sum(inside) / len(inside)
        report.claims.append(
            Claim(
                "Partial parses that lead nowhere are penalised while they are small",
                "one example",
                f"mean score of a step {mean:.3f}, of a step of the best parse {own:.3f}",
                mean < own,
                "Not in this sentence.",
            )
        )
    report.data = {"words": list(tokens), "partial_parses": [asdict(own) for own in partials[:KEPT]]}
    return folder.write(report)


def _outcome(certificate: Certificate) -> str:
    if not math.isfinite(certificate.score):
        return "none was found within the limits"
    return f"{'proved best' if certificate.optimal else 'not proved best'}, score {certificate.score:.3f}"


def _table(title: str, partials: Sequence[Partial]) -> Table:
    rows = [
        (
            partial.words,
            f"`{partial.category}`",
            number(partial.global_score, 3),
            number(partial.last, 3),
            number(partial.behind, 3),
            "yes" if partial.explored else "no",
        )
        for partial in partials
    ]
    headings = ("partial parse", "category", "global score", "its last step", "tags behind the best", "explored")
    return Table(headings, rows, title)


def _plot(partials: Sequence[Partial]) -> str:
    worst = min((partial.global_score for partial in partials), default=-1.0)
    places = ("partial parses, worst first", 0.0, float(max(1, len(partials) - 1)))
    plot = Plot("Global score of each partial parse", places, ("global score", min(worst, -1e-3), 0.0))
    ranked = list(enumerate(partials))
    for name, points in (
        ("not in the parse", [(i, p.global_score) for i, p in ranked if not p.in_parse]),
        ("in the parse", [(i, p.global_score) for i, p in ranked if p.in_parse]),
    ):
        plot.line(name, points)
    return plot.svg()
