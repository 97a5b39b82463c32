"""The weights of an exported encoder tagger, read back from its 8-bit graph: the start of fine-tuning a finished model.

A graph of :mod:`.export` has one ``MatMulInteger`` for each linear layer, in a fixed order: four in each layer of the
encoder, then the output layers. Rounding cannot be undone: an error of a weight is at most 1/254 of its row's largest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from safetensors.numpy import load_file
from torch import Tensor

from starccg.errors import StarccgError
from starccg.model_folder.manifest import read_folder
from starccg.tagger.model import NOTES, PIECES_FILE
from starccg.training.tagger.config import MAIN
from starccg.training.tagger.graph import GELU_MINIMUM

Array = npt.NDArray[np.float64]

_LINEARS = ("query_key_value", "attended", "inner", "outer")
_NORMS = ("attention_norm", "output_norm")


@dataclass(frozen=True)
class ExportedTagger:
    """A tagger's weights under the names of :class:`.encoder.EncoderTagger`, and what belongs to them."""

    shape: dict[str, int]
    tensors: dict[str, Tensor]
    categories: dict[str, tuple[str, ...]]
    """For each output layer what it chooses among."""
    wordpieces: bytes
    sha256: Mapping[str, str]

    def with_categories(self, learned: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """Its own categories, then those that are new."""
        names = dict.fromkeys((*self.categories, *learned))
        return {name: tuple(dict.fromkeys((*self.categories.get(name, ()), *learned.get(name, ())))) for name in names}


def read_exported(folder: Path) -> ExportedTagger:
    """Read the folder ``tagger`` of a model; every file is checked against its checksum."""
    manifest, files = read_folder(folder, "tagger")
    own = manifest.get("hyperparameters", {})
    if manifest.get("kind") != "encoder" or not manifest.get("quantised") or "relative" not in own or own["relative"]:
        raise StarccgError(f"{folder}: encoder.start must be an encoder of BERT's shape in 8 bits")
    graph = onnx.load(str(files["tagger.onnx"]), load_external_data=False).graph
    constants = {
        tensor.name: numpy_helper.to_array(tensor)
        for tensor in graph.initializer
        if tensor.data_location != onnx.TensorProto.EXTERNAL
    }
    linears = _linears(graph, constants)
    norms = [
        (constants[node.input[1]], constants[node.input[2]])
        for node in graph.node
        if node.op_type == "LayerNormalization"
    ]
    layers = len(norms) // 2
    named: dict[str, npt.NDArray[np.generic]] = _embeddings(graph, constants, files.get(PIECES_FILE))
    named |= {"norm.weight": norms[0][0], "norm.bias": norms[0][1]}
    parts = [f"layers.{number}.{name}" for number in range(layers) for name in _LINEARS]
    categories = {MAIN: tuple(manifest["categories"])} | {
        name: tuple(manifest[name]) for name in NOTES if name in manifest
    }
    parts += [f"outputs.{name}" for name in categories]
    for part, (weight, bias) in zip(parts, linears, strict=True):
        named |= {f"{part}.weight": weight, f"{part}.bias": bias}
    for part, (weight, bias) in zip(
        [f"layers.{number}.{name}" for number in range(layers) for name in _NORMS], norms[1:], strict=True
    ):
        named |= {f"{part}.weight": weight, f"{part}.bias": bias}
    shape = {name: int(own[name]) for name in ("pieces", "width", "positions", "inner", "relative")}
    tensors = {name: torch.from_numpy(np.array(array, np.float32)) for name, array in named.items()}
    wordpieces = files["wordpieces.txt"].read_bytes()
    return ExportedTagger({**shape, "layers": layers}, tensors, categories, wordpieces, manifest["sha256"])


def _linears(graph: onnx.GraphProto, constants: Mapping[str, npt.NDArray[np.generic]]) -> list[tuple[Array, Array]]:
    """The weight (outputs, inputs) and the bias of every linear layer, in the order of the graph."""
    maker = {name: node for node in graph.node for name in node.output}
    users: dict[str, onnx.NodeProto] = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, node)

    def floats(name: str) -> Array:
        return constants[name].astype(np.float64)

    found = []
    for node in graph.node:
        if node.op_type != "MatMulInteger":
            continue
        rounded = maker[node.input[0]]
        after_gelu = constants[rounded.input[2]] == 0
        x = maker[maker[rounded.input[0]].input[0]]  # what is divided by the scale of its row
        scaled = users[users[node.output[0]].output[0]]  # the result as floats, times the scale of each output
        weight = floats(node.input[1]) * floats(scaled.input[1])
        biased = users[users[scaled.output[0]].output[0]]  # after the scale of the row
        bias = floats(biased.input[1])
        if after_gelu:  # the bias there only undoes the shift of the inputs; the layer's own is added next
            if not np.allclose(bias, GELU_MINIMUM * weight.sum(axis=0), atol=1e-4):
                raise StarccgError("the tagger's graph has another form: export it again")
            bias = floats(users[biased.output[0]].input[1])
        elif x.op_type == "Mul" and x.input[1] in constants and constants[x.input[1]].shape == weight.shape[:1]:
            weight = weight * floats(x.input[1])[:, None]  # undo the smoothing
        found.append((weight.T, bias))
    return found


def _embeddings(
    graph: onnx.GraphProto, constants: Mapping[str, npt.NDArray[np.generic]], shared: Path | None
) -> dict[str, npt.NDArray[np.generic]]:
    """Word pieces, casings and positions."""
    held = {**constants, **(load_file(shared) if shared else {})}
    tables = [held[node.input[0]] for node in graph.node if node.op_type == "Gather" and node.input[0] in held]
    rows, scales, casings = (table for table in tables if table.ndim == 2)
    maker = {name: node for node in graph.node for name in node.output}
    cast = next(maker[node.input[0]] for node in graph.node if node.op_type == "Slice" and _is_cast(maker, node))
    pieces = rows.astype(np.float32) * scales.astype(np.float32)
    return {"pieces.weight": pieces, "casings.weight": casings, "positions.weight": held[cast.input[0]]}


def _is_cast(maker: Mapping[str, onnx.NodeProto], node: onnx.NodeProto) -> bool:
    """Whether it is a slice of weights in half precision: of the positions, and of nothing else."""
    return node.input[0] in maker and maker[node.input[0]].op_type == "Cast"
