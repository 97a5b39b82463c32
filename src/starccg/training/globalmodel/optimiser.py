"""Adam with a clipped global norm: dense parameters as one vector, word embeddings by the rows a batch has seen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from starccg.globalmodel.parameters import Arrays


@dataclass(frozen=True, slots=True)
class AdamOptions:
    """The values of the authors' code."""

    learning_rate: float = 1e-3
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8
    clip: float = 5.0
    """Gradients of a larger norm, all parameters together, are scaled down to it."""
    decay: float = 1e-6
    """What each update takes off the parameters it touches."""


class Dense:
    """Parameters that every batch touches: views into one vector, so that an update is a handful of operations."""

    def __init__(self, arrays: Arrays, device: torch.device) -> None:
        size = sum(array.size for array in arrays.values())
        self.values = torch.zeros(size, device=device)
        self.gradient, self.mean, self.square = (torch.zeros_like(self.values) for _ in range(3))
        self.parameters: dict[str, Tensor] = {}
        first = 0
        for name, array in arrays.items():
            part = self.values[first : first + array.size].view(array.shape)
            part.copy_(torch.from_numpy(array))
            parameter = part.detach().requires_grad_()
            parameter.grad = self.gradient[first : first + array.size].view(array.shape)
            self.parameters[name] = parameter
            first += array.size


class Rows:
    """The embeddings of words: only rows that occur in a batch get a gradient, a moment and an update."""

    def __init__(self, rows: Tensor, trained: int) -> None:
        self.values = rows
        self.trained = trained
        self.mean = torch.zeros_like(rows[:trained])
        self.square = torch.zeros_like(rows[:trained])


class Adam:
    """One step at a time; its whole state is tensors and a count."""

    def __init__(self, options: AdamOptions, dense: Dense, rows: Rows | None) -> None:
        self.options, self.dense, self.rows = options, dense, rows
        self.steps = 0

    @torch.no_grad()
    def update(self, touched: Tensor | None = None, row_gradient: Tensor | None = None, share: float = 1.0) -> float:
        """Apply the gradients gathered in ``dense.gradient`` and those of the ``touched`` rows; returns their norm.

        ``share``: how much of the learning rate, at the end of a run that cools down.
        """
        square = float(self.dense.gradient.dot(self.dense.gradient))
        if row_gradient is not None:
            square += float(row_gradient.square().sum())
        norm = math.sqrt(square)
        if not math.isfinite(norm):
            raise FloatingPointError("the gradient is not a number: lower the learning rate or the clip")
        scale = self.options.clip / norm if norm > self.options.clip else 1.0
        self.steps += 1
        self._apply(self.dense.values, self.dense.gradient.mul_(scale), self.dense.mean, self.dense.square, share)
        self.dense.gradient.zero_()
        if self.rows is not None and touched is not None and row_gradient is not None:
            rows = self.rows
            parts = rows.values[touched], rows.mean[touched], rows.square[touched]
            self._apply(parts[0], row_gradient * scale, parts[1], parts[2], share)
            rows.values[touched], rows.mean[touched], rows.square[touched] = parts
        return norm

    def _apply(self, values: Tensor, gradient: Tensor, mean: Tensor, square: Tensor, share: float) -> None:
        o = self.options
        mean.lerp_(gradient, 1 - o.beta1)
        square.mul_(o.beta2).addcmul_(gradient, gradient, value=1 - o.beta2)
        rate = share * o.learning_rate / (1 - o.beta1**self.steps)
        spread = (square / (1 - o.beta2**self.steps)).sqrt_().add_(o.epsilon)
        values.mul_(1 - o.decay).addcdiv_(mean, spread, value=-rate)

    def state(self) -> dict[str, Tensor]:
        """The state that a training resumes from, without the number of steps."""
        found = {"values": self.dense.values, "mean": self.dense.mean, "square": self.dense.square}
        if self.rows is not None:
            trained = self.rows.values[: self.rows.trained]
            found |= {"row_values": trained, "row_mean": self.rows.mean, "row_square": self.rows.square}
        return found

    @torch.no_grad()
    def load(self, state: Mapping[str, Tensor], steps: int) -> None:
        """Resume from a saved state."""
        for name, tensor in self.state().items():
            if name not in state or state[name].shape != tensor.shape:
                raise ValueError(f"a checkpoint of another model: {name} does not fit")
            tensor.copy_(state[name])
        self.steps = steps
