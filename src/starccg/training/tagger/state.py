"""The tensors of a tagger's training: the model, the average of its weights, the optimiser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from starccg.training.checkpoint import save_tensors


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
