"""Matrix products where each group of rows has its own weights: the rule types of one level.

On a CPU one product a group is best. On an accelerator a launch costs more than the arithmetic, so the groups are
padded to the longest of them and multiplied in one go.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from starccg.training.globalmodel.levels import Group


def grouped_product(
    x: Tensor, weights: Tensor, groups: Sequence[Group], biases: Tensor | None = None, *, transposed: bool = False
) -> Tensor:
    """Row by row ``x @ weights[rule]`` (or its transpose), plus ``biases[rule]``.

    ``x`` (n, a) holds the rows of the groups one after the other; ``weights`` is (T, a, b), transposed (T, b, a).
    """
    if transposed:
        weights = weights.transpose(1, 2)
    if x.is_cuda and len(groups) > 1:
        return _padded(x, weights, groups, biases)
    base = groups[0].first
    out = x.new_empty(len(x), weights.shape[2])
    for group in groups:
        rows = slice(group.first - base, group.last - base)
        if biases is None:
            torch.mm(x[rows], weights[group.rule], out=out[rows])
        else:
            torch.addmm(biases[group.rule], x[rows], weights[group.rule], out=out[rows])
    return out


def _padded(x: Tensor, weights: Tensor, groups: Sequence[Group], biases: Tensor | None) -> Tensor:
    base, longest = groups[0].first, max(group.last - group.first for group in groups)
    device = x.device
    rules = torch.tensor([group.rule for group in groups]).to(device, non_blocking=True)
    firsts = torch.tensor([group.first - base for group in groups])
    sizes = torch.tensor([group.last - group.first for group in groups])
    # The row of x at each place (group, position); places past a group's end repeat row 0 and are never read.
    number = torch.repeat_interleave(torch.arange(len(groups)), sizes)
    places = (number * longest + torch.arange(len(x)) - firsts[number]).to(device, non_blocking=True)
    wide = x.new_zeros(len(groups) * longest, x.shape[1])
    wide[places] = x
    wide = wide.view(len(groups), longest, -1)
    chosen = weights[rules]
    product = torch.bmm(wide, chosen) if biases is None else torch.baddbmm(biases[rules].unsqueeze(1), wide, chosen)
    return product.view(len(groups) * longest, -1)[places]
