"""A tagger's ONNX graph run by torch on a GPU, in half precision, from the same model folder as on the CPU.

The graph is read once into a list of steps, one torch function each. Products of 8-bit numbers, for the CPU, become
products in half precision: the activations are not rounded, and the weights include the scales. Norms and the final
softmax are computed in single precision. So the log-probabilities differ from those of the CPU only by rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor
from torch.nn import functional

from starccg.errors import ModelError
from starccg.tagger.pruning import KeptTags, check_tag_beam

Values = list[Any]
"""The inputs of a step: tensors, None for an optional input that is missing."""
Operator = Callable[[Values, dict[str, Any]], Any]

MOST_CELLS = 65_536
"""Steps in a batch, including padding. A GPU needs larger batches than a core."""


@dataclass(frozen=True, slots=True)
class Step:
    """One node of the graph."""

    run: Operator
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: dict[str, Any]


class TorchGraph:
    """Same interface as an onnxruntime session: ``run(names, feeds)`` with arrays in and out."""

    most_cells = MOST_CELLS

    def __init__(
        self,
        graph: bytes,
        device: str = "cuda",
        outside: Mapping[str, Any] | None = None,
        precision: torch.dtype | None = None,
    ) -> None:
        """``outside``: constants that are stored in another file. ``precision``: None is half on a GPU."""
        self.device = torch.device(device)
        self.half = precision or (torch.float16 if self.device.type == "cuda" else torch.float32)
        model = onnx.load_model_from_string(graph)
        constants = {
            tensor.name: outside[tensor.name] if outside and tensor.name in outside else numpy_helper.to_array(tensor)
            for tensor in model.graph.initializer
        }
        nodes = _with_plain_products(list(model.graph.node), constants)
        used = {name for node in nodes for name in node.input}
        self._constants = {name: self._constant(array) for name, array in constants.items() if name in used}
        self._steps = [self._step(node) for node in nodes]
        self._needed: dict[frozenset[str], list[Step]] = {}

    def run(self, names: Sequence[str], feeds: dict[str, Any], options: object = None) -> list[Any]:
        """The values called ``names``, as arrays: numbers in single precision, or integers."""
        with torch.inference_mode():
            return list(map(_array, self._values(names, feeds)))

    def tag(
        self, names: Sequence[str], feeds: dict[str, Any], tag_beam: float, max_tags: int
    ) -> tuple[KeptTags, list[Any]]:
        """As :meth:`run`, with the tags kept of the first value, the log-probabilities. Only these leave the GPU."""
        with torch.inference_mode():
            scores, *others = self._values(names, feeds)
            return _kept_tags(scores.float(), tag_beam, max_tags), list(map(_array, others))

    def works(self) -> bool:
        """Whether the GPU still computes; after some errors it does not until the process ends."""
        try:
            return int(torch.ones(1, device=self.device).sum()) == 1
        except RuntimeError:
            return False

    def _values(self, names: Sequence[str], feeds: dict[str, Any]) -> list[Tensor]:
        values: dict[str, Any] = dict(self._constants)
        for name, array in feeds.items():
            values[name] = torch.from_numpy(array).to(self.device, non_blocking=True)
        try:
            for step in self._steps_to(frozenset(names)):
                found = step.run([values[name] if name else None for name in step.inputs], step.attributes)
                for name, value in zip(step.outputs, found if isinstance(found, tuple) else (found,), strict=True):
                    values[name] = value
        except torch.cuda.OutOfMemoryError as error:
            raise MemoryError(str(error)) from error
        return [values[name] for name in names]

    def _steps_to(self, names: frozenset[str]) -> list[Step]:
        """The steps that the values called ``names`` depend on, in order."""
        if names not in self._needed:
            kept, wanted = list[Step](), set(names)
            for step in reversed(self._steps):
                if wanted & set(step.outputs):
                    kept.append(step)
                    wanted |= set(step.inputs)
            self._needed[names] = kept[::-1]
        return self._needed[names]

    def _constant(self, array: Any) -> Tensor:
        """Weights are stored on the GPU in half precision; shapes and bounds, for control flow, on the CPU."""
        tensor = torch.from_numpy(np.array(array))
        if tensor.is_floating_point():
            return tensor.to(self.device, self.half)
        return tensor if tensor.dtype == torch.int64 and tensor.numel() <= 8 else tensor.to(self.device)

    def _step(self, node: Any) -> Step:
        if node.op_type not in OPERATORS:
            raise ModelError(
                f"this tagger has the ONNX operator {node.op_type}, which does not run on the GPU: load the model with "
                "device='cpu'"
            )
        attributes = {held.name: onnx.helper.get_attribute_value(held) for held in node.attribute}
        if node.op_type == "Cast":
            kinds = {onnx.TensorProto.FLOAT: self.half, onnx.TensorProto.FLOAT16: self.half}
            attributes["to"] = kinds.get(attributes["to"], torch.int64)
        return Step(OPERATORS[node.op_type], tuple(node.input), tuple(node.output), attributes)


def _array(value: Tensor) -> npt.NDArray[Any]:
    found: npt.NDArray[Any] = (value.float() if value.is_floating_point() else value).cpu().numpy()
    return found


def _kept_tags(scores: Tensor, tag_beam: float, max_tags: int) -> KeptTags:
    """:func:`starccg.tagger.pruning.kept_tags` on the GPU. ``scores``: (words, categories)."""
    check_tag_beam(tag_beam, max_tags)
    ordered, tags = scores.sort(dim=1, descending=True, stable=True)  # stable: ties by number
    cut = math.log(tag_beam) if tag_beam > 0 else -math.inf
    counts = (ordered >= ordered[:, :1] + cut).sum(1).clamp(max=max_tags)
    padded = functional.pad(ordered, (0, 1), value=-math.inf)
    pruned = padded.gather(1, counts[:, None])[:, 0]
    kept = torch.arange(ordered.shape[1], device=scores.device) < counts[:, None]
    return KeptTags(
        tags[kept].int().cpu().numpy(), ordered[kept].cpu().numpy(), counts.int().cpu().numpy(), pruned.cpu().numpy()
    )


_ROUNDING = ("QuantizeLinear", "MatMulInteger", "ReduceMax", "Abs", "Max")
"""Operators that are only used in products of 8-bit numbers."""


def _with_plain_products(nodes: list[Any], constants: dict[str, Any]) -> list[Any]:
    """The graph with ``quantise, multiply integers, scale`` replaced by a product of floating-point numbers."""
    producer = {name: node for node in nodes for name in node.output}
    readers: dict[str, list[Any]] = {}
    for node in nodes:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    replaced: dict[str, Any] = {}  # by the name of the value that the new node gives
    for node in nodes:
        if node.op_type != "MatMulInteger":
            continue
        rounding = producer[node.input[0]]
        scaled = readers[readers[node.output[0]][0].output[0]][0]  # the product, cast, times the scales
        scales = constants[scaled.input[1]] / constants[rounding.input[1]]
        weight = constants[node.input[1]].astype(np.float32) * scales
        source, result = rounding.input[0], scaled.output[0]
        before, after = producer.get(source), readers[result][0]
        if before is not None and (before.op_type, after.op_type) == ("Div", "Mul") and before.input[1] in after.input:
            source, result = before.input[0], after.output[0]  # the scale of the row divides and multiplies: left out
        name = f"{node.input[1]}.float"
        constants[name] = weight
        replaced[result] = onnx.helper.make_node("MatMul", [source, name], [result])
    for node in nodes:
        if node.op_type == "MatMulNBits":
            name = f"{node.input[1]}.float"
            constants[name] = _unpacked(node, constants, producer)
            replaced[node.output[0]] = onnx.helper.make_node("MatMul", [node.input[0], name], list(node.output))
    return [replaced.get(node.output[0], node) for node in nodes if node.op_type not in _ROUNDING]


def _unpacked(node: Any, constants: dict[str, Any], producer: dict[str, Any]) -> Any:
    """The weights (in, out) of a product with weights in 4 bits."""
    packed = constants[node.input[1]]  # (out, blocks, block / 2)
    held = node.input[2]
    scales = constants[held if held in constants else producer[held].input[0]].astype(np.float32)
    whole = np.stack((packed & 15, packed >> 4), -1).reshape(*packed.shape[:2], -1).astype(np.float32) - 8
    return (whole * scales.reshape(*packed.shape[:2], 1)).reshape(len(packed), -1).T.copy()


def _gather(values: Values, attributes: dict[str, Any]) -> Any:
    data, indices = values
    axis = attributes.get("axis", 0)
    if indices.numel() == 1 and indices.device.type == "cpu":
        found = data.select(axis, int(indices))
        return found if indices.dim() == 0 else found.unsqueeze(axis)
    flat = data.index_select(axis, indices.reshape(-1).to(data.device, torch.int64))
    return flat.reshape(data.shape[:axis] + indices.shape + data.shape[axis + 1 :])


def _slice(values: Values, attributes: dict[str, Any]) -> Any:
    data, starts, ends = values[:3]
    axes = values[3].tolist() if len(values) > 3 and values[3] is not None else range(len(starts))
    for axis, start, end in zip(axes, starts.tolist(), ends.tolist(), strict=True):
        data = data[(slice(None),) * (axis % data.dim()) + (slice(start, end),)]
    return data


def _reshape(values: Values, attributes: dict[str, Any]) -> Any:
    data, shape = values
    return data.reshape([data.shape[axis] if size == 0 else size for axis, size in enumerate(shape.tolist())])


def _split(values: Values, attributes: dict[str, Any]) -> Any:
    return values[0].chunk(attributes["num_outputs"], attributes.get("axis", 0))


def _layer_norm(values: Values, attributes: dict[str, Any]) -> Any:
    data, scale, bias = values
    shape = data.shape[attributes.get("axis", -1) :]
    normed = functional.layer_norm(data.float(), shape, scale.float(), bias.float(), attributes.get("epsilon", 1e-5))
    return normed.to(data.dtype)


def _attention(values: Values, attributes: dict[str, Any]) -> Any:
    query, key, value, _, lengths, bias = (*values, None)[:6]
    heads = attributes["num_heads"]
    query, key, value = (
        part.reshape(*part.shape[:2], heads, -1).transpose(1, 2) for part in (query, key, value)
    )  # (sentences, heads, steps, size)
    real = torch.arange(key.shape[2], device=key.device) < lengths[:, None]  # (sentences, steps)
    mask: Any = real[:, None, None]
    if bias is not None:
        mask = torch.where(mask, bias.to(query.dtype), torch.finfo(query.dtype).min)
    found = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, scale=attributes.get("scale"))
    return found.transpose(1, 2).flatten(2)


def _log_softmax(values: Values, attributes: dict[str, Any]) -> Any:
    return values[0].float().log_softmax(attributes.get("axis", -1))


def _reduce_sum(values: Values, attributes: dict[str, Any]) -> Any:
    axes = values[1].tolist() if len(values) > 1 else list(range(values[0].dim()))
    return values[0].sum(axes, keepdim=bool(attributes.get("keepdims", 1)))


def _product(values: Values, _: dict[str, Any]) -> Any:
    """Sums over the steps of a sentence (CumSum) are in single precision, and the weights they meet here are not."""
    return values[0].to(values[1].dtype) @ values[1]


OPERATORS: dict[str, Operator] = {
    "ArgMax": lambda values, attributes: values[0].argmax(attributes["axis"]),
    "BitShift": lambda values, _: values[0] >> values[1],
    "BitwiseAnd": lambda values, _: values[0] & values[1],
    "Add": lambda values, _: values[0] + values[1],
    "BiasGelu": lambda values, _: functional.gelu(values[0] + values[1]),
    "Cast": lambda values, attributes: values[0].to(attributes["to"]),
    "Concat": lambda values, attributes: torch.cat(values, attributes["axis"]),
    "CumSum": lambda values, _: values[0].float().cumsum(int(values[1])),
    "Div": lambda values, _: values[0] / values[1],
    "Gather": _gather,
    "Gelu": lambda values, _: functional.gelu(values[0]),
    "Identity": lambda values, _: values[0],
    "LayerNormalization": _layer_norm,
    "LogSoftmax": _log_softmax,
    "MatMul": _product,
    "Mul": lambda values, _: values[0] * values[1],
    "MultiHeadAttention": _attention,
    "Range": lambda values, _: torch.arange(*map(int, values)),
    "ReduceSum": _reduce_sum,
    "Reshape": _reshape,
    "Shape": lambda values, _: torch.tensor(values[0].shape),
    "Slice": _slice,
    "Split": _split,
    "Squeeze": lambda values, _: values[0].squeeze(),
    "Sub": lambda values, _: values[0] - values[1],
    "Tanh": lambda values, _: values[0].tanh(),
    "Transpose": lambda values, attributes: values[0].permute(attributes["perm"]),
    "Unsqueeze": lambda values, _: values[0].unsqueeze(int(values[1])),
}
"""What the graphs of our encoders are made of."""
