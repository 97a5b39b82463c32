"""The report of ``starccg reproduce``: settings, corpus, tagger, Tables 2 to 5, lazy scoring, Figures 4 and 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from starccg.ccg.table import RuleTable
from starccg.evaluation import Analysis, CcgbankExclusions, Scores, evaluate
from starccg.experiments import tables
from starccg.experiments.document import compose, section
from starccg.experiments.evaluation_set import EvaluationSet, LoadedModel, evaluation_set_of
from starccg.experiments.garden_path import garden_path
from starccg.experiments.learning_curves import learning_curves
from starccg.experiments.measurement import Experiment
from starccg.experiments.presets import Settings, settings_table
from starccg.experiments.published import GARDEN_PATH, SENTENCES, TAGGER_ACCURACY
from starccg.experiments.report import ReportFolder, Table, number
from starccg.files import fingerprint_of, sha256
from starccg.globalmodel import GlobalModel
from starccg.model_folder.global_model import load_global_model
from starccg.model_folder.tagger import load_tagger
from starccg.training.data import Example, read_tagged_examples
from starccg.training.globalmodel.run import parg_exclusions, read_table
from starccg.training.pipeline.global_training import GlobalTraining
from starccg.training.pipeline.pipeline import Pipeline
from starccg.training.pipeline.steps import Result

EXTRACTION = """Gold dependencies are those of the PARG files. A parse is scored by the dependencies that our extraction
finds in it; the authors' code has EasySRL's, which reads marked-up lexical categories as the `generate` program of C&C
does. The table scores the *gold derivations* in this way: it shows what a perfect parser would reach, and so how much
extraction and PARG differ on this treebank."""

NO_PARG = """This treebank has no PARG files: gold dependencies are those that our extraction finds in its derivations,
and no dependency is left out for being rare. Published figures are of PARG."""

TAGGER = """The published tagger (Lewis, Lee and Zettlemoyer 2016) was also trained on sentences that other taggers had
tagged (tri-training); the taggers of this command learn from CCGbank alone. Lower accuracy lowers F1 in every row."""

OUTCOMES = """*found*: the right-most branching derivation in normal form with the gold dependencies. *own*: there is
none, but the grammar licenses the treebank's own derivation. *unlicensed*: neither. *root*: the root category is not in
the grammar. *too large*: the search reached its limit."""


def write_report(
    pipeline: Pipeline,
    settings: Settings,
    found: Mapping[str, Result],
    trainings: Mapping[str, Sequence[GlobalTraining]],
    learned: Mapping[str, Sequence[Result]],
    command: str,
) -> str:
    """Measure all tables and write ``report.md``; returns it."""
    data, out, seeds = pipeline.data, pipeline.out, settings.seeds
    table = read_table(data / "grammar.json", [data / "train.npz"])
    exclusions = parg_exclusions([data / "train.parg"] if found["corpus"]["parg"] else [])
    reads_states = settings.model.model.inputs == "encoder"
    examples = {
        split: _examples(data, split, table, settings.sentences, reads_states=reads_states) for split in ("dev", "test")
    }
    limits = settings.model.development.limits
    folder = ReportFolder(out / "reports", pipeline.steps.say, bar=pipeline.resources.bar)

    def models(variant: str) -> list[tuple[GlobalModel, str]]:
        return [(load_global_model(own.best), sha256(own.best / "model.json")) for own in trainings[variant]]

    dev, test = (
        Experiment(folder, _sentences(data, split, table, own, exclusions), models, command, limits=limits)
        for split, own in examples.items()
    )
    reports = [tables.results(dev, test, seeds), tables.ablations(dev, seeds, settings.variants)]
    if set(tables.UPDATE_VARIANTS.values()) <= set(settings.variants):
        reports.append(tables.updates(dev, seeds, drawn=False))
        curves = {name: learned[variant] for name, variant in tables.UPDATE_VARIANTS.items()}
        reports.append(learning_curves(folder, curves, command, _budget(settings)))
    reports += [tables.decoders(dev, seeds), tables.lazy(dev, seeds)]
    full, key = models("all")[0]
    loaded = LoadedModel(out, table, load_tagger(out / "tagger-model"), full, key)
    reports.append(garden_path(folder, loaded, GARDEN_PATH.split(), command, limits))
    target = out / "report.md"
    vectors = f"{found['vectors']['name']}, {found['vectors']['dimensions']} dimensions"
    head = "\n".join(
        [
            "# Lee, Lewis and Zettlemoyer (2016) on CCGbank", "", f"    {command}", "", _budget(settings), "",
            "## Settings", "", f"Preset `{settings.preset}`. What differs from the paper is in bold type.", "",
            *settings_table(settings, vectors).markdown(),
            "## Treebank", "", *_corpus(found["corpus"], found["gold"]),
            *_extraction(examples, exclusions, found["corpus"]),
            "## Tagger", "", TAGGER, "", *_tagger(examples, table, found["tagger"]).markdown(),
        ]
    )  # fmt: skip
    compose(head, reports, [section(report, target.stem) for report in reports], folder.folder, target)
    return target.read_text("utf-8")


def _examples(data: Path, split: str, table: RuleTable, limit: int, *, reads_states: bool) -> list[Example]:
    parg = data / f"{split}.parg"
    own = parg if parg.is_file() else None
    encoded = data / f"{split}.states.npz" if reads_states else None
    found, _ = read_tagged_examples(data / f"{split}.auto", data / f"{split}.npz", table, encoded, own)
    return found[: limit or None]


def _sentences(
    data: Path, split: str, table: RuleTable, examples: Sequence[Example], exclusions: CcgbankExclusions
) -> EvaluationSet:
    paths = [data / f"{split}.auto", data / f"{split}.npz", data / f"{split}.parg", data / "train.parg"]
    files = [sha256(path) for path in (*paths, data / "grammar.json") if path.is_file()]
    return evaluation_set_of(table, examples, fingerprint_of([files, len(examples)]), exclusions, split)


def _budget(settings: Settings) -> str:
    learning = settings.model.learning
    return (
        f"Budget of this run: epochs of the tagger {settings.tagger.schedule.epochs}, {learning.epochs} of each "
        f"global model with {learning.batch} sentence{'s' if learning.batch > 1 else ''} per update, {settings.seeds} "
        f"training{'s' if settings.seeds > 1 else ''} of each. Published figures are of the whole CCGbank."
    )


def _corpus(corpus: Result, gold: Result) -> list[str]:
    rows = [
        (split, f"{own['sentences']:,}", f"{SENTENCES[split]:,}", f"{own['words']:,}", f"{own['skipped']:,}")
        for split, own in corpus["splits"].items()
    ]
    lines = Table(("split", "sentences", "in CCGbank 1.1", "words", "skipped"), rows).markdown()
    lines += ["`data/skipped.txt` has the reason for each skipped sentence.", ""]
    if corpus["repairs"]:
        repaired = [(f"`{text}`", str(count)) for text, count in corpus["repairs"].items()]
        lines += Table(("repair", "times"), repaired).markdown()
    outcomes = [(outcome, f"{count:,}") for outcome, count in gold["train"].items()]
    lines += Table(("gold derivation of a training sentence", "sentences"), outcomes).markdown()
    return [*lines, OUTCOMES, ""]


def _extraction(examples: Mapping[str, Sequence[Example]], exclusions: CcgbankExclusions, corpus: Result) -> list[str]:
    if not corpus["parg"]:
        return [NO_PARG, ""]
    rows = []
    for split, own in examples.items():
        truth = [example.analysis() for example in own]
        guess = [Analysis.of_derivation(example.derivation, example.id) for example in own if example.derivation]
        for name, left_out in (("all dependencies", None), ("CCGbank's exclusions", exclusions)):
            scores: Scores = evaluate(truth, guess, exclusions=left_out, resamples=0)
            tally = scores.labelled
            rows.append((f"{split}, {name}", *(number(100 * x, 2) for x in (tally.precision, tally.recall, tally.f1))))
    table = Table(("gold derivations against PARG", "precision", "recall", "F1"), rows)
    return [EXTRACTION, "", *table.markdown()]


def _tagger(examples: Mapping[str, Sequence[Example]], table: RuleTable, exported: Result) -> Table:
    rows = []
    for split, own in examples.items():
        right = words = kept = 0
        for example in own:
            tagged = example.tagged
            words += len(example.words)
            kept += len(tagged.tags)
            first = [tagged.tags[start:end][:1] for start, end in pairwise(tagged.offsets)]
            tags = [str(table.categories[own[0]]) if len(own) else "" for own in first]
            right += sum(map(str.__eq__, tags, example.supertags))
        published = number(TAGGER_ACCURACY if split == "test" else None)
        rows.append((split, number(100 * right / max(1, words), 2), published, number(kept / max(1, words), 2)))
    title = f"Temperature {exported['temperature']:g}; the tags of training, dev and test have the same temperature"
    return Table(("split", "supertag accuracy", "published", "tags per word"), rows, title)
