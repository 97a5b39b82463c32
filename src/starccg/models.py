"""``starccg.load``: a parser from a model's name or folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from starccg.model_folder.find import DEFAULT, find

if TYPE_CHECKING:
    from starccg.parser import Parser


def load(model: str | os.PathLike[str] = DEFAULT, *, threads: int = 1, device: str = "cpu") -> Parser:
    """A parser from a model's name or folder; ``threads`` is the maximum for both tagging and search.

    Names are those of the models in the package and in the folders that the environment variable ``STARCCG_MODELS``
    lists. ``device`` is where the tagger and the word LSTM run: ``cpu``, ``cuda`` (a GPU; needs the extra ``gpu``), or
    ``auto`` for a GPU where there is one; the search always runs on the CPU. A model that is missing or incomplete
    raises :class:`StarccgError`. Nothing is ever downloaded.
    """
    from starccg.confidence import Calibration  # noqa: PLC0415 - importing starccg must stay fast
    from starccg.devices import chosen_device  # noqa: PLC0415
    from starccg.model_folder.manifest import MANIFEST, reading  # noqa: PLC0415
    from starccg.model_folder.parts import read_parts  # noqa: PLC0415
    from starccg.parser import Parser  # noqa: PLC0415

    folder = find(model)
    parts = read_parts(folder, threads=threads, device=chosen_device(device))
    with reading(folder / MANIFEST):
        calibration = None if parts.calibration is None else Calibration.from_dict(parts.calibration)
    return Parser(
        parts.tagger,
        parts.grammar,
        parts.global_model,
        threads=threads,
        name=folder.name,
        folder=folder.absolute(),
        device=device,
        calibration=calibration,
        language=parts.language,
    )
