"""``starccg train global``: train the global model on violations of the agenda."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from starccg.cli.progress import TerminalBar


def register(app: typer.Typer) -> None:
    """Add the command to ``starccg train``."""
    app.command("global")(train_global)


def train_global(
    config: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="The configuration.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to write to; a run that was killed resumes there.")],
    data: Annotated[
        Path, typer.Option("--data", help="The folder that paths in the configuration are relative to.")
    ] = Path(),
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Change a setting of the configuration."),
    ] = None,
    device: Annotated[str, typer.Option("--device", help="cpu, cuda, or auto: cuda where there is one.")] = "cpu",
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Maximum number of sentences of each file.")
    ] = None,
) -> None:
    """Train the global model. Metrics go to OUT/metrics.jsonl, the best model on dev to OUT/best."""
    from starccg.training.devices import device_name  # noqa: PLC0415 - torch takes seconds to import
    from starccg.training.globalmodel.config import load_config  # noqa: PLC0415
    from starccg.training.globalmodel.run import load_run, run_training  # noqa: PLC0415
    from starccg.training.progress import report_progress  # noqa: PLC0415

    settings = load_config(config, [*(changes or ()), f'learning.device="{device_name(device)}"'])
    loaded = load_run(settings, data, limit)
    for name, report in loaded.reports:
        typer.echo(f"{name}: {report}", err=True)
    with TerminalBar() as bar:
        result = run_training(settings, loaded, data, out, report_progress(bar.say, bar.show))
    typer.echo(f"best F1 {result.best_f1:.2f} after {result.best_sentences} sentences: {result.folder}")
