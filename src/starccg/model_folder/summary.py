"""Size, speed and accuracy of a model for ``models list``, from its manifests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starccg.errors import ModelError
from starccg.model_folder.manifest import SHARED, read_manifest
from starccg.model_folder.parts import write_entry

FIGURES = "figures"


@dataclass(frozen=True)
class Summary:
    """One model."""

    name: str
    folder: Path
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
    except ModelError:
        return Summary(name, folder, size, "", {}, {}, None)
    figures: dict[str, Any] = manifest.get(FIGURES, {})
    return Summary(
        name,
        folder,
        size,
        manifest.get(SHARED, ""),
        {dev: 100 * found["accuracy"] for dev, found in tagger.get("dev", {}).items()},
        figures.get("labelled_f1", {}),
        figures.get("sentences_per_second"),
    )


def write_figures(folder: Path, labelled_f1: dict[str, float], sentences_per_second: float) -> None:
    """Write the figures of a benchmark to a model's manifest."""
    rounded = {name: round(value, 2) for name, value in labelled_f1.items()}
    write_entry(folder, FIGURES, {"labelled_f1": rounded, "sentences_per_second": round(sentences_per_second)})
