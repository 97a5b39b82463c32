"""Trained taggers as ONNX graphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save

from starccg.tagger.model import NOTES, PIECES_FILE, STATES
from starccg.training.tagger.config import MAIN
from starccg.training.tagger.encoder import EncoderTagger, Layer
from starccg.training.tagger.export_lstm import array_of, column, lstm_logits
from starccg.training.tagger.graph import FLOAT, INT64, MICROSOFT, Floats, Graph, Reach
from starccg.training.tagger.lstm import LstmTagger
from starccg.training.tagger.setup import Setup
from starccg.training.tagger.states import StatesTagger
from starccg.training.tagger.trace import traced_states
from starccg.training.tagger.transformer import TransformerTagger

Spreads = Mapping[str, Floats]


@dataclass(frozen=True)
class Exported:
    """An ONNX file, and the constants of the file beside it if it has one."""

    graph: bytes
    pieces: dict[str, npt.NDArray[np.generic]]
    """By name, what several taggers share: the embeddings of word pieces."""

    def files(self) -> dict[str, bytes]:
        """The files by name."""
        return {"tagger.onnx": self.graph, **({PIECES_FILE: save(self.pieces)} if self.pieces else {})}


def to_onnx(setup: Setup, quantised: bool = True, temperature: float = 1.0, spreads: Spreads | None = None) -> Exported:
    """The ONNX file of the main dialect's tagger; ``spreads``, as :mod:`.smoothing` finds them, improve 8 bits.

    A tagger trained with rounded weights is packed in as many bits.
    """
    graph = Graph(quantised)
    model = setup.model
    categories = len(setup.categories[MAIN])
    if isinstance(model, LstmTagger):
        return Exported(graph.model(categories, lstm_logits(graph, model), temperature, setup.inputs.columns), {})
    keep = setup.config.encoder.keep_pieces
    if isinstance(model, TransformerTagger):
        x = traced_states(graph, model, spreads or {}, keep)
    else:
        assert isinstance(model, EncoderTagger)
        x = _encoded(graph, model, spreads or {}, keep)
    states = _pooled(graph, x, model.shape["width"], setup.inputs.mean)
    logits = _output(graph, model, states, MAIN, spreads or {})
    others: dict[str, tuple[str, int, int | None]] = {
        name: (graph.add("ArgMax", _output(graph, model, states, name, {}), axis=-1, keepdims=0), INT64, None)
        for name in NOTES
        if name in setup.categories
    }
    others[STATES] = (states, FLOAT, model.shape["width"])
    feeds = ("lasts",) if setup.inputs.mean else ()
    content = graph.model(categories, logits, temperature, setup.inputs.columns, feeds, others)
    return Exported(content, dict(graph.kept_outside))


def _output(graph: Graph, model: StatesTagger, states: str, name: str, spreads: Spreads) -> str:
    weight, bias = (array_of(model.outputs[name].get_parameter(part)) for part in ("weight", "bias"))
    return graph.linear(states, weight.T, bias, spread=spreads.get(f"outputs.{name}"))


def _encoded(graph: Graph, model: EncoderTagger, spreads: Spreads, outside: bool) -> str:
    """The states of the pieces: (B, T, width)."""
    width = model.shape["width"]
    table = array_of(model.pieces.weight)
    if graph.quantised and model.bits == 4:
        pieces = graph.embedding_in_4_bits(table, column(graph, 0))
    else:
        pieces = graph.embedding(table, column(graph, 0), "pieces" if outside else "")
    casings = graph.add("Gather", graph.constant(array_of(model.casings.weight)), column(graph, 1))
    shape = graph.add("Shape", "cells")
    steps = graph.cut(shape, 1, 2)
    positions = graph.add(
        "Slice", graph.weights(array_of(model.positions.weight)), graph.constant([0]), steps, graph.constant([0])
    )
    summed = graph.add("Add", graph.add("Add", pieces, positions), casings)  # (B, T, width)
    x = graph.normalised(summed, model.norm, model.epsilon)
    x = graph.add("Reshape", x, graph.constant([-1, width]))  # (B * T, width) from here on
    sentences = graph.cut(shape, 0, 1)
    batch = graph.add("Concat", sentences, steps, graph.constant([width]), axis=0)
    bias = "" if model.relative is None else _distances(graph, model, steps)
    for number, layer in enumerate(model.layers):
        assert isinstance(layer, Layer)
        own = {name.split(".")[2]: found for name, found in spreads.items() if name.startswith(f"layers.{number}.")}
        x = _layer(graph, layer, x, batch, bias, own, model.epsilon)
    return graph.add("Reshape", x, batch)


def _pooled(graph: Graph, x: str, width: int, mean: bool) -> str:
    """The state of each word, (words, width): that of its first piece or the mean, from totals within the sentence."""
    flat = graph.constant([-1, width])
    first = graph.add("Gather", graph.add("Reshape", x, flat), "positions")
    if not mean:
        return first
    totals = graph.add("Reshape", graph.add("CumSum", x, graph.constant(np.array(1, np.int64))), flat)
    added = graph.add("Sub", graph.add("Gather", totals, "lasts"), graph.add("Gather", totals, "positions"))
    count = graph.add("Cast", graph.add("Sub", "lasts", "positions"), to=FLOAT)
    pieces = graph.add("Unsqueeze", graph.add("Add", count, graph.constant(1.0)), graph.constant([-1]))
    return graph.add("Div", graph.add("Add", first, added), pieces)


def _distances(graph: Graph, model: EncoderTagger, steps: str) -> str:
    """The bias of attention by the distance of two steps: (1, heads, T, T)."""
    assert model.relative is not None
    by_distance = array_of(model.relative.weight)[model.get_buffer("buckets").cpu().numpy()]  # (2 T - 1, heads)
    zero, one = (graph.constant(np.array(number, np.int64)) for number in (0, 1))
    numbers = graph.add("Range", zero, graph.add("Squeeze", steps), one)
    columns, rows = (graph.add("Unsqueeze", numbers, graph.constant([axis])) for axis in (0, 1))
    middle = graph.constant(np.array(model.shape["positions"] - 1, np.int64))
    places = graph.add("Add", graph.add("Sub", columns, rows), middle)
    found = graph.add("Gather", graph.constant(by_distance), places)  # (T, T, heads)
    return graph.add("Unsqueeze", graph.add("Transpose", found, perm=[2, 0, 1]), graph.constant([0]))


def _layer(graph: Graph, layer: Layer, x: str, batch: str, bias: str, spreads: Spreads, epsilon: float) -> str:
    def linear(name: str, value: str, reach: Reach = Reach.ROW, with_bias: bool = False) -> str:
        part = layer.get_submodule(name)
        weight = array_of(part.get_parameter("weight")).T
        own = array_of(part.get_parameter("bias")) if with_bias else None
        if graph.quantised and layer.inner.bits == 4:
            return graph.linear_in_4_bits(value, weight, own)
        return graph.linear(value, weight, own, reach, spreads.get(name) if reach is Reach.ROW else None)

    width = layer.attended.in_features
    projected = linear("query_key_value", x, with_bias=True)  # (B * T, 3 * width)
    parts = graph.add_many("Split", projected, outputs=3, axis=1, num_outputs=3)
    query, key, value = (graph.add("Reshape", part, batch) for part in parts)
    seen = graph.add(
        "MultiHeadAttention", query, key, value, "", "lengths", *((bias,) if bias else ()), domain=MICROSOFT,
        num_heads=layer.heads,
    )  # (B, T, width)  # fmt: skip
    seen = graph.add("Reshape", seen, graph.constant([-1, width]))
    x = _add_and_normalise(graph, x, linear("attended", seen), layer, "attention", epsilon)
    inner = graph.add("BiasGelu", linear("inner", x), graph.constant(array_of(layer.inner.bias)), domain=MICROSOFT)
    return _add_and_normalise(graph, x, linear("outer", inner, Reach.GELU), layer, "output", epsilon)


def _add_and_normalise(graph: Graph, x: str, update: str, layer: Layer, which: str, epsilon: float) -> str:
    norm, linear = (layer.attention_norm, layer.attended) if which == "attention" else (layer.output_norm, layer.outer)
    summed = graph.add("Add", graph.add("Add", update, graph.constant(array_of(linear.bias))), x)
    return graph.normalised(summed, norm, epsilon)
