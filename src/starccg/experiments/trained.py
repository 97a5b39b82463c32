"""The experiments that train: ablations (Table 3), updates (Table 4) and their learning curves (Figure 5).

All models of an experiment learn from the same sentences in the same order for the same number of epochs, from the
committed configurations. A budget smaller than the paper's is stated in the report. The models lie in ``models/``
beside the reports; a training that was stopped goes on, and the full model is trained once for all three.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from starccg.errors import StarccgError
from starccg.evaluation import compare
from starccg.experiments.bench import Bench, bench_of_examples
from starccg.experiments.published import CURVES, MODELS, UPDATES, Published
from starccg.experiments.report import Claim, Report, Table, Workbench, number
from starccg.experiments.systems import TAGS_ALONE, Measured, System, measure_all
from starccg.globalmodel import load_global_model
from starccg.search.types import Decoder, Options
from starccg.tagger.plots import Plot
from starccg.training.globalmodel.config import Config, load_config
from starccg.training.globalmodel.run import Loaded, load_run, run_training
from starccg.training.globalmodel.trainer import BEST

CONFIGS = {
    "all": "global.toml",
    "span": "global-span.toml",
    "no-inputs": "global-no-inputs.toml",
    "no-context": "global-no-context.toml",
    "greedy": "global-greedy.toml",
    "max": "global-max.toml",
}
"""The committed configuration of each model of Tables 3 and 4."""

LOOKS_AN_EPOCH = 3
"""As in Figure 5."""

UPDATE_MODELS = {"Greedy": "greedy", "Max-violation": "max", "All-violations": "all"}

ABLATIONS: tuple[tuple[str, str | None, Options], ...] = (
    ("Supertag-factored", None, TAGS_ALONE),
    ("Supertag-factored, - dynamic program", None, Options(decoder=Decoder.SUPERTAG_FOREST)),
    ("Span-factored", "span", Options(decoder=Decoder.SPAN)),
    ("Span-factored, - dynamic program", "span", Options(decoder=Decoder.SPAN_FOREST)),
    ("Global A*", "all", Options()),
    ("- lexical inputs", "no-inputs", Options()),
    ("- lexical context", "no-context", Options()),
)
"""Table 3: the name, the model (none: tags alone) and the search."""


@dataclass(frozen=True)
class Budget:
    """How much is learned from."""

    data: Path
    configs: Path
    sentences: int = 0
    """Training sentences, drawn at random from all files; 0: all."""
    epochs: int = 0
    """0: as many as the configuration says."""
    changes: tuple[str, ...] = ()
    """``section.key=value``, for every model alike."""

    def config(self, variant: str) -> Config:
        """The configuration of a model under this budget."""
        path = self.configs / CONFIGS[variant]
        if not path.is_file():
            raise StarccgError(f"{path} is missing: --configs names the folder with the project's configurations")
        epochs = (f"learning.epochs={self.epochs}",) if self.epochs else ()
        return load_config(path, (*epochs, *self.changes))


class Trained:
    """Models trained under one budget, each when first asked for."""

    def __init__(self, work: Workbench, budget: Budget) -> None:
        self.work, self.budget = work, budget
        self._loaded: Loaded | None = None
        self._bench: Bench | None = None

    @property
    def loaded(self) -> Loaded:
        """The data, read once; the training sentences cut to the budget."""
        if self._loaded is None:
            loaded = load_run(self.budget.config("all"), self.budget.data)
            train, count = loaded.train, self.budget.sentences
            if 0 < count < len(train):
                kept = sorted(Random(0).sample(range(len(train)), count))
                train = [train[number] for number in kept]
            self._loaded = replace(loaded, train=train)
        return self._loaded

    @property
    def bench(self) -> Bench:
        """The development sentences, with the tags that the trainer looks at."""
        if self._bench is None:
            key = json.dumps(self.loaded.provenance, sort_keys=True)
            shown = self.loaded.dev[: self.config("all").development.sentences or None]
            self._bench = bench_of_examples(self.loaded.table, shown, f"{key} {len(shown)}")
        return self._bench

    def key(self, variant: str) -> list[Any]:
        """What a model depends on."""
        return [variant, self.budget.sentences, self.config(variant).to_json(), self.loaded.provenance]

    def config(self, variant: str) -> Config:
        """The configuration, with the looks at dev that make a curve."""
        config = self.budget.config(variant)
        every = max(config.learning.batch, len(self.loaded.train) // LOOKS_AN_EPOCH)
        return replace(config, development=replace(config.development, every=every))

    def train(self, variant: str) -> dict[str, Any]:
        """Train a model, or go on, or find it done; its best F1 and its learning curve."""
        config = self.config(variant)

        def run() -> dict[str, Any]:
            folder = self.folder(variant)
            result = run_training(config, self.loaded, self.budget.data, folder)
            lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text("utf-8").splitlines()]
            curve = [
                {"epoch": line["sentences"] / len(self.loaded.train), "f1": line["f1"], "explored": line["explored"]}
                for line in lines
                if line["event"] == "dev"
            ]
            return {"best_f1": result.best_f1, "sentences": result.sentences, "curve": curve}

        return self.work.part(f"training {variant}", self.key(variant), run)

    def folder(self, variant: str) -> Path:
        """Where a model is trained: another budget is another folder."""
        config = self.config(variant).learning
        return self.work.folder / "models" / f"{variant}-{self.budget.sentences}-{config.epochs}"

    def measure(self, name: str, variant: str | None, options: Options) -> Measured:
        """A row of a table."""
        model, key = None, ""
        if variant is not None:
            self.train(variant)
            model, key = load_global_model(self.folder(variant) / BEST), json.dumps(self.key(variant), default=str)
        options = replace(options, limits=self.config("all").development.limits)
        system = System(name, options, uses_model=variant is not None)
        return measure_all(self.work, self.bench, model, key, [system])[name]

    def budget_in_short(self) -> str:
        """The budget in a few words, for claims that it limits."""
        return f"{len(self.loaded.train):,} sentences × {self.config('all').learning.epochs}"

    def about(self) -> str:
        """The budget in words."""
        config = self.config("all")
        return (
            f"Budget: {len(self.loaded.train):,} training sentences, {config.learning.epochs} epochs, "
            f"{config.learning.batch} sentences an update (the paper: some 30,000 usable sentences of CCGbank, "
            f"30 epochs, one sentence an update). Model selection and table: the same {len(self.bench.words):,} "
            f"development sentences, at most {config.development.limits.forest:,} nodes and "
            f"{config.development.limits.recursive_units:,} recursive units a sentence before the back-off "
            "(the paper: 500,000 and 200,000). One training of each, one seed."
        )


def _table(found: dict[str, Measured], paper: dict[str, Published], first: str) -> Table:
    rows = [
        (
            name,
            number(measured.f1, 2),
            number(paper[name].f1),
            number(measured.percent_optimal, 2, "%"),
            number(paper[name].optimal, 1, "%"),
            number(measured.mean_explored),
            number(paper[name].explored),
        )
        for name, measured in found.items()
    ]
    return Table((first, "dev F1", "paper", "optimal", "paper", "explored", "paper"), rows)


def ablations(work: Workbench, budget: Budget, command: str) -> Report:
    """Table 3, all seven rows."""
    trained = Trained(work, budget)
    found = {name: trained.measure(name, variant, options) for name, variant, options in ABLATIONS}
    report = Report("ablations", "Ablations (Table 3)", command, [_table(found, MODELS, "model")], [trained.about()])
    best, tags = found["Global A*"], found["Supertag-factored"]
    forest = found["Supertag-factored, - dynamic program"]
    report.claims = [
        _order("Global features beat spans", "Global A*", "Span-factored", found, MODELS, trained.budget_in_short()),
        _order("Words at the leaves matter", "Global A*", "- lexical inputs", found, MODELS, trained.budget_in_short()),
        _order("The words around matter", "Global A*", "- lexical context", found, MODELS, trained.budget_in_short()),
        Claim(
            "Without dynamic programming the tags alone explore orders of magnitude more than the global model",
            "17,119.6 against 309.6",
            f"{forest.mean_explored:,.1f} against {best.mean_explored:,.1f} (with it {tags.mean_explored:,.1f})",
            forest.mean_explored > 10 * best.mean_explored,
            f"No search may explore more than {trained.config('all').development.limits.forest:,} nodes here, where "
            "the paper allows 500,000.",
        ),
    ]
    report.data = {name: measured.summary() for name, measured in found.items()}
    return work.write(report)


def updates(work: Workbench, budget: Budget, command: str) -> Report:
    """Table 4."""
    trained = Trained(work, budget)
    found = {name: trained.measure(name, variant, Options()) for name, variant in UPDATE_MODELS.items()}
    report = Report("updates", "Updates (Table 4)", command, [_table(found, UPDATES, "update")], [trained.about()])
    report.claims = [
        _order(
            "All-violations beats max-violation",
            "All-violations",
            "Max-violation",
            found,
            UPDATES,
            trained.budget_in_short(),
        ),
        _order(
            "All-violations beats greedy updates", "All-violations", "Greedy", found, UPDATES, trained.budget_in_short()
        ),
    ]
    report.data = {name: measured.summary() for name, measured in found.items()}
    return work.write(report)


def learning_curves(work: Workbench, budget: Budget, command: str) -> Report:
    """Figure 5."""
    trained = Trained(work, budget)
    curves = {name: trained.train(variant)["curve"] for name, variant in UPDATE_MODELS.items()}
    report = Report("learning-curves", "Learning curves (Figure 5)", command, notes=[trained.about()])
    looks = max(len(curve) for curve in curves.values())
    rows = []
    for look in range(looks):
        row = [number((look + 1) / LOOKS_AN_EPOCH, 2)]
        for name, curve in curves.items():
            row.append(number(curve[look]["f1"] if look < len(curve) else None, 2))
            row.append(number(CURVES[name][look] if look < len(CURVES[name]) else None, 2))
        rows.append(tuple(row))
    headings = ("epoch", *(heading for name in curves for heading in (name, "paper")))
    report.tables.append(Table(headings, rows, "Dev F1"))
    report.plots.append(work.plot("learning-curves.svg", _plot(curves)))
    finals = {name: max(point["f1"] for point in curve) for name, curve in curves.items()}
    starts = {name: curve[0]["f1"] for name, curve in curves.items()}
    report.claims.append(
        Claim(
            "All-violations updates converge fastest",
            "87.53 after a third of an epoch, max-violation 85.29, greedy 83.02",
            f"{', '.join(f'{name} {value:.2f}' for name, value in starts.items())}, {trained.budget_in_short()}",
            starts["All-violations"] >= max(starts.values()),
            f"The best looks: {', '.join(f'{name} {value:.2f}' for name, value in finals.items())}.",
        )
    )
    report.data = {"curves": curves}
    return work.write(report)


def _order(
    text: str, better: str, worse: str, found: dict[str, Measured], paper: dict[str, Published], budget: str
) -> Claim:
    against = compare(found[worse].scores(), found[better].scores())[0]
    gain = 100 * against.difference
    theirs = (paper[better].f1 or 0) - (paper[worse].f1 or 0)
    return Claim(
        text,
        f"{theirs:+.1f} F1",
        f"{gain:+.2f} F1 (p = {against.p_value:.4f}), {budget}",
        gain > 0 and against.significant,
        "No significant gain under this budget: a longer training would have to tell.",
    )


def _plot(curves: dict[str, Sequence[dict[str, float]]]) -> str:
    points = [point for curve in curves.values() for point in curve]
    values = [point["f1"] for point in points]
    last = max(point["epoch"] for point in points)
    low, high = min(values), max(values)
    plot = Plot("Learning curves", ("epoch", 0.0, max(last, 0.1)), ("dev F1", low - 0.1, max(high, low) + 0.1))
    for name, curve in curves.items():
        plot.line(name, [(point["epoch"], point["f1"]) for point in curve])
    return plot.svg()
