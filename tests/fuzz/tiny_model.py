"""A model folder of a few kilobytes, made without training."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from starccg.ccg.english import ENGLISH
from starccg.globalmodel.parameters import Dimensions, initial
from starccg.model_folder.manifest import FORMAT, MANIFEST

GRAPH = Path(__file__).parent / "corpus" / "onnx" / "tiny"
"""log_softmax(cells[positions] @ weights), for three categories."""
CATEGORIES = ["N", "NP/N", r"S[dcl]\NP"]
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "##a", "##b"]
DIMENSIONS = Dimensions(words=1, categories=1, cells=1)


@cache
def _files() -> dict[str, bytes]:
    tensors: dict[str, Any] = dict(initial(DIMENSIONS, 3, len(CATEGORIES) + 1, 1))
    for name, lines in (("vocabulary", ["a", "b"]), ("categories", CATEGORIES)):
        tensors[name] = np.frombuffer("\n".join(lines).encode(), np.uint8)
    tagger = {
        "kind": "encoder",
        "categories": CATEGORIES,
        "beam": 0.01,
        "hyperparameters": {"positions": 64, "pooling": "first"},
    }
    return {
        MANIFEST: manifest("parser", name="tiny", provenance={}),
        "grammar.json": ENGLISH.dumps().encode(),
        f"tagger/{MANIFEST}": manifest("tagger", **tagger),
        "tagger/wordpieces.txt": "\n".join(PIECES).encode(),
        "tagger/tagger.onnx": GRAPH.read_bytes(),
        f"global/{MANIFEST}": manifest("global", dimensions=DIMENSIONS.to_json(), provenance={}),
        "global/global.safetensors": save(tensors),
    }


def files() -> dict[str, bytes]:
    """The files by their paths; the manifests lack the checksums."""
    return dict(_files())


def manifest(model: str, **entries: Any) -> bytes:
    """A ``model.json`` without checksums."""
    return json.dumps({"format": FORMAT, "model": model, **entries}).encode()


def write(contents: dict[str, bytes], folder: Path) -> Path:
    """Write a model folder, with the checksums of its files in those manifests that can be read."""
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = [other for other in contents if _beside(other, name)]
        path.write_bytes(with_checksums(content, beside, contents) if path.name == MANIFEST else content)
    return folder


def _beside(other: str, name: str) -> bool:
    return Path(other).parent == Path(name).parent and other != name


def with_checksums(content: bytes, names: list[str], contents: dict[str, bytes]) -> bytes:
    """A manifest with the right checksums, unless it has some or is damaged."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return content
    if not isinstance(value, dict) or "sha256" in value:
        return content
    checksums = {Path(name).name: hashlib.sha256(contents[name]).hexdigest() for name in names}
    return json.dumps({**value, "sha256": checksums}).encode()
