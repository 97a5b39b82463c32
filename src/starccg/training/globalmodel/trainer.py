"""The training run: epochs, looks at the development set, checkpoints, metrics. Nothing here knows about CCG."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from starccg.ccg.table import RuleTable
from starccg.errors import StarccgError
from starccg.globalmodel import Vectors, save_global_model
from starccg.globalmodel.parameters import initial
from starccg.globalmodel.vocabulary import build_vocabulary, embed
from starccg.training.data import Example
from starccg.training.globalmodel.checkpoint import (
    Metrics,
    State,
    Totals,
    load_checkpoint,
    order_of_epoch,
    save_checkpoint,
)
from starccg.training.globalmodel.config import Config
from starccg.training.globalmodel.development import DevelopmentSet, Look
from starccg.training.globalmodel.learner import Learner, Update
from starccg.training.globalmodel.selection import select

BEST = "best"
"""The folder, in that of the run, of the model with the best F1 on dev."""
LINE_EVERY = 1000
"""Sentences to a line of metrics."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run is, for a bar on a terminal."""

    epoch: int
    epochs: int
    position: int
    sentences: int
    line: dict[str, Any] | None = None
    """A line of metrics that was just written."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a run ended."""

    best_f1: float
    best_sentences: int
    """Sentences seen when the best model was found."""
    sentences: int
    folder: Path


Watch = Callable[[Progress], None]


class Trainer:
    """One run in one folder; a run that was stopped goes on where its last checkpoint was."""

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
        watch: Watch = lambda progress: None,
    ) -> None:
        learning = config.learning
        self.config, self.folder, self.watch, self.provenance = config, folder, watch, provenance or {}
        self.threads = learning.threads or os.cpu_count() or 1
        torch.set_num_threads(1)  # threads take a shard of sentences each, see shards.py
        self.train = select(train, config)
        if not self.train:
            raise StarccgError("no sentence to learn from: none is in the grammar and short enough")
        vocabulary, trained = build_vocabulary(
            (example.words for example in self.train), vectors, least=learning.least_count, most=learning.vocabulary
        )
        arrays = initial(config.model, len(vocabulary), len(table.categories) + 1, learning.seed)
        if vectors is not None and "words" in arrays:
            arrays["words"] = embed(vocabulary, vectors, arrays["words"])
        self.learner = Learner(config, table, vocabulary, trained, arrays, self.threads)
        shown = dev[: config.development.sentences] if config.development.sentences else dev
        self.dev = DevelopmentSet(shown, table, self.threads)

        folder.mkdir(parents=True, exist_ok=True)
        self.state = State(run=_fingerprint(config, self.train, shown, table))
        resumed = load_checkpoint(folder, self.state.run)
        if resumed is not None:
            self.state, tensors = resumed
            self.learner.adam.load(tensors, self.state.steps)
        self.metrics = Metrics(folder, self.state.metrics_bytes)
        self.timings = {"encode_seconds": 0.0, "search_seconds": 0.0, "replay_seconds": 0.0}
        self.saved_at = time.monotonic()

    def run(self) -> Result:
        """Train to the end."""
        state, learning = self.state, self.config.learning
        if state.steps == 0 and state.metrics_bytes == 0:
            self._look(baseline=True)
            self._checkpoint()
        while state.epoch < learning.epochs and not state.finished:
            order = order_of_epoch(len(self.train), learning.seed, state.epoch)
            while state.position < len(order) and not state.finished:
                numbers = order[state.position : state.position + learning.batch]
                before = state.sentences
                self._count(self._update([self.train[number] for number in numbers]))
                state.position += len(numbers)
                state.sentences += len(numbers)
                line = self._line() if _crossed(before, state.sentences, LINE_EVERY) else None
                self.watch(Progress(state.epoch + 1, learning.epochs, state.position, len(order), line))
                if _crossed(before, state.sentences, self.config.development.every):
                    self._look()
                    self._checkpoint()
                elif time.monotonic() - self.saved_at > self.config.development.checkpoint_seconds:
                    self._checkpoint()
            if not state.finished:
                state.epoch, state.position = state.epoch + 1, 0
        if not state.finished:
            self._line()
            if state.looked_at != state.sentences:
                self._look()
            state.finished = True
            self._checkpoint()
        return Result(state.best_f1, state.best_sentences, state.sentences, self.folder / BEST)

    def _update(self, batch: Sequence[Example]) -> Update:
        """Learn, with what belongs to this part of the run: see ``cooldown`` and ``gold_share``."""
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

    def _line(self) -> dict[str, Any] | None:
        """Write what the last sentences showed. Times are of this machine; all else is the same in every run."""
        state, totals = self.state, self.state.totals
        if not totals.sentences:
            return None
        spent = sum(self.timings.values())
        line = {
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
        self.timings = dict.fromkeys(self.timings, 0.0)
        return line

    def _look(self, *, baseline: bool = False) -> None:
        """Measure on dev; keep the model if it is the best so far, stop if it has not been for long."""
        state, development = self.state, self.config.development
        model = None if baseline else self.learner.model()
        look = self.dev.look(model, development.limits)
        if model is not None:
            state.looked_at = state.sentences
            better = look.f1 > state.best_f1
            state.looks_without_gain = 0 if better else state.looks_without_gain + 1
            if better:
                state.best_f1, state.best_sentences = look.f1, state.sentences
                save_global_model(model, self.folder / BEST, self._provenance(look))
            state.finished = 0 < development.patience <= state.looks_without_gain
        measured = look.to_json()
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
        counted = Progress(state.epoch + 1, self.config.learning.epochs, state.position, len(self.train), line)
        self.watch(counted)

    def _provenance(self, look: Look) -> dict[str, Any]:
        measured = {key: value for key, value in look.to_json().items() if key != "seconds"}
        return {
            **self.provenance,
            "config": self.config.to_json(),
            "sentences_seen": self.state.sentences,
            "dev": measured,
        }

    def _checkpoint(self) -> None:
        self.state.steps = self.learner.adam.steps
        save_checkpoint(self.folder, self.state, self.learner.adam.state())
        self.saved_at = time.monotonic()


def _crossed(before: int, after: int, every: int) -> bool:
    return every > 0 and before // every != after // every


def _fingerprint(config: Config, train: Sequence[Example], dev: Sequence[Example], table: RuleTable) -> str:
    """What must be the same for a checkpoint to go on: all but where files lie, how fast it goes and when it ends."""
    value = config.to_json()
    value["data"] = [(example.id, len(example.words)) for examples in (train, dev) for example in examples]
    value["learning"] = {k: v for k, v in value["learning"].items() if k not in ("threads", "device", "epochs")}
    for key, usual in {"ties": False, "gold_weight": 0.0, "gold_share": 1.0}.items():
        if value["learning"][key] == usual:  # as before there was a choice
            del value["learning"][key]
    if config.learning.cooldown or config.learning.gold_share < 1:
        value["learning"]["epochs"] = config.learning.epochs
    value["development"] = {k: v for k, v in value["development"].items() if k != "checkpoint_seconds"}
    value["categories"] = list(map(str, table.categories))
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
