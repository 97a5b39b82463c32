"""The training of global models as steps of a pipeline, one after the other or several at the same time."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from starccg.devices import available_cores, training_device
from starccg.training.checkpoint import METRICS
from starccg.training.data import learnable
from starccg.training.globalmodel.config import Config
from starccg.training.globalmodel.run import files_of, load_run, run_training
from starccg.training.globalmodel.trainer import BEST
from starccg.training.pipeline.processes import run_in_processes
from starccg.training.pipeline.steps import Result, Step, Steps
from starccg.training.progress import Bar, Say, no_bar, report_progress


@dataclass(frozen=True)
class Resources:
    """What the work is done with. It changes how long the steps take, not their results."""

    device: str = "auto"
    jobs: int = 1
    """Processes: of the search for gold derivations, and of the training of several global models."""
    say: Say = lambda text: None
    bar: Bar = no_bar


@dataclass(frozen=True)
class GlobalTraining:
    """One training. The best model on dev is in ``folder/best``."""

    name: str
    config: Config
    data: Path
    """The folder that the paths of the configuration are relative to."""
    folder: Path

    @property
    def best(self) -> Path:
        """The folder of the best model."""
        return self.folder / BEST

    def step(self, steps: Steps, resources: Resources, threads: int = 0) -> Step:
        """The training as a step; its result has the best F1 and the learning curve."""

        def work() -> Result:
            learning = self.config.learning
            device = training_device(resources.device)
            config = replace(
                self.config, learning=replace(learning, device=device, threads=threads or learning.threads)
            )
            loaded = load_run(config, self.data)
            for source, usable in loaded.reports:
                steps.say(f"{source}: {usable}")
            watch = report_progress(steps.say, resources.bar, self.name)
            result = run_training(config, loaded, self.data, self.folder, watch)
            lines = [json.loads(line) for line in (self.folder / METRICS).read_text("utf-8").splitlines()]
            epoch = len(learnable(loaded.train, self.config.learning.longest))
            curve = [
                {"epoch": line["sentences"] / max(1, epoch), "f1": line["f1"], "explored": line["explored"]}
                for line in lines
                if line["event"] == "dev"
            ]
            return {"dev_f1": result.best_f1, "sentences": result.sentences, "curve": curve}

        inputs = [*(self.data / name for name in files_of(self.config)), *self._vectors()]
        settings = settings_of(self.config)
        return Step(self.name, work, inputs, settings, [self.best / "model.json"], self.folder, _describe)

    def _vectors(self) -> list[Path]:
        if not (self.config.data.vectors and self.config.model.has_embeddings):
            return []
        folder = self.data / self.config.data.vectors
        return [path for path in sorted(folder.iterdir()) if path.is_file()] if folder.is_dir() else [folder]


def _describe(result: Result) -> str:
    return f"dev F1 {result['dev_f1']:.2f} after {result['sentences']} sentences"


def settings_of(config: Config) -> dict[str, Any]:
    """What a trained model depends on besides its files: not the number of threads, nor the device."""
    value = asdict(config)
    value["learning"] = {k: v for k, v in value["learning"].items() if k not in ("threads", "device")}
    return value


def train_all(
    trainings: Mapping[str, Sequence[GlobalTraining]], steps: Steps, resources: Resources
) -> dict[str, list[Result]]:
    """Train models of several kinds, ``resources.jobs`` at a time; returns the result of each."""
    every = [training for own in trainings.values() for training in own]
    left = [training for training in every if not steps.is_done(training.step(steps, resources))]
    jobs = min(resources.jobs, len(left))
    if jobs > 1:
        threads = left[0].config.learning.threads or max(1, available_cores() // jobs)
        steps.say(f"training {', '.join(t.name for t in left)}: {jobs} at a time, {threads} threads each")
        work = {t.name: _InProcess(t, steps.folder, resources.device, threads) for t in left}
        run_in_processes(work, jobs)
    return {kind: [steps.run(training.step(steps, resources)) for training in own] for kind, own in trainings.items()}


@dataclass(frozen=True)
class _InProcess:
    """The training of one model in its own process; the caller reads the result from its record."""

    training: GlobalTraining
    folder: Path
    device: str
    threads: int

    def __call__(self) -> None:
        steps = Steps(self.folder, _say)
        steps.run(self.training.step(steps, Resources(self.device), self.threads))


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
