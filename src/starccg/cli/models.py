"""``starccg models``: list the models, and assemble one from its parts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from starccg.cli.options import group
from starccg.errors import StarccgError

app = group("Models: list the available ones, or assemble one from its parts.")


@app.command("list")
def list_models() -> None:
    """List the models that --model takes by name: language, size, speed on one core, accuracy on dev sets, folder."""
    from starccg.model_folder.find import VARIABLE, available, model_folders  # noqa: PLC0415
    from starccg.model_folder.summary import summarise  # noqa: PLC0415
    from starccg.text.language import LANGUAGES  # noqa: PLC0415

    for folder in model_folders():
        if not folder.is_dir():
            typer.echo(f"warning: {VARIABLE} names {folder}, which is not a folder", err=True)
    rows = [("name", "language", "MB", "sentences/s", "supertags", "labelled F1", "folder")]
    for name, folder in available().items():
        model = summarise(name, folder)
        language = LANGUAGES.get(model.language, model.language) or "-"
        size = f"{model.bytes / 1e6:.1f}" + (f" + {model.shares}" if model.shares else "")
        speed = "-" if model.sentences_per_second is None else f"{model.sentences_per_second:,.0f}"
        rows.append((name, language, size, speed, _dev(model.supertags), _dev(model.f1), str(folder)))
    if len(rows) == 1:
        typer.echo(f"no models found; set {VARIABLE} to a folder that contains models", err=True)
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _dev(figures: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.1f}" for name, value in sorted(figures.items())) or "-"


@app.command("share")
def share_model(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A model folder; files are removed from it.")],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The model that has the same files: name or folder.")],
) -> None:
    """Remove the files of a model that another model has too; loading it then needs both."""
    from starccg.model_folder.find import find  # noqa: PLC0415
    from starccg.model_folder.manifest import read_manifest  # noqa: PLC0415
    from starccg.model_folder.parts import share_parts  # noqa: PLC0415

    sharing = find(other)
    for place in (folder, sharing):
        read_manifest(place)  # raises unless it is a model
    for name in share_parts(folder, sharing):
        typer.echo(f"{name}: shared with {sharing.name}")


@app.command("assemble")
def assemble_model(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The model folder to write.")],
    tagger: Annotated[Path, typer.Option(help="A tagger's folder, as 'train export' writes it.")],
    treebank: Annotated[
        list[Path] | None, typer.Option(help="An AUTO file to induce the grammar from; repeat for several.")
    ] = None,
    global_model: Annotated[
        Path | None,
        typer.Option("--global", help="A global model's folder; without it the parser is supertag-factored."),
    ] = None,
    saved: Annotated[
        Path | None,
        typer.Option(
            "--grammar", metavar="FILE", help="The grammar.json of a training or a model, in place of --treebank."
        ),
    ] = None,
    like: Annotated[
        str, typer.Option(help="A model whose grammar and global model are used, in place of --treebank and --global.")
    ] = "",
) -> None:
    """Make a model from a tagger and the grammar of treebanks, of a training or of another model."""
    from starccg.ccg.induction import count, induce  # noqa: PLC0415
    from starccg.formats.auto import read_treebank  # noqa: PLC0415
    from starccg.formats.files import read_grammar  # noqa: PLC0415
    from starccg.model_folder.find import find  # noqa: PLC0415
    from starccg.model_folder.manifest import read_manifest  # noqa: PLC0415
    from starccg.model_folder.parts import assemble, global_folder, read_parts  # noqa: PLC0415
    from starccg.model_folder.tagger import load_tagger  # noqa: PLC0415

    if sum(map(bool, (treebank, saved, like))) != 1 or (like and global_model):
        raise StarccgError("give either --treebank or --grammar, and --global if there is one, or --like")
    load_tagger(tagger)  # raises if it is incomplete, before anything is written
    if like:
        other = find(like)
        grammar, global_model = read_parts(other).grammar, global_folder(other, read_manifest(other))
        source: dict[str, Any] = {"like": like}
    elif saved:
        grammar, source = read_grammar(saved), {"grammar": saved.name}
    else:
        grammar = induce(count(own.derivation for path in treebank or () for own in read_treebank(path))).grammar
        source = {"treebanks": [path.name for path in treebank or ()]}
    assemble(folder, grammar, tagger, global_model, source)
    typer.echo(f"wrote {folder}")
