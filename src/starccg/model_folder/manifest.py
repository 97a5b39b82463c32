"""``model.json``: what a model folder is, and the SHA-256 of every other file in it.

Two models can share a file: see :func:`share`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starccg.errors import ModelError, StarccgError
from starccg.files import read_bytes, sha256, write_atomically
from starccg.model_folder.find import model_folders

MANIFEST = "model.json"
FORMAT = 1
SHARED = "shared"
MAX_BYTES, MAX_MANIFEST_BYTES = 2 << 30, 64 << 20
"""The largest file of a model that is read, and the largest manifest."""
_FILE_NAME = re.compile(r"[\w-][\w.-]{0,99}", re.ASCII)


def write_folder(folder: Path, manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    """Write the files, then the manifest with their checksums: a folder without a manifest is not a model."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    for name, content in files.items():
        write_atomically(folder / name, content)
    checksums = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    whole = {"format": FORMAT, **manifest, "sha256": checksums}
    write_manifest(folder, whole)


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write ``model.json``."""
    write_atomically(folder / MANIFEST, (json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode())


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Whatever goes wrong while a file of a model is read becomes a :class:`ModelError` that names the file."""
    try:
        yield
    except ModelError:
        raise
    except KeyError as error:
        raise ModelError(f"{path}: the model lacks {error}: copy or export it again") from error
    except StarccgError as error:
        raise ModelError(f"{path}: {error}") from error
    except OSError as error:
        raise ModelError(f"{error.filename or path}: cannot be read: {error.strerror or error}") from error
    except Exception as error:
        reason = f"{type(error).__name__}: {str(error)[:200]}"
        raise ModelError(f"{path} is damaged ({reason}): copy or export the model again") from error


def read_folder(folder: str | os.PathLike[str], kind: str) -> tuple[dict[str, Any], dict[str, Path]]:
    """The manifest and the files, every checksum verified; ``kind`` is the ``model`` that the caller can use."""
    folder = Path(folder)
    manifest = read_manifest(folder)
    if manifest.get("model") != kind:
        raise ModelError(f"{folder} is a model of kind {manifest.get('model')!r}; expected kind {kind!r}")
    files = {}
    with reading(folder / MANIFEST):
        other, checksums = shared_folder(folder, manifest), dict(manifest.get("sha256", {}))
    for name, checksum in checksums.items():
        if not isinstance(name, str) or not _FILE_NAME.fullmatch(name):
            raise ModelError(f"{folder / MANIFEST} names {str(name)[:80]!r}, which is no file of its folder")
        file = folder / name
        if other is not None and not file.exists():
            file = other / name
        if not file.is_file():
            raise ModelError(f"{file} is missing: copy or export the model again")
        check_size(file, MAX_BYTES)
        if sha256(file) != checksum:
            raise ModelError(f"{file} is damaged (its SHA-256 is not the one in {MANIFEST}): copy or export it again")
        files[name] = file
    return manifest, files


def shared_folder(folder: Path, manifest: Mapping[str, Any]) -> Path | None:
    """The folder of the other model that this one shares files with, if its manifest names one.

    ``"shared": "en/tagger"``: the folder ``tagger`` of the model ``en``, which is beside this model or installed.
    """
    where: str | None = manifest.get(SHARED)
    if where is None:
        return None
    if where != str(where) or ".." in Path(where).parts or Path(where).is_absolute():
        raise ModelError(f"{folder / MANIFEST} shares files with {str(where)[:80]!r}, which is no name of a model")
    depth = len(Path(where).parts)
    for place in (folder.resolve().parents[depth - 1], *model_folders()):
        if (place / where / MANIFEST).is_file():
            return place / where
    raise ModelError(f"{folder} shares files with the model {Path(where).parts[0]!r}, which was not found: install it")


def share(folder: Path, other: Path, where: str) -> list[str]:
    """Remove the files of ``folder`` that ``other`` has too; ``where`` names that folder, such as ``en/tagger``."""
    manifest, theirs = read_manifest(folder), read_manifest(other)
    equal = [name for name, checksum in manifest["sha256"].items() if theirs["sha256"].get(name) == checksum]
    if equal:
        write_manifest(folder, {**manifest, SHARED: where})
        for name in equal:
            (folder / name).unlink()
    return equal


def check_size(file: Path, most: int) -> None:
    """Refuse a file that is larger than a model's can be, before it is read."""
    size = file.stat().st_size
    if size > most:
        raise ModelError(f"{file} has {size:,} bytes; at most {most:,} are read")


def read_manifest(folder: Path) -> dict[str, Any]:
    """The content of ``model.json``."""
    path = folder / MANIFEST
    if not path.is_file():
        raise ModelError(f"{folder} is not a model: it has no {MANIFEST}")
    check_size(path, MAX_MANIFEST_BYTES)
    try:
        manifest = json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path} is damaged ({str(error)[:200]}): copy or export the model again") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ModelError(f"{path} is not of format {FORMAT}: it was written by another version of starccg")
    return manifest
