"""``starccg convert``: any format to any other."""

from __future__ import annotations

import warnings
from typing import Annotated

import typer

from starccg.formats.errors import FormatError, FormatWarning
from starccg.formats.files import STDOUT, ConversionError, reading_format, writing_format
from starccg.formats.files import convert as convert_files
from starccg.formats.registry import FORMATS, UnknownFormatError

_READ = ", ".join(form.name for form in FORMATS.values() if form.reader)
_WRITTEN = ", ".join(form.name for form in FORMATS.values() if form.writer)


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="The file to read; - is standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write; - is standard output.")] = STDOUT,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help=f"If the name does not tell it: {_READ}.")
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help=f"If the name does not tell it: {_WRITTEN}.")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Count malformed sentences and go on.")] = False,
    width: Annotated[
        int | None,
        typer.Option(min=0, help="Width of drawings; 0 never wraps. By default the terminal's."),
    ] = None,
) -> None:
    """Convert between formats, or draw derivations.

    The endings of the names tell the formats. On standard output derivations are drawn unless --to names a format.
    """
    try:
        reading_format(source, from_)
    except UnknownFormatError as error:
        hint = "" if from_ else f"; say --from and one of {_READ}"
        raise typer.BadParameter(f"{error}{hint}", param_hint="IN / --from") from error
    try:
        options = {"width": width} if writing_format(target, to).name == "deriv" else {}
    except UnknownFormatError as error:
        hint = "" if to else f"; say --to and one of {_WRITTEN}"
        raise typer.BadParameter(f"{error}{hint}", param_hint="OUT / --to") from error
    bad: list[FormatError] | None = [] if skip_bad else None
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", FormatWarning)
            convert_files(source, target, source_format=from_, target_format=to, bad=bad, **options)
    except (ConversionError, UnknownFormatError) as error:
        raise typer.BadParameter(str(error), param_hint="--from / --to") from error
    for warning in told:
        typer.echo(f"warning: {warning.message}", err=True)
    if bad is not None:
        first = f" (the first: {bad[0]})" if bad else ""
        typer.echo(f"skipped {len(bad)} malformed{first}", err=True)
