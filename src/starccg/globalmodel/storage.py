"""A global model on disk: ``global.safetensors`` beside a ``model.json`` that names it, with a SHA-256.

``model.json`` belongs to all parts of a model folder: saving here replaces the entry ``global`` and leaves the others.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
from safetensors.numpy import load, save

from starccg.errors import StarccgError
from starccg.globalmodel.model import GlobalModel
from starccg.globalmodel.parameters import Dimensions
from starccg.globalmodel.vocabulary import Vocabulary

WEIGHTS_FILE = "global.safetensors"
MANIFEST = "model.json"
ENTRY = "global"
_TEXTS = ("vocabulary", "categories")


def save_global_model(
    model: GlobalModel, folder: Path, provenance: dict[str, Any] | None = None, *, half_words: bool = False
) -> None:
    """Write the model into a model folder. Each file is whole or absent, even if the machine stops meanwhile.

    ``half_words`` holds the word embeddings, most of the file, in half precision: for a model that is handed out.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"vocabulary": model.vocabulary.words, "categories": model.categories}
    tensors: dict[str, Any] = dict(model.arrays)
    if half_words and "words" in tensors:
        tensors["words"] = tensors["words"].astype(np.float16)
    tensors |= {name: np.frombuffer("\n".join(texts[name]).encode(), np.uint8) for name in _TEXTS}
    content = save(tensors)
    write_whole(folder / WEIGHTS_FILE, content)
    manifest = read_manifest(folder) if (folder / MANIFEST).exists() else {}
    manifest.setdefault("format", 1)
    manifest[ENTRY] = {
        "file": WEIGHTS_FILE,
        "sha256": hashlib.sha256(content).hexdigest(),
        "dimensions": model.dimensions.to_json(),
        "provenance": provenance or {},
    }
    write_whole(folder / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False).encode())


def load_global_model(folder: Path) -> GlobalModel:
    """Read a model folder's global model, after checking that the weights are the ones that were saved."""
    entry = read_manifest(folder).get(ENTRY)
    if not isinstance(entry, dict):
        raise StarccgError(f"{folder / MANIFEST}: this model has no global model (no entry {ENTRY!r})")
    try:
        name, digest, dimensions = str(entry["file"]), str(entry["sha256"]), Dimensions.from_json(entry["dimensions"])
    except (KeyError, TypeError) as error:
        raise StarccgError(f"{folder / MANIFEST}: the entry {ENTRY!r} is incomplete: {error}") from error
    path = folder / name
    if Path(name).name != name:
        raise StarccgError(f"{folder / MANIFEST}: the weights must lie beside it, not at {name!r}")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise StarccgError(f"{path}: cannot be read: {error.strerror}") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise StarccgError(f"{path}: not the file that {MANIFEST} names (SHA-256 differs): fetch the model again")
    try:
        tensors = load(content)
    except safetensors.SafetensorError as error:
        raise StarccgError(f"{path}: not a safetensors file: {error}") from error
    texts: dict[str, tuple[str, ...]] = {}
    for text in _TEXTS:
        if text not in tensors:
            raise StarccgError(f"{path}: the list of {text} is missing")
        joined = tensors.pop(text).tobytes().decode()
        texts[text] = tuple(joined.split("\n")) if joined else ()
    arrays = {key: np.asarray(value, np.float32) for key, value in tensors.items()}
    return GlobalModel(dimensions, Vocabulary(texts["vocabulary"]), texts["categories"], arrays)


def read_manifest(folder: Path) -> dict[str, Any]:
    """The ``model.json`` of a folder."""
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise StarccgError(f"{path}: cannot be read: {error.strerror}; is {folder} a model folder?") from error
    except ValueError as error:
        raise StarccgError(f"{path}: not JSON: {error}") from error
    if not isinstance(manifest, dict):
        raise StarccgError(f"{path}: expected an object")
    return manifest


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it holds the old content or the new, never half of it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
