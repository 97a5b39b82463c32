"""``starccg eval``: how well a parser recovers the dependencies of a treebank."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from starccg.cli.console import Output
from starccg.evaluation import CcgbankExclusions, Scores, align, compare, count_relations, evaluate, read_analyses
from starccg.evaluation.report import comparison_to_json, print_scores, to_json
from starccg.formats.errors import FormatError

FORMAT_HINT = "auto, parg, json or jsonl, if the name does not tell it."


def eval_command(
    gold: Annotated[str, typer.Option("--gold", metavar="FILE", help="The treebank: derivations or PARG.")],
    predicted: Annotated[
        list[str],
        typer.Option("--predicted", metavar="FILE", help="The parses to score; give it twice to compare two."),
    ],
    ccgbank_exclusions: Annotated[
        bool, typer.Option("--ccgbank-exclusions", help="Leave out what CCGbank's PARG files do not have.")
    ] = False,
    training: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="With --ccgbank-exclusions: relations seen here fewer than 10 times go too."),
    ] = None,
    relations: Annotated[int, typer.Option(min=0, help="Show so many categories and slots one by one.")] = 0,
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap samples; 0 leaves the intervals out.")] = 1000,
    shuffles: Annotated[int, typer.Option(min=1, help="Coin tosses of the significance test.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Of all that is random.")] = 0,
    gold_format: Annotated[str | None, typer.Option(metavar="FORMAT", help=f"Of --gold: {FORMAT_HINT}")] = None,
    predicted_format: Annotated[
        str | None, typer.Option(metavar="FORMAT", help=f"Of --predicted: {FORMAT_HINT}")
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Count malformed predictions as failed parses and go on.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: shares from 0 to 1, not percentages.")] = False,
) -> None:
    """Score parses by their dependencies against a treebank.

    Labelled and unlabelled precision, recall and F1, supertag accuracy, whole-sentence match and coverage, by relation,
    with confidence intervals; of two predictions, whether they differ by more than chance. Sentences are matched by ID,
    else by order; a sentence that is not there is a failed parse, whose gold dependencies still count.
    """
    if len(predicted) > 2:
        raise typer.BadParameter("one or two files can be scored at a time", param_hint="--predicted")
    if training is not None and not ccgbank_exclusions:
        raise typer.BadParameter("it is only read with --ccgbank-exclusions", param_hint="--training")
    truth = list(read_analyses(gold, gold_format))
    if not truth:
        raise FormatError(gold, 0, 0, "has no sentences to score against")
    exclusions = None
    if ccgbank_exclusions:
        exclusions = CcgbankExclusions(None if training is None else count_relations(read_analyses(training)))
    scored: list[Scores] = []
    for path in predicted:
        bad: list[FormatError] | None = [] if skip_bad else None
        parses = align(truth, list(read_analyses(path, predicted_format, bad)), path)
        if bad:
            typer.echo(f"{path}: {len(bad)} malformed, counted as failed parses (the first: {bad[0]})", err=True)
        scored.append(evaluate(truth, parses, exclusions=exclusions, resamples=resamples, seed=seed))
    comparisons = compare(scored[0], scored[1], shuffles=shuffles, seed=seed) if len(scored) == 2 else ()
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
