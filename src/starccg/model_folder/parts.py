"""A parser's model folder: ``model.json`` (kind ``parser``), ``grammar.json``, a folder ``tagger`` and, unless it is
supertag-factored only, a folder ``global``.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starccg.ccg.grammar import Grammar
from starccg.errors import ModelError
from starccg.globalmodel import GlobalModel
from starccg.model_folder.global_model import load_global_model, save_global_model
from starccg.model_folder.manifest import (
    SHARED,
    read_folder,
    read_manifest,
    reading,
    share,
    shared_folder,
    write_folder,
    write_manifest,
)
from starccg.model_folder.tagger import load_tagger
from starccg.tagger import Tagger

GRAMMAR = "grammar.json"


@dataclass(frozen=True)
class Parts:
    """The parts of a model folder."""

    grammar: Grammar
    tagger: Tagger
    global_model: GlobalModel | None
    provenance: dict[str, Any]
    """How the global model was trained, if its folder says so."""
    calibration: dict[str, Any] | None = None
    """The weights of :class:`starccg.confidence.Calibration`, if the manifest has them."""
    language: str = "en"


def read_parts(folder: Path, *, threads: int = 1, device: str = "cpu") -> Parts:
    """Read a model folder and verify every checksum. ``device``: where the networks run, ``cpu`` or ``cuda:N``."""
    manifest, files = read_folder(folder, "parser")
    if GRAMMAR not in files:
        raise ModelError(f"{folder} has no {GRAMMAR}: copy or export the model again")
    with reading(files[GRAMMAR]):
        grammar = Grammar.loads(files[GRAMMAR].read_text("utf-8"))
    place = global_folder(folder, manifest)
    # First the smaller of the two: the memory that its reading needs for a moment is used again.
    global_model = None if place is None else load_global_model(place, device=device)
    tagger = load_tagger(folder / "tagger", threads=threads, device=device)
    provenance = {} if place is None else read_manifest(place).get("provenance", {})
    return Parts(grammar, tagger, global_model, provenance, manifest.get("calibration"), language_of(manifest))


def language_of(manifest: dict[str, Any]) -> str:
    """The language that a model's manifest names, as its code in ISO 639-1; English if it names none."""
    provenance = manifest.get("provenance")
    named = provenance.get("language") if isinstance(provenance, dict) else None
    return str(manifest.get("language") or named or "en")


def global_folder(folder: Path, manifest: dict[str, Any]) -> Path | None:
    """Where a model's global model is: in its folder, or in that of the model that it shares files with."""
    other = shared_folder(folder, manifest)
    places = [folder / "global", *([other / "global"] if other is not None else [])]
    return next((place for place in places if place.is_dir()), None)


def share_parts(folder: Path, other: Path) -> list[str]:
    """Remove the files of a model folder that another model also has; the other is named by its folder."""
    name = other.name
    equal = [f"tagger/{file}" for file in share(folder / "tagger", other / "tagger", f"{name}/tagger")]
    if (folder / "global").is_dir() and (other / "global").is_dir():
        own, theirs = (read_manifest(place / "global")["sha256"] for place in (folder, other))
        if own == theirs:
            shutil.rmtree(folder / "global")
            equal.append("global")
    return equal + share(folder, other, name)


def write_entry(folder: Path, name: str, value: Any) -> None:
    """Write an entry to the manifest of a model folder."""
    write_manifest(folder, {**read_manifest(folder), name: value})


def assemble(
    folder: str | os.PathLike[str],
    grammar: Grammar,
    tagger: str | os.PathLike[str],
    global_model: str | os.PathLike[str] | None = None,
    provenance: dict[str, Any] | None = None,
    name: str = "",
) -> None:
    """Make a model folder from its parts, which are copied into it; the manifest is written last."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for part in ("tagger", "global"):
        shutil.rmtree(target / part, ignore_errors=True)
    manifest, files = read_folder(tagger, "tagger")
    contents = {}
    for file, path in files.items():
        with reading(path):
            contents[file] = path.read_bytes()
    write_folder(target / "tagger", {name: it for name, it in manifest.items() if name != SHARED}, contents)
    if global_model is not None:
        trained = read_manifest(Path(global_model)).get("provenance")
        save_global_model(load_global_model(Path(global_model)), target / "global", trained, small=True)
    described = {"model": "parser", "name": name or target.name, "provenance": provenance or {}}
    write_folder(target, described, {GRAMMAR: grammar.dumps().encode()})
