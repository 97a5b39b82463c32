"""``starccg models``: which models there are, and making one of its parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from starccg.derivation import Derivation
from starccg.errors import StarccgError

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Models: list those at hand, or make one of its parts.",
)


@app.command("list")
def list_models() -> None:
    """List the models that --model takes by name."""
    from starccg.models import VARIABLE, available  # noqa: PLC0415

    found = available()
    for name, folder in found.items():
        typer.echo(f"{name}\t{folder}")
    if not found:
        typer.echo(f"no models here; set {VARIABLE} to a folder that holds some", err=True)


@app.command("assemble")
def assemble_model(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The model folder to write.")],
    tagger: Annotated[Path, typer.Option(help="A tagger's folder, as 'train export' writes it.")],
    treebank: Annotated[list[Path], typer.Option(help="AUTO files to read the grammar off; give it once for each.")],
    global_model: Annotated[
        Path | None,
        typer.Option("--global", help="A global model's folder; without it the parser is supertag-factored."),
    ] = None,
) -> None:
    """Make a model of a tagger, a global model and the grammar of treebanks."""
    from starccg.ccg.induction import count, induce  # noqa: PLC0415
    from starccg.model_parts import assemble  # noqa: PLC0415
    from starccg.tagger import Tagger  # noqa: PLC0415

    Tagger.load(tagger)  # raises, before anything is written, if it is not whole
    induced = induce(count(_derivations(treebank)))
    assemble(folder, induced.grammar, tagger, global_model, {"treebanks": [path.name for path in treebank]})
    typer.echo(f"wrote {folder}")


def _derivations(paths: list[Path]) -> Iterator[Derivation]:
    from starccg.formats.auto import read_auto  # noqa: PLC0415

    for path in paths:
        empty = True
        for sentence in read_auto(path):
            empty = False
            yield sentence.derivation
        if empty:
            raise StarccgError(f"{path}: no sentence in it")
