"""The training loop, the same for both taggers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from starccg.files import fingerprint_of
from starccg.tagger.batching import length_sorted_batches
from starccg.training.checkpoint import Metrics, load_checkpoint, save_checkpoint, save_tensors
from starccg.training.data import Example
from starccg.training.distributed import Workers
from starccg.training.progress import Progress, Watch, ignore
from starccg.training.tagger.data import Item, Sources, epoch_batches, items_of
from starccg.training.tagger.loss import feeds_of, learner_of, shares
from starccg.training.tagger.setup import BEST, Model, Setup
from starccg.training.tagger.states import StatesTagger

ALONE = Workers()


def train(
    setup: Setup,
    sources: Sources,
    dev: Sequence[tuple[str, Sequence[Example]]],
    folder: Path,
    device: torch.device,
    watch: Watch = ignore,
    stop_after: int | None = None,
    workers: Workers = ALONE,
) -> dict[str, Any]:
    """Train until the schedule ends or dev accuracy stops growing; resume from the folder's checkpoint if it has one.

    Returns the metrics of the best epoch. ``stop_after`` stops after this epoch of the schedule, as a crash would.
    Without dev sets the last epoch is the best one. Of several ``workers`` each computes its share of the batches of
    a step, as if ``accumulate`` were multiplied by their number; the first one evaluates and writes.
    """
    config, schedule = setup.config, setup.config.schedule
    if device.type == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = True
    if workers.first:
        setup.save(folder)
    model = setup.model.to(device)
    most = config.distil.most
    items = [(corpus.source.weight, corpus.items(setup.inputs, setup.categories, most)) for corpus in sources]
    dev_items = [(name, found, items_of(found, setup.inputs, setup.categories)) for name, found in dev]
    optimiser = _optimiser(setup, device)
    rates = [float(group["lr"]) for group in optimiser.param_groups]
    average = {name: p.detach().clone() for name, p in model.named_parameters()} if schedule.average else {}
    together = schedule.accumulate * workers.size
    total = schedule.epochs * -(
        -len(epoch_batches(items, schedule.batch, config.seed, 0, schedule.sentences)) // together
    )
    state: dict[str, Any] = {"epoch": 0, "step": 0, "best": None, "metrics_bytes": 0}
    run = _fingerprint(setup, sources)
    if (resumed := load_checkpoint(folder, run)) is not None:
        state, tensors = resumed
        restore_state(tensors, model, average, optimiser)
    workers.wait()  # all have read the checkpoint before the first one replaces it
    lines = Metrics(folder, state["metrics_bytes"]) if workers.first else None
    learner = learner_of(model, setup, device, workers)
    while state["epoch"] < schedule.epochs and not _patience_is_over(state, schedule.patience):
        epoch = state["epoch"] + 1
        if stop_after is not None and epoch > stop_after:
            break
        started = time.perf_counter()
        torch.manual_seed(config.seed * 100_003 + epoch + 7_919 * workers.rank)
        batches = epoch_batches(items, schedule.batch, config.seed, epoch, schedule.sentences)
        losses = torch.zeros((), device=device)
        model.train()
        for first in range(0, len(batches), together):
            losses += learner.learn(shares(batches[first : first + together], schedule.accumulate, workers))
            share = 1.0 if schedule.optimiser == "sgd" else _rate(state["step"] / max(1, total), schedule.warmup)
            for group, rate in zip(optimiser.param_groups, rates, strict=True):
                group["lr"] = rate * share
            torch.nn.utils.clip_grad_norm_(model.parameters(), schedule.clip)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            state["step"] += 1
            _update(average, model, schedule.average, state["step"])
            done = min(first + together, len(batches))
            if done // 20 > first // 20:
                watch(Progress(epoch, schedule.epochs, done, len(batches), float(losses) * workers.size / done))
        seconds = time.perf_counter() - started
        metrics: dict[str, Any] = {"epoch": epoch, "loss": round(workers.total(losses) / len(batches), 6)}
        if workers.first:
            with _averaged(model, average):
                for name, found, pieces in dev_items:
                    metrics[name] = round(accuracy(model, setup, found, pieces, device), 6)
                mean = float(np.mean([metrics[name] for name, _, _ in dev_items])) if dev_items else 0.0
                metrics["dev"] = round(mean, 6)
                metrics["seconds"] = round(seconds, 2)
                if _is_best(state["best"], metrics, last=epoch == schedule.epochs, chosen_on_dev=bool(dev_items)):
                    state["best"] = metrics
                    save_weights(folder / BEST, model)
            state["epoch"] = epoch
            if lines is not None:
                state["metrics_bytes"] = lines.write(metrics)
            if epoch % schedule.checkpoint_every == 0 or epoch == schedule.epochs:
                save_checkpoint(folder, run, state, state_tensors(model, average, optimiser))
            found_on = "".join(f"{name} {100 * metrics[name]:.2f}  " for name, _, _ in dev_items)
            line = f"{found_on}({seconds:.1f} s)"
            watch(Progress(epoch, schedule.epochs, len(batches), len(batches), metrics["loss"], line))
        state = workers.shared(state)
    best: dict[str, Any] = state["best"] or {}
    return best


def _is_best(best: dict[str, Any] | None, metrics: dict[str, Any], *, last: bool, chosen_on_dev: bool) -> bool:
    """Whether an epoch's weights are kept."""
    if not chosen_on_dev:
        return last
    return best is None or bool(metrics["dev"] > best["dev"])


def _optimiser(setup: Setup, device: torch.device) -> torch.optim.Optimizer:
    schedule, model = setup.config.schedule, setup.model
    if schedule.optimiser == "sgd":
        return torch.optim.SGD(model.parameters(), schedule.learning_rate, schedule.momentum)
    if isinstance(model, StatesTagger):
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


@torch.no_grad()
def predict(model: Model, setup: Setup, items: Sequence[Item], device: torch.device) -> Iterator[tuple[int, Tensor]]:
    """Position of each item and its log-probabilities (words, categories), on the device."""
    model.eval()
    for positions in length_sorted_batches([len(item.piece.cells) for item in items], 8192):
        batch = [items[position] for position in positions]
        logits = model(**feeds_of(setup, batch, device))
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


def save_weights(path: Path, model: nn.Module) -> None:
    """Weights in half precision: half the size, and the rounding is far below that of the 8 bits they end in."""
    save_tensors(path, {name: tensor.to(torch.float16) for name, tensor in model.state_dict().items()})


def state_tensors(
    model: nn.Module, average: Mapping[str, Tensor], optimiser: torch.optim.Optimizer
) -> dict[str, Tensor]:
    """All tensors that the next epoch needs."""
    tensors = {f"model.{name}": tensor for name, tensor in model.state_dict().items()}
    tensors |= {f"average.{name}": tensor for name, tensor in average.items()}
    for name, parameter in model.named_parameters():
        for key, value in optimiser.state.get(parameter, {}).items():
            if value is not None:  # the momentum of plain SGD
                tensors[f"optimiser.{key}.{name}"] = torch.as_tensor(value)
    return tensors


def restore_state(
    tensors: Mapping[str, Tensor], model: nn.Module, average: dict[str, Tensor], optimiser: torch.optim.Optimizer
) -> None:
    """Put the tensors that :func:`state_tensors` gave back in place."""
    model.load_state_dict({name.removeprefix("model."): t for name, t in tensors.items() if name.startswith("model.")})
    for name, held in average.items():
        held.copy_(tensors[f"average.{name}"])
    fused = optimiser.defaults.get("fused")
    for name, parameter in model.named_parameters():
        found: dict[str, Tensor] = {}
        for key in ("step", "exp_avg", "exp_avg_sq", "momentum_buffer"):
            tensor = tensors.get(f"optimiser.{key}.{name}")
            if tensor is not None:
                found[key] = tensor if key == "step" and not fused else tensor.to(parameter.device)
        if found:
            optimiser.state[parameter] = found


def _fingerprint(setup: Setup, sources: Sources) -> str:
    """What must be the same to resume from a checkpoint: all but when the training ends and how often it saves."""
    value = asdict(setup.config)
    ends = ("epochs", "patience", "checkpoint_every")
    value["schedule"] = {key: entry for key, entry in value["schedule"].items() if key not in ends}
    value["data"] = [(example.id, len(example.words)) for corpus in sources for example in corpus.examples]
    value["taught"] = [corpus.soft is not None for corpus in sources]
    return fingerprint_of([value, setup.categories, setup.provenance])
