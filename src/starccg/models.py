"""Where models are and how a parser is made of one. No network, ever: a model is a folder that is there or is not.

A model folder holds ``model.json`` (kind ``parser``), ``grammar.json``, a folder ``tagger`` and, unless the model is
supertag-factored only, a folder ``global``. Every file's SHA-256 is checked on load.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starccg.errors import StarccgError

if TYPE_CHECKING:
    from starccg.ccg.grammar import Grammar
    from starccg.parser import Parser

VARIABLE = "STARCCG_MODELS"
"""The environment variable that names a folder with models of the user's own."""
DEFAULT = "en"


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
    from starccg.ccg.grammar import Grammar  # noqa: PLC0415 - importing starccg must stay fast
    from starccg.globalmodel.storage import load_global_model  # noqa: PLC0415
    from starccg.parser import Parser  # noqa: PLC0415
    from starccg.tagger import Tagger  # noqa: PLC0415
    from starccg.tagger.folder import read_folder  # noqa: PLC0415

    folder = find(model)
    _, parts = read_folder(folder, "parser")
    if "grammar.json" not in parts:
        raise StarccgError(f"{folder} has no grammar.json: fetch or export the model again")
    grammar = Grammar.loads(parts["grammar.json"].read_text("utf-8"))
    tagger = Tagger.load(folder / "tagger", threads=threads)
    global_model = load_global_model(folder / "global") if (folder / "global").is_dir() else None
    return Parser(tagger, grammar, global_model, threads=threads, name=folder.name)


def assemble(
    folder: str | os.PathLike[str],
    grammar: Grammar,
    tagger: str | os.PathLike[str],
    global_model: str | os.PathLike[str] | None = None,
    provenance: dict[str, Any] | None = None,
) -> None:
    """Make a model folder of its parts, which are copied into it; the manifest is written last."""
    from starccg.globalmodel.storage import ENTRY, load_global_model, read_manifest, save_global_model  # noqa: PLC0415
    from starccg.tagger.folder import write_folder  # noqa: PLC0415

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name in ("tagger", "global"):
        shutil.rmtree(target / name, ignore_errors=True)
    shutil.copytree(tagger, target / "tagger")
    if global_model is not None:
        learned = read_manifest(Path(global_model))[ENTRY].get("provenance")
        save_global_model(load_global_model(Path(global_model)), target / "global", learned, half_words=True)
    manifest = {"model": "parser", "name": target.name, "provenance": provenance or {}}
    write_folder(target, manifest, {"grammar.json": grammar.dumps().encode()})
