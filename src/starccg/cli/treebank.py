"""``starccg treebank``: normalise, find gold derivations, count, split."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from starccg.ccg.derivation import Sentence
from starccg.ccg.induction import count, induce
from starccg.cli.console import Output
from starccg.cli.options import Json, SkipBad, group, report_malformed
from starccg.errors import counted
from starccg.files import write_atomically
from starccg.formats.auto import read_treebank
from starccg.formats.errors import FormatError
from starccg.formats.files import read_grammar, write
from starccg.treebanks.constructions import CONSTRUCTIONS, PHRASES, draw_sentences
from starccg.treebanks.gold_bank import gold_bank, usable
from starccg.treebanks.normalise import Report, normalise_all
from starccg.treebanks.split import SplitError
from starccg.treebanks.split import split as split_sentences
from starccg.treebanks.stats import Stats, read_known
from starccg.treebanks.stats import stats as count_treebank

app = group("Treebanks: normalise the dialect, find gold derivations, count, split.")

In = Annotated[Path, typer.Argument(metavar="IN.auto", help="The treebank to read.")]
Ins = Annotated[list[Path], typer.Argument(metavar="IN.auto", help="The treebanks to read.")]
Out = Annotated[Path, typer.Argument(metavar="OUT.auto", help="The file to write.")]
Known = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Known categories (lines, or JSON with 'targets'): the share of words with one."),
]


@app.command()
def normalise(source: In, target: Out, as_json: Json = False, known: Known = None, skip_bad: SkipBad = False) -> None:
    """Rewrite the dialect of the Parallel Meaning Bank (PMB) into CCGbank's; what stays different has DIALECT=pmb."""
    categories = None if known is None else read_known(known)
    before = list(_read([source], skip_bad))
    report = Report()
    after = list(normalise_all(before, report))
    write(target, after, "auto")
    value: dict[str, object] = {
        "sentences": report.sentences,
        "rules": dict(report.rules.most_common()),
        "sentences_by_rule": dict(report.sentences_by_rule.most_common()),
        "kept": dict(report.kept.most_common()),
    }
    if categories is not None:
        shares = [count_treebank(sentences, known=categories).to_json(20)["known"] for sentences in (before, after)]
        value["known"] = {"before": shares[0], "after": shares[1]}
    if as_json:
        _print_json(value)
        return
    table = Table("rule", "times", "sentences", title=counted(report.sentences, "sentence"))
    for rule, times in report.rules.most_common():
        table.add_row(rule, f"{times}", f"{report.sentences_by_rule[rule]}")
    console = Output()
    console.print(table)
    kept = ", ".join(f"{reason} {times}" for reason, times in report.kept.most_common())
    keeping = f"sentences that keep PMB's dialect: {sum(report.kept.values())}"
    console.print(f"{keeping} ({kept})" if kept else keeping)
    if categories is not None:
        console.print(f"words in {known}: {shares[0]['share']:.2%} before, {shares[1]['share']:.2%} after")


@app.command()
def gold(
    sources: Ins,
    target: Annotated[Path, typer.Option("--out", "-o", metavar="OUT.auto", help="The file to write.")],
    set_aside: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the sentences that have none to this file.")
    ] = None,
    grammar_out: Annotated[
        Path | None,
        typer.Option("--grammar", metavar="FILE", help="Write the grammar of these derivations to this file."),
    ] = None,
    own: Annotated[
        bool, typer.Option(help="Where none is found, use the treebank's own if the grammar licenses it.")
    ] = True,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes to search with.")] = 1,
    as_json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """Find the derivations to learn from: in normal form, right branching, with the gold dependencies."""
    sentences = list(_read(sources, skip_bad))
    grammar = induce(count(sentence.derivation for sentence in usable(sentences)), seen=False).grammar
    bank = gold_bank(sentences, grammar, own=own, jobs=jobs)
    write(target, bank.found, "auto")
    if set_aside is not None:
        write(set_aside, bank.aside, "auto")
    if grammar_out is not None:
        induced = induce(count(sentence.derivation for sentence in bank.found))
        write_atomically(grammar_out, f"{induced.grammar.dumps()}\n".encode())
    value = {"sentences": len(sentences), "gold": len(bank.found), "outcomes": dict(bank.outcomes.most_common())}
    if as_json:
        _print_json(value)
        return
    title = f"{counted(len(bank.found), 'gold derivation')} of {counted(len(sentences), 'sentence')}"
    table = Table("outcome", "sentences", "share", title=title)
    for outcome, times in bank.outcomes.most_common():
        table.add_row(outcome, f"{times}", f"{times / len(sentences):.2%}")
    Output().print(table)


@app.command()
def constructions(
    target: Out,
    each: Annotated[int, typer.Option(min=1, max=10_000, help="Number of sentences of each construction.")] = 40,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 1,
) -> None:
    """Generate a small treebank of constructions that are rare in the large ones."""
    sentences = list(draw_sentences(CONSTRUCTIONS, PHRASES, each=each, seed=seed))
    write(target, sentences, "auto")
    typer.echo(f"{target}: {counted(len(sentences), 'sentence')} of {len(CONSTRUCTIONS)} constructions")


@app.command()
def stats(
    sources: Ins,
    as_json: Json = False,
    known: Known = None,
    grammar: Annotated[Path | None, typer.Option(metavar="FILE", help="A grammar to measure the coverage of.")] = None,
    most: Annotated[int, typer.Option(min=1, help="Number of rows of each list.")] = 20,
    skip_bad: SkipBad = False,
) -> None:
    """Count sentences, words, categories and rules, and measure what the grammar covers and what was set aside.

    Coverage is that of the English grammar with the unary and comma rules that these treebanks use at least twice, or
    of the grammar that --grammar names.
    """
    sentences = list(_read(sources, skip_bad))
    if grammar is None:
        measured = induce(count(sentence.derivation for sentence in sentences), seen=False).grammar
    else:
        measured = read_grammar(grammar)
    found = count_treebank(sentences, measured, None if known is None else read_known(known))
    if as_json:
        _print_json(found.to_json())
    else:
        _print_stats(found, most)


@app.command()
def split(
    source: In,
    prefix: Annotated[Path, typer.Argument(metavar="PREFIX", help="Parts are written to PREFIX.NAME.auto.")],
    into: Annotated[list[str], typer.Option(metavar="NAME=SHARE", help="A part and its share; once for each part.")],
    salt: Annotated[str, typer.Option(help="Any text; another text gives another split.")] = "",
    skip_bad: SkipBad = False,
) -> None:
    """Split a treebank by the hash of the words: the same sentence is always in the same part."""
    proportions: dict[str, float] = {}
    for text in into:
        name, mark, share = text.partition("=")
        try:
            if not mark or not name or name in proportions or "/" in name:
                raise ValueError
            proportions[name] = float(share)
        except ValueError as error:
            raise SplitError(f"--into {text}: expected a new name and a share, such as train=0.9") from error
    parts = split_sentences(_read([source], skip_bad), proportions, salt)
    for name, sentences in parts.items():
        path = prefix.with_name(f"{prefix.name}.{name}.auto")
        write(path, sentences, "auto")
        typer.echo(f"{path}: {counted(len(sentences), 'sentence')}")


def _read(sources: Iterable[Path], skip_bad: bool) -> Iterator[Sentence]:
    bad: list[FormatError] | None = [] if skip_bad else None
    for source in sources:
        yield from read_treebank(source, bad)
    if bad:
        report_malformed(bad)


def _print_json(value: object) -> None:
    typer.echo(json.dumps(value, indent=1, ensure_ascii=False))


def _print_stats(found: Stats, most: int) -> None:
    value = found.to_json(most)
    console = Output()
    size = Table("", "", title="size", show_header=False)
    for name in ("sentences", "words", "mean_length", "longest", "categories", "pairs"):
        size.add_row(name.replace("_", " "), f"{value[name]:.1f}" if name == "mean_length" else f"{value[name]:,}")
    coverage = value["coverage"]
    sentences, nodes = max(1, found.sentences), max(1, found.nodes)
    size.add_row("nodes licensed", f"{coverage['licensed_nodes'] / nodes:.2%}")
    size.add_row("sentences licensed", f"{coverage['licensed_sentences'] / sentences:.2%}")
    size.add_row("sentences in normal form", f"{coverage['normal_form_sentences'] / sentences:.2%}")
    if "known" in value:
        size.add_row("words with a known category", f"{value['known']['share']:.2%}")
    console.print(size)
    lists = [
        ("categories", value["category_counts"]),
        ("rules", value["rules"]),
        ("unary rules", value["unary"]),
        ("comma rules", value["comma_rules"]),
        ("roots", value["roots"]),
        ("nodes no rule makes", value["unlicensed"]),
        *((f"header field {name}", counts) for name, counts in value["fields"].items()),
    ]
    if "known" in value:
        lists.append(("categories not in the list", value["known"]["unknown"]))
    for title, counts in lists:
        if counts:
            table = Table(title, "times")
            for name, times in list(counts.items())[:most]:
                table.add_row(name.replace("[", r"\["), f"{times:,}")
            console.print(table)
