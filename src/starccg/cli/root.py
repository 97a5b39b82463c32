"""The root of the command line: the list of commands, and how errors become messages.

The exit codes are in :data:`EXIT_CODES`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

import starccg
from starccg import hooks
from starccg.cli.examples import attach, epilog
from starccg.cli.interrupts import exit_code, remember_interrupts
from starccg.errors import install_extra

DEBUG = "STARCCG_DEBUG"
"""If this environment variable is set, exceptions are shown with their traceback."""

EXTRAS = {
    "torch": "train",
    "onnx": "train",
    "fastapi": "serve",
    "uvicorn": "serve",
    "spacy": "spacy",
    "nltk": "nltk",
    "lambeq": "lambeq",
    "ray": "ray",
    "pyarrow": "parquet",
}
"""Optional packages, and the extra that installs each."""


FAILED, USAGE, NO_PARSE, BACKED_OFF, INTERRUPTED, BROKEN_PIPE, TERMINATED = 1, 2, 3, 4, 130, 141, 143
EXIT_CODES = {
    0: "success; parse reports sentences without a parse on standard error",
    FAILED: "an error in the input, a model or the disk: one line on standard error says where",
    USAGE: "an error in the command line",
    NO_PARSE: "parse --strict: at least one sentence has no parse",
    BACKED_OFF: "parse --strict: at least one sentence reached a limit, and none failed",
    INTERRUPTED: "interrupted (Ctrl-C)",
    BROKEN_PIPE: "broken pipe: the reader of the output has closed it (as in | head)",
    TERMINATED: "ended by SIGTERM",
}
"""The exit codes; the last three are 128 and the number of the signal, as in shells."""


REWORDED = {
    "Value error, ": "",
    "Input should be a valid integer, unable to parse string as an integer": "it must be a whole number",
    "Input should be a valid number, unable to parse string as a number": "it must be a number",
    "Input should be": "it must be",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
}
"""What the library says about wrong values, and what we say."""


class Command(NamedTuple):
    """A command that is loaded when it is called."""

    where: str
    """``module:attribute`` of a function, or of a Typer application that holds commands of its own."""
    summary: str
    """The first line of its help, so that listing the commands loads none of them."""


COMMANDS: dict[str, Command] = {
    "parse": Command("starccg.cli.parse:parse", "Parse text: draw the derivations, or write them in a format."),
    "corpus": Command(
        "starccg.cli.corpus:corpus", "Parse a corpus: files of any size into compressed output files, on all cores."
    ),
    "convert": Command("starccg.cli.convert:convert", "Convert between formats, or draw derivations."),
    "eval": Command("starccg.cli.eval:eval_command", "Score parses by their dependencies against a treebank."),
    "treebank": Command(
        "starccg.cli.treebank:app", "Treebanks: normalise the dialect, find gold derivations, count, split."
    ),
    "train": Command("starccg.cli.train:app", "Train the parser's models (needs torch)."),
    "bench": Command(
        "starccg.cli.bench:bench", "Measure how many sentences per second the parser parses on this machine."
    ),
    "serve": Command("starccg.cli.serve:serve", "Serve the parser over HTTP, with a page that shows the search."),
    "models": Command("starccg.cli.models:app", "Models: list the available ones, or assemble one from its parts."),
    "experiment": Command(
        "starccg.cli.experiment:app", "The paper's experiments: tables and plots with the paper's figures and ours."
    ),
    "reproduce": Command(
        "starccg.cli.reproduce:reproduce", "Reproduce the paper from a copy of CCGbank (needs torch)."
    ),
}


class LazyGroup(TyperGroup):
    """Lists the commands without loading them, and prints errors as one line."""

    _listing = False

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands.update((name, TyperCommand(name, short_help=it.summary)) for name, it in COMMANDS.items())

    def list_commands(self, ctx: Any) -> list[str]:
        """All commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command or, in a listing, a placeholder with its summary."""
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
        """Run the command line; output to a closed standard stream is discarded."""
        if sys.stdout is None or sys.stderr is None:
            nowhere = Path(os.devnull).open("w")  # noqa: SIM115 - open until the process ends
            sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
        try:
            result = super().main(*arguments, **{**settings, "standalone_mode": False})
        except OSError as error:  # for example while printing the help; invoke() reports the errors of commands
            _report(error)
            sys.exit(FAILED)
        except Exception as error:
            if not hasattr(error, "format_message"):
                raise
            _report_usage(error)
            sys.exit(USAGE)
        sys.exit(result if isinstance(result, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        """Run a command. An exception of ours is printed as an error, any other as a bug."""
        try:
            with remember_interrupts():
                result = super().invoke(ctx)
                sys.stdout.flush()
        except BrokenPipeError as error:
            _drop_output()
            raise typer.Exit(BROKEN_PIPE) from error
        except KeyboardInterrupt as error:
            raise typer.Exit(exit_code(error) or INTERRUPTED) from error
        except Exception as error:
            if (code := exit_code(error)) is not None:
                raise typer.Exit(code) from error
            of_the_library = type(error).__module__.partition(".")[0] in ("click", "typer")
            if of_the_library or os.environ.get(DEBUG):
                raise
            _report(error)
            raise typer.Exit(FAILED) from error
        return result


def _report(error: Exception) -> None:
    """Print an error on standard error, after standard output is flushed."""
    try:
        sys.stdout.flush()
    except OSError:
        _drop_output()
    typer.echo(f"error: {describe(error)}", err=True)


def _report_usage(error: Any) -> None:
    """Print an error of the command line in the style of the others, after the usage."""
    context = error.ctx
    message = error.format_message()
    for words, plain in REWORDED.items():
        message = message.replace(words, plain)
    if message.startswith("Invalid value for '"):  # the library quotes names of options, we do not
        name, colon, rest = message.partition(":")
        message = name.replace("'", "") + colon + rest
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(message, err=True)
        return
    if context is not None:
        typer.echo(f"{context.get_usage()}\n{context.command_path} --help shows all options\n", err=True)
    typer.echo(f"error: {message[:1].lower()}{message[1:].removesuffix('.')}", err=True)


def _drop_output() -> None:
    """Discard buffered output that cannot be written, so that Python's flush at exit does not fail."""
    with suppress(OSError, ValueError):  # in tests standard output is not a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def load(name: str) -> Any:
    """A command by its name, as the command line runs it."""
    target = hooks.load(COMMANDS[name].where)
    if not isinstance(target, typer.Typer):
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(name)(target)
        target = single
    command = typer.main.get_command(target)
    command.name = name
    attach(name, command)
    return command


def describe(error: Exception) -> str:
    """The message of an error in one line."""
    text = " ".join(str(error).splitlines())
    if type(error).__module__.partition(".")[0] == starccg.__name__:
        return text
    if isinstance(error, OSError):
        name = "standard output" if error.filename is None else error.filename  # errors of other files have a name
        return f"{name}: {error.strerror or text}"
    if isinstance(error, MemoryError):
        return "not enough memory"
    if isinstance(error, ModuleNotFoundError) and error.name in EXTRAS:
        return f"this needs {error.name}, which is not installed: {install_extra(EXTRAS[error.name])}"
    if isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError) and error.name == "starccg":
        return "the native core is not built: install starccg again, or run 'make demo' in its folder"
    if isinstance(error, ModuleNotFoundError):
        return f"the installation is incomplete: {error.name} is missing; install starccg again"
    return f"a bug in starccg: {type(error).__name__}: {text}; report it with the traceback that {DEBUG}=1 prints"


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
    for stream in (sys.stdout, sys.stderr):  # treebanks are UTF-8 in every locale
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(encoding="utf-8", errors="backslashreplace")
