"""Where models are and how a parser is made of one. No network, ever: a model is a folder that is there or is not."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from starccg.errors import StarccgError

if TYPE_CHECKING:
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
                if _is_parser(candidate / "model.json"):
                    found.setdefault(candidate.name, candidate)
    return found


def _is_parser(manifest: Path) -> bool:
    """Whether a manifest is of a parser: taggers and global models have one too. A damaged one is told when loaded."""
    if not manifest.is_file():
        return False
    try:
        kind = json.loads(manifest.read_text("utf-8")).get("model", "parser")
    except (OSError, ValueError, AttributeError):
        return True
    return bool(kind == "parser")


def find(model: str | os.PathLike[str]) -> Path:
    """The folder of a model, given by name or by path; a folder that has a model's name is meant as ``./en``."""
    models = available()
    if isinstance(model, str) and model in models:
        return models[model]
    path = Path(model)
    if path.is_dir():
        return path
    known = ", ".join(models) or "none"
    raise StarccgError(f"no model is called {str(model)!r} and no folder has that name; models here: {known}")


def load(model: str | os.PathLike[str] = DEFAULT, *, threads: int = 1) -> Parser:
    """A parser from a model's name or folder; ``threads`` bounds both tagging and search.

    Names are those of the models in the package and in the folders that the environment variable ``STARCCG_MODELS``
    lists. A model that is not there, or not whole, raises :class:`StarccgError`. Nothing is ever downloaded.
    """
    from starccg.model_parts import read_parts  # noqa: PLC0415 - importing starccg must stay fast
    from starccg.parser import Parser  # noqa: PLC0415

    folder = find(model)
    parts = read_parts(folder, threads=threads)
    return Parser(parts.tagger, parts.grammar, parts.global_model, threads=threads, name=folder.name)
