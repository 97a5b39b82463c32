"""``starccg reproduce``: the whole paper from a copy of CCGbank."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer


def reproduce(
    ccgbank: Annotated[Path, typer.Option("--ccgbank", metavar="DIR", help="CCGbank, as the LDC hands it out.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to write to; a run that was killed goes on there.")],
    tagger: Annotated[
        Path | None, typer.Option("--tagger", metavar="CONFIG.toml", help="Another tagger; its data is set here.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option("--global", metavar="CONFIG.toml", help="Another global model; its data is set here.")
    ] = None,
    vectors: Annotated[
        Path | None, typer.Option("--vectors", metavar="DIR", help="Word vectors: vocab.txt and vectors.npy.")
    ] = None,
    device: Annotated[str, typer.Option("--device", help="Where taggers train: cpu, cuda or auto.")] = "auto",
    only_full: Annotated[bool, typer.Option("--only-full", help="Leave out the ablations of Tables 3 and 4.")] = False,
) -> None:
    """The whole paper from a copy of CCGbank (needs torch).

    Gold derivations, tagger, jackknifed tags, global models, tables: OUT/tables.md.
    """
    from starccg.experiments.reproduce import Reproduction, Settings  # noqa: PLC0415 - torch takes seconds to import
    from starccg.globalmodel import Vectors  # noqa: PLC0415
    from starccg.training.globalmodel.config import load_config as load_global  # noqa: PLC0415
    from starccg.training.tagger.config import load_config as load_tagger  # noqa: PLC0415

    settings = Settings(device=device)
    if tagger is not None:
        own = settings.tagger
        settings = replace(settings, tagger=replace(load_tagger(tagger), source=own.source, dev=own.dev))
    if model is not None:
        settings = replace(settings, model=load_global(model))
    if vectors is not None:
        place, found = vectors.resolve(), Vectors(vectors)
        lstm = replace(
            settings.tagger.lstm,
            vectors=str(sorted(place.glob("vectors*.npy"))[0]),
            vocabulary=str(place / "vocab.txt"),
        )
        config = replace(
            settings.model,
            data=replace(settings.model.data, vectors=str(place)),
            model=replace(settings.model.model, words=found.dimensions),
        )
        settings = replace(settings, tagger=replace(settings.tagger, lstm=lstm), model=config)
    if only_full:
        settings = replace(settings, variants=("all",))
    Reproduction(ccgbank, out, settings, say=lambda text: typer.echo(text, err=True)).run()
    typer.echo((out / "tables.md").read_text("utf-8"))
