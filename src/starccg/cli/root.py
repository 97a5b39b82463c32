"""The root of the command line: which commands there are, and the one place that turns errors into messages.

Exit codes: 0 it worked, 1 the input is at fault (or we are), 2 the command line is.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

import starccg

DEBUG = "STARCCG_DEBUG"
"""Set in the environment, it lets exceptions through with their traceback."""

EXTRAS = {
    "torch": "train",
    "onnx": "train",
    "fastapi": "serve",
    "uvicorn": "serve",
    "spacy": "spacy",
    "nltk": "nltk",
    "ray": "ray",
}
"""Packages that not everybody has, and the extra that brings each."""


class Command(NamedTuple):
    """A command that is loaded when it is called."""

    where: str
    """``module:attribute`` of a function, or of a Typer application that holds commands of its own."""
    summary: str
    """The first line of its help, so that listing the commands loads none of them."""


COMMANDS: dict[str, Command] = {
    "parse": Command("starccg.cli.parse:parse", "Parse text: draw the derivations, or write them in a format."),
    "convert": Command("starccg.cli.convert:convert", "Convert between formats, or draw derivations."),
    "eval": Command("starccg.cli.eval:eval_command", "Score parses by their dependencies against a treebank."),
    "treebank": Command(
        "starccg.cli.treebank:app", "Treebanks: normalise the dialect, find gold derivations, count, split."
    ),
    "train": Command("starccg.cli.train:app", "Train the parser's models (needs torch)."),
    "models": Command("starccg.cli.models:app", "Models: list those at hand, or make one of its parts."),
    "experiment": Command(
        "starccg.cli.experiment:app", "The paper's experiments: tables and plots with its numbers beside ours."
    ),
    "reproduce": Command("starccg.cli.reproduce:reproduce", "The whole paper from a copy of CCGbank (needs torch)."),
}


class LazyGroup(TyperGroup):
    """Lists the commands without loading them, and turns errors into messages."""

    _listing = False

    def list_commands(self, ctx: Any) -> list[str]:
        """All commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command itself or, while the help is written, a stand-in that knows its summary."""
        if cmd_name not in COMMANDS:
            return None
        if self._listing:
            return TyperCommand(cmd_name, help=COMMANDS[cmd_name].summary)
        return load(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help of the root."""
        self._listing = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self._listing = False

    def invoke(self, ctx: Any) -> Any:
        """Run a command. An exception of our own is a message to the user; any other is a bug, and said to be one."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            of_the_library = type(error).__module__.partition(".")[0] in ("click", "typer")
            if of_the_library or isinstance(error, BrokenPipeError) or os.environ.get(DEBUG):
                raise
            sys.stdout.flush()
            typer.echo(f"error: {describe(error)}", err=True)
            raise typer.Exit(1) from error


def load(name: str) -> Any:
    """A command by its name, as the command line runs it."""
    module, _, attribute = COMMANDS[name].where.partition(":")
    target = getattr(import_module(module), attribute)
    if not isinstance(target, typer.Typer):
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(name)(target)
        target = single
    command = typer.main.get_command(target)
    command.name = name
    return command


def describe(error: Exception) -> str:
    """One line for people."""
    text = " ".join(str(error).splitlines())
    if type(error).__module__.partition(".")[0] == starccg.__name__:
        return text
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename is not None else text
    if isinstance(error, ModuleNotFoundError) and error.name in EXTRAS:
        return f"this needs {error.name}, which is not installed: pip install 'starccg[{EXTRAS[error.name]}]'"
    return f"a bug in starccg, please report it: {type(error).__name__}: {text} (with {DEBUG}=1 it tells where)"


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"starccg {starccg.__version__}")
        raise typer.Exit


EPILOG = """
\b
Examples:
  starccg parse "Fruit flies like bananas." draw the best parse, with its certificate
  starccg parse -i text.txt -f auto         parse a file
  starccg convert parses.auto               draw the derivations
  starccg convert parses.auto parses.parg   write their dependencies
  starccg convert - out.json --from auto    read standard input
  starccg eval --gold a.auto --predicted b.auto
"""

app = typer.Typer(
    cls=LazyGroup,
    name="starccg",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """A CCG parser whose answer is proved best, and the tools around it: derivations, dependencies, treebanks."""
    for stream in (sys.stdout, sys.stderr):  # treebanks are UTF-8 whatever the locale says
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(encoding="utf-8", errors="backslashreplace")
