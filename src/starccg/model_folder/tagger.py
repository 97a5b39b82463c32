"""A supertagger on disk: ``tagger.onnx``, its vocabulary files and a ``model.json`` (kind ``tagger``)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from safetensors.numpy import load

from starccg.ccg.category import Category
from starccg.errors import ModelError
from starccg.model_folder.manifest import MANIFEST, read_folder, reading
from starccg.model_folder.onnx_file import check_onnx
from starccg.tagger.model import LOG_PROBABILITIES, NOTES, PIECES_FILE, Tagger, open_session, read_inputs

GRAPH_FILE = "tagger.onnx"
POSITIONS = range(16, 65537)
"""How many word pieces an encoder may read at a time."""


def load_tagger(folder: str | os.PathLike[str], threads: int = 0, device: str = "cpu") -> Tagger:
    """Load a tagger after verifying every file; ``threads = 0`` uses all cores that this process may use."""
    manifest, files = read_folder(folder, "tagger")
    with reading(Path(folder) / MANIFEST):
        _check_manifest(manifest, Path(folder) / MANIFEST)
        graph_file = files[GRAPH_FILE]
    with reading(Path(folder)):
        inputs = read_inputs(manifest, files)
        pieces = load(files[PIECES_FILE].read_bytes()) if PIECES_FILE in files else None
    with reading(graph_file):
        graph = graph_file.read_bytes()
        check_onnx(graph, str(graph_file), pieces or ())
        session = open_session(graph, device, pieces)
        _check_outputs(session, len(manifest["categories"]), graph_file)
    return Tagger(inputs, session, manifest, Path(folder).name, threads=threads)


def _check_manifest(manifest: dict[str, Any], path: Path) -> None:
    """Refuse entries that no tagger can work with."""
    categories = manifest["categories"]
    if not is_list_of_texts(categories) or len(set(map(Category.parse, categories))) != len(categories):
        raise ModelError(f"{path} has no list of different categories: export the model again")
    beam = manifest["beam"]
    if isinstance(beam, bool) or not isinstance(beam, int | float) or not 0 <= beam <= 1:
        raise ModelError(f"{path}: beam must be a number from 0 to 1, not {str(beam)[:40]}: export the model again")
    for name in NOTES:
        if name in manifest and not is_list_of_texts(manifest[name]):
            raise ModelError(f"{path}: {name} must be a list of texts: export the model again")
    if manifest["kind"] == "encoder":
        positions = manifest["hyperparameters"]["positions"]
        if type(positions) is not int or positions not in POSITIONS:
            wanted = f"a number from {POSITIONS[0]} to {POSITIONS[-1]}"
            raise ModelError(f"{path}: positions must be {wanted}, not {str(positions)[:40]}: export the model again")


def is_list_of_texts(value: object) -> bool:
    """Whether it is a list of strings with at least one."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def _check_outputs(session: Any, categories: int, path: Path) -> None:
    """Refuse a graph whose output is not one number for each category. A graph on a GPU is checked when it runs."""
    if not hasattr(session, "get_outputs"):
        return
    shapes = {output.name: output.shape for output in session.get_outputs()}
    if LOG_PROBABILITIES not in shapes:
        raise ModelError(f"{path} has no output {LOG_PROBABILITIES}: export the model again")
    shape = shapes[LOG_PROBABILITIES]
    if len(shape) != 2 or (isinstance(shape[1], int) and shape[1] != categories):
        raise ModelError(
            f"{path} gives log-probabilities of the shape {shape}, but {MANIFEST} has {categories} categories: "
            "export the model again"
        )
