"""Trained taggers as ONNX graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from torch import Tensor

from starccg.training.tagger.config import MAIN
from starccg.training.tagger.encoder import EPSILON, EncoderTagger, Layer
from starccg.training.tagger.graph import INT64, MICROSOFT, Floats, Graph, Reach
from starccg.training.tagger.lstm import CoupledLstm, LstmTagger
from starccg.training.tagger.setup import Setup

Spreads = Mapping[str, Floats]


def to_onnx(setup: Setup, quantised: bool = True, temperature: float = 1.0, spreads: Spreads | None = None) -> bytes:
    """The ONNX file of the main dialect's tagger; ``spreads``, as :mod:`.smoothing` finds them, help 8 bits along."""
    graph = Graph(quantised)
    model = setup.model
    logits = _lstm(graph, model) if isinstance(model, LstmTagger) else _encoder(graph, model, spreads or {})
    return graph.model(len(setup.categories[MAIN]), logits, temperature, setup.inputs.columns)


def _array(tensor: Tensor) -> Floats:
    return tensor.detach().cpu().float().numpy()


def _column(graph: Graph, number: int) -> str:
    return graph.add("Gather", "cells", graph.constant(np.array(number, np.int64)), axis=2)  # (B, T)


def _lstm(graph: Graph, model: LstmTagger) -> str:
    words = graph.embedding(_array(model.words.weight), _column(graph, 0))  # (B, T, 100)
    ends = graph.add("Slice", "cells", *map(graph.constant, ([1], [9], [2])))  # (B, T, 8)
    affixes = graph.embedding(_array(model.affixes.weight), ends)  # (B, T, 8, 32)
    flat = graph.add("Reshape", affixes, graph.constant([0, 0, -1]))
    steps = graph.add("Transpose", graph.add("Concat", words, flat, axis=2), perm=[1, 0, 2])  # (T, B, inputs)
    both = _native_lstms(graph, model, steps) if not graph.quantised else _quantised_lstms(graph, model, steps)
    both = graph.add("Transpose", both, perm=[1, 0, 2])  # (B, T, 2d)
    rows = graph.add("Reshape", both, graph.constant([-1, model.hidden.in_features]))
    chosen = graph.add("Gather", rows, "positions")
    hidden = graph.add("Relu", graph.linear(chosen, _array(model.hidden.weight).T, _array(model.hidden.bias)))
    output = model.outputs[MAIN]
    return graph.linear(hidden, _array(output.get_parameter("weight")).T, _array(output.get_parameter("bias")))


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

    bias = gates(_array(layer.bias[direction]))[..., 0]
    peephole = _array(layer.peephole[:, direction, 0])
    sees = np.concatenate((peephole[0], peephole[1], np.zeros(cells, np.float32)))[None]  # i, o, f
    weight, recurrent = (gates(_array(matrix[direction])) for matrix in (layer.weight, layer.recurrent))
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
    sentences = graph.add("Slice", shape, *map(graph.constant, ([1], [2], [0])))

    def mirror(state: str) -> str:
        return graph.add("ReverseSequence", state, lengths, time_axis=0, batch_axis=1)

    states = [steps]
    for depth, layer in enumerate(_layers(model)):
        weights, biases = _array(layer.weight), _array(layer.bias)
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
    time_and_sentences = graph.add("Slice", shape, *map(graph.constant, ([0], [2], [0])))
    return graph.add("Reshape", rows, graph.add("Concat", time_and_sentences, graph.constant([width]), axis=0))


def _scan(graph: Graph, layer: CoupledLstm, projected: Sequence[str], sentences: str) -> tuple[str, ...]:
    """One layer over time: two (T, B, 3d) -> two (T, B, d)."""
    cells = layer.cells
    body = graph.inner()
    recurrent, peephole = _array(layer.recurrent), _array(layer.peephole)  # (2, d, 3d), (2, 2, 1, d)
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


def _encoder(graph: Graph, model: EncoderTagger, spreads: Spreads) -> str:
    width = model.shape["width"]
    pieces = graph.embedding(_array(model.pieces.weight), _column(graph, 0))
    casings = graph.add("Gather", graph.constant(_array(model.casings.weight)), _column(graph, 1))
    shape = graph.add("Shape", "cells")
    steps = graph.add("Slice", shape, *map(graph.constant, ([1], [2], [0])))
    positions = graph.add(
        "Slice", graph.weights(_array(model.positions.weight)), graph.constant([0]), steps, graph.constant([0])
    )
    summed = graph.add("Add", graph.add("Add", pieces, positions), casings)  # (B, T, width)
    x = graph.add(
        "LayerNormalization", summed, graph.constant(_array(model.norm.weight)),
        graph.constant(_array(model.norm.bias)), axis=-1, epsilon=EPSILON,
    )  # fmt: skip
    x = graph.add("Reshape", x, graph.constant([-1, width]))  # (B * T, width) from here on
    sentences = graph.add("Slice", shape, *map(graph.constant, ([0], [1], [0])))
    batch = graph.add("Concat", sentences, steps, graph.constant([width]), axis=0)
    for number, layer in enumerate(model.layers):
        assert isinstance(layer, Layer)
        own = {name.split(".")[2]: found for name, found in spreads.items() if name.startswith(f"layers.{number}.")}
        x = _encoder_layer(graph, layer, x, batch, own)
    first = graph.add("Gather", x, "positions")
    weight, bias = (_array(model.outputs[MAIN].get_parameter(name)) for name in ("weight", "bias"))
    return graph.linear(first, weight.T, bias, spread=spreads.get(f"outputs.{MAIN}"))


def _encoder_layer(graph: Graph, layer: Layer, x: str, batch: str, spreads: Spreads) -> str:
    weight, bias = _array(layer.query_key_value.weight).T, _array(layer.query_key_value.bias)
    width = len(weight)
    projected = graph.linear(x, weight, bias, spread=spreads.get("query_key_value"))  # (B * T, 3 * width)
    parts = graph.add_many("Split", projected, outputs=3, axis=1, num_outputs=3)
    query, key, value = (graph.add("Reshape", part, batch) for part in parts)
    seen = graph.add(
        "MultiHeadAttention", query, key, value, "", "lengths", domain=MICROSOFT, num_heads=layer.heads
    )  # (B, T, width)
    seen = graph.add("Reshape", seen, graph.constant([-1, width]))
    attended = graph.linear(seen, _array(layer.attended.weight).T, None, spread=spreads.get("attended"))
    x = _add_and_normalise(graph, x, attended, layer, "attention")
    inner = graph.linear(x, _array(layer.inner.weight).T, None, spread=spreads.get("inner"))
    inner = graph.add("BiasGelu", inner, graph.constant(_array(layer.inner.bias)), domain=MICROSOFT)
    outer = graph.linear(inner, _array(layer.outer.weight).T, None, Reach.GELU)
    return _add_and_normalise(graph, x, outer, layer, "output")


def _add_and_normalise(graph: Graph, x: str, update: str, layer: Layer, which: str) -> str:
    norm, linear = (layer.attention_norm, layer.attended) if which == "attention" else (layer.output_norm, layer.outer)
    summed = graph.add("Add", graph.add("Add", update, graph.constant(_array(linear.bias))), x)
    return graph.add(
        "LayerNormalization", summed, graph.constant(_array(norm.weight)), graph.constant(_array(norm.bias)),
        axis=-1, epsilon=EPSILON,
    )  # fmt: skip
