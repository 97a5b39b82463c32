"""The training loop, the same for both taggers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from starccg.folders import write_atomically
from starccg.tagger.batching import length_sorted_batches
from starccg.training.tagger.checkpoint import load_checkpoint, save_checkpoint, save_weights
from starccg.training.tagger.config import MAIN
from starccg.training.tagger.data import IGNORED, Example, Item, epoch_batches, items_of
from starccg.training.tagger.encoder import EncoderTagger
from starccg.training.tagger.setup import BEST, Model, Setup, Sources

CHECKPOINT = "checkpoint.safetensors"
METRICS = "metrics.jsonl"


@dataclass(frozen=True)
class Progress:
    """What the loop tells whoever watches: after each batch, and with ``metrics`` after each epoch."""

    epoch: int
    epochs: int
    batch: int
    batches: int
    loss: float
    metrics: dict[str, Any] | None = None


def train(
    setup: Setup,
    sources: Sources,
    dev: Sequence[tuple[str, Sequence[Example]]],
    folder: Path,
    device: torch.device,
    watch: Callable[[Progress], None] = lambda _: None,
    stop_after: int | None = None,
) -> dict[str, Any]:
    """Train until the schedule ends or dev accuracy stops growing; go on from the folder's checkpoint if it has one.

    Returns the metrics of the best epoch. ``stop_after`` ends after so many epochs of the schedule, as a kill would.
    Without dev sets the last epoch is the best one.
    """
    config, schedule = setup.config, setup.config.schedule
    if device.type == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = True
    setup.save(folder)
    model = setup.model.to(device)
    items = [(s, items_of(found, setup.inputs, setup.categories[s.dialect], s.dialect)) for s, found in sources]
    dev_items = [(name, found, items_of(found, setup.inputs, setup.categories[MAIN], MAIN)) for name, found in dev]
    optimiser = _optimiser(setup, device)
    rates = [float(group["lr"]) for group in optimiser.param_groups]
    average = {name: p.detach().clone() for name, p in model.named_parameters()} if schedule.average else {}
    total = schedule.epochs * len(epoch_batches(items, schedule.batch, config.seed, 0))
    state: dict[str, Any] = {"epoch": 0, "step": 0, "best": None, "metrics": []}
    if (folder / CHECKPOINT).is_file():
        state = load_checkpoint(folder / CHECKPOINT, model, average, optimiser)
        _write_metrics(folder, state["metrics"])  # epochs after the checkpoint come again
    while state["epoch"] < schedule.epochs and not _patience_is_over(state, schedule.patience):
        epoch = state["epoch"] + 1
        if stop_after is not None and epoch > stop_after:
            break
        started = time.perf_counter()
        torch.manual_seed(config.seed * 100_003 + epoch)
        batches = epoch_batches(items, schedule.batch, config.seed, epoch)
        losses = torch.zeros((), device=device)
        model.train()
        for number, batch in enumerate(batches, 1):
            share = _rate(state["step"] / max(1, total), schedule.warmup)
            for group, rate in zip(optimiser.param_groups, rates, strict=True):
                group["lr"] = rate * share
            loss = _loss(model, setup, batch, device)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(model.parameters(), schedule.clip)
            optimiser.step()
            state["step"] += 1
            _update(average, model, schedule.average, state["step"])
            losses += loss.detach()
            if number % 20 == 0:
                watch(Progress(epoch, schedule.epochs, number, len(batches), float(losses) / number))
        seconds = time.perf_counter() - started
        with _averaged(model, average):
            metrics: dict[str, Any] = {"epoch": epoch, "loss": round(float(losses) / len(batches), 6)}
            for name, found, pieces in dev_items:
                metrics[name] = round(accuracy(model, setup, found, pieces, device), 6)
            metrics["dev"] = round(float(np.mean([metrics[name] for name, _, _ in dev_items])), 6) if dev_items else 0.0
            metrics["seconds"] = round(seconds, 2)
            last = epoch == schedule.epochs
            if last if not dev_items else state["best"] is None or metrics["dev"] > state["best"]["dev"]:
                state["best"] = metrics
                save_weights(folder / BEST, model)
        state["epoch"] = epoch
        state["metrics"].append(metrics)
        _write_metrics(folder, state["metrics"])
        if epoch % schedule.checkpoint_every == 0 or epoch == schedule.epochs:
            save_checkpoint(folder / CHECKPOINT, model, average, optimiser, state)
        watch(Progress(epoch, schedule.epochs, len(batches), len(batches), metrics["loss"], metrics))
    best: dict[str, Any] = state["best"] or {}
    return best


def _optimiser(setup: Setup, device: torch.device) -> torch.optim.Optimizer:
    schedule, model = setup.config.schedule, setup.model
    if isinstance(model, EncoderTagger):
        groups = list(model.groups(schedule.learning_rate, setup.config.encoder, schedule.weight_decay))
    else:
        groups = [{"params": list(model.parameters()), "weight_decay": schedule.weight_decay}]
    return torch.optim.AdamW(groups, lr=schedule.learning_rate, fused=device.type == "cuda")


def _rate(done: float, warmup: float) -> float:
    """Share of the learning rate: up to the full rate, then down to nothing."""
    if done < warmup:
        return max(done, 1e-3) / warmup
    return max(0.0, (1.0 - done) / (1.0 - warmup))


def _patience_is_over(state: dict[str, Any], patience: int) -> bool:
    return state["best"] is not None and state["epoch"] - state["best"]["epoch"] >= patience


def _loss(model: Model, setup: Setup, batch: Sequence[Item], device: torch.device) -> Tensor:
    feeds = _tensors(setup, batch, device)
    targets = torch.from_numpy(np.concatenate([item.targets for item in batch])).to(device)
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda" and setup.config.kind == "encoder"):
        logits = model(**feeds, dialect=batch[0].dialect)
    smoothing = setup.config.schedule.label_smoothing
    loss = functional.cross_entropy(
        logits.float(), targets, ignore_index=IGNORED, label_smoothing=smoothing, reduction="sum"
    )
    return loss / max(1, len(targets))


def _tensors(setup: Setup, batch: Sequence[Item], device: torch.device) -> dict[str, Tensor]:
    feeds = setup.inputs.collate([item.piece for item in batch])
    return {name: torch.from_numpy(array).to(device, torch.long) for name, array in feeds.items()}


@torch.no_grad()
def predict(model: Model, setup: Setup, items: Sequence[Item], device: torch.device) -> Iterator[tuple[int, Tensor]]:
    """Position of each item and its log-probabilities (words, categories), on the device."""
    model.eval()
    for positions in length_sorted_batches([len(item.piece.cells) for item in items], 8192):
        batch = [items[position] for position in positions]
        logits = model(**_tensors(setup, batch, device))
        rows = torch.split(functional.log_softmax(logits.float(), dim=-1), [len(item.targets) for item in batch])
        yield from zip(positions, rows, strict=True)


def accuracy(
    model: Model, setup: Setup, examples: Sequence[Example], items: Sequence[Item], device: torch.device
) -> float:
    """Share of words with the right tag; a tag that is not learned counts as missed."""
    right = torch.zeros((), dtype=torch.long, device=device)
    for position, rows in predict(model, setup, items, device):
        right += (rows.argmax(-1) == torch.from_numpy(items[position].targets).to(device)).sum()
    return int(right) / max(1, sum(len(example.words) for example in examples))


def _update(average: dict[str, Tensor], model: Model, decay: float, step: int) -> None:
    if average:
        held = min(decay, (1 + step) / (10 + step))
        names, parameters = zip(*model.named_parameters(), strict=True)
        with torch.no_grad():
            torch._foreach_lerp_([average[name] for name in names], list(parameters), 1.0 - held)


@contextmanager
def _averaged(model: Model, average: dict[str, Tensor]) -> Iterator[None]:
    """The model with its averaged weights in place."""
    with torch.no_grad():
        own = {name: p.detach().clone() for name, p in model.named_parameters()} if average else {}
        for name, parameter in model.named_parameters():
            if average:
                parameter.copy_(average[name])
        try:
            yield
        finally:
            for name, parameter in model.named_parameters():
                if average:
                    parameter.copy_(own[name])


def _write_metrics(folder: Path, metrics: Sequence[dict[str, Any]]) -> None:
    write_atomically(folder / METRICS, "".join(json.dumps(line) + "\n" for line in metrics).encode())
