"""ONNX graphs, written operator by operator.

A graph traced by torch would depend on the version of torch. Here the arithmetic is explicit, and activations are
quantised row by row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from starccg.training.tagger.rounding import block_of, split_blocks

MICROSOFT = "com.microsoft"
FLOAT = TensorProto.FLOAT
INT64 = TensorProto.INT64
OPSET = 18
"""Old enough for every onnxruntime that we allow."""

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]


GELU_MINIMUM = -0.17
"""Where the Gaussian error linear unit is lowest: -0.16997."""


class Reach(Enum):
    """What is known of a layer's inputs when they are quantised."""

    ROW = "row"
    """Nothing: each row is scaled by its largest value."""
    UNIT = "unit"
    """They lie between -1 and 1, as the states of an LSTM do: the scale is fixed."""
    GELU = "gelu"
    """They come out of a GELU."""


class Graph:
    """Nodes in order; every method adds some and returns the name of the result."""

    def __init__(self, quantised: bool) -> None:
        self.quantised = quantised
        self.kept_outside: dict[str, Array] = {}
        """Constants that are not in the file; they are passed by name when it is opened."""
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}
        self._count = 0
        self._prefix = "t"

    def name(self) -> str:
        """A fresh name."""
        self._count += 1
        return f"{self._prefix}{self._count}"

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

    def normalised(self, x: str, norm: Any, epsilon: float) -> str:
        """The layer normalisation of a module of torch."""
        parts = (self.constant(part.detach().cpu().float().numpy()) for part in (norm.weight, norm.bias))
        return self.add("LayerNormalization", x, *parts, axis=-1, epsilon=epsilon)

    def cut(self, x: str, start: int, end: int, axis: int = 0) -> str:
        """A slice of one axis."""
        return self.add("Slice", x, *map(self.constant, ([start], [end], [axis])))

    def copied(self, node: onnx.NodeProto, inputs: Sequence[str]) -> tuple[str, ...]:
        """A node of another graph over these inputs."""
        own = onnx.NodeProto()
        own.CopyFrom(node)
        names = tuple(self.name() if name else "" for name in node.output)
        del own.input[:], own.output[:], own.metadata_props[:]
        own.input.extend(inputs)
        own.output.extend(names)
        own.doc_string = own.name = ""
        self.nodes.append(own)
        return names

    def outside(self, name: str, value: Array) -> str:
        """A constant of a file beside the graph, which several graphs can share."""
        tensor = TensorProto(name=name, data_type=helper.np_dtype_to_tensor_dtype(value.dtype), dims=value.shape)
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value=name)
        self.constants[name] = tensor
        self.kept_outside[name] = value
        return name

    def embedding(self, table: Floats, numbers: str, outside: str = "") -> str:
        """Rows of a table; quantised, each row is 8-bit with a scale of its own. ``outside``: not in the file."""
        if not self.quantised:
            return self.add("Gather", self.constant(table), numbers)
        scales = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12) / np.float32(127.0)
        values = {"rows": np.rint(table / scales).astype(np.int8), "scales": scales.astype(np.float32)}
        rows, scale = (
            self.outside(f"{outside}.{name}", value) if outside else self.constant(value)
            for name, value in values.items()
        )
        found = self.add("Cast", self.add("Gather", rows, numbers), to=TensorProto.FLOAT)
        return self.add("Mul", found, self.add("Gather", scale, numbers))

    def embedding_in_4_bits(self, table: Floats, numbers: str) -> str:
        """Rows of a table, two values a byte, a scale for each block: the second half of a row is in the high bits."""
        whole, scales = split_blocks(table, 4)
        half = table.shape[1] // 2
        shifted = (whole + 8).astype(np.uint8)
        packed = self.add("Gather", self.constant(shifted[:, :half] | (shifted[:, half:] << 4)), numbers)
        low = self.add("BitwiseAnd", packed, self.constant(np.array(15, np.uint8)))
        high = self.add("BitShift", packed, self.constant(np.array(4, np.uint8)), direction="RIGHT")
        both = self.add("Cast", self.add("Concat", low, high, axis=-1), to=TensorProto.FLOAT)
        centred = self.add("Sub", both, self.constant(8.0))
        blocks = self.add("Reshape", centred, self.constant([0, 0, -1, block_of(table.shape[1])]))
        found = self.add("Cast", self.add("Gather", self.constant(scales), numbers), to=TensorProto.FLOAT)
        scaled = self.add("Mul", blocks, self.add("Unsqueeze", found, self.constant([-1])))
        return self.add("Reshape", scaled, self.constant([0, 0, -1]))

    def linear_in_4_bits(self, x: str, weight: Floats, bias: Floats | None) -> str:
        """``x @ weight + bias``: weights in 4 bits with a scale for each block of inputs, activations in 8 bits.

        The runtime rounds activations in blocks of a row, so that a row's result does not depend on other rows.
        """
        inputs, outputs = weight.shape
        whole, scales = split_blocks(np.ascontiguousarray(weight.T), 4)  # (out, in), (out, blocks)
        block = block_of(inputs)
        shifted = (whole + 8).astype(np.uint8).reshape(outputs, inputs // block, block)
        packed = shifted[..., 0::2] | (shifted[..., 1::2] << 4)
        held = self.add("Cast", self.constant(scales.reshape(-1)), to=TensorProto.FLOAT)
        product = self.add(
            "MatMulNBits", x, self.constant(packed), held, domain=MICROSOFT,
            K=inputs, N=outputs, bits=4, block_size=block, accuracy_level=4,
        )  # fmt: skip
        return product if bias is None else self.add("Add", product, self.constant(bias))

    def linear(
        self, x: str, weight: Floats, bias: Floats | None, reach: Reach = Reach.ROW, spread: Floats | None = None
    ) -> str:
        """``x @ weight + bias`` for x of (..., in).

        Quantised: weights 8-bit with a scale for each output, activations 8-bit with a scale for each *row*. The usual
        dynamic quantisation takes one scale for the whole batch, and then a sentence's tags depend on its neighbours.
        ``reach`` says what is known of the activations. ``spread`` (in,) is about how large each of them gets: large
        ones, which would leave few levels to the rest, are made smaller and their weights larger (Xiao et al. 2023).
        """
        if not self.quantised:
            product = self.add("MatMul", x, self.constant(weight))
            return product if bias is None else self.add("Add", product, self.constant(bias))
        if spread is not None:
            moved = np.sqrt(spread / np.maximum(np.abs(weight).max(axis=1), 1e-6)).astype(np.float32)
            x = self.add("Mul", x, self.constant(1.0 / moved))
            weight = weight * moved[:, None]
        scales = np.maximum(np.abs(weight).max(axis=0), 1e-12) / 127.0
        columns = np.rint(weight / scales).astype(np.int8)
        zero = self.constant(np.array(0 if reach is Reach.GELU else 128, np.uint8))
        row = ""
        if reach is Reach.UNIT:
            rounded = self.add("QuantizeLinear", x, self.constant(1.0 / 127.0), zero)
            scales = scales / 127.0
        else:
            levels, values = 127.0, self.add("Abs", x) if reach is Reach.ROW else ""
            if reach is Reach.GELU:  # never below its minimum: shifted up, all 256 levels are of use
                levels, x = 255.0, self.add("Add", x, self.constant(-GELU_MINIMUM))
                values = x
                shift = GELU_MINIMUM * (columns.astype(np.float64) * scales).sum(axis=0)
                bias = (shift if bias is None else shift + bias).astype(np.float32)
            top = self.add("ReduceMax", values, self.constant([-1]), keepdims=1)
            row = self.add("Max", self.add("Mul", top, self.constant(1.0 / levels)), self.constant(1e-12))
            rounded = self.add("QuantizeLinear", self.add("Div", x, row), self.constant(1.0), zero)
        whole = self.add("MatMulInteger", rounded, self.constant(columns), zero)
        floats = self.add("Cast", whole, to=TensorProto.FLOAT)
        product = self.add("Mul", floats, self.constant(scales.astype(np.float32)))
        if row:
            product = self.add("Mul", product, row)
        return product if bias is None else self.add("Add", product, self.constant(bias))

    def inner(self) -> Graph:
        """A graph for the body of a loop; its names are its own."""
        body = Graph(self.quantised)
        body._prefix = f"{self.name()}_"
        return body

    def scan(
        self, body: Graph, inputs: Sequence[str], outputs: Sequence[str], states: Sequence[str], steps: Sequence[str]
    ) -> tuple[str, ...]:
        """Run ``body`` over the first axis of ``steps``; it gives the next states, then what is collected."""
        kinds = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in (*inputs, *outputs)]
        graph = helper.make_graph(
            body.nodes, "body", kinds[: len(inputs)], kinds[len(inputs) :], list(body.constants.values())
        )
        return self.add_many("Scan", *states, *steps, outputs=len(outputs), body=graph, num_scan_inputs=len(steps))

    def model(
        self, categories: int, logits: str, temperature: float, columns: int, feeds: Sequence[str] = (),
        others: Mapping[str, tuple[str, int, int | None]] | None = None,
    ) -> bytes:  # fmt: skip
        """The file: from ``cells``, ``lengths``, ``positions`` and ``feeds`` to ``log_probabilities`` and others.

        ``others``: by the name of the output, the result that it shows, its type and its width (None: one number).
        """
        scaled = self.add("Mul", logits, self.constant(1.0 / temperature))
        self.nodes.append(helper.make_node("LogSoftmax", [scaled], ["log_probabilities"], axis=-1))
        integer = TensorProto.INT32
        inputs = [
            helper.make_tensor_value_info("cells", integer, ["sentences", "steps", columns]),
            helper.make_tensor_value_info("lengths", integer, ["sentences"]),
            *(helper.make_tensor_value_info(name, integer, ["words"]) for name in ("positions", *feeds)),
        ]
        outputs = [helper.make_tensor_value_info("log_probabilities", TensorProto.FLOAT, ["words", categories])]
        for name, (result, kind, width) in (others or {}).items():
            self.nodes.append(helper.make_node("Identity", [result], [name]))
            outputs.append(helper.make_tensor_value_info(name, kind, ["words"] if width is None else ["words", width]))
        graph = helper.make_graph(self.nodes, "tagger", inputs, outputs, list(self.constants.values()))
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="starccg")
        content: bytes = model.SerializeToString()
        return content
