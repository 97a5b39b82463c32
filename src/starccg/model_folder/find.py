"""Models by name. Nothing is downloaded: a model is a folder that is installed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from starccg.errors import StarccgError

VARIABLE = "STARCCG_MODELS"
"""The environment variable that lists folders with the user's models."""
GROUP = "starccg_models"
"""The entry point group of packages that contain models; each entry names a package of model folders."""
DEFAULT = "en"


def model_folders() -> Iterator[Path]:
    """The folders that contain models: the user's first, then this package's, then those of other packages."""
    yield from (Path(part) for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part)
    yield Path(__file__).parents[1] / "pretrained"
    yield from _installed()


@cache
def _installed() -> tuple[Path, ...]:
    """The folders of models that other packages name as an entry point of :data:`GROUP`; they are not imported."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import, and rarely needed

    found = []
    for point in entry_points(group=GROUP):
        spec = find_spec(point.module)
        found += [Path(place) for place in (spec.submodule_search_locations or ())] if spec is not None else []
    return tuple(found)


def available() -> dict[str, Path]:
    """The models by name."""
    found: dict[str, Path] = {}
    for candidate in _models():
        found.setdefault(candidate.name, candidate)
    return found


def _models() -> Iterator[Path]:
    """All models; of two with one name, the first is the one that the name means."""
    for folder in model_folders():
        if folder.is_dir():
            yield from (path for path in sorted(folder.iterdir()) if _is_parser(path / "model.json"))


def _is_parser(manifest: Path) -> bool:
    """Whether it is the manifest of a parser, not of a tagger or global model. A damaged one is reported on load."""
    if not manifest.is_file():
        return False
    try:
        kind = json.loads(manifest.read_text("utf-8")).get("model", "parser")
    except (OSError, ValueError, RecursionError, AttributeError):
        return True
    return bool(kind == "parser")


def find(model: str | os.PathLike[str]) -> Path:
    """The folder of a model, given by name or by path; write ``./en`` for a folder that has a model's name."""
    if isinstance(model, str):
        for candidate in _models():
            if candidate.name == model:
                return candidate
    if os.path.isdir(model):  # noqa: PTH112 - false for names that no file can have, where Path.is_dir raises an error
        return Path(model)
    known = ", ".join(available()) or "none"
    raise StarccgError(f"no model is called {str(model)!r} and no folder has that name; models here: {known}")
