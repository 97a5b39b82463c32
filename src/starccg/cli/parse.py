"""``starccg parse``: text in, derivations out; one result for every sentence, in order."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from starccg.errors import StarccgError
from starccg.models import DEFAULT
from starccg.search.types import Certificate, Decoder, Limits

if TYPE_CHECKING:
    from starccg.outcome import ParseOutcome
    from starccg.parser import Text

FORMATS = ("deriv", "auto", "parg", "json")


def parse(
    texts: Annotated[
        list[str] | None, typer.Argument(metavar="[TEXT]...", help="Text; without it, standard input.")
    ] = None,
    input_file: Annotated[Path | None, typer.Option("--input", "-i", metavar="FILE", help="Parse a file.")] = None,
    tokenized: Annotated[bool, typer.Option("--tokenized", help="One sentence a line, words split by spaces.")] = False,
    form: Annotated[str, typer.Option("--format", "-f", help=f"What to write: {', '.join(FORMATS)}.")] = "deriv",
    model: Annotated[str, typer.Option("--model", "-m", help="A model's name or folder.")] = DEFAULT,
    decoder: Annotated[
        Decoder | None, typer.Option("--decoder", help="The search; by default the one the model is made for.")
    ] = None,
    nbest: Annotated[int, typer.Option("--nbest", "-n", min=1, help="How many parses of each sentence.")] = 1,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.001, help="Time for a sentence before the parser backs off.")
    ] = 60.0,
    threads: Annotated[int, typer.Option("--threads", "-t", min=1, max=256, help="Threads.")] = 1,
) -> None:
    """Parse text: draw the derivations, or write them in a format.

    Each sentence has exactly one result, in order. Failures say why: on standard error, and in JSON in their place.
    """
    if form not in FORMATS:
        raise typer.BadParameter(f"{form!r} is none of {', '.join(FORMATS)}", param_hint="--format")
    if texts and input_file is not None:
        raise typer.BadParameter("give text or a file, not both", param_hint="TEXT / --input")
    from starccg.models import load  # noqa: PLC0415 - after the arguments are known to be right
    from starccg.parser import default_options  # noqa: PLC0415

    sentences = read_sentences(texts, input_file, tokenized)
    parser = load(model, threads=threads)
    options = replace(default_options(decoder or parser.options.decoder, nbest), limits=Limits(seconds=seconds))
    failed = 0
    for number, outcome in enumerate(parser.pipe(sentences, options=options), 1):
        failed += write_outcome(number, outcome, form)
    if failed:
        typer.echo(f"{failed} sentences have no parse", err=True)


def read_sentences(texts: list[str] | None, path: Path | None, tokenized: bool) -> Iterator[Text]:
    """The sentences of what was given: each a list of words."""
    from starccg.text import sentences  # noqa: PLC0415

    if texts:
        parts = iter(texts)
    elif path is not None:
        try:
            parts = iter([path.read_text("utf-8")])
        except OSError as error:
            raise StarccgError(f"{path}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise StarccgError(f"{path}: not UTF-8 at byte {error.start + 1}") from error
    elif tokenized:
        parts = iter(sys.stdin)
    else:
        parts = iter([sys.stdin.read()])
    for part in parts:
        if tokenized:
            for line in part.splitlines() or [""]:
                yield line.split()
        else:
            for sentence in sentences(part):
                yield sentence.words


def write_outcome(number: int, outcome: ParseOutcome, form: str) -> bool:
    """Write one result; True if there was no parse."""
    from starccg.outcome import Failed  # noqa: PLC0415

    if form == "json":
        _write_json(number, outcome)
        return isinstance(outcome, Failed)
    if isinstance(outcome, Failed):
        typer.echo(f"sentence {number}: {outcome.reason}: {' '.join(outcome.words)}", err=True)
        if form in ("auto", "parg"):
            typer.echo(f"ID={number} PARSER=starccg NUMPARSE=0" if form == "auto" else f'<s id="{number}"> 0\n<\\s>')
        return True
    from starccg.derivation import Sentence  # noqa: PLC0415
    from starccg.formats.registry import format_named  # noqa: PLC0415

    sentences = [
        Sentence(name_of(number, rank, len(outcome.parses)), parse.derivation)
        for rank, parse in enumerate(outcome.parses, 1)
    ]
    if form != "deriv":
        for line in format_named(form).write(sentences):
            typer.echo(line)
        return False
    for rank, parse in enumerate(outcome.parses, 1):
        typer.echo(parse.draw())
        typer.echo(describe(parse.certificate, rank))
        typer.echo("")
    return False


def name_of(number: int, rank: int, of: int) -> str:
    """The ID of a parse: the sentence's number, with its rank where there are several."""
    return str(number) if of == 1 else f"{number}.{rank}"


def describe(certificate: Certificate, rank: int = 1) -> str:
    """The certificate in one line for people."""
    place = "best" if rank == 1 else f"number {rank}"
    proof = f"proved {place}" if certificate.optimal else f"not proved {place}: at most {certificate.gap:.3f} below it"
    work = f"{certificate.explored} explored, {certificate.recursive_units} recursive units"
    return (
        f"score {certificate.score:.3f}, {proof} ({certificate.decoder}, {work}, {certificate.seconds * 1000:.1f} ms)"
    )


def _write_json(number: int, outcome: ParseOutcome) -> None:
    import json  # noqa: PLC0415

    from starccg.derivation import Sentence  # noqa: PLC0415
    from starccg.formats.json import to_json  # noqa: PLC0415
    from starccg.outcome import Failed  # noqa: PLC0415

    kind = type(outcome).__name__
    value: dict[str, Any] = {"id": str(number), "outcome": kind, "words": list(outcome.words)}
    if isinstance(outcome, Failed):
        value["reason"] = outcome.reason
    else:
        value["parses"] = [
            {
                **to_json(Sentence(name_of(number, rank, len(outcome.parses)), parse.derivation)),
                "dependencies": [
                    {
                        "head": d.head,
                        "category": str(d.category),
                        "slot": d.slot,
                        "argument": d.argument,
                        "reach": d.reach,
                    }
                    for d in parse.dependencies
                ],
                "certificate": asdict(parse.certificate),
            }
            for rank, parse in enumerate(outcome.parses, 1)
        ]
    typer.echo(json.dumps(value, ensure_ascii=False))
