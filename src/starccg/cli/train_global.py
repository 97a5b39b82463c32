"""``starccg train global``: learn the global model from violations of the agenda."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

if TYPE_CHECKING:
    from starccg.training.globalmodel.trainer import Progress


def register(app: typer.Typer) -> None:
    """Add the command to ``starccg train``."""
    app.command("global")(train_global)


def train_global(
    config: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="How to train.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to write to; a run that was killed goes on there.")],
    data: Annotated[
        Path, typer.Option("--data", help="The folder that the paths in the configuration start from.")
    ] = Path(),
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Change the configuration.")
    ] = None,
    device: Annotated[str, typer.Option("--device", help="cpu, cuda, or auto: cuda where there is one.")] = "cpu",
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Take only so many sentences of each file.")
    ] = None,
) -> None:
    """Train the global model. Metrics go to OUT/metrics.jsonl, the best model on dev to OUT/best."""
    from starccg.training.devices import device_name  # noqa: PLC0415 - torch takes seconds to import
    from starccg.training.globalmodel.config import load_config  # noqa: PLC0415
    from starccg.training.globalmodel.run import load_run, run_training  # noqa: PLC0415

    settings = load_config(config, [*(changes or ()), f'learning.device="{device_name(device)}"'])
    loaded = load_run(settings, data, limit)
    for name, report in loaded.reports:
        typer.echo(f"{name}: {report}", err=True)
    with GlobalWatch() as watch:
        result = run_training(settings, loaded, data, out, watch)
    typer.echo(f"best F1 {result.best_f1:.2f} after {result.best_sentences} sentences: {result.folder}")


class GlobalWatch:
    """A bar on the terminal, and a line whenever metrics are written."""

    def __init__(self) -> None:
        self._bar = Bar(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
            console=Console(stderr=True),
        )  # fmt: skip
        self._task = self._bar.add_task("looking at dev", total=None)
        self._said = ""

    def __enter__(self) -> GlobalWatch:
        self._bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        """Show where training is."""
        line = progress.line
        if line is not None and line["event"] == "train":
            self._said = f"{line['times']['sentences_per_second']:.0f}/s  violations {line['violations']:.1f}"
        label = f"epoch {progress.epoch}/{progress.epochs}  {self._said}"
        self._bar.update(self._task, description=label, completed=progress.position, total=progress.sentences)
        if line is not None:
            self._bar.console.print(describe(line), highlight=False)


def describe(line: dict[str, Any]) -> str:
    """A line of metrics for people."""
    times = line["times"]
    if line["event"] == "train":
        spent = sum(value for name, value in times.items() if name.endswith("_seconds")) or 1.0
        parts = "/".join(f"{100 * times[f'{part}_seconds'] / spent:.0f}" for part in ("encode", "search", "replay"))
        return (
            f"{line['sentences']:>8}  {times['sentences_per_second']:.0f} sentences/s (encode/search/replay {parts}%)  "
            f"violations {line['violations']:.1f}  gold found {100 * line['gold_found']:.1f}%  "
            f"explored {line['explored']:.0f}"
        )
    name = "tags alone" if line["event"] == "baseline" else f"{line['sentences']:>8}"
    return (
        f"{name}  dev F1 {line['f1']:.2f}  optimal {100 * line['optimal']:.1f}%  explored {line['explored']:.1f}  "
        f"({times['seconds']:.1f} s)"
    )
