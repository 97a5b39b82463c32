"""The ONNX graph of an encoder of ``transformers``: written by torch, with products and embeddings in 8 bits by us.

``onnxruntime.quantization`` would take one scale for the activations of a whole batch, and then the tags of a sentence
depend on the sentences beside it. So the graph that torch writes is copied node by node into :class:`Graph`, whose
products round each row by itself, as in the graphs of our own encoders.
"""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import numpy as np
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from starccg.errors import StarccgError
from starccg.training.tagger.export_lstm import array_of
from starccg.training.tagger.graph import OPSET, Array, Floats, Graph
from starccg.training.tagger.transformer import TransformerTagger

_EXAMPLE = ((2, 7, 2), (7, 5))
"""The shape of ``cells`` and the ``lengths`` that torch follows; both axes stay free."""


class _Encode(nn.Module):
    """The part of the tagger whose graph torch writes."""

    def __init__(self, tagger: TransformerTagger) -> None:
        super().__init__()
        self.tagger = tagger

    def forward(self, cells: Tensor, lengths: Tensor) -> Tensor:
        """As :meth:`TransformerTagger.encode`."""
        return self.tagger.encode(cells, lengths)


def traced_states(graph: Graph, tagger: TransformerTagger, spreads: Mapping[str, Floats], outside: bool) -> str:
    """Add the encoder to the graph; returns the name of its states, (B, T, width).

    ``spreads`` as for :func:`.export.to_onnx`. ``outside``: the embeddings of pieces are left to a file of their own.
    """
    written = _written_by_torch(tagger)
    arrays: dict[str, Array] = {held.name: numpy_helper.to_array(held) for held in written.initializer}
    table = array_of(tagger.model.get_input_embeddings().weight)
    by_weight = {
        array_of(module.get_parameter("weight")).T.tobytes(): spreads[name]
        for name, module in tagger.named_modules()
        if name in spreads and isinstance(module, nn.Linear)
    }
    names = {"cells": "cells", "lengths": "lengths", "": ""}

    def named(name: str) -> str:
        """The name in our graph of a result or a constant of torch's."""
        if name not in names:
            names[name] = graph.constant(arrays[name])
        return names[name]

    for node in written.node:
        weight = arrays.get(node.input[1]) if node.op_type == "MatMul" else None
        rows = arrays.get(node.input[0]) if node.op_type == "Gather" else None
        if weight is not None and weight.ndim == 2:
            spread = by_weight.get(np.ascontiguousarray(weight).tobytes())
            names[node.output[0]] = graph.linear(named(node.input[0]), weight, None, spread=spread)
        elif rows is not None and rows.shape == table.shape and np.array_equal(rows, table):
            names[node.output[0]] = graph.embedding(rows, named(node.input[1]), "pieces" if outside else "")
        else:
            own = graph.copied(node, [named(name) for name in node.input])
            names |= zip(node.output, own, strict=True)
    return names[written.output[0].name]


def _written_by_torch(tagger: TransformerTagger) -> Any:
    """The graph in single precision, for any number of sentences and steps."""
    size, lengths = _EXAMPLE
    example = (torch.full(size, 4, dtype=torch.int32), torch.tensor(lengths, dtype=torch.int32))
    sentences, steps = (
        torch.export.Dim("sentences", min=1),
        torch.export.Dim("steps", min=2, max=tagger.shape["positions"]),
    )
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            program = torch.onnx.export(
                _Encode(tagger).eval(), example, dynamo=True, opset_version=OPSET, verbose=False,
                input_names=["cells", "lengths"], output_names=["x"],
                dynamic_shapes={"cells": {0: sentences, 1: steps}, "lengths": {0: sentences}},
            )  # fmt: skip
    except Exception as error:
        reason = str(error).strip().partition("\n")[0]
        raise StarccgError(f"torch cannot write the ONNX graph of {type(tagger.model).__name__}: {reason}") from error
    assert program is not None
    model = program.model_proto
    if (found := {held.domain: held.version for held in model.opset_import}) != {"": OPSET} or model.functions:
        raise StarccgError(f"torch wrote the ONNX graph with other operators than those of version {OPSET}: {found}")
    return model.graph
