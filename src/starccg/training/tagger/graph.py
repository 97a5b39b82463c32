"""A thin hand over ONNX: graphs are written out operator by operator.

Tracing a torch model would tie the files to a version of torch and hide the arithmetic; here the graph is exactly what
is meant, and what is quantised is chosen row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

MICROSOFT = "com.microsoft"
OPSET = 18
"""Old enough for every onnxruntime that we allow."""

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]


class Graph:
    """Nodes in order; every method adds some and returns the name of the result."""

    def __init__(self, quantised: bool) -> None:
        self.quantised = quantised
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}
        self._count = 0

    def name(self) -> str:
        """A fresh name."""
        self._count += 1
        return f"t{self._count}"

    def constant(self, value: Array | float | Sequence[int]) -> str:
        """A constant; lists are 64-bit shapes, plain numbers single precision."""
        if isinstance(value, (int, float)):
            array: Array = np.array(value, np.float32)
        else:
            array = np.asarray(value, order="C") if isinstance(value, np.ndarray) else np.array(value, np.int64)
        name = self.name()
        self.constants[name] = numpy_helper.from_array(array, name)
        return name

    def weights(self, value: Floats) -> str:
        """Weights that are computed with in single precision; in a quantised graph the file holds half precision."""
        if not self.quantised:
            return self.constant(value)
        return self.add("Cast", self.constant(value.astype(np.float16)), to=TensorProto.FLOAT)

    def add(self, operator: str, *inputs: str, outputs: int = 1, domain: str = "", **attributes: Any) -> str:
        """One node with one result."""
        return self.add_many(operator, *inputs, outputs=outputs, domain=domain, **attributes)[0]

    def add_many(
        self, operator: str, *inputs: str, outputs: int, domain: str = "", **attributes: Any
    ) -> tuple[str, ...]:
        """One node with several results."""
        names = tuple(self.name() for _ in range(outputs))
        self.nodes.append(helper.make_node(operator, list(inputs), list(names), domain=domain, **attributes))
        return names

    def embedding(self, table: Floats, numbers: str) -> str:
        """Rows of a table; quantised, each row is 8-bit with a scale of its own."""
        if not self.quantised:
            return self.add("Gather", self.constant(table), numbers)
        scales = np.maximum(np.abs(table).max(axis=1), 1e-12) / 127.0
        rows = np.rint(table / scales[:, None]).astype(np.int8)
        found = self.add("Cast", self.add("Gather", self.constant(rows), numbers), to=TensorProto.FLOAT)
        scale = self.add("Gather", self.constant(scales[:, None].astype(np.float32)), numbers)
        return self.add("Mul", found, scale)

    def linear(self, x: str, weight: Floats, bias: Floats | None) -> str:
        """``x @ weight + bias`` for x of (rows, in).

        Quantised: weights 8-bit with a scale for each output, activations 8-bit with a scale for each *row*. The usual
        dynamic quantisation takes one scale for the whole batch, and then a sentence's tags depend on its neighbours.
        """
        if not self.quantised:
            product = self.add("MatMul", x, self.constant(weight))
        else:
            scales = np.maximum(np.abs(weight).max(axis=0), 1e-12) / 127.0
            columns = np.rint(weight / scales).astype(np.int8)
            largest = self.add("ReduceMax", self.add("Abs", x), self.constant([1]), keepdims=1)
            row = self.add("Max", self.add("Mul", largest, self.constant(1.0 / 127.0)), self.constant(1e-12))
            middle = self.constant(np.array(128, np.uint8))
            scaled = self.add("Div", x, row)
            rounded = self.add("QuantizeLinear", scaled, self.constant(1.0), middle)
            whole = self.add("MatMulInteger", rounded, self.constant(columns), middle)
            floats = self.add("Cast", whole, to=TensorProto.FLOAT)
            product = self.add("Mul", self.add("Mul", floats, self.constant(scales.astype(np.float32))), row)
        return product if bias is None else self.add("Add", product, self.constant(bias))

    def model(self, categories: int, logits: str, temperature: float, columns: int) -> bytes:
        """The file: from ``cells``, ``lengths``, ``positions`` to ``log_probabilities``."""
        scaled = self.add("Mul", logits, self.constant(1.0 / temperature))
        self.nodes.append(helper.make_node("LogSoftmax", [scaled], ["log_probabilities"], axis=-1))
        integer = TensorProto.INT32
        inputs = [
            helper.make_tensor_value_info("cells", integer, ["sentences", "steps", columns]),
            helper.make_tensor_value_info("lengths", integer, ["sentences"]),
            helper.make_tensor_value_info("positions", integer, ["words"]),
        ]
        outputs = [helper.make_tensor_value_info("log_probabilities", TensorProto.FLOAT, ["words", categories])]
        graph = helper.make_graph(self.nodes, "tagger", inputs, outputs, list(self.constants.values()))
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="starccg")
        content: bytes = model.SerializeToString()
        return content
