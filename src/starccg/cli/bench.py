"""``starccg bench``: sentences per second on this machine, by decoder and number of threads."""

from __future__ import annotations

import json
import os
import platform
import sys
import timeit
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import starccg
from starccg.cli.options import Device, Json, Lines, ModelName, Tokenized
from starccg.devices import available_cores
from starccg.errors import StarccgError, counted
from starccg.formats.errors import no_sentences
from starccg.model_folder.find import DEFAULT
from starccg.search.options import Decoder, Options

if TYPE_CHECKING:
    from starccg.parser import Parser

Words = tuple[str, ...]

SENTENCES = """
It works.
Who told you that?
The train to the coast leaves at seven.
She opened the window and looked at the sea.
Nobody knows why the old bridge was closed last winter.
The report that the committee wrote surprised everyone who read it.
If it rains tomorrow, we will stay at home and read the book you gave us.
He did not want to sell the house in which his parents had lived for forty years.
The farmers, most of whom grow wheat, say that prices have fallen since the spring.
What the witness saw on the stairs that night is still not clear to the police.
To reach the village before dark, the two hikers took the path along the river and crossed it twice.
Although the museum had promised to show the paintings in May, they were still being cleaned when the new hall,
which the city paid for, was opened to visitors.
"""
"""The default input, written for this benchmark: sentences of three to more than twenty words."""
ROUNDS = 10
"""How often the sentences above are repeated, so that a run is long enough to time."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Sentences per second with one decoder and number of threads; ``proved``: the share of parses proved best."""

    decoder: str
    threads: int
    tagging: float
    search: float
    all: float
    proved: float


def bench(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A treebank or a text; without it, built-in sentences.")
    ] = None,
    model: ModelName = DEFAULT,
    decoders: Annotated[
        list[Decoder] | None,
        typer.Option(
            "--decoder", help="A decoder to measure; repeat for several. By default the model's and supertag."
        ),
    ] = None,
    device: Device = "cpu",
    threads: Annotated[
        list[int] | None,
        typer.Option(
            "--threads",
            "-t",
            min=1,
            max=256,
            help="Number of threads; repeat for several. By default one, and one per core.",
        ),
    ] = None,
    sentences: Annotated[int | None, typer.Option("--sentences", min=1, help="Maximum number of sentences.")] = None,
    repeat: Annotated[int, typer.Option("--repeat", min=1, max=1000, help="Repetitions; the best time counts.")] = 3,
    lines: Lines = False,
    tokenized: Tokenized = False,
    as_json: Json = False,
) -> None:
    """Measure how many sentences per second the parser parses on this machine.

    Three speeds are measured: tagging (with the leaf states, if the decoder needs them), search, and everything from
    words to derivations.
    """
    words = list(islice(_words(file, lines, tokenized), sentences))
    if not words:
        raise no_sentences(file or ())
    counts = sorted(set(threads or (1, available_cores())))
    found: list[Speed] = []
    from starccg.models import load  # noqa: PLC0415 - after the arguments are known to be right

    for count in counts:
        parser = load(model, threads=count, device=device)
        for decoder in dict.fromkeys(decoders or (parser.options.decoder, Decoder.SUPERTAG)):
            found.append(measure(parser, words, decoder, repeat))
            if not as_json and sys.stderr.isatty():
                typer.echo(f"{decoder}, {counted(count, 'thread')}: {found[-1].all:.0f} sentences/s", err=True)
    around = {**environment(), "model": model, "sentences": len(words), "words": sum(map(len, words))}
    if as_json:
        typer.echo(json.dumps({"environment": around, "speeds": [asdict(speed) for speed in found]}, indent=1))
    else:
        _print(found, around)


def measure(parser: Parser, words: Sequence[Words], decoder: Decoder, repeat: int = 1) -> Speed:
    """The speed of each step, the best of ``repeat`` rounds."""
    if decoder.needs_model and not parser.searcher.has_model:
        raise StarccgError(f"the model {parser.name} has no global model, which the decoder {decoder} needs")
    options = Options(decoder=decoder)
    tagged = parser.tag(words, decoder)
    search = partial(parser.searcher.search_batch, tagged, options, threads=parser.threads)
    proved = sum(outcome.certificate.optimal for outcome in search()) / len(words)

    def speed(work: Callable[[], object]) -> float:
        return len(words) / min(timeit.repeat(work, "import gc; gc.enable()", number=1, repeat=repeat))

    return Speed(
        str(decoder),
        parser.threads,
        tagging=speed(lambda: parser.tag(words, decoder)),
        search=speed(search),
        all=speed(lambda: parser.parse(tuple(words), options=options)),
        proved=proved,
    )


def _words(file: Path | None, lines: bool, tokenized: bool) -> Iterator[Words]:
    from starccg.cli.reading import Input, treebank_format  # noqa: PLC0415
    from starccg.formats.files import read  # noqa: PLC0415

    if file is None:
        yield from (tuple(sentence.words) for sentence in [*Input([SENTENCES], [])] * ROUNDS)
    elif (form := treebank_format(file)) is not None:
        if form.dependencies_only:
            raise StarccgError(f"{file}: {form.name} does not contain every word; give derivations or text")
        yield from (tuple(sentence.derivation.words) for sentence in read(file))
    else:
        for sentence in Input(files=[str(file)], tokenized=tokenized, lines=lines):
            if sentence.tokens:
                yield tuple(sentence.words)


def environment() -> dict[str, Any]:
    """The hardware and versions that the speed depends on."""
    return {
        "starccg": starccg.__version__,
        "processor": _processor(),
        "cores": available_cores(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "onnxruntime": version("onnxruntime"),
    }


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        text = ""
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _print(found: Sequence[Speed], around: dict[str, Any]) -> None:
    from rich.table import Table  # noqa: PLC0415

    from starccg.cli.console import Output  # noqa: PLC0415

    length = around["words"] / around["sentences"]
    table = Table(title=f"sentences per second ({around['sentences']} sentences of {length:.1f} words on average)")
    table.add_column("decoder")
    for name in ("threads", "tagging", "search", "all", "proved best"):
        table.add_column(name, justify="right")
    for speed in found:
        steps = (f"{value:,.0f}" for value in (speed.tagging, speed.search, speed.all))
        table.add_row(speed.decoder, str(speed.threads), *steps, f"{speed.proved:.0%}")
    console = Output()
    console.print(table)
    for name, value in around.items():
        if name not in ("sentences", "words"):
            console.print(f"{name}: {value}", highlight=False, markup=False)
