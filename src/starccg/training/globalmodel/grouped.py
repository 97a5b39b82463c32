"""Matrix products where each group of rows has its own weights: the rule types of one level."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from starccg.training.globalmodel.levels import Group


def grouped_product(
    x: Tensor,
    weights: Tensor,
    groups: Sequence[Group],
    biases: Tensor | None = None,
    *,
    rules: Tensor | None = None,
    transposed: bool = False,
) -> Tensor:
    """Row by row ``x @ weights[rule]`` (or its transpose), plus ``biases[rule]``.

    ``x`` (n, a) holds the rows of the groups one after the other; ``weights`` is (T, a, b), transposed (T, b, a).
    ``rules``, where groups are of one size, holds their rule types: then one product multiplies all of them.
    """
    if transposed:
        weights = weights.transpose(1, 2)
    if rules is not None:
        wide = x.reshape(len(groups), -1, x.shape[1])
        chosen = weights[rules]
        product = torch.bmm(wide, chosen) if biases is None else torch.baddbmm(biases[rules, None], wide, chosen)
        return product.view(len(x), -1)
    base = groups[0].first
    out = x.new_empty(len(x), weights.shape[2])
    for group in groups:
        rows = slice(group.first - base, group.last - base)
        if biases is None:
            torch.mm(x[rows], weights[group.rule], out=out[rows])
        else:
            torch.addmm(biases[group.rule], x[rows], weights[group.rule], out=out[rows])
    return out
