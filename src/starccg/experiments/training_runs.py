"""The global models of Tables 3 and 4, trained on the same sentences in the same order from the committed files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from starccg.errors import StarccgError
from starccg.experiments.evaluation_set import EvaluationSet, evaluation_set_of
from starccg.experiments.measurement import Experiment
from starccg.experiments.report import ReportFolder
from starccg.files import fingerprint_of
from starccg.globalmodel import GlobalModel
from starccg.model_folder.global_model import load_global_model
from starccg.training.globalmodel.config import Config, load_config
from starccg.training.globalmodel.run import Loaded, load_run
from starccg.training.pipeline.global_training import GlobalTraining, Resources, settings_of, train_all
from starccg.training.pipeline.steps import Result

CONFIGS = {
    "all": "global.toml",
    "span": "global-span.toml",
    "no-inputs": "global-no-inputs.toml",
    "no-context": "global-no-context.toml",
    "greedy": "global-greedy.toml",
    "max": "global-max.toml",
    "gold": "global-gold.toml",
}
"""The committed configuration of each model."""

PER_EPOCH = 3
"""Dev evaluations in an epoch, as in Figure 5."""


@dataclass(frozen=True)
class Budget:
    """What all models are trained with."""

    data: Path
    configs: Path
    sentences: int = 0
    """Training sentences, drawn at random from all files; 0: all."""
    epochs: int = 0
    """0: those of the configuration."""
    seeds: int = 1
    """How many models of each kind are trained, with random seeds 1, 2, ..."""
    changes: tuple[str, ...] = ()
    """``section.key=value``, for every model alike."""

    def config(self, variant: str, seed: int = 1) -> Config:
        """The configuration of a model."""
        path = self.configs / CONFIGS[variant]
        if not path.is_file():
            raise StarccgError(f"{path} does not exist: name the folder of the project's configurations with --configs")
        own = [f"learning.sentences={self.sentences}", f"learning.seed={seed}", f"development.per_epoch={PER_EPOCH}"]
        own += [f"learning.epochs={self.epochs}"] if self.epochs else []
        return load_config(path, (*own, *self.changes))


@dataclass(frozen=True)
class TrainingRuns:
    """The models of one budget in ``models/`` of a report folder; each is trained once for all experiments."""

    folder: ReportFolder
    budget: Budget
    resources: Resources = field(default_factory=Resources)

    def trainings(self, variant: str) -> list[GlobalTraining]:
        """The trainings of a variant, one for each seed."""
        found = []
        for seed in range(1, self.budget.seeds + 1):
            config = self.budget.config(variant, seed)
            key = fingerprint_of([settings_of(config), self.loaded.provenance])[:8]
            name = f"training {variant}" + (f", seed {seed}" if self.budget.seeds > 1 else "")
            target = self.folder.folder / "models" / f"{variant}-{seed}-{key}"
            found.append(GlobalTraining(name, config, self.budget.data, target))
        return found

    def train(self, variants: Sequence[str]) -> dict[str, list[Result]]:
        """Train models; returns the results of each variant."""
        trainings = {variant: self.trainings(variant) for variant in dict.fromkeys(variants)}
        return train_all(trainings, self.folder.steps, self.resources)

    def models(self, variant: str) -> list[tuple[GlobalModel, str]]:
        """The best model of each seed."""
        self.train([variant])
        return [(load_global_model(t.best), fingerprint_of(t.folder.name)) for t in self.trainings(variant)]

    def experiment(self, command: str) -> Experiment:
        """The tables of these models, on the dev sentences of the training."""
        limits = self.budget.config("all").development.limits
        return Experiment(self.folder, self.sentences, self.models, command, self.about(), limits)

    @cached_property
    def loaded(self) -> Loaded:
        """The data, read once."""
        return load_run(self.budget.config("all"), self.budget.data)

    @cached_property
    def sentences(self) -> EvaluationSet:
        """The dev sentences with the tags that the training reads."""
        key = json.dumps(self.loaded.provenance, sort_keys=True)
        shown = self.loaded.dev[: self.budget.config("all").development.sentences or None]
        return evaluation_set_of(self.loaded.table, shown, f"{key} {len(shown)}")

    def about(self) -> str:
        """The budget in words."""
        config = self.budget.config("all")
        limits = config.development.limits
        return (
            f"Training: {len(self.loaded.train):,} sentences, {config.learning.epochs} epochs, "
            f"{config.learning.batch} sentences per update (the paper: some 30,000 usable sentences of CCGbank, "
            "30 epochs, one sentence per update). Models were selected on the same "
            f"{len(self.sentences.words):,} dev sentences, with at most {limits.forest:,} nodes and "
            f"{limits.recursive_units:,} recursive units per sentence before the back-off (the paper: 500,000 and "
            f"200,000). {self.budget.seeds} training{'s' if self.budget.seeds > 1 else ''} of each model."
        )
