"""``starccg experiment``: the paper's experiments, each a table with the paper's figures, some with a plot."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from starccg.cli.options import ModelName, TrainingDevice, given_command, group
from starccg.devices import training_device
from starccg.errors import StarccgError
from starccg.experiments.published import TAG_BEAM
from starccg.model_folder.find import DEFAULT

if TYPE_CHECKING:
    from starccg.experiments.evaluation_set import LoadedModel
    from starccg.experiments.report import Report, ReportFolder
    from starccg.experiments.training_runs import Budget

app = group(
    "The paper's experiments: tables and plots with the paper's figures and ours.\n\n"
    "Each writes NAME.md and NAME.json to --out. A killed experiment resumes when it is restarted."
)

OUT = Path("runs/experiments")
HIDDEN = ("out", "again", "write", "configs", "jobs", "device")
"""Options that change no result; reports do not show them."""

DevOption = Annotated[
    list[Path], typer.Option("--dev", metavar="FILE.auto", help="Gold derivations to measure on; repeat for several.")
]
OutOption = Annotated[Path, typer.Option("--out", help="The folder to write to.")]
CapOption = Annotated[int | None, typer.Option("--sentences", min=1, help="Maximum number of sentences of each file.")]
TagBeamOption = Annotated[
    float | None, typer.Option("--beam", min=0.0, max=1.0, help="Tag beam, instead of the model's default.")
]
AgainOption = Annotated[bool, typer.Option("--again", help="Repeat measurements that were already made.")]
DataOption = Annotated[Path, typer.Option("--data", help="The folder that paths in configurations are relative to.")]
ConfigsOption = Annotated[Path, typer.Option("--configs", help="The folder with the project's configurations.")]
TrainOption = Annotated[int, typer.Option("--sentences", min=0, help="Training sentences, drawn at random; 0: all.")]
EpochsOption = Annotated[int, typer.Option("--epochs", min=0, help="Number of epochs; 0: the configuration's.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Change a setting of every configuration."),
]
JobsOption = Annotated[int, typer.Option("--jobs", min=1, help="Number of models to train at the same time.")]
SeedsOption = Annotated[int, typer.Option("--seeds", min=1, help="Trainings of each model, with different seeds.")]
DevSentencesOption = Annotated[
    int | None, typer.Option("--dev-sentences", min=1, help="Maximum number of dev sentences.")
]
DevForestOption = Annotated[
    int | None, typer.Option("--dev-forest", min=1, help="Limit on the nodes that a search on dev explores.")
]
DevUnitsOption = Annotated[
    int | None, typer.Option("--dev-units", min=1, help="Limit on the recursive units of a search on dev.")
]


def _comparison(name: str, summary: str, own_tag_beam: float | None = None) -> None:
    """Add a command that measures systems under one model; ``own_tag_beam`` replaces the model's tag beam."""

    def compare(
        context: typer.Context,
        dev: DevOption,
        model: ModelName = DEFAULT,
        out: OutOption = OUT,
        sentences: CapOption = None,
        tag_beam: TagBeamOption = own_tag_beam,
        again: AgainOption = False,
    ) -> None:
        from starccg.experiments import tables  # noqa: PLC0415 - keeps --help fast
        from starccg.experiments.evaluation_set import load_evaluation_set  # noqa: PLC0415
        from starccg.experiments.measurement import Experiment  # noqa: PLC0415

        found = _load(model)
        own = load_evaluation_set(found, dev, out / "tags", sentences=sentences, tag_beam=tag_beam)
        folder = _folder(out, again, "" if tag_beam == own_tag_beam else f"-beam-{tag_beam:g}")
        command, whole = given_command(context, *HIDDEN), found.require_global()
        experiment = Experiment(folder, own, lambda variant: [(whole, found.key)], command, found.training())
        _show(getattr(tables, name)(experiment))

    app.command(name, help=summary)(compare)


_comparison("results", "Table 2: the tags alone against the global model.")
_comparison("decoders", "Table 5: A*, best-first, reranking and beam search under the same model.")
_comparison(
    "lazy",
    "Section 4: recursive units and time with and without lazy scoring, at the paper's beam.",
    own_tag_beam=TAG_BEAM,
)


@app.command("garden-path")
def garden_path(
    context: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="TEXT", help="The sentence.")],
    model: ModelName = DEFAULT,
    out: OutOption = OUT,
) -> None:
    """Figure 4: the global score of each partial parse of a sentence, worst first."""
    from starccg.experiments.garden_path import garden_path as run  # noqa: PLC0415
    from starccg.text import tokenise  # noqa: PLC0415

    tokens = [token.text for token in tokenise(" ".join(words))]
    _show(run(_folder(out), _load(model), tokens, given_command(context, *HIDDEN)))


@app.command()
def confidence(
    context: typer.Context,
    dev: DevOption,
    model: ModelName = DEFAULT,
    out: OutOption = OUT,
    sentences: CapOption = None,
    again: AgainOption = False,
    write: Annotated[bool, typer.Option("--write", help="Write the fitted calibration to the model folder.")] = False,
) -> None:
    """How well the parser's confidence separates right parses from wrong ones, and a reliability plot."""
    from starccg import load  # noqa: PLC0415
    from starccg.confidence import Calibration  # noqa: PLC0415
    from starccg.evaluation import Analysis, evaluate  # noqa: PLC0415
    from starccg.experiments.confidence import Judged, Probability  # noqa: PLC0415
    from starccg.experiments.confidence import confidence as run  # noqa: PLC0415
    from starccg.files import sha256  # noqa: PLC0415
    from starccg.formats.auto import read_treebank  # noqa: PLC0415
    from starccg.model_folder.find import find  # noqa: PLC0415
    from starccg.model_folder.parts import write_entry  # noqa: PLC0415
    from starccg.outcome import Confidence, Failed  # noqa: PLC0415

    place, folder = find(model), _folder(out, again)
    judged: list[Judged] = []
    failed = 0
    for path in dev:

        def work(path: Path = path) -> dict[str, Any]:
            gold = list(islice(read_treebank(path), sentences))
            outcomes = load(place).parse([own.derivation.words for own in gold], confidence=True)
            rows: list[Any] = []
            for own, outcome in zip(gold, outcomes, strict=True):
                sure = outcome.confidence
                if isinstance(outcome, Failed) or sure is None:
                    continue
                scores = evaluate([Analysis.of(own)], [Analysis.of_derivation(outcome.best)], resamples=0)
                rows.append((len(own.derivation), sure.posterior, sure.margin, sure.score, scores.exact_match == 1))
            return {"rows": rows, "failed": len(gold) - len(rows)}

        if not path.is_file():
            next(read_treebank(path))  # raises if the file cannot be read
        key = [_load(model).key, sha256(path), sentences]
        found = folder.once(f"confidence of {path.stem}", key, work)
        judged += [Judged(path.stem, *row) for row in found["rows"]]
        failed += found["failed"]
    if len(judged) < 2:
        raise StarccgError("cross-validation needs at least 2 sentences with a parse: give more with --dev")

    def fitted(some: Sequence[Judged]) -> Calibration:
        pairs = [(Confidence(own.posterior, own.margin, own.score, None), own.words) for own in some]
        return Calibration.fit(pairs, [own.right for own in some])

    def fit(some: Sequence[Judged]) -> Probability:
        calibration = fitted(some)
        return lambda own: calibration.probability(own.posterior, own.margin, own.score, own.words)

    _show(run(folder, judged, failed, fit, given_command(context, *HIDDEN)))
    if write:
        write_entry(place, "calibration", fitted(judged).to_dict())
        typer.echo(f"{place}: the calibration of the confidence was written", err=True)


@app.command()
def scaling(
    context: typer.Context,
    dev: DevOption,
    model: ModelName = DEFAULT,
    out: OutOption = OUT,
    per_length: Annotated[int, typer.Option("--per-length", min=1, help="Sentences of each length.")] = 40,
    longest: Annotated[int, typer.Option("--longest", min=5, help="The longest sentences to measure.")] = 150,
    again: AgainOption = False,
) -> None:
    """Proofs, gaps, time and memory by sentence length, 5 to 150 words; natural and joined sentences separately."""
    from starccg.experiments.evaluation_set import read_words  # noqa: PLC0415
    from starccg.experiments.scaling import LENGTHS  # noqa: PLC0415
    from starccg.experiments.scaling import scaling as run  # noqa: PLC0415

    lengths = [length for length in LENGTHS if length <= longest]
    command = given_command(context, *HIDDEN)
    _show(run(_folder(out, again), _load(model), read_words(dev), command, count=per_length, lengths=lengths))


def _training(name: str, summary: str) -> None:
    """Add a command that trains models."""

    def train(
        context: typer.Context,
        data: DataOption,
        out: OutOption = OUT,
        configs: ConfigsOption = Path("configs"),
        sentences: TrainOption = 0,
        epochs: EpochsOption = 0,
        changes: SetOption = None,
        seeds: SeedsOption = 1,
        jobs: JobsOption = 1,
        device: TrainingDevice = "cpu",
        dev_sentences: DevSentencesOption = None,
        dev_forest: DevForestOption = None,
        dev_units: DevUnitsOption = None,
    ) -> None:
        more = list(changes or ())
        for key, value in (
            ("sentences", dev_sentences), ("limits.forest", dev_forest), ("limits.recursive_units", dev_units),
        ):  # fmt: skip
            more += [f"development.{key}={value}"] if value is not None else []
        from starccg.experiments.training_runs import Budget  # noqa: PLC0415 - torch takes seconds to import

        budget = Budget(data, configs, sentences, epochs, seeds, tuple(more))
        _train(name, out, budget, jobs, device, given_command(context, *HIDDEN))

    app.command(name, help=summary)(train)


_training("ablations", "Table 3: train and measure the seven rows (needs torch).")
_training("updates", "Table 4: greedy, max-violation and all-violations updates (needs torch).")
_training("learning-curves", "Figure 5: dev F1 during training with the three updates (needs torch).")
_training("trainings", "Train the models of these three experiments without measuring them (needs torch).")


@app.command()
def document(
    target: Annotated[Path, typer.Argument(metavar="FILE.md", help="The document to write.")] = Path("docs/results.md"),
    out: OutOption = OUT,
) -> None:
    """Write one document from the reports in --out: the paper's claims, then every table."""
    from starccg.experiments.document import document as write  # noqa: PLC0415

    if not out.is_dir():
        raise StarccgError(f"{out}: no such folder; run an experiment first, or give its folder with --out")
    missing = write(out, target)
    typer.echo(f"{target}: not run yet: {', '.join(missing)}" if missing else f"{target}: all experiments")


def _train(name: str, out: Path, budget: Budget, jobs: int, device: str, command: str) -> None:
    from starccg.experiments import tables  # noqa: PLC0415
    from starccg.experiments.learning_curves import learning_curves  # noqa: PLC0415
    from starccg.experiments.training_runs import CONFIGS, TrainingRuns  # noqa: PLC0415
    from starccg.training.pipeline.global_training import Resources  # noqa: PLC0415

    folder = _folder(out)
    runs = TrainingRuns(folder, budget, Resources(training_device(device), jobs, folder.steps.say))
    if name == "trainings":
        runs.train(list(CONFIGS))
    elif name == "ablations":
        runs.train([system.variant for system in tables.ABLATIONS if system.variant is not None])
        _show(tables.ablations(runs.experiment(command), budget.seeds))
    elif name == "updates":
        runs.train([*tables.UPDATE_VARIANTS.values(), "gold"])
        _show(tables.updates(runs.experiment(command), budget.seeds))
    else:
        found = runs.train(list(tables.UPDATE_VARIANTS.values()))
        curves = {label: found[variant] for label, variant in tables.UPDATE_VARIANTS.items()}
        _show(learning_curves(folder, curves, command, runs.about()))


def _load(model: str) -> LoadedModel:
    from starccg.experiments.evaluation_set import load_model  # noqa: PLC0415
    from starccg.model_folder.find import find  # noqa: PLC0415

    return load_model(find(model))


def _folder(out: Path, again: bool = False, suffix: str = "") -> ReportFolder:
    from starccg.experiments.report import ReportFolder  # noqa: PLC0415

    return ReportFolder(out, lambda text: typer.echo(text, err=True), again=again, suffix=suffix)


def _show(report: Report) -> None:
    typer.echo(report.markdown().rstrip())
