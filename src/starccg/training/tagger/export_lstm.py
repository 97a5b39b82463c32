"""Trained LSTM taggers as ONNX graphs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from torch import Tensor

from starccg.training.tagger.config import MAIN
from starccg.training.tagger.graph import INT64, Floats, Graph, Reach
from starccg.training.tagger.lstm import CoupledLstm, LstmTagger


def array_of(tensor: Tensor) -> Floats:
    """A parameter in single precision."""
    return tensor.detach().cpu().float().numpy()


def column(graph: Graph, number: int) -> str:
    """One column of what is known of each step."""
    return graph.add("Gather", "cells", graph.constant(np.array(number, np.int64)), axis=2)  # (B, T)


def lstm_logits(graph: Graph, model: LstmTagger) -> str:
    """The logits of the main dialect."""
    words = graph.embedding(array_of(model.words.weight), column(graph, 0))  # (B, T, 100)
    ends = graph.cut("cells", 1, 9, axis=2)  # (B, T, 8)
    affixes = graph.embedding(array_of(model.affixes.weight), ends)  # (B, T, 8, 32)
    flat = graph.add("Reshape", affixes, graph.constant([0, 0, -1]))
    steps = graph.add("Transpose", graph.add("Concat", words, flat, axis=2), perm=[1, 0, 2])  # (T, B, inputs)
    both = _native_lstms(graph, model, steps) if not graph.quantised else _quantised_lstms(graph, model, steps)
    both = graph.add("Transpose", both, perm=[1, 0, 2])  # (B, T, 2d)
    rows = graph.add("Reshape", both, graph.constant([-1, model.hidden.in_features]))
    chosen = graph.add("Gather", rows, "positions")
    hidden = graph.add("Relu", graph.linear(chosen, array_of(model.hidden.weight).T, array_of(model.hidden.bias)))
    output = model.outputs[MAIN]
    return graph.linear(hidden, array_of(output.get_parameter("weight")).T, array_of(output.get_parameter("bias")))


def _native_lstms(graph: Graph, model: LstmTagger, steps: str) -> str:
    """ONNX's own LSTM operator, with which the quantised graph is compared: (T, B, inputs) -> (T, B, 2d)."""
    states = []
    for direction, name in enumerate(("forward", "reverse")):
        state = steps
        for layer in _layers(model):
            state = _native_layer(graph, layer, state, direction, name)
        states.append(state)
    return graph.add("Concat", *states, axis=2)


def _native_layer(graph: Graph, layer: CoupledLstm, steps: str, direction: int, name: str) -> str:
    """ONNX orders the gates i, o, f, c; f is 1 - i and has no weights of its own."""
    cells = layer.cells

    def gates(matrix: Floats) -> Floats:  # (in, 3d) in the order i, o, g -> (1, 4d, in)
        i, o, g = np.split(matrix.T, 3)
        return np.concatenate((i, o, np.zeros_like(i), g))[None]

    bias = gates(array_of(layer.bias[direction]))[..., 0]
    peephole = array_of(layer.peephole[:, direction, 0])
    sees = np.concatenate((peephole[0], peephole[1], np.zeros(cells, np.float32)))[None]  # i, o, f
    weight, recurrent = (gates(array_of(matrix[direction])) for matrix in (layer.weight, layer.recurrent))
    output = graph.add(
        "LSTM", steps, graph.constant(weight), graph.constant(recurrent),
        graph.constant(np.concatenate((bias, np.zeros_like(bias)), axis=1)), "lengths", "", "", graph.constant(sees),
        hidden_size=cells, input_forget=1, direction=name,
    )  # fmt: skip
    return graph.add("Squeeze", output, graph.constant([1]))  # (T, B, d)


def _quantised_lstms(graph: Graph, model: LstmTagger, steps: str) -> str:
    """The same in 8 bits, which ONNX's operator does not offer row by row: a scan over time with both directions in it.

    The backward direction reads its projected inputs in reverse and is put back in order at the end; padding comes
    last in both, so no step of a sentence ever sees it.
    """
    lengths = graph.add("Cast", "lengths", to=INT64)
    shape = graph.add("Shape", steps)
    sentences = graph.cut(shape, 1, 2)

    def mirror(state: str) -> str:
        return graph.add("ReverseSequence", state, lengths, time_axis=0, batch_axis=1)

    states = [steps]
    for depth, layer in enumerate(_layers(model)):
        weights, biases = array_of(layer.weight), array_of(layer.bias)
        if depth == 0:  # both directions read the same words: one product, and only its second half is reversed
            rows = graph.add("Reshape", steps, graph.constant([-1, weights.shape[1]]))
            both = graph.linear(rows, np.concatenate((weights[0], weights[1]), axis=1), biases.reshape(-1))
            halves = graph.add_many("Split", both, outputs=2, axis=1, num_outputs=2)
            projected = [_by_time(graph, half, shape, 3 * layer.cells) for half in halves]
            projected[1] = mirror(projected[1])
        else:
            projected = []
            for direction, state in enumerate(states):
                rows = graph.add("Reshape", state, graph.constant([-1, weights.shape[1]]))
                product = graph.linear(rows, weights[direction], biases[direction, 0], Reach.UNIT)
                projected.append(_by_time(graph, product, shape, 3 * layer.cells))
        states = list(_scan(graph, layer, projected, sentences))
    return graph.add("Concat", states[0], mirror(states[1]), axis=2)


def _by_time(graph: Graph, rows: str, shape: str, width: int) -> str:
    time_and_sentences = graph.cut(shape, 0, 2)
    return graph.add("Reshape", rows, graph.add("Concat", time_and_sentences, graph.constant([width]), axis=0))


def _scan(graph: Graph, layer: CoupledLstm, projected: Sequence[str], sentences: str) -> tuple[str, ...]:
    """One layer over time: two (T, B, 3d) -> two (T, B, d)."""
    cells = layer.cells
    body = graph.inner()
    recurrent, peephole = array_of(layer.recurrent), array_of(layer.peephole)  # (2, d, 3d), (2, 2, 1, d)
    inputs = ["hidden0", "hidden1", "cell0", "cell1", "gates0", "gates1"]
    outputs = []
    for direction in range(2):
        hidden, cell, gates = (f"{name}{direction}" for name in ("hidden", "cell", "gates"))
        total = body.add("Add", gates, body.linear(hidden, recurrent[direction], None, Reach.UNIT))
        i, o, g = body.add_many("Split", total, outputs=3, axis=1, num_outputs=3)
        seen = body.add("Mul", cell, body.constant(peephole[0, direction]))
        opened = body.add("Sigmoid", body.add("Add", i, seen))
        change = body.add("Sub", body.add("Tanh", g), cell)
        new = body.add("Add", cell, body.add("Mul", opened, change))
        seen = body.add("Mul", new, body.constant(peephole[1, direction]))
        shown = body.add("Mul", body.add("Sigmoid", body.add("Add", o, seen)), body.add("Tanh", new))
        outputs.append((shown, new, body.add("Identity", shown)))
    names = [*(part[0] for part in outputs), *(part[1] for part in outputs), *(part[2] for part in outputs)]
    zeros = graph.add("Expand", graph.constant(0.0), graph.add("Concat", sentences, graph.constant([cells]), axis=0))
    found = graph.scan(body, inputs, names, (zeros,) * 4, projected)
    return found[4:]


def _layers(model: LstmTagger) -> list[CoupledLstm]:
    return [layer for layer in model.layers if isinstance(layer, CoupledLstm)]
