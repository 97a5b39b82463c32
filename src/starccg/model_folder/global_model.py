"""A global model on disk: a folder with ``global.safetensors`` and a ``model.json`` (kind ``global``).

A distributed model has its word embeddings, most of the file, in 8 bits with a scale for every row.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import safetensors
from safetensors.numpy import load, save

from starccg.devices import REMOTE
from starccg.errors import ModelError
from starccg.globalmodel.model import GlobalModel
from starccg.globalmodel.parameters import Dimensions, Floats
from starccg.globalmodel.vocabulary import Vocabulary
from starccg.model_folder.manifest import MANIFEST, read_folder, reading, write_folder

KIND = "global"
WEIGHTS_FILE = "global.safetensors"
_TEXTS = ("vocabulary", "categories")
_SCALES = "words.scales"


def save_global_model(
    model: GlobalModel, folder: Path, provenance: dict[str, Any] | None = None, *, small: bool = False
) -> None:
    """Write a model folder. Each file is written atomically.

    ``small``: word embeddings in 8 bits, for distribution.
    """
    texts = {"vocabulary": model.vocabulary.words, "categories": model.categories}
    tensors: dict[str, npt.NDArray[Any]] = dict(model.arrays)
    if small and "words" in tensors:
        tensors["words"], tensors[_SCALES] = to_bytes(model.arrays["words"])
    tensors |= {name: np.frombuffer("\n".join(texts[name]).encode(), np.uint8) for name in _TEXTS}
    manifest = {"model": KIND, "dimensions": model.dimensions.to_json(), "provenance": provenance or {}}
    write_folder(folder, manifest, {WEIGHTS_FILE: save(tensors)})


def load_global_model(folder: Path, *, device: str = "cpu") -> GlobalModel:
    """Read a model folder and verify its checksums."""
    manifest, files = read_folder(folder, KIND)
    with reading(folder / MANIFEST):
        path, dimensions = files[WEIGHTS_FILE], Dimensions.from_json(manifest["dimensions"])
    with reading(path):
        return _read_weights(path, dimensions, device)


def _read_weights(path: Path, dimensions: Dimensions, device: str) -> GlobalModel:
    try:
        tensors = load(path.read_bytes())
    except safetensors.SafetensorError as error:
        raise ModelError(f"{path}: not a safetensors file: {error}") from error
    texts: dict[str, tuple[str, ...]] = {}
    for text in _TEXTS:
        if text not in tensors:
            raise ModelError(f"{path}: the list of {text} is missing")
        joined = tensors.pop(text).tobytes().decode()
        texts[text] = tuple(joined.split("\n")) if joined else ()
    if len(set(texts["categories"])) != len(texts["categories"]):
        raise ModelError(f"{path}: a category is listed twice: export the model again")
    scales = tensors.pop(_SCALES, None)
    arrays = {key: np.asarray(value, np.float32) for key, value in tensors.items()}
    if scales is not None:
        arrays["words"] *= scales
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise ModelError(f"{path}: the parameter {name} holds a number that is not finite: train the model again")
    leaf_encoder = None
    if device != "cpu" and not device.startswith(REMOTE):
        from starccg.globalmodel.torch_encoder import TorchLeafEncoder  # noqa: PLC0415 - torch is an extra

        leaf_encoder = TorchLeafEncoder(dimensions, arrays, device)
    return GlobalModel(dimensions, Vocabulary(texts["vocabulary"]), texts["categories"], arrays, leaf_encoder)


def to_bytes(rows: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Rows as integers from -127 to 127, and the scale (rows, 1) of each row."""
    scales = np.abs(rows).max(axis=1, keepdims=True, initial=0) / np.float32(127)
    scales[scales == 0] = 1
    return np.rint(rows / scales).astype(np.int8), scales.astype(np.float32)
