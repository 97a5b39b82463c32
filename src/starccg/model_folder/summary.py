"""Size, speed and accuracy of a model for ``models list``, from its manifests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starccg.errors import StarccgError
from starccg.model_folder.manifest import SHARED, read_manifest
from starccg.model_folder.parts import language_of, write_entry

FIGURES = "figures"


@dataclass(frozen=True)
class Summary:
    """One model."""

    name: str
    folder: Path
    language: str
    """The code of the language in ISO 639-1."""
    bytes: int
    """The size of its own files."""
    shares: str
    """The model that has the rest of its files; empty: none."""
    supertags: dict[str, float]
    """By dev set, the tagger's accuracy in percent."""
    f1: dict[str, float]
    """By dev set, the labelled F1 in percent."""
    sentences_per_second: float | None
    """From words to parse on one core, on the first dev set."""


def summarise(name: str, folder: Path) -> Summary:
    """Read the manifests of a model; a damaged one has no figures."""
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    try:
        manifest, tagger = read_manifest(folder), read_manifest(folder / "tagger")
        figures: dict[str, Any] = manifest.get(FIGURES, {})
        speed = figures.get("sentences_per_second")
        return Summary(
            name,
            folder,
            language_of(manifest),
            size,
            str(manifest.get(SHARED, "")),
            {dev: 100 * float(found["accuracy"]) for dev, found in tagger.get("dev", {}).items()},
            {dev: float(f1) for dev, f1 in figures.get("labelled_f1", {}).items()},
            None if speed is None else float(speed),
        )
    except (StarccgError, AttributeError, KeyError, TypeError, ValueError):
        return Summary(name, folder, "", size, "", {}, {}, None)


def write_figures(folder: Path, labelled_f1: dict[str, float], sentences_per_second: float) -> None:
    """Write the figures of a benchmark to a model's manifest."""
    rounded = {name: round(value, 2) for name, value in labelled_f1.items()}
    write_entry(folder, FIGURES, {"labelled_f1": rounded, "sentences_per_second": round(sentences_per_second)})
