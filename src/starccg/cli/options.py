"""Options that several commands have, what they report in the same words, and groups of commands."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from starccg.devices import HELP
from starccg.formats.errors import FormatError
from starccg.formats.files import writing_format
from starccg.formats.registry import FORMATS, UnknownFormatError
from starccg.model_folder.find import available

WRITTEN = tuple(form.name for form in FORMATS.values() if form.writer)
"""The formats that can be written."""

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
Lines = Annotated[bool, typer.Option("--lines", help="Each line is a sentence of plain text.")]
Tokenized = Annotated[bool, typer.Option("--tokenized", help="Each line is a sentence, its words separated by spaces.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Skip malformed sentences and count them.")]
Width = Annotated[int | None, typer.Option(min=0, help="Width of drawings; 0 never wraps. By default the terminal's.")]

ConfigPath = Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="The configuration.")]
DataPath = Annotated[Path, typer.Option("--data", help="The folder that paths in the configuration are relative to.")]
OutPath = Annotated[Path, typer.Option("--out", help="The folder to write to; a run that was killed resumes there.")]
TrainingDevice = Annotated[str, typer.Option("--device", help="cpu, cuda, or auto: cuda where there is one.")]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Maximum number of sentences of each file.")]


def group(text: str) -> typer.Typer:
    """A command that consists of other commands."""
    return typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, help=text)


def format_to_write(path: str, name: str | None, option: str, place: str) -> str:
    """The format to write, named by ``option`` or by the extension of the file, which ``place`` gives."""
    try:
        form = writing_format(path, name)
    except UnknownFormatError as error:
        if path.endswith(".gz"):
            raise typer.BadParameter(str(error), param_hint=place) from error
        raise typer.BadParameter(unknown_format(path, name, option, WRITTEN), param_hint=option) from error
    if form.writer is None:
        text = f"{form.name} can only be read; use {option} with one of {', '.join(WRITTEN)}"
        raise typer.BadParameter(text, param_hint=option if name else place)
    return form.name


def unknown_format(path: str, name: str | None, option: str, known: Iterable[str]) -> str:
    """What is wrong with the name of a format or, if there is none, with the name of a file."""
    if name is not None:
        return f"unknown format {name!r}; use {option} with one of {', '.join(known)}"
    return f"{path!r} does not end in the extension of a known format; use {option} with one of {', '.join(known)}"


def report_malformed(bad: list[FormatError], what: str = "malformed sentences skipped") -> None:
    """Report on standard error how many sentences were malformed, and the first of them."""
    typer.echo(f"{what}: {len(bad)}{f' (the first: {bad[0]})' if bad else ''}", err=True)


def given_command(context: typer.Context, *hidden: str) -> str:
    """The command as it was given, for a report: files without their folders, without the ``hidden`` options."""
    words = ["starccg", *context.command_path.split()[1:]]
    for parameter in context.command.params:
        name, source = parameter.name or "", context.get_parameter_source(parameter.name or "")
        if name in hidden or source is None or source.name.startswith("DEFAULT"):
            continue
        value = context.params[name]
        option = parameter.opts[:1] if parameter.param_type_name == "option" else []
        for own in value if isinstance(value, (list, tuple)) else [value]:
            if own is True:
                words += option
            else:
                is_path = isinstance(own, Path) or name == "model"
                words += [*option, shlex.quote(Path(own).name or str(own) if is_path else str(own))]
    return " ".join(words)
