"""``starccg experiment``: the paper's experiments, each a table, a plot where one helps, and the paper's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from starccg.errors import StarccgError
from starccg.models import DEFAULT

if TYPE_CHECKING:
    from starccg.experiments.report import Report, Workbench
    from starccg.experiments.trained import Budget

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The paper's experiments: tables and plots with its numbers beside ours.\n\n"
    "Each writes NAME.md and NAME.json to --out. What is finished is not done again; a killed experiment goes on.",
)

OUT = Path("runs/experiments")

ModelOption = Annotated[str, typer.Option("--model", "-m", help="A model's name or folder.")]
DevOption = Annotated[
    list[Path], typer.Option("--dev", metavar="FILE.auto", help="Gold derivations to measure on; repeat for several.")
]
OutOption = Annotated[Path, typer.Option("--out", help="The folder to write to.")]
CapOption = Annotated[
    int | None, typer.Option("--sentences", min=1, help="Take only so many sentences of each file; the report says so.")
]
BeamOption = Annotated[
    float | None, typer.Option("--beam", min=0.0, max=1.0, help="Another beam of tags than the model's own.")
]
AgainOption = Annotated[bool, typer.Option("--again", help="Measure again what was measured before.")]
DataOption = Annotated[Path, typer.Option("--data", help="The folder that the paths in the configurations start from.")]
ConfigsOption = Annotated[Path, typer.Option("--configs", help="The folder with the project's configurations.")]
TrainOption = Annotated[int, typer.Option("--sentences", min=0, help="Training sentences, drawn at random; 0: all.")]
EpochsOption = Annotated[int, typer.Option("--epochs", min=0, help="0: as many as the configuration says.")]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Change every configuration alike.")
]


@app.command()
def results(
    dev: DevOption,
    model: ModelOption = DEFAULT,
    out: OutOption = OUT,
    sentences: CapOption = None,
    beam: BeamOption = None,
    again: AgainOption = False,
) -> None:
    """Table 2: the tags alone against the global model."""
    _compare("results", dev, model, out, sentences, beam, again)


@app.command()
def decoders(
    dev: DevOption,
    model: ModelOption = DEFAULT,
    out: OutOption = OUT,
    sentences: CapOption = None,
    beam: BeamOption = None,
    again: AgainOption = False,
) -> None:
    """Table 5: A*, best-first, reranking and beam search under the same model."""
    _compare("decoders", dev, model, out, sentences, beam, again)


@app.command()
def lazy(
    dev: DevOption,
    model: ModelOption = DEFAULT,
    out: OutOption = OUT,
    sentences: CapOption = None,
    beam: BeamOption = None,
    again: AgainOption = False,
) -> None:
    """Section 4: recursive units and time with and without lazy scoring."""
    _compare("lazy", dev, model, out, sentences, beam, again)


@app.command("garden-path")
def garden_path(
    words: Annotated[list[str], typer.Argument(metavar="TEXT", help="The sentence.")],
    model: ModelOption = DEFAULT,
    out: OutOption = OUT,
) -> None:
    """Figure 4: the global score of each partial parse of a sentence, worst first."""
    from starccg.experiments.bench import load_model  # noqa: PLC0415
    from starccg.experiments.garden_path import garden_path as run  # noqa: PLC0415
    from starccg.models import find  # noqa: PLC0415
    from starccg.text import tokenise  # noqa: PLC0415

    text = " ".join(words)
    found = load_model(find(model))
    command = f'starccg experiment garden-path --model {_name(model)} "{text}"'
    _show(run(_workbench(out), found, [token.text for token in tokenise(text)], command))


@app.command()
def scaling(
    dev: DevOption,
    model: ModelOption = DEFAULT,
    out: OutOption = OUT,
    per_length: Annotated[int, typer.Option("--per-length", min=1, help="Sentences of each length.")] = 40,
    longest: Annotated[int, typer.Option("--longest", min=5, help="The longest sentences to measure.")] = 100,
    again: AgainOption = False,
) -> None:
    """Time, explored nodes and memory against sentence length, 5 to 100 words."""
    from starccg.experiments.bench import load_model, read_words  # noqa: PLC0415
    from starccg.experiments.scaling import LENGTHS  # noqa: PLC0415
    from starccg.experiments.scaling import scaling as run  # noqa: PLC0415
    from starccg.models import find  # noqa: PLC0415

    found = load_model(find(model))
    more = [f"--per-length {per_length}", *([f"--longest {longest}"] if longest < max(LENGTHS) else [])]
    lengths = [length for length in LENGTHS if length <= longest]
    command = _command("scaling", model, dev, more)
    _show(run(_workbench(out, again), found, read_words(dev), command, count=per_length, lengths=lengths))


@app.command()
def ablations(
    data: DataOption,
    out: OutOption = OUT,
    configs: ConfigsOption = Path("configs"),
    sentences: TrainOption = 0,
    epochs: EpochsOption = 0,
    changes: SetOption = None,
) -> None:
    """Table 3: train and measure the seven rows (needs torch)."""
    _train("ablations", data, out, configs, sentences, epochs, changes)


@app.command()
def updates(
    data: DataOption,
    out: OutOption = OUT,
    configs: ConfigsOption = Path("configs"),
    sentences: TrainOption = 0,
    epochs: EpochsOption = 0,
    changes: SetOption = None,
) -> None:
    """Table 4: greedy, max-violation and all-violations updates (needs torch)."""
    _train("updates", data, out, configs, sentences, epochs, changes)


@app.command("learning-curves")
def learning_curves(
    data: DataOption,
    out: OutOption = OUT,
    configs: ConfigsOption = Path("configs"),
    sentences: TrainOption = 0,
    epochs: EpochsOption = 0,
    changes: SetOption = None,
) -> None:
    """Figure 5: dev F1 while the three updates learn (needs torch)."""
    _train("learning-curves", data, out, configs, sentences, epochs, changes)


@app.command()
def document(
    target: Annotated[Path, typer.Argument(metavar="FILE.md", help="The document to write.")] = Path("docs/results.md"),
    out: OutOption = OUT,
) -> None:
    """Write one document from the reports in --out: what holds of the paper's claims, and every table."""
    from starccg.experiments.document import document as write  # noqa: PLC0415

    if not out.is_dir():
        raise StarccgError(f"{out}: no such folder; run an experiment first, or name its folder with --out")
    missing = write(out, target)
    typer.echo(f"{target}: not run yet: {', '.join(missing)}" if missing else f"{target}: all experiments")


def _compare(
    name: str, dev: Sequence[Path], model: str, out: Path, sentences: int | None, beam: float | None, again: bool
) -> None:
    from starccg.experiments import comparisons  # noqa: PLC0415 - the help must not load the models' libraries
    from starccg.experiments.bench import load_bench, load_model  # noqa: PLC0415
    from starccg.models import find  # noqa: PLC0415

    found = load_model(find(model))
    bench = load_bench(found, dev, out / "tags", sentences=sentences, beam=beam)
    more = [f"--sentences {sentences}"] if sentences else []
    more += [f"--beam {beam:g}"] if beam is not None else []
    run: Any = {"results": comparisons.results, "decoders": comparisons.decoders, "lazy": comparisons.lazy}[name]
    work = _workbench(out, again, "" if beam is None else f"-beam-{beam:g}")
    _show(run(work, bench, found, _command(name, model, dev, more)))


def _train(
    name: str, data: Path, out: Path, configs: Path, sentences: int, epochs: int, changes: list[str] | None
) -> None:
    from starccg.experiments import trained  # noqa: PLC0415 - torch takes seconds to import

    budget: Budget = trained.Budget(data, configs, sentences, epochs, tuple(changes or ()))
    words = [f"starccg experiment {name} --data {data.name or data}"]
    words += [f"--sentences {sentences}"] if sentences else []
    words += [f"--epochs {epochs}"] if epochs else []
    words += [f"--set '{change}'" for change in changes or ()]
    run: Any = {
        "ablations": trained.ablations, "updates": trained.updates, "learning-curves": trained.learning_curves
    }[name]  # fmt: skip
    _show(run(_workbench(out), budget, " ".join(words)))


def _workbench(out: Path, again: bool = False, suffix: str = "") -> Workbench:
    from starccg.experiments.report import Workbench  # noqa: PLC0415

    return Workbench(out, lambda text: typer.echo(text, err=True), again=again, suffix=suffix)


def _show(report: Report) -> None:
    typer.echo(report.markdown().rstrip())


def _command(name: str, model: str, dev: Sequence[Path], more: Sequence[str]) -> str:
    files = [f"--dev {path.name}" for path in dev]
    return " ".join(["starccg experiment", name, "--model", _name(model), *files, *more])


def _name(model: str) -> str:
    return Path(model).name
