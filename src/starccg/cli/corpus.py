"""``starccg corpus``: parse whole corpora into an output folder, on all cores; a killed run resumes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from starccg.cli.options import Annotate, Device, ModelName, ShowProgress
from starccg.cli.progress import ProgressBar
from starccg.corpus import Job, Settings
from starccg.corpus.ray_workers import Cluster
from starccg.corpus.rows import InputFormat, Reading
from starccg.corpus.shards import ENDINGS
from starccg.devices import available_cores, chosen_device
from starccg.model_folder.find import DEFAULT
from starccg.search.options import Decoder

ENGINES = ("local", "ray")


def corpus(
    inputs: Annotated[list[Path], typer.Argument(metavar="IN", help="Files or folders of text; also gzip files.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The output folder.")],
    input_format: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="text (paragraphs, split into sentences), lines (one sentence per line), tokens (one sentence per "
            "line, words separated by spaces), jsonl. By default from the extension: .txt, .tok, .jsonl, or with .gz.",
        ),
    ] = None,
    text_field: Annotated[
        str, typer.Option(metavar="NAME", help="The field of a JSON line that holds the text.")
    ] = "text",
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A field of the JSON lines to copy to the output; repeat for several."),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="FORMAT", help=f"The output format: {', '.join(ENDINGS)}.")
    ] = "jsonl",
    model: ModelName = DEFAULT,
    decoder: Annotated[
        Decoder | None, typer.Option("--decoder", help="The search algorithm; by default the model's.")
    ] = None,
    nbest: Annotated[int, typer.Option("--nbest", "-n", min=1, max=1000, help="Parses of each sentence.")] = 1,
    annotate: Annotate = False,
    max_units: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum number of recursive units per sentence before the parser backs off."),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option("--processes", "-p", min=1, max=1024, help="Number of processes; by default one per core."),
    ] = None,
    engine: Annotated[
        str, typer.Option(metavar="ENGINE", help="local: processes on this machine; ray: workers of a Ray cluster.")
    ] = "local",
    address: Annotated[
        str | None, typer.Option(help="The address of the Ray cluster; without it, one is started on this machine.")
    ] = None,
    gpus: Annotated[
        float, typer.Option(min=0, help="With Ray: the number of GPUs per process; may be a fraction.")
    ] = 0.0,
    cores: Annotated[
        int, typer.Option(min=1, help="With Ray: the number of cores per process; a GPU serves all of them.")
    ] = 1,
    device: Device = "cpu",
    shard_rows: Annotated[
        int,
        typer.Option(
            min=1,
            max=1_000_000,
            help="Input rows (lines or paragraphs) per output file; fewer if they have a million characters.",
        ),
    ] = 2000,
    progress: ShowProgress = None,
) -> None:
    """Parse a corpus: files of any size into compressed output files, on all cores.

    A run that was killed resumes when the same command is given again, and ends with the same bytes as a run that was
    never killed. Rows that cannot be read and sentences without a parse are listed with their reasons in
    part-*.failed.jsonl. manifest.json records the inputs, the model and the settings.
    """
    choices = (
        ("--input-format", input_format, InputFormat),
        ("--format", form, ENDINGS),
        ("--engine", engine, ENGINES),
    )
    for option, chosen, known in choices:
        if chosen is not None and chosen not in tuple(known):
            raise typer.BadParameter(f"choose one of {', '.join(known)}", param_hint=option)
    if form == "parquet":
        import pyarrow  # noqa: F401, PLC0415 - report that it is missing before an hour of work
    if engine == "ray":
        import ray  # noqa: F401, PLC0415
    settings = Settings(
        reading=Reading(None if input_format is None else InputFormat(input_format), text_field, tuple(keep or ())),
        output=form,  # type: ignore[arg-type]
        model=model,
        decoder=None if decoder is None else decoder.value,
        nbest=nbest,
        max_units=max_units,
        shard_rows=shard_rows,
        device=_device(device, on_cluster=engine == "ray"),
        annotate=annotate,
    )
    number = processes or available_cores()
    job = Job(
        inputs,
        out,
        settings,
        processes=number,
        cluster=Cluster(address, number, gpus, cores) if engine == "ray" else None,
    )
    try:
        with ProgressBar(progress) as bar:
            summary = job.run(lambda progress: bar.show(str(progress), progress.bytes_done, progress.bytes_total))
    except KeyboardInterrupt:
        typer.echo(f"stopped; {out} keeps what was parsed, and the same command resumes the run", err=True)
        raise
    typer.echo(f"{summary}; {out}", err=True)


def _device(device: str, *, on_cluster: bool) -> str:
    """``cpu`` or ``cuda``; the machine that starts a run on a cluster of GPUs may have none itself."""
    if on_cluster and device == "cuda":
        return device
    return "cpu" if chosen_device(device) == "cpu" else device.replace("auto", "cuda")
