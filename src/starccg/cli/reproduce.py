"""``starccg reproduce``: the paper's results from a copy of CCGbank."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from starccg.cli.options import given_command
from starccg.cli.progress import ProgressBar
from starccg.devices import available_cores, training_device


def reproduce(
    context: typer.Context,
    ccgbank: Annotated[Path, typer.Option("--ccgbank", metavar="DIR", help="CCGbank, as the LDC distributes it.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to write to; a run that was killed resumes there.")],
    preset: Annotated[
        str, typer.Option("--preset", help="'paper': the paper's settings; 'ours': with our improvements.")
    ] = "paper",
    vectors: Annotated[
        Path | None,
        typer.Option("--vectors", metavar="FILE", help="Word vectors: a text file (Turian, GloVe) or a folder."),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="Trainings of each model, with different seeds.")] = 1,
    epochs: Annotated[int | None, typer.Option("--epochs", min=1, help="Epochs of the global models.")] = None,
    tagger_epochs: Annotated[int | None, typer.Option("--tagger-epochs", min=1, help="Epochs of the tagger.")] = None,
    tagger: Annotated[
        Path | None,
        typer.Option("--tagger", metavar="CONFIG.toml", help="Another tagger; its treebanks are replaced by CCGbank."),
    ] = None,
    pretrained: Annotated[
        Path | None,
        typer.Option(
            "--pretrained", metavar="DIR", help="An encoder's folder, or that of the files that --tagger names."
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option("--global", metavar="CONFIG.toml", help="Another global model; its data is replaced by CCGbank."),
    ] = None,
    only_full: Annotated[bool, typer.Option("--only-full", help="Leave out the models of Tables 3 and 4.")] = False,
    sentences: Annotated[
        int, typer.Option("--sentences", min=0, help="Maximum number of dev and test sentences of the tables; 0: all.")
    ] = 0,
    device: Annotated[str, typer.Option("--device", help="Where models train: cpu, cuda or auto.")] = "auto",
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0: one for each core.")] = 0,
) -> None:
    """Reproduce the paper from a copy of CCGbank (needs torch).

    Makes gold derivations, tagger, tags and global models, then OUT/report.md: all tables with the published figures.
    """
    from starccg.experiments.presets import PRESETS, with_epochs  # noqa: PLC0415 - torch takes seconds to import
    from starccg.experiments.reproduce import Reproduction  # noqa: PLC0415
    from starccg.training.distributed import refuse_launcher  # noqa: PLC0415
    from starccg.training.globalmodel.config import load_config as load_global  # noqa: PLC0415
    from starccg.training.pipeline.global_training import Resources  # noqa: PLC0415
    from starccg.training.pipeline.vectors import check_vectors  # noqa: PLC0415
    from starccg.training.tagger.config import load_config as load_tagger  # noqa: PLC0415

    refuse_launcher("reproduce")
    if vectors is not None:
        check_vectors(vectors)
    if preset not in PRESETS:
        raise typer.BadParameter(f"must be one of {', '.join(PRESETS)}, not {preset!r}", param_hint="--preset")
    settings = replace(PRESETS[preset], seeds=seeds, sentences=sentences)
    if tagger is not None:
        config = load_tagger(tagger)
        place = (pretrained or Path()).resolve()
        encoder = config.encoder.within(place)
        if pretrained and (place / "config.json").is_file() and not all(Path(own).is_file() for own in encoder.files()):
            encoder = replace(encoder, folder=str(place), start="", weights="", wordpieces="")
        config = replace(config, encoder=encoder, source=settings.tagger.source, dev=settings.tagger.dev)
        settings = replace(settings, tagger=config)
    elif pretrained is not None:
        raise typer.BadParameter("needs --tagger, the configuration of an encoder", param_hint="--pretrained")
    if model is not None:
        settings = replace(settings, model=load_global(model))
    if only_full:
        settings = replace(settings, variants=("all",))
    settings = with_epochs(settings, tagger_epochs, epochs)
    with ProgressBar() as bar:
        resources = Resources(training_device(device), jobs or available_cores(), bar.say, bar.show)
        command = given_command(context, "out", "device", "jobs")
        report = Reproduction(ccgbank, out, settings, resources, vectors, command).run()
    typer.echo(report.rstrip())
