"""Models trained under one budget, in one process after the other or several side by side.

All models learn from the same sentences in the same order for the same number of epochs, from the committed
configurations. They lie in ``models/`` beside the reports; a training that was stopped goes on, and each is done once
for all the experiments that ask for it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from starccg.errors import StarccgError
from starccg.experiments.bench import Bench, bench_of_examples
from starccg.experiments.report import Workbench
from starccg.experiments.side_by_side import side_by_side, threads_each
from starccg.experiments.systems import Measured, System, measure_all
from starccg.folders import fingerprint_of
from starccg.globalmodel import load_global_model
from starccg.search.types import Options
from starccg.training.globalmodel.config import Config, load_config
from starccg.training.globalmodel.run import Loaded, load_run, run_training
from starccg.training.globalmodel.trainer import BEST, Progress

CONFIGS = {
    "all": "global.toml",
    "span": "global-span.toml",
    "no-inputs": "global-no-inputs.toml",
    "no-context": "global-no-context.toml",
    "greedy": "global-greedy.toml",
    "max": "global-max.toml",
    "gold": "global-gold.toml",
}
"""The committed configuration of each model of Tables 3 and 4, and of one row more."""

LOOKS_AN_EPOCH = 3
"""As in Figure 5."""


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
        """What a model depends on: not on how many cores or which device it was trained with."""
        config = self.config(variant).to_json()
        usual = {"gold_weight": 0.0, "gold_share": 1.0}  # models that know of no such choice are the same
        config["learning"] = {
            k: v for k, v in config["learning"].items() if k not in ("threads", "device") and usual.get(k) != v
        }
        return [variant, self.budget.sentences, config, self.loaded.provenance]

    def config(self, variant: str) -> Config:
        """The configuration, with the looks at dev that make a curve."""
        config = self.budget.config(variant)
        every = max(config.learning.batch, len(self.loaded.train) // LOOKS_AN_EPOCH)
        return replace(config, development=replace(config.development, every=every))

    def train_all(self, variants: Iterable[str], jobs: int) -> None:
        """Train these models, so many at a time in processes of their own; what each finds lies in the files."""
        wanted = [variant for variant in dict.fromkeys(variants) if not self.done(variant)]
        if jobs <= 1 or len(wanted) <= 1:
            for variant in wanted:
                self.train(variant)
            return
        budget = self.budget
        threads = self.config("all").learning.threads or threads_each(min(jobs, len(wanted)))
        budget = replace(budget, changes=(*budget.changes, f"learning.threads={threads}"))
        self.work.say(f"training {', '.join(wanted)}: {min(jobs, len(wanted))} at a time, {threads} threads each")
        side_by_side({f"training {name}": Apart(self.work.folder, budget, name) for name in wanted}, jobs)

    def done(self, variant: str) -> bool:
        """Whether a model is trained."""
        return self.work.has(f"training {variant}", self.key(variant))

    def train(self, variant: str) -> dict[str, Any]:
        """Train a model, or go on, or find it done; its best F1 and its learning curve."""
        config = self.config(variant)

        def watch(progress: Progress) -> None:
            line = progress.line
            if line is not None and line["event"] == "dev":
                done = line["sentences"] / len(self.loaded.train)
                self.work.say(f"{variant}: {done:.2f} of {progress.epochs} epochs, dev F1 {line['f1']:.2f}")

        def run() -> dict[str, Any]:
            folder = self.folder(variant)
            result = run_training(config, self.loaded, self.budget.data, folder, watch)
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
        mark = fingerprint_of(self.key(variant))[:8]
        return self.work.folder / "models" / f"{variant}-{mark}"

    def measure(self, name: str, variant: str | None, options: Options) -> Measured:
        """A row of a table."""
        model, key = None, ""
        if variant is not None:
            self.train(variant)
            model, key = load_global_model(self.folder(variant) / BEST), json.dumps(self.key(variant), default=str)
        options = replace(options, limits=self.config("all").development.limits)
        system = System(name, options, uses_model=variant is not None)
        return measure_all(self.work, self.bench, model, key, [system])[name]

    def in_short(self) -> str:
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


@dataclass(frozen=True)
class Apart:
    """The training of one model in a process of its own."""

    folder: Path
    budget: Budget
    variant: str

    def __call__(self) -> None:
        """Train; the part of the workbench that it leaves is what the caller reads."""
        Trained(Workbench(self.folder, _say), self.budget).train(self.variant)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
