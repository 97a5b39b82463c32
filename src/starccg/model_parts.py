"""A model folder: ``model.json`` (kind ``parser``), ``grammar.json``, a folder ``tagger`` and, unless the model is
supertag-factored only, a folder ``global``. Every file's SHA-256 is checked on load.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starccg.ccg.grammar import Grammar
from starccg.errors import StarccgError
from starccg.folders import read_folder, read_manifest, write_folder
from starccg.globalmodel import GlobalModel, load_global_model, save_global_model
from starccg.tagger import Tagger

GRAMMAR = "grammar.json"


@dataclass(frozen=True)
class Parts:
    """What a model folder holds."""

    grammar: Grammar
    tagger: Tagger
    global_model: GlobalModel | None
    learned: dict[str, Any]
    """How the global model was trained, as far as its folder says."""


def read_parts(folder: Path, *, threads: int = 1) -> Parts:
    """Read a model folder, every checksum checked."""
    _, files = read_folder(folder, "parser")
    if GRAMMAR not in files:
        raise StarccgError(f"{folder} has no {GRAMMAR}: fetch or export the model again")
    grammar = Grammar.loads(files[GRAMMAR].read_text("utf-8"))
    tagger = Tagger.load(folder / "tagger", threads=threads)
    place = folder / "global"
    if not place.is_dir():
        return Parts(grammar, tagger, None, {})
    return Parts(grammar, tagger, load_global_model(place), read_manifest(place).get("provenance", {}))


def assemble(
    folder: str | os.PathLike[str],
    grammar: Grammar,
    tagger: str | os.PathLike[str],
    global_model: str | os.PathLike[str] | None = None,
    provenance: dict[str, Any] | None = None,
    name: str = "",
) -> None:
    """Make a model folder of its parts, which are copied into it; the manifest is written last."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for part in ("tagger", "global"):
        shutil.rmtree(target / part, ignore_errors=True)
    shutil.copytree(tagger, target / "tagger")
    if global_model is not None:
        learned = read_manifest(Path(global_model)).get("provenance")
        save_global_model(load_global_model(Path(global_model)), target / "global", learned, small=True)
    manifest = {"model": "parser", "name": name or target.name, "provenance": provenance or {}}
    write_folder(target, manifest, {GRAMMAR: grammar.dumps().encode()})
