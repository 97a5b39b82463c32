"""``starccg parse``: text in, derivations out; one result for every sentence, in order."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from starccg.cli.interrupts import raise_interrupt
from starccg.cli.root import NO_PARSE
from starccg.formats.errors import STDIN
from starccg.formats.files import STDOUT
from starccg.formats.registry import FORMATS, UnknownFormatError, format_of
from starccg.models import DEFAULT, available
from starccg.search.types import Decoder, Limits

if TYPE_CHECKING:
    from starccg.cli.reading import Input
    from starccg.cli.watching import Watch
    from starccg.cli.writing import Numbered
    from starccg.parser import Parser
    from starccg.search.types import Options

WRITTEN = tuple(form.name for form in FORMATS.values() if form.writer)
MOST = 1_000_000
"""Of anything that is counted: larger numbers are slips of the finger."""


def parse(
    texts: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="Text; without it and without -i, standard input.")
    ] = None,
    files: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="FILE", help="Parse a file (- is standard input); repeat for several."),
    ] = None,
    tokenized: Annotated[
        bool, typer.Option("--tokenized", help="Each line is a sentence, its words parted by blanks.")
    ] = False,
    lines: Annotated[bool, typer.Option("--lines", help="Each line is a sentence of plain text.")] = False,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            autocompletion=lambda: list(WRITTEN),
            help=f"What to write, if the name of -o does not tell it: {', '.join(WRITTEN)}.",
        ),
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Write a file, which appears when it is whole.")
    ] = STDOUT,
    model: Annotated[
        str, typer.Option("--model", "-m", autocompletion=lambda: list(available()), help="A model's name or folder.")
    ] = DEFAULT,
    decoder: Annotated[
        Decoder | None, typer.Option("--decoder", help="The search; by default the one the model is made for.")
    ] = None,
    nbest: Annotated[int, typer.Option("--nbest", "-n", min=1, max=MOST, help="How many parses of each sentence.")] = 1,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.001, help="Time for a sentence before the parser backs off.")
    ] = 60.0,
    threads: Annotated[int, typer.Option("--threads", "-t", min=1, max=256, help="Threads.")] = 1,
    batch_size: Annotated[
        int,
        typer.Option(min=1, max=MOST, help="Sentences parsed at a time; with 1 every line is answered at once."),
    ] = 256,
    width: Annotated[
        int | None, typer.Option(min=0, help="Width of drawings; 0 never wraps. By default the terminal's.")
    ] = None,
    color: Annotated[
        bool | None, typer.Option("--color/--no-color", help="Draw in colour. By default on a terminal.")
    ] = None,
    progress: Annotated[
        bool | None, typer.Option("--progress/--no-progress", help="Show progress. By default on a terminal.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help=f"Leave with {NO_PARSE} if a sentence has no parse.")
    ] = False,
) -> None:
    """Parse text: draw the derivations, or write them in a format.

    Each sentence has exactly one result, in order. One without a parse is told on standard error; it has an empty place
    of its own in AUTO, PARG and CoNLL, and in JSON one with the reason.
    """
    if texts and files:
        raise typer.BadParameter("give text or a file, not both", param_hint="TEXT / --input")
    for text in texts or ():
        if text != STDIN and len(text) < 256 and Path(text).is_file():
            typer.echo(f"warning: parsing the text {text!r}; to parse the file of that name, say -i {text}", err=True)
    if tokenized and lines:
        raise typer.BadParameter("--tokenized reads a sentence a line already", param_hint="--lines")
    name = _format(form, output)
    from starccg.cli.reading import Input  # noqa: PLC0415 - after the arguments are known to be right
    from starccg.cli.watching import progress as watching  # noqa: PLC0415

    given = Input(texts if texts != [STDIN] else None, files, tokenized=tokenized, lines=lines)
    given.check()
    _check_target(output)
    from starccg.models import load  # noqa: PLC0415
    from starccg.parser import NEED_NO_MODEL, default_options  # noqa: PLC0415

    parser = load(model, threads=threads)
    if decoder and decoder not in NEED_NO_MODEL and parser.tree_lstm is None:
        fitting = " or ".join(sorted(NEED_NO_MODEL))
        raise typer.BadParameter(f"the model {model} has no global model; take {fitting}", param_hint="--decoder")
    options = replace(default_options(decoder or parser.options.decoder, nbest), limits=Limits(seconds=seconds))
    if STDIN in given.files and sys.stdin.isatty():
        typer.echo("reading standard input; end it with Ctrl-D", err=True)
    to_terminal = output == STDOUT and sys.stdout.isatty()
    with watching(progress, shares_terminal=to_terminal, total=given.size) as watch:
        run = Run(parser, options, given, batch_size, watch)
        _write(run, name, output, width, _coloured(color, to_terminal))
    _sum_up(run, strict)


class Run:
    """A stream of numbered outcomes that counts as it goes."""

    def __init__(self, parser: Parser, options: Options, given: Input, batch_size: int, watch: Watch) -> None:
        self.parser, self.options, self.given = parser, options, given
        self.batch_size, self.watch = batch_size, watch
        self.sentences = self.failed = 0

    def outcomes(self, quiet: bool) -> Iterator[Numbered]:
        """The outcomes; unless ``quiet``, a failure is told on standard error."""
        from starccg.cli.reading import batches  # noqa: PLC0415
        from starccg.outcome import Failed  # noqa: PLC0415

        for batch in batches(self.given, self.batch_size, _before_reading):
            for outcome in self.parser.parse(tuple(batch), options=self.options):
                self.sentences += 1
                if isinstance(outcome, Failed):
                    self.failed += 1
                    if not quiet:
                        words = " ".join(outcome.words)
                        typer.echo(f"sentence {self.sentences}: {outcome.reason}: {words}".rstrip(" :"), err=True)
                yield self.sentences, outcome
            self.watch(self.sentences, self.given.read)


def _before_reading() -> None:
    """What is known is shown, and who wants no more is heard."""
    sys.stdout.flush()
    raise_interrupt()


def _write(run: Run, form: str, output: str, width: int | None, colour: bool) -> None:
    from starccg.cli.writing import JSON, lines  # noqa: PLC0415
    from starccg.formats.files import write_lines  # noqa: PLC0415

    outcomes = run.outcomes(quiet=form in JSON)
    if form == "deriv" and output == STDOUT and colour:
        _draw(outcomes, width)
    else:
        write_lines(output, lines(outcomes, form, width))


def _draw(outcomes: Iterable[Numbered], width: int | None) -> None:
    """Drawings on a terminal, in colour."""
    from rich.console import Console  # noqa: PLC0415 - loaded for those who see it

    from starccg.cli.drawing import print_derivation  # noqa: PLC0415
    from starccg.cli.writing import describe  # noqa: PLC0415
    from starccg.outcome import Failed  # noqa: PLC0415

    console = Console(force_terminal=True, highlight=False)
    for _, outcome in outcomes:
        if not isinstance(outcome, Failed):
            for rank, found in enumerate(outcome.parses, 1):
                print_derivation(console, found.derivation, width)
                style = "green" if found.certificate.optimal else "yellow"
                console.print(describe(outcome, rank), style=style, markup=False, soft_wrap=True)
                console.print()


def _sum_up(run: Run, strict: bool) -> None:
    if not run.sentences:
        typer.echo("warning: there is nothing to parse", err=True)
    if run.failed:
        typer.echo(f"{run.failed} of {run.sentences} sentences without a parse", err=True)
        if strict:
            raise typer.Exit(NO_PARSE)


def _coloured(wanted: bool | None, to_terminal: bool) -> bool:
    """Whether to draw in colour; https://no-color.org has the last word unless the command line speaks."""
    if wanted is not None:
        return wanted
    return to_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _format(name: str | None, output: str) -> str:
    """The format to write: the one named, else the one that the ending of the file's name tells."""
    hint, known = "--format", ", ".join(WRITTEN)
    if name is None:
        if output == STDOUT:
            return "deriv"
        try:
            name, hint = format_of(output).name, "--output"
        except UnknownFormatError:
            text = f"the name {output!r} does not tell the format; say --format and one of {known}"
            raise typer.BadParameter(text, param_hint="--output") from None
    if name.lower() not in WRITTEN:
        raise typer.BadParameter(f"{name!r} is none of {known}", param_hint=hint)
    return name.lower()


def _check_target(output: str) -> None:
    """Raise for a file that cannot be written, before an hour is spent on what to write into it."""
    if output != STDOUT:
        from starccg.formats.errors import FormatError  # noqa: PLC0415

        target = Path(output)
        if target.is_dir():
            raise FormatError(output, 0, 0, "cannot be written: Is a directory")
        if not target.absolute().parent.is_dir():
            raise FormatError(output, 0, 0, "cannot be written: No such file or directory")
        if not os.access(target if target.exists() else target.absolute().parent, os.W_OK):
            raise FormatError(output, 0, 0, "cannot be written: Permission denied")
