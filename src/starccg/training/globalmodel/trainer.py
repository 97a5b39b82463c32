"""The training loop: epochs, dev evaluations, checkpoints, metrics. Nothing here knows about CCG."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from starccg.ccg.table import RuleTable
from starccg.errors import StarccgError
from starccg.evaluation import CcgbankExclusions
from starccg.files import fingerprint_of
from starccg.globalmodel import Vectors
from starccg.globalmodel.parameters import initial
from starccg.globalmodel.vocabulary import build_vocabulary, embed
from starccg.model_folder.global_model import save_global_model
from starccg.training.checkpoint import Metrics, load_checkpoint, save_checkpoint
from starccg.training.data import Example, learnable
from starccg.training.globalmodel.config import Config
from starccg.training.globalmodel.dev_evaluation import DevelopmentSet, DevEvaluation
from starccg.training.globalmodel.learner import Learner, Update
from starccg.training.progress import Progress, Watch, ignore

BEST = "best"
"""The folder of the model with the best F1 on dev, inside the folder of the training."""
LINE_EVERY = 1000
"""Sentences between two lines of metrics."""


@dataclass(slots=True)
class Totals:
    """Sums since the last line of metrics."""

    sentences: int = 0
    loss: float = 0.0
    gold_score: float = 0.0
    violations: int = 0
    gold_found: int = 0
    explored: int = 0
    recursive_units: int = 0
    nodes: int = 0
    norm: float = 0.0
    steps: int = 0
    stopped: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class State:
    """The progress of a training."""

    steps: int = 0
    epoch: int = 0
    position: int = 0
    """Sentences of this epoch that are done."""
    sentences: int = 0
    best_f1: float = -1.0
    best_sentences: int = 0
    evaluated_at: int = -1
    """Sentences seen at the last dev evaluation."""
    evaluations_without_gain: int = 0
    finished: bool = False
    metrics_bytes: int = 0
    totals: Totals = field(default_factory=Totals)


@dataclass(frozen=True, slots=True)
class Result:
    """How a training ended."""

    best_f1: float
    best_sentences: int
    """Sentences seen when the best model was found."""
    sentences: int
    folder: Path


class Trainer:
    """One training in one folder; it resumes from its last checkpoint."""

    def __init__(
        self,
        config: Config,
        table: RuleTable,
        train: Sequence[Example],
        dev: Sequence[Example],
        folder: Path,
        *,
        vectors: Vectors | None = None,
        provenance: dict[str, Any] | None = None,
        exclusions: CcgbankExclusions | None = None,
        watch: Watch = ignore,
    ) -> None:
        learning = config.learning
        self.config, self.folder, self.watch, self.provenance = config, folder, watch, provenance or {}
        self.threads = learning.threads or os.cpu_count() or 1
        torch.set_num_threads(1)  # threads take a shard of sentences each, see shards.py
        self.train = learnable(train, learning.longest)
        if not self.train:
            raise StarccgError("no sentence to learn from: none is in the grammar and short enough (learning.longest)")
        vocabulary, trained = build_vocabulary(
            (example.words for example in self.train), vectors, least=learning.least_count, most=learning.vocabulary
        )
        arrays = initial(config.model, len(vocabulary), len(table.categories) + 1, learning.seed)
        if vectors is not None and "words" in arrays:
            arrays["words"] = embed(vocabulary, vectors, arrays["words"])
        self.learner = Learner(config, table, vocabulary, trained, arrays, self.threads)
        per_epoch = config.development.per_epoch
        self.every = max(learning.batch, -(-len(self.train) // per_epoch)) if per_epoch else config.development.every
        shown = dev[: config.development.sentences] if config.development.sentences else dev
        self.dev = DevelopmentSet(shown, table, self.threads, exclusions)

        folder.mkdir(parents=True, exist_ok=True)
        self.run_key = _fingerprint(config, self.train, shown, table)
        self.state = State()
        if (resumed := load_checkpoint(folder, self.run_key)) is not None:
            state, tensors = resumed
            self.state = State(**{**state, "totals": Totals(**state["totals"])})
            self.learner.adam.load(tensors, self.state.steps)
        self.metrics = Metrics(folder, self.state.metrics_bytes)
        self.timings = {"encode_seconds": 0.0, "search_seconds": 0.0, "replay_seconds": 0.0}
        self.saved_at = time.monotonic()
        self.loss = 0.0

    def run(self) -> Result:
        """Train to the end."""
        state, learning = self.state, self.config.learning
        if state.steps == 0 and state.metrics_bytes == 0:
            self._evaluate(baseline=True)
            self._checkpoint()
        while state.epoch < learning.epochs and not state.finished:
            order = order_of_epoch(len(self.train), learning.seed, state.epoch)
            while state.position < len(order) and not state.finished:
                numbers = order[state.position : state.position + learning.batch]
                before = state.sentences
                self._count(self._update([self.train[number] for number in numbers]))
                state.position += len(numbers)
                state.sentences += len(numbers)
                self._report(self._line() if _crossed(before, state.sentences, LINE_EVERY) else "")
                if _crossed(before, state.sentences, self.every):
                    self._evaluate()
                    self._checkpoint()
                elif time.monotonic() - self.saved_at > self.config.development.checkpoint_seconds:
                    self._checkpoint()
            if not state.finished:
                state.epoch, state.position = state.epoch + 1, 0
        if not state.finished:
            self._line()
            if state.evaluated_at != state.sentences:
                self._evaluate()
            state.finished = True
            self._checkpoint()
        return Result(state.best_f1, state.best_sentences, state.sentences, self.folder / BEST)

    def _update(self, batch: Sequence[Example]) -> Update:
        """Learn from a batch, with the settings of this part of the training: see ``cooldown`` and ``gold_share``."""
        learning, total = self.config.learning, self.config.learning.epochs * len(self.train)
        left = (total - self.state.sentences) / total
        share = min(1.0, left / learning.cooldown) if learning.cooldown else 1.0
        return self.learner.update(batch, share, gold_counts=left <= learning.gold_share)

    def _count(self, update: Update) -> None:
        totals = self.state.totals
        totals.steps += 1
        totals.loss += update.loss
        totals.gold_score += update.gold_score
        totals.nodes += update.nodes
        totals.norm += update.norm
        for trace in update.traces:
            totals.sentences += 1
            totals.violations += len(trace.violations)
            totals.gold_found += trace.gold_found
            totals.explored += trace.explored
            totals.recursive_units += trace.recursive_units
            totals.stopped[trace.stopped] = totals.stopped.get(trace.stopped, 0) + 1
        for name, seconds in zip(self.timings, update.seconds, strict=True):
            self.timings[name] += seconds

    def _report(self, line: str = "") -> None:
        state, epochs = self.state, self.config.learning.epochs
        self.loss = state.totals.loss / state.totals.sentences if state.totals.sentences else self.loss
        self.watch(
            Progress(
                min(state.epoch + 1, epochs), epochs, state.position, len(self.train), self.loss, line,
                units="sentences",
            )
        )  # fmt: skip

    def _line(self) -> str:
        """Write the metrics of the last sentences. Only the times differ from machine to machine."""
        state, totals = self.state, self.state.totals
        if not totals.sentences:
            return ""
        spent = sum(self.timings.values())
        line: dict[str, Any] = {
            "event": "train",
            "epoch": state.epoch + 1,
            "sentences": state.sentences,
            "loss": totals.loss / totals.sentences,
            **({"gold_score": totals.gold_score / totals.sentences} if self.config.learning.gold_weight else {}),
            "violations": totals.violations / totals.sentences,
            "gold_found": totals.gold_found / totals.sentences,
            "explored": totals.explored / totals.sentences,
            "recursive_units": totals.recursive_units / totals.sentences,
            "replayed": totals.nodes / totals.sentences,
            "norm": totals.norm / totals.steps,
            "stopped": dict(sorted(totals.stopped.items())),
            "times": {"sentences_per_second": totals.sentences / spent if spent else 0.0, **self.timings},
        }
        state.metrics_bytes = self.metrics.write(line)
        state.totals = Totals()
        parts = "/".join(f"{100 * seconds / (spent or 1.0):.0f}" for seconds in self.timings.values())
        self.timings = dict.fromkeys(self.timings, 0.0)
        return (
            f"violations {line['violations']:.1f}  gold found {100 * line['gold_found']:.1f}%  "
            f"explored {line['explored']:.0f}  (encode/search/replay {parts}% of the time)"
        )

    def _evaluate(self, *, baseline: bool = False) -> None:
        """Evaluate on dev; keep the model if it is the best so far, stop if the patience is used up."""
        state, development = self.state, self.config.development
        model = None if baseline else self.learner.model()
        found = self.dev.evaluate(model, development.limits)
        if model is not None:
            state.evaluated_at = state.sentences
            better = found.f1 > state.best_f1
            state.evaluations_without_gain = 0 if better else state.evaluations_without_gain + 1
            if better:
                state.best_f1, state.best_sentences = found.f1, state.sentences
                save_global_model(model, self.folder / BEST, self._provenance(found))
            state.finished = 0 < development.patience <= state.evaluations_without_gain
        measured = asdict(found)
        seconds = measured.pop("seconds")
        line = {
            "event": "baseline" if baseline else "dev",
            "epoch": state.epoch + 1,
            "sentences": state.sentences,
            **measured,
            "best_f1": state.best_f1,
            "times": {"seconds": seconds},
        }
        state.metrics_bytes = self.metrics.write(line)
        name = "tags alone" if baseline else f"{state.sentences} sentences"
        self._report(
            f"{name}: dev F1 {found.f1:.2f}  optimal {100 * found.optimal:.1f}%  explored {found.explored:.1f}  "
            f"({seconds:.1f} s)"
        )

    def _provenance(self, found: DevEvaluation) -> dict[str, Any]:
        measured = {key: value for key, value in asdict(found).items() if key != "seconds"}
        return {
            **self.provenance,
            "config": asdict(self.config),
            "sentences_seen": self.state.sentences,
            "dev": measured,
        }

    def _checkpoint(self) -> None:
        self.state.steps = self.learner.adam.steps
        save_checkpoint(self.folder, self.run_key, asdict(self.state), self.learner.adam.state())
        self.saved_at = time.monotonic()


def order_of_epoch(count: int, seed: int, epoch: int) -> list[int]:
    """The order in which an epoch goes through its sentences."""
    order: list[int] = np.random.default_rng([seed, epoch, 3]).permutation(count).tolist()
    return order


def _crossed(before: int, after: int, every: int) -> bool:
    return every > 0 and before // every != after // every


def _fingerprint(config: Config, train: Sequence[Example], dev: Sequence[Example], table: RuleTable) -> str:
    """What must be the same to resume from a checkpoint: all but where it is computed, and when it ends."""
    value = asdict(config)
    value["data"] = [(example.id, len(example.words)) for examples in (train, dev) for example in examples]
    value["learning"] = {k: v for k, v in value["learning"].items() if k not in ("threads", "device", "epochs")}
    if config.learning.cooldown or config.learning.gold_share < 1:
        value["learning"]["epochs"] = config.learning.epochs
    value["development"] = {k: v for k, v in value["development"].items() if k != "checkpoint_seconds"}
    value["categories"] = list(map(str, table.categories))
    return fingerprint_of(value)
