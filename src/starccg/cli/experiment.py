"""``starccg experiment``: the paper's experiments, each a table, a plot where one helps, and the paper's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from starccg.errors import StarccgError
from starccg.experiments.published import BEAM
from starccg.models import DEFAULT

if TYPE_CHECKING:
    from starccg.experiments.report import Report, Workbench

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
JobsOption = Annotated[int, typer.Option("--jobs", min=1, help="Models to train at a time, a process each.")]
DeviceOption = Annotated[str, typer.Option("--device", help="cpu, cuda, or auto: cuda where there is one.")]
DevSentencesOption = Annotated[
    int | None, typer.Option("--dev-sentences", min=1, help="Look at the first so many of dev only.")
]
DevForestOption = Annotated[
    int | None, typer.Option("--dev-forest", min=1, help="Nodes that a search on dev may explore before the back-off.")
]
DevUnitsOption = Annotated[
    int | None, typer.Option("--dev-units", min=1, help="Recursive units that it may compute before the back-off.")
]


def _comparison(name: str, summary: str, own_beam: float | None = None) -> None:
    """Add a command that measures systems under one model; ``own_beam``: with other tags than the model's own."""

    def compare(
        dev: DevOption,
        model: ModelOption = DEFAULT,
        out: OutOption = OUT,
        sentences: CapOption = None,
        beam: BeamOption = own_beam,
        again: AgainOption = False,
    ) -> None:
        _compare(name, dev, model, out, sentences, beam, again, as_always=beam == own_beam)

    app.command(name, help=summary)(compare)


_comparison("results", "Table 2: the tags alone against the global model.")
_comparison("decoders", "Table 5: A*, best-first, reranking and beam search under the same model.")
_comparison(
    "lazy", "Section 4: recursive units and time with and without lazy scoring, at the paper's beam.", own_beam=BEAM
)


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


def _training(name: str, summary: str) -> None:
    """Add a command that trains models."""

    def train(
        data: DataOption,
        out: OutOption = OUT,
        configs: ConfigsOption = Path("configs"),
        sentences: TrainOption = 0,
        epochs: EpochsOption = 0,
        changes: SetOption = None,
        jobs: JobsOption = 1,
        device: DeviceOption = "cpu",
        dev_sentences: DevSentencesOption = None,
        dev_forest: DevForestOption = None,
        dev_units: DevUnitsOption = None,
    ) -> None:
        told = [f"--sentences {sentences}"] if sentences else []
        told += [f"--epochs {epochs}"] if epochs else []
        told += [f"--set '{change}'" for change in changes or ()]
        more = list(changes or ())
        for flag, key, value in (
            ("--dev-sentences", "sentences", dev_sentences),
            ("--dev-forest", "limits.forest", dev_forest),
            ("--dev-units", "limits.recursive_units", dev_units),
        ):
            told += [f"{flag} {value}"] if value is not None else []
            more += [f"development.{key}={value}"] if value is not None else []
        command = " ".join([f"starccg experiment {name} --data {data.name or data}", *told])
        _train(name, data, out, configs, sentences, epochs, more, jobs, device, command)

    app.command(name, help=summary)(train)


_training("ablations", "Table 3: train and measure the seven rows (needs torch).")
_training("updates", "Table 4: greedy, max-violation and all-violations updates (needs torch).")
_training("learning-curves", "Figure 5: dev F1 while the three updates learn (needs torch).")
_training("trainings", "Train the models of those three and measure nothing, to be found done by them (needs torch).")


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
    name: str,
    dev: Sequence[Path],
    model: str,
    out: Path,
    sentences: int | None,
    beam: float | None,
    again: bool,
    as_always: bool,
) -> None:
    from starccg.experiments import comparisons, decoders  # noqa: PLC0415 - the help must not load the models' libraries
    from starccg.experiments.bench import load_bench, load_model  # noqa: PLC0415
    from starccg.models import find  # noqa: PLC0415

    found = load_model(find(model))
    bench = load_bench(found, dev, out / "tags", sentences=sentences, beam=beam)
    more = [f"--sentences {sentences}"] if sentences else []
    more += [] if as_always else [f"--beam {beam:g}"]
    run: Any = {"results": comparisons.results, "decoders": decoders.decoders, "lazy": comparisons.lazy}[name]
    work = _workbench(out, again, "" if as_always else f"-beam-{beam:g}")
    _show(run(work, bench, found, _command(name, model, dev, more)))


def _train(
    name: str,
    data: Path,
    out: Path,
    configs: Path,
    sentences: int,
    epochs: int,
    changes: Sequence[str],
    jobs: int,
    device: str,
    command: str,
) -> None:
    from starccg.experiments import trained  # noqa: PLC0415 - torch takes seconds to import
    from starccg.experiments.budget import Budget  # noqa: PLC0415
    from starccg.training.devices import device_name  # noqa: PLC0415

    place = f'learning.device="{device_name(device)}"'
    budget = Budget(data, configs, sentences, epochs, (place, *changes))
    work = _workbench(out)
    if name == "trainings":
        trained.train_models(work, budget, jobs)
        return
    run: Any = {
        "ablations": trained.ablations, "updates": trained.updates, "learning-curves": trained.learning_curves
    }[name]  # fmt: skip
    _show(run(work, budget, command, jobs))


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
