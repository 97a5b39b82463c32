"""Check the contents of an ONNX file before onnxruntime reads it, without the package ``onnx``.

All weights must be in the file, or in another file of the model folder that the caller has read. Other external data
is an error: it would be read from paths that no checksum covers. So are loops and branches, which no tagger has,
and functions and sparse weights, which could contain them; ``Scan``, which runs a graph once for each word, is allowed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from starccg.errors import ModelError

_GRAPH, _FUNCTION = 7, 25
_NODE, _INITIALIZER, _SPARSE_INITIALIZER = 1, 5, 15
_ATTRIBUTE, _OPERATOR = 5, 4
_SUBGRAPHS = (6, 11)
_TENSORS = (5, 10)
_SPARSE_TENSORS = (22, 23)
_DEEPEST = 8
"""Graphs inside graphs; a tagger has one level."""
_NAME, _EXTERNAL_DATA, _DATA_LOCATION = 8, 13, 14


def check_onnx(content: bytes, name: str, provided: Collection[str] = ()) -> None:
    """Raise :class:`ModelError` for a file that a tagger must not have; ``provided`` weights come from elsewhere."""
    try:
        for field, value in _parts(memoryview(content)):
            if field == _GRAPH:
                _check_graph(value, name, provided)
            if field == _FUNCTION:
                raise ModelError(f"{name} defines functions, which a tagger must not have: export the model again")
    except ModelError:
        raise
    except (IndexError, ValueError):
        raise ModelError(f"{name} is not an ONNX file, or it is damaged: copy or export it again") from None


def _check_graph(graph: memoryview, name: str, provided: Collection[str], depth: int = 0) -> None:
    if depth > _DEEPEST:
        raise ValueError("graphs are nested too deep")
    for field, value in _parts(graph):
        if field == _SPARSE_INITIALIZER:
            raise ModelError(f"{name} has sparse weights, which a tagger must not have: export the model again")
        if field == _INITIALIZER:
            _check_tensor(value, name, provided)
        elif field == _NODE:
            _check_node(value, name, depth)


def _check_node(node: memoryview, name: str, depth: int) -> None:
    operators = {bytes(held).decode("utf-8", "replace") for part, held in _parts(node) if part == _OPERATOR}
    attributes = [held for part, held in _parts(node) if part == _ATTRIBUTE]
    for part, held in (pair for attribute in attributes for pair in _parts(attribute)):
        if part in _SPARSE_TENSORS:
            raise ModelError(f"{name} has sparse weights, which a tagger must not have")
        if part in _TENSORS:
            _check_tensor(held, name, ())
        elif part in _SUBGRAPHS and operators == {"Scan"}:  # the steps of an LSTM: as many as there are words
            _check_graph(held, name, (), depth + 1)
        elif part in _SUBGRAPHS:
            found = ", ".join(sorted(operators))[:40]
            raise ModelError(f"{name} has control flow ({found}), which a tagger must not have")


def _check_tensor(tensor: memoryview, name: str, provided: Collection[str]) -> None:
    own, external = "", False
    for field, value in _fields(tensor):
        if field == _NAME and isinstance(value, memoryview):
            own = bytes(value).decode("utf-8", "replace")
        external |= field == _EXTERNAL_DATA or (field == _DATA_LOCATION and value != 0)
    if external and own not in provided:
        raise ModelError(f"{name} keeps weights in another file, which no checksum covers: export the model again")


def _parts(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """The fields of a message that are no integers."""
    return ((field, value) for field, value in _fields(message) if isinstance(value, memoryview))


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview | int]]:
    """The fields of a protocol buffer message: number, and bytes or an integer."""
    position = 0
    while position < len(message):
        key, position = _varint(message, position)
        if key >> 32:  # others may read a shorter number
            raise ValueError("the number of a field is too long")
        kind = key & 7
        if kind == 0:
            value, position = _varint(message, position)
            yield key >> 3, value
            continue
        if kind == 2:
            size, position = _varint(message, position)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
        else:
            raise ValueError(f"unknown wire type {kind}")
        if position + size > len(message):
            raise ValueError("a field is longer than the file")
        yield key >> 3, message[position : position + size]
        position += size


def _varint(message: memoryview, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position
        shift += 7
        if shift > 63:
            raise ValueError("a number is too long")
