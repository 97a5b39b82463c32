"""``starccg train``: train taggers and whole models."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from starccg.cli.options import ConfigPath, DataPath, Limit, OutPath, TrainingDevice, group
from starccg.cli.progress import ProgressBar
from starccg.devices import available_cores, training_device
from starccg.training.progress import report_progress

if TYPE_CHECKING:
    from starccg.training.tagger.config import TaggerConfig

app = group("Train the parser's models (needs torch).")

Epochs = Annotated[
    int | None, typer.Option("--epochs", min=1, help="Number of epochs; by default the configuration's.")
]
Seed = Annotated[int | None, typer.Option("--seed", min=0, help="Random seed; by default the configuration's.")]


@app.command()
def tagger(
    config: ConfigPath,
    out: OutPath,
    data: DataPath = Path(),
    device: TrainingDevice = "auto",
    limit: Limit = None,
    epochs: Epochs = None,
    seed: Seed = None,
) -> None:
    """Train a supertagger. Metrics go to OUT/metrics.jsonl, the best weights to OUT/best.safetensors.

    On several GPUs: torchrun --nproc-per-node N -m starccg train tagger ...
    """
    from starccg.training.tagger.run import run_training  # noqa: PLC0415 - torch takes seconds to import

    settings = _configuration(config, epochs, seed)
    with ProgressBar() as bar:
        best = run_training(settings, data, out, device, limit, report_progress(bar.say, bar.show))
    if os.environ.get("RANK", "0") != "0":  # torchrun: the first process reports
        return
    dev = "  ".join(f"{entry.name} {100 * best[entry.name]:.2f}" for entry in settings.dev)
    typer.echo(f"best: epoch {best['epoch']}  {dev}")


@app.command()
def jackknife(
    config: ConfigPath,
    out: OutPath,
    data: DataPath = Path(),
    device: TrainingDevice = "auto",
    limit: Limit = None,
    epochs: Epochs = None,
    seed: Seed = None,
    beam: Annotated[float, typer.Option(help="Keep tags whose probability is at least this share of the best.")] = 1e-4,
    temperature: Annotated[float, typer.Option(help="The temperature fitted when the tagger was exported.")] = 1.0,
) -> None:
    """Tag the training sentences with taggers that were not trained on them; writes the tags to OUT/SOURCE.npz."""
    from starccg.training.distributed import refuse_launcher  # noqa: PLC0415
    from starccg.training.tagger.jackknife import run_jackknife  # noqa: PLC0415

    refuse_launcher("train jackknife")
    settings = _configuration(config, epochs, seed)
    with ProgressBar() as bar:
        paths = run_jackknife(settings, data, out, device, limit, report_progress(bar.say, bar.show), beam, temperature)
    for path in paths:
        typer.echo(str(path))


@app.command("global")
def train_global(
    config: ConfigPath,
    out: OutPath,
    data: DataPath = Path(),
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Change a setting of the configuration."),
    ] = None,
    device: TrainingDevice = "cpu",
    limit: Limit = None,
) -> None:
    """Train the global model. Metrics go to OUT/metrics.jsonl, the best model on dev to OUT/best."""
    from starccg.training.globalmodel.config import load_config  # noqa: PLC0415 - torch takes seconds to import
    from starccg.training.globalmodel.run import load_run, run_training  # noqa: PLC0415

    settings = load_config(config, [*(changes or ()), f'learning.device="{training_device(device)}"'])
    loaded = load_run(settings, data, limit)
    for name, report in loaded.reports:
        typer.echo(f"{name}: {report}", err=True)
    with ProgressBar() as bar:
        result = run_training(settings, loaded, data, out, report_progress(bar.say, bar.show))
    typer.echo(f"best F1 {result.best_f1:.2f} after {result.best_sentences} sentences: {result.folder}")


@app.command()
def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a finished training run.")],
    out: Annotated[Path, typer.Argument(metavar="MODEL", help="The model folder to write.")],
    data: DataPath = Path(),
    quantise: Annotated[bool, typer.Option(help="Use 8 bits if the loss of accuracy is small enough.")] = True,
    most_loss: Annotated[float, typer.Option(help="Maximum loss of accuracy by 8 bits on a dev set, in points.")] = 0.1,
) -> None:
    """Write a model folder, calibrated on the run's dev sets; the plots go to MODEL-report."""
    from starccg.training.tagger.package import run_export  # noqa: PLC0415

    result = run_export(run, data, out, quantise, allowed_loss=most_loss / 100)
    typer.echo(f"temperature {result.temperature}  default beam {result.tag_beam:g}  8 bits: {result.quantised}")
    for name, accuracy in result.accuracy.items():
        exact = result.accuracy_float[name]
        typer.echo(f"{name}: {100 * accuracy:.2f} ({100 * exact:.2f} in single precision)")
        for beam, tags, oracle in result.curves[name]:
            typer.echo(f"  beam {beam:g}  {tags:.2f} tags per word  oracle {100 * oracle:.2f}")


@app.command()
def model(
    config: ConfigPath,
    out: OutPath,
    data: Annotated[Path, typer.Option("--data", help="The folder of the downloaded sources.")] = Path(),
    device: TrainingDevice = "auto",
    limit: Limit = None,
    jobs: Annotated[
        int, typer.Option("--jobs", min=0, help="Processes of the search for gold derivations; 0: one for each core.")
    ] = 0,
) -> None:
    """Make a model folder, OUT/model, from treebanks. A run that was killed resumes when it is restarted."""
    from starccg.training.distributed import refuse_launcher  # noqa: PLC0415
    from starccg.training.pipeline.config import load_plan  # noqa: PLC0415
    from starccg.training.pipeline.global_training import Resources  # noqa: PLC0415
    from starccg.training.pipeline.model import make_model  # noqa: PLC0415
    from starccg.training.pipeline.pipeline import Pipeline  # noqa: PLC0415

    refuse_launcher("train model")
    plan = load_plan(config)
    with ProgressBar() as bar:
        resources = Resources(device, jobs or available_cores(), bar.say, bar.show)
        report = make_model(plan, data, Pipeline(out, resources), limit)
    typer.echo(report.rstrip())


def _configuration(path: Path, epochs: int | None, seed: int | None) -> TaggerConfig:
    from starccg.training.tagger.config import load_config  # noqa: PLC0415

    config = load_config(path)
    if epochs is not None:
        config = replace(config, schedule=replace(config.schedule, epochs=epochs))
    return config if seed is None else replace(config, seed=seed)
