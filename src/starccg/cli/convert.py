"""``starccg convert``: any format to any other."""

from __future__ import annotations

import warnings
from typing import Annotated

import typer

from starccg.cli.options import Width
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
        str | None,
        typer.Option(
            "--from", metavar="FORMAT", help=f"The input format, by default from the file name extension: {_READ}."
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="FORMAT", help=f"The output format, by default from the file name extension: {_WRITTEN}."
        ),
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Skip malformed sentences and count them.")] = False,
    width: Width = None,
) -> None:
    """Convert between formats, or draw derivations.

    The file name extensions decide the formats. On standard output, derivations are drawn unless --to names a format.
    """
    try:
        if (form := reading_format(source, from_)).reader is None:
            raise UnknownFormatError(f"{form.name} can only be written")
    except UnknownFormatError as error:
        hint = "" if from_ else f"; use --from with one of {_READ}"
        if not from_ and source.endswith((".txt", ".text", ".md")):
            text = f"{source} is a text, which has no derivations; to parse it, use starccg parse -i {source}"
            raise typer.BadParameter(text, param_hint="IN") from error
        raise typer.BadParameter(f"{error}{hint}", param_hint="IN / --from") from error
    try:
        options = {"width": width} if writing_format(target, to).name == "deriv" else {}
    except UnknownFormatError as error:
        hint = "" if to else f"; use --to with one of {_WRITTEN}"
        raise typer.BadParameter(f"{error}{hint}", param_hint="OUT / --to") from error
    bad: list[FormatError] | None = [] if skip_bad else None
    try:
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always", FormatWarning)
            convert_files(source, target, source_format=from_, target_format=to, bad=bad, **options)
    except (ConversionError, UnknownFormatError) as error:
        raise typer.BadParameter(str(error), param_hint="--from / --to") from error
    for warning in raised:
        typer.echo(f"warning: {warning.message}", err=True)
    if bad is not None:
        first = f" (the first: {bad[0]})" if bad else ""
        typer.echo(f"malformed sentences skipped: {len(bad)}{first}", err=True)
