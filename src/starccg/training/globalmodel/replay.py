"""The Tree-LSTM of section 3 run again over what a search explored, level by level, with its gradient.

The backward pass is written out: a trace has some thirty levels of a dozen rule types, and recording every small
operation would cost more than the arithmetic. Tests hold it against finite differences and against the native core.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from starccg.training.globalmodel.levels import Group, Levels


def violation_loss(scores: Tensor, levels: Levels) -> Tensor:
    """The loss up to a constant of the local scores: sum of coefficient times global score."""
    return torch.dot(scores, torch.from_numpy(levels.coefficients).to(scores))


Packed = tuple[Tensor, ...]


def global_scores(states: Tensor, packed: Packed, levels: Levels, *, new_cell: bool) -> Tensor:
    """``s_global`` (N,) of every node, from the leaf states (W, 4, d) of the batch. ``new_cell``: see Dimensions."""
    *weights, output = packed
    hidden: Tensor = _Replay.apply(states, *weights, levels, new_cell)  # type: ignore[no-untyped-call]  # (N, d)
    return functional.logsigmoid(hidden @ output)


def pack(parameters: Mapping[str, Tensor]) -> Packed:
    """The weights as the levels read them: two matrices, a peephole and two biases a rule type, the embeddings, the
    output."""
    p = {name.removeprefix("tree."): tensor for name, tensor in parameters.items() if name.startswith("tree.")}
    d = p["output"].shape[0]
    # Columns [c_l, h_l, c_r, h_r, x] become rows [c_l, c_r, h_l, h_r, x], so that [h_l, h_r, x] lie together.
    both = torch.cat((p["input_gate"], p["forget_gate"]), dim=1).transpose(1, 2)  # (T, 4d + e, 2d)
    c_l, h_l, c_r, h_r, x = torch.tensor_split(both, (d, 2 * d, 3 * d, 4 * d), dim=1)
    gates = torch.cat((c_l, c_r, h_l, h_r, x), dim=1)
    rest = (
        torch.cat((p["output_gate"][:, :, d:], p["candidate"]), dim=1).transpose(1, 2).contiguous()
    )  # (T, 2d + e, 2d)
    peephole = p["output_gate"][:, :, :d].transpose(1, 2).contiguous()  # (T, d, d)
    b_i, b_f, b_o, b_c = p["biases"].unbind(dim=1)
    gate_biases, rest_biases = torch.cat((b_i, b_f), dim=1), torch.cat((b_o, b_c), dim=1)  # (T, 2d) each
    return gates, rest, peephole, gate_biases, rest_biases, p["categories"], p["unary_left"], p["output"]


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


class _Replay(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *arguments: Any) -> Tensor:
        states, gates, rest, peephole, gate_biases, rest_biases, categories, unary_left, levels, new_cell = arguments
        d, n, device = peephole.shape[1], len(levels), states.device
        index = {
            name: torch.from_numpy(getattr(levels, name)).to(device)
            for name in ("categories", "lefts", "rights", "forward", "backward")
        }
        both = states.new_empty(n + 1, 2 * d)  # the states [c, h] of all nodes; last the learned one
        both[n] = unary_left.reshape(-1)
        inputs = states.new_empty(n, gates.shape[1])  # [c_l, c_r, h_l, h_r, x]
        inputs[:, 4 * d :] = categories[index["categories"]]
        i_f, o_c = states.new_empty(n, 2 * d), states.new_empty(n, 2 * d)  # gates [i, f] and [o, c~]
        mixed = states.new_empty(n, d)  # c_lr
        rules = _rules_of_heights(levels, device)
        for height, groups in enumerate(levels.heights):
            here = slice(groups[0].first, groups[-1].last)
            if height == 0:
                left = states[index["forward"], :2].reshape(-1, 2 * d)
                right = states[index["backward"], 2:].reshape(-1, 2 * d)
            else:
                left, right = both[index["lefts"][here]], both[index["rights"][here]]
            x = inputs[here]
            x[:, :d], x[:, d : 2 * d] = left[:, :d], right[:, :d]
            x[:, 2 * d : 3 * d], x[:, 3 * d : 4 * d] = left[:, d:], right[:, d:]
            g = grouped_product(x, gates, groups, gate_biases, rules=rules[height]).sigmoid_()  # i_y, f_y
            r = grouped_product(x[:, 2 * d :], rest, groups, rest_biases, rules=rules[height])
            c_tilde = r[:, d:].tanh_()
            c_lr = torch.lerp(right[:, :d], left[:, :d], g[:, d:])
            c = torch.lerp(c_lr, c_tilde, g[:, :d])
            seen = c if new_cell else c_tilde.contiguous()
            o = r[:, :d].add_(grouped_product(seen, peephole, groups, rules=rules[height])).sigmoid_()
            both[here, :d], both[here, d:] = c, o * c.tanh()
            i_f[here], o_c[here], mixed[here] = g, r, c_lr
        ctx.save_for_backward(both, inputs, i_f, o_c, mixed, gates, rest, peephole)
        ctx.levels, ctx.index, ctx.rules, ctx.new_cell = levels, index, rules, new_cell
        ctx.shapes = states.shape, categories.shape, unary_left.shape
        hidden: Tensor = both[:n, d:].contiguous()
        return hidden

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:  # one step of the chain rule a line; d_x stands for ∂loss/∂x
        (d_hidden,) = grads
        both, inputs, i_f, o_c, mixed, gates, rest, peephole = ctx.saved_tensors
        d, n, index = peephole.shape[1], len(ctx.levels), ctx.index
        d_both = torch.zeros_like(both)
        d_both[:n, d:] = d_hidden
        d_states = both.new_zeros(ctx.shapes[0])
        d_x = both.new_empty(n, inputs.shape[1] - 4 * d)
        d_i_f, d_o_c = torch.empty_like(i_f), torch.empty_like(o_c)  # before the squashing functions
        for height in reversed(range(len(ctx.levels.heights))):
            groups, rules = ctx.levels.heights[height], ctx.rules[height]
            here = slice(groups[0].first, groups[-1].last)
            c, d_c, d_h = both[here, :d], d_both[here, :d], d_both[here, d:]
            i, f, o, c_tilde = i_f[here, :d], i_f[here, d:], o_c[here, :d], o_c[here, d:]
            c_l, c_r = inputs[here, :d], inputs[here, d : 2 * d]
            squashed = c.tanh()
            d_o = d_h * squashed * o * (1 - o)
            d_seen = grouped_product(d_o, peephole, groups, rules=rules, transposed=True)
            d_c = d_c + d_h * o * (1 - squashed * squashed)
            if ctx.new_cell:
                d_c += d_seen
            d_tilde = d_c * i
            if not ctx.new_cell:
                d_tilde += d_seen
            d_lr = d_c - d_c * i
            d_i_f[here, :d] = d_c * (c_tilde - mixed[here]) * i * (1 - i)
            d_i_f[here, d:] = d_lr * (c_l - c_r) * f * (1 - f)
            d_o_c[here, :d], d_o_c[here, d:] = d_o, d_tilde * (1 - c_tilde * c_tilde)
            d_in = grouped_product(d_i_f[here], gates, groups, rules=rules, transposed=True)
            d_in[:, 2 * d :] += grouped_product(d_o_c[here], rest, groups, rules=rules, transposed=True)
            d_left = torch.cat((d_in[:, :d] + d_lr * f, d_in[:, 2 * d : 3 * d]), dim=1)
            d_right = torch.cat((d_in[:, d : 2 * d] + d_lr * (1 - f), d_in[:, 3 * d : 4 * d]), dim=1)
            d_x[here] = d_in[:, 4 * d :]
            if height == 0:
                d_states[:, :2].index_add_(0, index["forward"], d_left.view(-1, 2, d))
                d_states[:, 2:].index_add_(0, index["backward"], d_right.view(-1, 2, d))
            else:
                d_both.index_add_(0, index["lefts"][here], d_left)
                d_both.index_add_(0, index["rights"][here], d_right)
        seen = both[:n, :d] if ctx.new_cell else o_c[:, d:]
        of_rules = _weights_of_rules(ctx.levels, inputs, seen, d_i_f, d_o_c, (gates, rest, peephole))
        d_categories = both.new_zeros(ctx.shapes[1]).index_add_(0, index["categories"], d_x)
        return d_states, *of_rules, d_categories, d_both[n].view(ctx.shapes[2]), None, None


def _weights_of_rules(
    levels: Levels, inputs: Tensor, seen: Tensor, d_i_f: Tensor, d_o_c: Tensor, weights: tuple[Tensor, Tensor, Tensor]
) -> tuple[Tensor, ...]:
    """Gradients of the three weights and two biases of each rule type: a product over all its nodes at once."""
    d = seen.shape[1]
    groups = [group for height in levels.heights for group in height]
    sizes = np.array([group.last - group.first for group in groups])
    of_nodes = np.repeat([group.rule for group in groups], sizes)
    order = torch.from_numpy(np.argsort(of_nodes, kind="stable")).to(inputs.device)
    x, s, d_g, d_r = inputs[order], seen[order], d_i_f[order], d_o_c[order]
    gates, rest, peephole = (torch.zeros_like(weight) for weight in weights)
    gate_biases, rest_biases = gates.new_zeros(len(gates), 2 * d), gates.new_zeros(len(gates), 2 * d)
    ends = np.cumsum(np.bincount(of_nodes, minlength=len(gates))).tolist()
    for rule, (first, last) in enumerate(pairwise([0, *ends])):
        if first == last:
            continue
        own = slice(first, last)
        torch.mm(x[own].t(), d_g[own], out=gates[rule])
        torch.mm(x[own, 2 * d :].t(), d_r[own], out=rest[rule])
        torch.mm(s[own].t(), d_r[own, :d], out=peephole[rule])
        gate_biases[rule], rest_biases[rule] = d_g[own].sum(dim=0), d_r[own].sum(dim=0)
    return gates, rest, peephole, gate_biases, rest_biases


def _rules_of_heights(levels: Levels, device: torch.device) -> list[Tensor | None]:
    """The rule types of each height's groups, where they are of one size and can be multiplied together."""
    if not levels.even:
        return [None] * len(levels.heights)
    every = torch.tensor([group.rule for groups in levels.heights for group in groups]).to(device)
    return list(torch.split(every, [len(groups) for groups in levels.heights]))
