"""How large the inputs of each layer get: what quantisation needs to know of them (Xiao et al. 2023, SmoothQuant).

A transformer has a few channels ten times as large as the rest. With one scale for a row they would leave the others
few levels; so they are made smaller, and their weights larger, before both are rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn

from starccg.training.data import Example
from starccg.training.tagger.graph import Floats
from starccg.training.tagger.setup import Setup


@torch.no_grad()
def spreads(setup: Setup, examples: Sequence[Example], quantile: float = 0.999) -> dict[str, Floats]:
    """For each linear layer of the model, by its name, about the largest value of each of its inputs."""
    seen: dict[str, list[Tensor]] = {}

    def look(name: str, _: nn.Module, inputs: tuple[Tensor, ...], __: Tensor) -> None:
        seen.setdefault(name, []).append(inputs[0].detach().abs().flatten(0, -2))

    setup.model.eval()
    layers = [(name, module) for name, module in setup.model.named_modules() if isinstance(module, nn.Linear)]
    hooks = [module.register_forward_hook(partial(look, name)) for name, module in layers]
    try:
        for example in examples:
            feeds = setup.inputs.collate(setup.inputs.encode(example.words))
            setup.model(**{name: torch.from_numpy(array).long() for name, array in feeds.items()})
    finally:
        for hook in hooks:
            hook.remove()
    found = {name: np.quantile(torch.cat(values).numpy(), quantile, axis=0) for name, values in seen.items()}
    return {name: np.maximum(values, 1e-3).astype(np.float32) for name, values in found.items()}
