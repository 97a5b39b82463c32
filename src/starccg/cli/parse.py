"""``starccg parse``: text in, derivations out; one result for every sentence, in order."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from starccg.cli.options import (
    WRITTEN,
    Annotate,
    Device,
    Lines,
    ModelName,
    ShowProgress,
    Tokenized,
    Width,
    format_to_write,
)
from starccg.cli.progress import ProgressBar
from starccg.cli.root import BACKED_OFF, NO_PARSE
from starccg.formats.errors import STDIN
from starccg.formats.files import STDOUT
from starccg.model_folder.find import DEFAULT
from starccg.search.options import Decoder, Limits, Options

if TYPE_CHECKING:
    from starccg.cli.parse_run import Run
    from starccg.cli.writing import Numbered

MOST = 1_000_000
"""The maximum of options that are counts; a higher value is probably a typing error."""
DECODER_HELP = (
    "The search. global: exact, with the whole model; supertag: exact, with the tags alone; supertag-forest, span, "
    "span-forest: variants of these for comparison; beam, rerank: not exact. By default the model's."
)
LIMITS = Limits()


def _limit(option: str, what: str) -> Any:
    return typer.Option(option, min=1, help=f"Maximum number of {what} per sentence.")


def parse(
    texts: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="Text; without it and without -i, standard input.")
    ] = None,
    files: Annotated[
        list[str] | None,
        typer.Option(
            "--input", "-i", metavar="FILE", help="A file to parse (- is standard input); repeat for several."
        ),
    ] = None,
    tokenized: Tokenized = False,
    lines: Lines = False,
    markdown: Annotated[
        bool | None,
        typer.Option(
            "--markdown/--plain", help="The text is Markdown. By default for files whose names end in .md or .markdown."
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            autocompletion=lambda: list(WRITTEN),
            help=f"The output format, by default from the extension of -o: {', '.join(WRITTEN)}.",
        ),
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="A line that is not UTF-8 fails alone; by default it ends the run.")
    ] = False,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to a file instead of standard output. It appears when it is complete; a run that ends early "
            "leaves its results in FILE.partial.",
        ),
    ] = STDOUT,
    model: ModelName = DEFAULT,
    decoder: Annotated[Decoder | None, typer.Option("--decoder", help=DECODER_HELP)] = None,
    nbest: Annotated[int, typer.Option("--nbest", "-n", min=1, max=MOST, help="Parses of each sentence.")] = 1,
    beam: Annotated[
        str | None,
        typer.Option(
            "--beam",
            metavar="SHARE",
            help="Keep tags whose probability is at least this share (0 to 1) of the word's best tag; 'proved': "
            "keep all where the parse is not proved best over all tags. By default the model's share.",
        ),
    ] = None,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Compute the probability that the best parse is right; takes longer.")
    ] = False,
    annotate: Annotate = False,
    seconds: Annotated[
        float, typer.Option("--max-seconds", "--seconds", min=0.001, help="Time limit per sentence.")
    ] = LIMITS.seconds,
    max_units: Annotated[int, _limit("--max-units", "recursive units")] = LIMITS.recursive_units,
    max_nodes: Annotated[int, _limit("--max-nodes", "forest nodes")] = LIMITS.forest,
    max_agenda: Annotated[int, _limit("--max-agenda", "agenda items")] = LIMITS.agenda,
    max_words: Annotated[int, _limit("--max-words", "words")] = LIMITS.words,
    device: Device = "cpu",
    threads: Annotated[int, typer.Option("--threads", "-t", min=1, max=256, help="Threads.")] = 1,
    batch_size: Annotated[
        int,
        typer.Option(min=1, max=MOST, help="Sentences parsed together; with 1, each line's result is written at once."),
    ] = 256,
    width: Width = None,
    color: Annotated[
        bool | None, typer.Option("--color/--no-color", help="Draw in colour. By default on a terminal.")
    ] = None,
    progress: ShowProgress = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print the cost of each search: decoder, nodes, units, time.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Report only errors: no summary and no line for failed sentences.")
    ] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help=f"Exit with {NO_PARSE} if a sentence failed, {BACKED_OFF} if one backed off."),
    ] = False,
) -> None:
    """Parse text: draw the derivations, or write them in a format.

    Each sentence has exactly one result, in order. Sentences that failed or backed off are reported on standard error,
    which ends with a summary. AUTO, PARG and CoNLL have an empty entry for a failed sentence, JSON one with the reason;
    these, XML, Prolog, HTML, LaTeX and DOT mark a back-off. The parser backs off when a sentence reaches a limit
    (--max-...).
    """
    if texts and files:
        raise typer.BadParameter("give text or a file, not both", param_hint="TEXT / --input")
    for text in texts or ():
        named = text.endswith((".txt", ".md")) and " " not in text
        if text != STDIN and len(text) < 256 and (named or Path(text).is_file()):
            typer.echo(f"warning: parsing the text {text!r}; to parse the file of that name, use -i {text}", err=True)
    if tokenized and lines:
        raise typer.BadParameter("--tokenized already reads one sentence per line", param_hint="--lines")
    if markdown and (tokenized or lines):
        raise typer.BadParameter("cannot be combined with --tokenized or --lines", param_hint="--markdown")
    share = _beam(beam)
    name = format_to_write(output, form, "--format", "--output")
    from starccg.cli.reading import Input, treebank_format  # noqa: PLC0415 - after the arguments were checked

    for file in files or ():
        if treebank := treebank_format(file):
            what = f"{file} is parsed as text, not read as {treebank.name}"
            typer.echo(f"warning: {what}; starccg convert {file} draws its derivations", err=True)

    if markdown is None and files and not (tokenized or lines):
        markdown = all(file.endswith((".md", ".markdown")) for file in files)
    if texts == [STDIN]:
        texts = None
    given = Input(
        texts or (),
        files or ([] if texts else [STDIN]),
        tokenized=tokenized,
        lines=lines,
        markdown=bool(markdown),
        skip_bad=skip_bad,
    )
    given.check()
    if output != STDOUT:
        _check_target(output)
    from starccg.cli import parse_run  # noqa: PLC0415
    from starccg.models import load  # noqa: PLC0415

    parser = load(model, threads=threads, device=device)
    if decoder and decoder.needs_model and not parser.searcher.has_model:
        fitting = " or ".join(sorted(known for known in Decoder if not known.needs_model))
        raise typer.BadParameter(f"the model {model} has no global model; use {fitting}", param_hint="--decoder")
    if annotate and not parser.tagger.annotates:
        text = f"the model {model} was trained without parts of speech and lemmas; choose another model"
        raise typer.BadParameter(text, param_hint="--annotate")
    limits = Limits(max_nodes, max_agenda, max_units, max_words, seconds)
    options = Options(decoder=decoder or parser.options.decoder, nbest=nbest, limits=limits)
    if STDIN in given.files and sys.stdin.isatty():
        typer.echo("reading standard input; end it with Ctrl-D", err=True)
    to_terminal = output == STDOUT and sys.stdout.isatty()
    with ProgressBar(False if to_terminal and progress is None else progress) as bar:
        settings = {"options": options, "beam": share, "confidence": confidence, "annotate": annotate}
        run = parse_run.Run(parser, given, batch_size, bar, settings)
        _write(run, name, output, width, colour=_coloured(color, to_terminal), verbose=verbose, quiet=quiet)
    if not quiet:
        summary = run.counts.summary(None if output == STDOUT else output)
        typer.echo(summary if run.counts.total() else "warning: the input has no sentences", err=True)
    if strict and (run.counts[parse_run.FAILED] or run.counts[parse_run.BACKED_OFF]):
        raise typer.Exit(NO_PARSE if run.counts[parse_run.FAILED] else BACKED_OFF)


def _write(run: Run, form: str, output: str, width: int | None, *, colour: bool, verbose: bool, quiet: bool) -> None:
    from starccg.cli.writing import JSON, lines  # noqa: PLC0415

    outcomes = run.outcomes(quiet=quiet or form in JSON)
    if form == "deriv" and output == STDOUT and colour:
        _draw(outcomes, width, verbose=verbose)
    else:
        _write_file(output, lines(outcomes, form, width, verbose=verbose))


def _write_file(output: str, lines: Iterable[str]) -> None:
    """Write a file. Where the run ends early, what was written is kept under another name."""
    from starccg.formats.files import partial_of, write_lines  # noqa: PLC0415

    if output == STDOUT:
        write_lines(output, lines)
        return
    partial = partial_of(output)
    partial.unlink(missing_ok=True)  # of an earlier run
    try:
        write_lines(output, lines, partial=True)
    finally:
        if partial.exists():
            typer.echo(f"the run did not finish; {partial} has the results so far", err=True)


def _draw(outcomes: Iterable[Numbered], width: int | None, *, verbose: bool) -> None:
    """Drawings on a terminal, in colour."""
    from rich.console import Console  # noqa: PLC0415 - loaded only for those who see it

    from starccg.cli.drawing import print_derivation  # noqa: PLC0415
    from starccg.cli.writing import describe  # noqa: PLC0415

    console = Console(force_terminal=True, highlight=False)
    for _, outcome in outcomes:
        for parse in outcome.parses:
            print_derivation(console, parse, width)
            style = "green" if parse.certificate.optimal else "yellow"
            console.print(describe(outcome, parse, verbose=verbose), style=style, markup=False, soft_wrap=True)
            console.print()


def _beam(text: str | None) -> float | str | None:
    """Read the value of ``--beam``: a share, or ``proved``."""
    if text is None or text == "proved":
        return text
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise typer.BadParameter(f"{text!r} is not a number from 0 to 1, and not 'proved'", param_hint="--beam")
    return share


def _coloured(wanted: bool | None, to_terminal: bool) -> bool:
    """Whether to draw in colour: what the command line says, else what https://no-color.org says."""
    if wanted is not None:
        return wanted
    return to_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _check_target(output: str) -> None:
    """Raise for a file that cannot be written before anything is parsed."""
    from starccg.formats.errors import FormatError  # noqa: PLC0415

    target = Path(output)
    folder = target.absolute().parent
    if target.is_dir():
        wrong = errno.EISDIR
    elif not folder.is_dir():
        wrong = errno.ENOENT
    elif not os.access(target if target.exists() else folder, os.W_OK):
        wrong = errno.EACCES
    else:
        return
    raise FormatError(output, 0, 0, f"cannot be written: {os.strerror(wrong)}")
