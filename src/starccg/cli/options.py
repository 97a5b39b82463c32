"""Options that several commands have, and groups of commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from starccg.devices import HELP
from starccg.model_folder.find import available

ModelName = Annotated[
    str, typer.Option("--model", "-m", autocompletion=lambda: list(available()), help="A model's name or folder.")
]
Device = Annotated[str, typer.Option(metavar="DEVICE", help=HELP)]
Annotate = Annotated[
    bool,
    typer.Option(
        "--annotate", help="Add the part of speech and the lemma of each word, for the formats that have them."
    ),
]
ShowProgress = Annotated[
    bool | None, typer.Option("--progress/--no-progress", help="Show progress. By default on a terminal.")
]
Width = Annotated[int | None, typer.Option(min=0, help="Width of drawings; 0 never wraps. By default the terminal's.")]

ConfigPath = Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="The configuration.")]
DataPath = Annotated[Path, typer.Option("--data", help="The folder that paths in the configuration are relative to.")]
OutPath = Annotated[Path, typer.Option("--out", help="The folder to write to; a run that was killed resumes there.")]
TrainingDevice = Annotated[str, typer.Option("--device", help="cpu, cuda, or auto: cuda where there is one.")]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Maximum number of sentences of each file.")]


def group(text: str) -> typer.Typer:
    """A command that consists of other commands."""
    return typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, help=text)
