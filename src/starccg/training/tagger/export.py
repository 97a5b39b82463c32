"""Trained taggers as ONNX graphs."""

from __future__ import annotations

import numpy as np
from torch import Tensor

from starccg.training.tagger.config import MAIN
from starccg.training.tagger.encoder import EPSILON, EncoderTagger, Layer
from starccg.training.tagger.graph import MICROSOFT, Floats, Graph
from starccg.training.tagger.lstm import CoupledLstm, LstmTagger
from starccg.training.tagger.setup import Setup


def to_onnx(setup: Setup, quantised: bool = True, temperature: float = 1.0) -> bytes:
    """The ONNX file of the main dialect's tagger."""
    graph = Graph(quantised)
    model = setup.model
    logits = _lstm(graph, model) if isinstance(model, LstmTagger) else _encoder(graph, model)
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
    states = []
    for direction, name in enumerate(("forward", "reverse")):
        state = steps
        for layer in model.layers:
            assert isinstance(layer, CoupledLstm)
            state = _lstm_layer(graph, layer, state, direction, name)
        states.append(state)
    both = graph.add("Transpose", graph.add("Concat", *states, axis=2), perm=[1, 0, 2])  # (B, T, 2d)
    rows = graph.add("Reshape", both, graph.constant([-1, model.hidden.in_features]))
    chosen = graph.add("Gather", rows, "positions")
    hidden = graph.add("Relu", graph.linear(chosen, _array(model.hidden.weight).T, _array(model.hidden.bias)))
    output = model.outputs[MAIN]
    return graph.linear(hidden, _array(output.get_parameter("weight")).T, _array(output.get_parameter("bias")))


def _lstm_layer(graph: Graph, layer: CoupledLstm, steps: str, direction: int, name: str) -> str:
    """ONNX orders the gates i, o, f, c; f is 1 - i and has no weights of its own."""
    cells = layer.cells

    def gates(matrix: Floats) -> Floats:  # (in, 3d) in the order i, o, g -> (1, 4d, in)
        i, o, g = np.split(matrix.T, 3)
        return np.concatenate((i, o, np.zeros_like(i), g))[None]

    bias = gates(_array(layer.bias[direction]))[..., 0]
    peephole = _array(layer.peephole[:, direction, 0])
    sees = np.concatenate((peephole[0], peephole[1], np.zeros(cells, np.float32)))[None]  # i, o, f
    output = graph.add(
        "LSTM", steps,
        graph.weights(gates(_array(layer.weight[direction]))), graph.weights(gates(_array(layer.recurrent[direction]))),
        graph.constant(np.concatenate((bias, np.zeros_like(bias)), axis=1)), "lengths", "", "", graph.constant(sees),
        hidden_size=cells, input_forget=1, direction=name,
    )  # fmt: skip
    return graph.add("Squeeze", output, graph.constant([1]))  # (T, B, d)


def _encoder(graph: Graph, model: EncoderTagger) -> str:
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
    for layer in model.layers:
        assert isinstance(layer, Layer)
        x = _encoder_layer(graph, layer, x, batch, width)
    first = graph.add("Gather", x, "positions")
    output = model.outputs[MAIN]
    return graph.linear(first, _array(output.get_parameter("weight")).T, _array(output.get_parameter("bias")))


def _encoder_layer(graph: Graph, layer: Layer, x: str, batch: str, width: int) -> str:
    weight, bias = _array(layer.query_key_value.weight).T, _array(layer.query_key_value.bias)
    projected = graph.linear(x, weight, bias)  # (B * T, 3 * width)
    parts = graph.add_many("Split", projected, outputs=3, axis=1, num_outputs=3)
    query, key, value = (graph.add("Reshape", part, batch) for part in parts)
    seen = graph.add(
        "MultiHeadAttention", query, key, value, "", "lengths", domain=MICROSOFT, num_heads=layer.heads
    )  # (B, T, width)
    seen = graph.add("Reshape", seen, graph.constant([-1, width]))
    x = _add_and_normalise(graph, x, graph.linear(seen, _array(layer.attended.weight).T, None), layer, "attention")
    inner = graph.linear(x, _array(layer.inner.weight).T, None)
    inner = graph.add("BiasGelu", inner, graph.constant(_array(layer.inner.bias)), domain=MICROSOFT)
    return _add_and_normalise(graph, x, graph.linear(inner, _array(layer.outer.weight).T, None), layer, "output")


def _add_and_normalise(graph: Graph, x: str, update: str, layer: Layer, which: str) -> str:
    norm, linear = (layer.attention_norm, layer.attended) if which == "attention" else (layer.output_norm, layer.outer)
    return graph.add(
        "SkipLayerNormalization", update, x, graph.constant(_array(norm.weight)), graph.constant(_array(norm.bias)),
        graph.constant(_array(linear.bias)), domain=MICROSOFT, epsilon=EPSILON,
    )  # fmt: skip
