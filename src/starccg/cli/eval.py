"""``starccg eval``: how well a parser recovers the dependencies of a treebank."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from starccg.cli.console import Output
from starccg.cli.options import report_malformed
from starccg.evaluation import CcgbankExclusions, Scores, align, compare, count_relations, evaluate, read_analyses
from starccg.evaluation.report import comparison_to_json, print_scores, to_json
from starccg.formats.errors import FormatError, no_sentences

FORMAT_HINT = "auto, parg, json or jsonl; by default from the file name extension."


def eval_command(
    gold: Annotated[str, typer.Option("--gold", metavar="FILE", help="The treebank: derivations or PARG.")],
    predicted: Annotated[
        list[str],
        typer.Option("--predicted", metavar="FILE", help="The parses to score; give it twice to compare two."),
    ],
    ccgbank_exclusions: Annotated[
        bool, typer.Option("--ccgbank-exclusions", help="Do not score dependencies that CCGbank's PARG files lack.")
    ] = False,
    training: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="With --ccgbank-exclusions: relations seen fewer than 10 times are not scored."
        ),
    ] = None,
    relations: Annotated[int, typer.Option(min=0, help="Number of relations (category and slot) to list.")] = 0,
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap samples; 0: no intervals.")] = 1000,
    permutations: Annotated[int, typer.Option(min=1, help="Permutations of the significance test.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    gold_format: Annotated[str | None, typer.Option(metavar="FORMAT", help=f"Format of --gold: {FORMAT_HINT}")] = None,
    predicted_format: Annotated[
        str | None, typer.Option(metavar="FORMAT", help=f"Format of --predicted: {FORMAT_HINT}")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Count malformed predictions as failed parses.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: shares from 0 to 1, not percentages.")] = False,
) -> None:
    """Score parses by their dependencies against a treebank.

    Labelled and unlabelled precision, recall and F1, supertag accuracy, whole-sentence match and coverage, by relation,
    with confidence intervals; for two predictions, the significance of their difference. Sentences are matched by ID,
    otherwise by order. A sentence that is missing or has an empty PARG block is a failed parse; its gold dependencies
    still count.
    """
    if len(predicted) > 2:
        raise typer.BadParameter("one or two files can be scored at a time", param_hint="--predicted")
    if training is not None and not ccgbank_exclusions:
        raise typer.BadParameter("needs --ccgbank-exclusions", param_hint="--training")
    truth = list(read_analyses(gold, gold_format))
    if not truth:
        raise no_sentences(gold)
    exclusions = None
    if ccgbank_exclusions:
        exclusions = CcgbankExclusions(None if training is None else count_relations(read_analyses(training)))
    scored: list[Scores] = []
    for path in predicted:
        bad: list[FormatError] | None = [] if skip_bad else None
        parses = align(truth, list(read_analyses(path, predicted_format, bad)), path)
        if bad:
            report_malformed(bad, f"{path}: malformed sentences counted as failed parses")
        scored.append(evaluate(truth, parses, exclusions=exclusions, resamples=resamples, seed=seed))
    comparisons = compare(scored[0], scored[1], permutations=permutations, seed=seed) if len(scored) == 2 else ()
    if as_json:
        value = to_json(scored[0])
        if len(scored) == 2:
            value["predictions"] = [
                {"file": path, **to_json(scores)} for path, scores in zip(predicted, scored, strict=True)
            ]
            value["comparison"] = comparison_to_json(comparisons)
        typer.echo(json.dumps(value, indent=2, ensure_ascii=False))
        return
    names = [Path(path).name for path in predicted]
    if len(set(names)) < len(names):
        names = [f"{place}. {path}" for place, path in enumerate(predicted, 1)]
    print_scores(Output(), dict(zip(names, scored, strict=True)), comparisons, relations=relations)
