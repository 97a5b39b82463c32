"""Models are folders of plain files: ``model.json`` says what they are and holds the SHA-256 of every other file."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starccg.errors import StarccgError

MANIFEST = "model.json"
FORMAT = 1


class ModelError(StarccgError):
    """A folder that is not a whole model, with what to do about it."""


def sha256(path: Path) -> str:
    """The checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint_of(key: Any) -> str:
    """The checksum of a plain value, for what must be the same to be used again."""
    return hashlib.sha256(json.dumps(key, sort_keys=True, default=str).encode()).hexdigest()


def write_atomically(path: Path, content: bytes) -> None:
    """Write so that a kill leaves the old file or the new one, never half of one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")  # two processes may write the same file
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def write_folder(folder: Path, manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    """Write the files, then the manifest with their checksums: a folder without a manifest is no model."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    for name, content in files.items():
        write_atomically(folder / name, content)
    checksums = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    whole = {"format": FORMAT, **manifest, "sha256": checksums}
    write_atomically(folder / MANIFEST, (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode())


def read_folder(folder: str | os.PathLike[str], kind: str) -> tuple[dict[str, Any], dict[str, Path]]:
    """The manifest and the files, every checksum checked; ``kind`` is the ``model`` the caller can use."""
    folder = Path(folder)
    manifest = read_manifest(folder)
    if manifest.get("model") != kind:
        raise ModelError(f"{folder} holds a model of kind {manifest.get('model')!r}; {kind!r} is needed here")
    files = {}
    for name, checksum in manifest.get("sha256", {}).items():
        file = folder / name
        if Path(name).name != name or not file.is_file():
            raise ModelError(f"{file} is missing: fetch or export the model again")
        if sha256(file) != checksum:
            raise ModelError(f"{file} is damaged (its SHA-256 is not the one in {MANIFEST}): fetch or export it again")
        files[name] = file
    return manifest, files


def read_manifest(folder: Path) -> dict[str, Any]:
    """What ``model.json`` says."""
    path = folder / MANIFEST
    if not path.is_file():
        raise ModelError(f"{folder} is not a model: it has no {MANIFEST}")
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ModelError(f"{path} is damaged ({error}): fetch or export the model again") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ModelError(f"{path} is not of format {FORMAT}: it was written by another version of starccg")
    return manifest
