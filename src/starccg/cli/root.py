"""The root of the command line: which commands there are, and the one place that turns errors into messages.

What a command leaves with is told in :data:`EXIT_CODES`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

import starccg
from starccg.cli.examples import attach, epilog
from starccg.cli.interrupts import remembered

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


FAILED, NO_PARSE, INTERRUPTED, BROKEN_PIPE = 1, 3, 130, 141
EXIT_CODES = {
    0: "done; with parse, sentences without a parse are told on standard error",
    FAILED: "the input, a model or the disk is at fault: one line on standard error says where",
    2: "the command line is wrong",
    NO_PARSE: "parse --strict: at least one sentence has no parse",
    INTERRUPTED: "interrupted (Ctrl-C)",
    BROKEN_PIPE: "nobody reads the output any more (as in | head)",
}
"""What a command leaves with; the last two are 128 and the number of the signal, as shells count."""


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
    "bench": Command("starccg.cli.bench:bench", "Measure how many sentences a second the parser manages here."),
    "serve": Command("starccg.cli.serve:serve", "Serve the parser over HTTP, with a page to watch the search."),
    "models": Command("starccg.cli.models:app", "Models: list those at hand, or make one of its parts."),
    "experiment": Command(
        "starccg.cli.experiment:app", "The paper's experiments: tables and plots with its numbers beside ours."
    ),
    "reproduce": Command("starccg.cli.reproduce:reproduce", "The whole paper from a copy of CCGbank (needs torch)."),
}


class LazyGroup(TyperGroup):
    """Lists the commands without loading them, and turns errors into messages."""

    _listing = False

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands.update((name, TyperCommand(name, help=it.summary)) for name, it in COMMANDS.items())

    def list_commands(self, ctx: Any) -> list[str]:
        """All commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command itself or, while they are only listed, a stand-in that knows its summary."""
        return load(cmd_name) if cmd_name in COMMANDS and not self._listing else self.commands.get(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help of the root."""
        with self._listed():
            super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """What can come next on the command line."""
        with self._listed():
            return super().shell_complete(ctx, incomplete)

    @contextmanager
    def _listed(self) -> Iterator[None]:
        self._listing = True
        try:
            yield
        finally:
            self._listing = False

    def main(self, *arguments: Any, **settings: Any) -> Any:
        """Run the command line; who closed standard output or standard error wants nothing there."""
        if sys.stdout is None or sys.stderr is None:
            nowhere = Path(os.devnull).open("w")  # noqa: SIM115 - as long as the process lives
            sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
        try:
            return super().main(*arguments, **settings)
        except OSError as error:  # of the help, say; a command's own errors are told below
            _tell(error)
            sys.exit(FAILED)

    def invoke(self, ctx: Any) -> Any:
        """Run a command. An exception of our own is a message to the user; any other is a bug, and said to be one."""
        try:
            with remembered():
                result = super().invoke(ctx)
                sys.stdout.flush()
        except KeyboardInterrupt as error:
            raise typer.Exit(INTERRUPTED) from error
        except BrokenPipeError as error:
            _drop_output()
            raise typer.Exit(BROKEN_PIPE) from error
        except Exception as error:
            of_the_library = type(error).__module__.partition(".")[0] in ("click", "typer")
            if of_the_library or os.environ.get(DEBUG):
                raise
            _tell(error)
            raise typer.Exit(FAILED) from error
        return result


def _tell(error: Exception) -> None:
    """Say on standard error what went wrong, after all that still can be written to standard output."""
    try:
        sys.stdout.flush()
    except OSError:
        _drop_output()
    typer.echo(f"error: {describe(error)}", err=True)


def _drop_output() -> None:
    """Standard output cannot take what is left in its buffer: let Python's last flush find no fault."""
    with suppress(OSError, ValueError):  # where it is no file, as in tests, nothing is left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
    attach(name, command)
    return command


def describe(error: Exception) -> str:
    """One line for people."""
    text = " ".join(str(error).splitlines())
    if type(error).__module__.partition(".")[0] == starccg.__name__:
        return text
    if isinstance(error, OSError):
        name = "standard output" if error.filename is None else error.filename  # files are written under their names
        return f"{name}: {error.strerror or text}"
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    if isinstance(error, ModuleNotFoundError) and error.name in EXTRAS:
        return f"this needs {error.name}, which is not installed: pip install 'starccg[{EXTRAS[error.name]}]'"
    if isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError) and error.name == "starccg":
        return "the native core is not built: install starccg again, or run make demo in its folder"
    if isinstance(error, ModuleNotFoundError):
        return f"the installation is not whole: {error.name} is missing; install starccg again"
    return f"a bug in starccg, please report it: {type(error).__name__}: {text} (with {DEBUG}=1 it tells where)"


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"starccg {starccg.__version__}")
        raise typer.Exit


EPILOG = "\n".join([epilog(""), "", "\b", "Exit codes:", *(f"  {code:<4}{what}" for code, what in EXIT_CODES.items())])

app = typer.Typer(
    cls=LazyGroup,
    name="starccg",
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
