"""Where models are and how a parser is made of one. No network, ever: a model is a folder that is there or is not.

A model folder holds ``model.json`` (kind ``parser``), ``grammar.json``, a folder ``tagger`` and, unless the model is
supertag-factored only, a folder ``global``. Every file's SHA-256 is checked on load.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starccg.errors import StarccgError

if TYPE_CHECKING:
    from starccg.ccg.grammar import Grammar
    from starccg.globalmodel import GlobalModel
    from starccg.parser import Parser
    from starccg.tagger import Tagger

VARIABLE = "STARCCG_MODELS"
"""The environment variable that names a folder with models of the user's own."""
DEFAULT = "en"
GRAMMAR = "grammar.json"


def model_folders() -> list[Path]:
    """The folders that hold models by name: the user's first, then the package's own."""
    own = [Path(part) for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    return [*own, Path(__file__).parent / "pretrained"]


def available() -> dict[str, Path]:
    """The models by name."""
    found: dict[str, Path] = {}
    for folder in model_folders():
        if folder.is_dir():
            for candidate in sorted(folder.iterdir()):
                if (candidate / "model.json").is_file():
                    found.setdefault(candidate.name, candidate)
    return found


def find(model: str | os.PathLike[str]) -> Path:
    """The folder of a model, given by name or by path."""
    path = Path(model)
    if path.is_dir():
        return path
    models = available()
    if str(model) in models:
        return models[str(model)]
    known = ", ".join(models) or "none"
    raise StarccgError(f"no model is called {str(model)!r} and no folder has that name; models here: {known}")


def load(model: str | os.PathLike[str] = DEFAULT, *, threads: int = 1) -> Parser:
    """A parser from a model's name or folder; ``threads`` bounds both tagging and search."""
    from starccg.parser import Parser  # noqa: PLC0415 - importing starccg must stay fast

    folder = find(model)
    parts = read_parts(folder, threads=threads)
    return Parser(parts.tagger, parts.grammar, parts.global_model, threads=threads, name=folder.name)


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
    from starccg.ccg.grammar import Grammar  # noqa: PLC0415
    from starccg.folders import read_folder, read_manifest  # noqa: PLC0415
    from starccg.globalmodel.storage import load_global_model  # noqa: PLC0415
    from starccg.tagger import Tagger  # noqa: PLC0415

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
) -> None:
    """Make a model folder of its parts, which are copied into it; the manifest is written last."""
    from starccg.folders import read_manifest, write_folder  # noqa: PLC0415
    from starccg.globalmodel.storage import load_global_model, save_global_model  # noqa: PLC0415

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name in ("tagger", "global"):
        shutil.rmtree(target / name, ignore_errors=True)
    shutil.copytree(tagger, target / "tagger")
    if global_model is not None:
        learned = read_manifest(Path(global_model)).get("provenance")
        save_global_model(load_global_model(Path(global_model)), target / "global", learned, small=True)
    manifest = {"model": "parser", "name": target.name, "provenance": provenance or {}}
    write_folder(target, manifest, {GRAMMAR: grammar.dumps().encode()})
