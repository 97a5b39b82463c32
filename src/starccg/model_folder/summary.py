"""Size, speed and accuracy of a model for ``models list``, from its manifests."""

from __future__ import annotations

from dataclasses import dataclass, field
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
    bytes: int
    """The size of its own files."""
    language: str = ""
    """The code of the language in ISO 639-1."""
    shares: str = ""
    """The model that has the rest of its files; empty: none."""
    supertags: dict[str, float] = field(default_factory=dict)
    """By dev set, the tagger's accuracy in percent."""
    f1: dict[str, float] = field(default_factory=dict)
    """By dev set, the labelled F1 in percent."""
    sentences_per_second: float | None = None
    """From words to parse on one core, on the first dev set."""


def summarise(name: str, folder: Path) -> Summary:
    """Read the manifests of a model; a damaged one has no figures."""
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    try:
        manifest, tagger = read_manifest(folder), read_manifest(folder / "tagger")
        figures: dict[str, Any] = manifest.get(FIGURES, {})
        speed = figures.get("sentences_per_second")
        return Summary(
            name=name,
            folder=folder,
            bytes=size,
            language=language_of(manifest),
            shares=str(manifest.get(SHARED, "")),
            supertags={dev: 100 * float(found["accuracy"]) for dev, found in tagger.get("dev", {}).items()},
            f1={dev: float(f1) for dev, f1 in figures.get("labelled_f1", {}).items()},
            sentences_per_second=None if speed is None else float(speed),
        )
    except (StarccgError, AttributeError, KeyError, TypeError, ValueError):
        return Summary(name, folder, size)


def write_figures(folder: Path, labelled_f1: dict[str, float], sentences_per_second: float) -> None:
    """Write the figures of a benchmark to a model's manifest."""
    rounded = {name: round(value, 2) for name, value in labelled_f1.items()}
    write_entry(folder, FIGURES, {"labelled_f1": rounded, "sentences_per_second": round(sentences_per_second)})
