"""``starccg convert``: any format to any other."""

from __future__ import annotations

import warnings
from typing import Annotated

import typer

from starccg.cli.options import WRITTEN, SkipBad, Width, format_to_write, report_malformed, unknown_format
from starccg.formats.errors import STDIN, FormatError, FormatWarning
from starccg.formats.files import STDOUT, ConversionError, reading_format
from starccg.formats.files import convert as convert_files
from starccg.formats.registry import FORMATS, UnknownFormatError

READ = tuple(form.name for form in FORMATS.values() if form.reader)
BY_EXTENSION = "format, by default from the file name extension"


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="The file to read; - is standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write; - is standard output.")] = STDOUT,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help=f"The input {BY_EXTENSION}: {', '.join(READ)}.")
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help=f"The output {BY_EXTENSION}: {', '.join(WRITTEN)}.")
    ] = None,
    skip_bad: SkipBad = False,
    width: Width = None,
) -> None:
    """Convert between formats, or draw derivations.

    The file name extensions decide the formats. On standard output, derivations are drawn unless --to names a format.
    """
    _check_readable(source, from_)
    options = {"width": width} if format_to_write(target, to, "--to", "OUT") == "deriv" else {}
    bad: list[FormatError] | None = [] if skip_bad else None
    try:
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always", FormatWarning)
            convert_files(source, target, source_format=from_, target_format=to, bad=bad, **options)
    except ConversionError as error:
        raise typer.BadParameter(str(error), param_hint="--from / --to") from error
    for warning in raised:
        typer.echo(f"warning: {warning.message}", err=True)
    if bad is not None:
        report_malformed(bad)


def _check_readable(source: str, name: str | None) -> None:
    """Raise an error of the command line unless the format of the input is known and can be read."""
    if name is None and source.endswith((".txt", ".text", ".md")):
        text = f"{source} is a text, which has no derivations; to parse it, use starccg parse -i {source}"
        raise typer.BadParameter(text, param_hint="IN")
    try:
        form = reading_format(source, name)
    except UnknownFormatError as error:
        text = unknown_format("standard input" if source == STDIN else source, name, "--from", READ)
        raise typer.BadParameter(text, param_hint="--from") from error
    if form.reader is None:
        text = f"{form.name} can only be written; use --from with one of {', '.join(READ)}"
        raise typer.BadParameter(text, param_hint="--from" if name else "IN")
