"""Training states in one safetensors file, replaced in one step: a kill loses at most the epoch it falls in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor, nn

from starccg.errors import StarccgError
from starccg.folders import write_atomically


def save_weights(path: Path, model: nn.Module) -> None:
    """Weights in half precision: half the size, and the rounding is far below that of the 8 bits they end in."""
    state = {name: tensor.detach().to("cpu", torch.float16) for name, tensor in model.state_dict().items()}
    write_atomically(path, save({name: tensor.contiguous() for name, tensor in state.items()}))


def save_checkpoint(
    path: Path, model: nn.Module, average: dict[str, Tensor], optimiser: torch.optim.Optimizer, progress: dict[str, Any]
) -> None:
    """All that the next epoch needs; random numbers are drawn anew each epoch, so they need no state."""
    tensors = {f"model.{name}": tensor for name, tensor in model.state_dict().items()}
    tensors |= {f"average.{name}": tensor for name, tensor in average.items()}
    for name, parameter in model.named_parameters():
        for key, value in optimiser.state.get(parameter, {}).items():
            tensors[f"optimiser.{key}.{name}"] = torch.as_tensor(value)
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_atomically(path, save(plain, {"progress": json.dumps(progress)}))


def load_checkpoint(
    path: Path, model: nn.Module, average: dict[str, Tensor], optimiser: torch.optim.Optimizer
) -> dict[str, Any]:
    """Bring everything back in place and return the progress that was saved with it."""
    with safe_open(path, framework="pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
        progress: dict[str, Any] = json.loads((file.metadata() or {}).get("progress", "{}"))
    state = {name.removeprefix("model."): t for name, t in tensors.items() if name.startswith("model.")}
    try:
        model.load_state_dict(state)
    except RuntimeError as error:
        raise StarccgError(f"{path} is of another configuration: choose a new --out folder ({error})") from None
    for name, held in average.items():
        held.copy_(tensors[f"average.{name}"])
    for name, parameter in model.named_parameters():
        found: dict[str, Tensor] = {}
        for key in ("step", "exp_avg", "exp_avg_sq"):
            tensor = tensors.get(f"optimiser.{key}.{name}")
            if tensor is not None:
                fused = optimiser.defaults.get("fused")
                found[key] = tensor if key == "step" and not fused else tensor.to(parameter.device)
        if found:
            optimiser.state[parameter] = found
    return progress
