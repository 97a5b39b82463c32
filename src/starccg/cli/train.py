"""``starccg train``: taggers, whole models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from starccg.cli import train_global
from starccg.cli.progress import TerminalBar

if TYPE_CHECKING:
    from starccg.training.tagger.config import TaggerConfig

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Train the parser's models (needs torch).",
)
train_global.register(app)

ConfigPath = Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="How to train.")]
DataPath = Annotated[Path, typer.Option("--data", help="The folder that the paths in the configuration start from.")]
OutPath = Annotated[Path, typer.Option("--out", help="The folder to write to; a run that was killed goes on there.")]
Device = Annotated[str, typer.Option("--device", help="cpu, cuda, or auto: cuda where there is one.")]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Take only so many sentences of each file.")]
Epochs = Annotated[int | None, typer.Option("--epochs", min=1, help="In place of the configuration's.")]
Seed = Annotated[int | None, typer.Option("--seed", min=0, help="In place of the configuration's.")]


@app.command()
def tagger(
    config: ConfigPath,
    out: OutPath,
    data: DataPath = Path(),
    device: Device = "auto",
    limit: Limit = None,
    epochs: Epochs = None,
    seed: Seed = None,
) -> None:
    """Train a supertagger. Metrics go to OUT/metrics.jsonl, the best weights to OUT/best.safetensors."""
    from starccg.training.tagger.run import run_training  # noqa: PLC0415 - torch takes seconds to import
    from starccg.training.watching import watch_tagger  # noqa: PLC0415

    settings = _configuration(config, epochs, seed)
    with TerminalBar() as bar:
        best = run_training(settings, data, out, device, limit, watch_tagger(bar.say, bar.show))
    dev = "  ".join(f"{entry.name} {100 * best[entry.name]:.2f}" for entry in settings.dev)
    typer.echo(f"best: epoch {best['epoch']}  {dev}")


@app.command()
def jackknife(
    config: ConfigPath,
    out: OutPath,
    data: DataPath = Path(),
    device: Device = "auto",
    limit: Limit = None,
    epochs: Epochs = None,
    seed: Seed = None,
    beam: Annotated[float, typer.Option(help="Keep tags with this share of the best one's probability.")] = 1e-4,
    temperature: Annotated[float, typer.Option(help="The temperature fitted when the tagger was exported.")] = 1.0,
) -> None:
    """Tag the training sentences by taggers that did not see them; OUT/SOURCE.npz holds the tags."""
    from starccg.training.tagger.run import run_jackknife  # noqa: PLC0415
    from starccg.training.watching import watch_tagger  # noqa: PLC0415

    settings = _configuration(config, epochs, seed)
    with TerminalBar() as bar:
        watch = watch_tagger(bar.say, bar.show, "fold")
        paths = run_jackknife(
            settings, data, out, device, limit, lambda fold, step: watch(step, f" {fold}"), beam, temperature
        )
    for path in paths:
        typer.echo(str(path))


@app.command()
def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a finished training run.")],
    out: Annotated[Path, typer.Argument(metavar="MODEL", help="The model folder to write.")],
    data: DataPath = Path(),
    quantise: Annotated[bool, typer.Option(help="Use 8 bits where that costs little enough.")] = True,
    most_loss: Annotated[float, typer.Option(help="Points of accuracy that 8 bits may cost on a dev set.")] = 0.1,
) -> None:
    """Write a model folder, calibrated on the run's dev sets; the plots go to MODEL-report."""
    from starccg.training.tagger.run import run_export  # noqa: PLC0415

    result = run_export(run, data, out, quantise, allowed_loss=most_loss / 100)
    typer.echo(f"temperature {result.temperature}  default beam {result.beam:g}  8 bits: {result.quantised}")
    for name, accuracy in result.accuracy.items():
        exact = result.accuracy_float[name]
        typer.echo(f"{name}: {100 * accuracy:.2f} ({100 * exact:.2f} in single precision)")
        for beam, tags, oracle in result.curves[name]:
            typer.echo(f"  beam {beam:g}  {tags:.2f} tags a word  oracle {100 * oracle:.2f}")


@app.command()
def model(
    config: ConfigPath,
    out: OutPath,
    data: Annotated[Path, typer.Option("--data", help="The folder of the sources as they were downloaded.")] = Path(),
    device: Device = "auto",
    limit: Limit = None,
    jobs: Annotated[
        int, typer.Option("--jobs", min=0, help="Processes to seek gold derivations with; 0: one a core.")
    ] = 0,
) -> None:
    """Make a whole model of its sources, step by step; killed and called again, it goes on. OUT/model is the model."""
    from starccg.tagger.model import available_cores  # noqa: PLC0415
    from starccg.training.model.chain import Chain, Means  # noqa: PLC0415
    from starccg.training.model.config import load_plan  # noqa: PLC0415

    plan = load_plan(config)
    with TerminalBar() as bar:
        means = Means(device, jobs or available_cores(), bar.say, bar.show)
        report = Chain(plan, data, out, means, limit).run()
    typer.echo(report.rstrip())


def _configuration(path: Path, epochs: int | None, seed: int | None) -> TaggerConfig:
    from starccg.training.tagger.config import load_config  # noqa: PLC0415

    config = load_config(path)
    if epochs is not None:
        config = replace(config, schedule=replace(config.schedule, epochs=epochs))
    return config if seed is None else replace(config, seed=seed)
