"""The tables of the supertaggers: accuracy, what beams keep, calibration, costliest errors, speed.

    python benchmarks/tagging.py --data DATA --train pmb-train.auto ewt-train.auto \\
        --dev PMB=pmb-dev.auto EWT=ewt-dev.auto --model MODEL_FOLDER ... [--run TRAINING_RUN ...] [--plots FOLDER]

With ``--run`` the speed of torch in single precision is measured in the same process, on the same batches and one core.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from starccg.model_folder.tagger import load_tagger
from starccg.tagger import Tagger
from starccg.tagger.analysis import TAG_BEAMS, CurvePoint, Scored, multitag_curve, reliability
from starccg.tagger.plots import multitag_plot, reliability_plot
from starccg.training.data import Example, read_examples
from starccg.training.tagger.data import known_words

console = Console(width=150)


def score(tagger: Tagger, examples: list[Example]) -> Scored:
    rows = tagger.log_probabilities([example.words for example in examples])
    pairs = [(example.words, example.supertags) for example in examples]
    return Scored.of(pairs, rows, [str(category) for category in tagger.categories])


def accuracy_table(scored: dict[str, dict[str, Scored]], known: frozenset[str]) -> None:
    table = Table("tagger", "words", *next(iter(scored.values())), title="Dev supertag accuracy")
    for model, sets in scored.items():
        table.add_row(model, "all", *(f"{100 * found.accuracy():.2f}" for found in sets.values()))
        unknown = {name: found.unknown(known) for name, found in sets.items()}
        cells = (f"{100 * f.accuracy(unknown[name]):.2f} ({unknown[name].sum()})" for name, f in sets.items())
        table.add_row("", "unknown", *cells)
    console.print(table)


def curve_table(curves: dict[str, list[CurvePoint]], defaults: dict[str, float]) -> None:
    table = Table("tagger and set", "beam", "tags a word", "gold tag kept", title="Multitagging")
    for name, curve in curves.items():
        for kept in curve:
            star = " (default)" if kept.tag_beam == defaults[name] else ""
            table.add_row(name, f"{kept.tag_beam:g}{star}", f"{kept.tags_per_word:.2f}", f"{100 * kept.oracle:.2f}")
    console.print(table)


class Confusion(NamedTuple):
    """A gold tag and the tag that was preferred to it."""

    gold: str
    predicted: str
    errors: int
    cost: float
    """The difference in log-probability between the two, summed over the words."""
    examples: tuple[str, ...]


def confusions(scored: Scored, floor: float = 12.0) -> list[Confusion]:
    """The pairs with the highest cost; a gold tag that is unknown or very unlikely costs ``floor``."""
    counts: Counter[tuple[str, str]] = Counter()
    costs: dict[tuple[str, str], float] = defaultdict(float)
    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    best = scored.rows.argmax(axis=1)
    for word in np.flatnonzero(~scored.right):
        pair = (scored.gold_names[word], scored.categories[best[word]])
        gold = scored.gold[word]
        lost = float(scored.rows[word, best[word]] - scored.rows[word, gold]) if gold >= 0 else floor
        counts[pair] += 1
        costs[pair] += min(lost, floor)
        seen[pair][scored.words[word].lower()] += 1
    order = sorted(costs, key=lambda pair: (-costs[pair], pair))[:20]
    return [
        Confusion(*pair, counts[pair], costs[pair], tuple(word for word, _ in seen[pair].most_common(4)))
        for pair in order
    ]


def error_table(name: str, scored: Scored) -> None:
    table = Table("gold", "predicted", "errors", "cost", "words", title=f"Costliest errors: {name}")
    for gold, predicted, errors, cost, examples in confusions(scored):
        table.add_row(escape(gold), escape(predicted), str(errors), f"{cost:.0f}", escape(" ".join(examples)))
    console.print(table)


class TorchSession:
    """Stands in for onnxruntime: the same words, batches and pruning, the network in torch."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def run(self, _: object, feeds: dict[str, Any]) -> list[Any]:
        import torch  # noqa: PLC0415

        with torch.inference_mode():
            tensors = {name: torch.from_numpy(array).long() for name, array in feeds.items()}
            return [torch.log_softmax(self.model(**tensors), -1).numpy()]


def words_a_second(tagger: Tagger, sentences: list[tuple[str, ...]], rounds: int = 3) -> float:
    """The best of some rounds, in the time of this process: other processes cost less that way."""
    words = sum(map(len, sentences))
    tagger.tag(sentences[:50])
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        tagger.tag(sentences)
        best = min(best, time.process_time() - started)
    return words / best


def speed_table(models: list[Path], runs: list[Path], sentences: list[tuple[str, ...]]) -> None:
    table = Table("tagger", "int8 ONNX, words/s", "torch float32, words/s", "ratio", title="One core")
    by_kind = {}
    for run in runs:
        import torch  # noqa: PLC0415

        from starccg.training.tagger.setup import restore  # noqa: PLC0415

        torch.set_num_threads(1)
        setup = restore(run)
        by_kind[setup.config.kind] = setup
    for folder in models:
        tagger = load_tagger(folder, threads=1)
        ours = words_a_second(tagger, sentences)
        setup = by_kind.get(tagger.kind)
        if setup is None:
            table.add_row(folder.name, f"{ours:.0f}", "-", "-")
            continue
        tagger.session = TorchSession(setup.model)
        theirs = words_a_second(tagger, sentences)
        table.add_row(folder.name, f"{ours:.0f}", f"{theirs:.0f}", f"{ours / theirs:.2f}")
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, nargs="+", required=True)
    parser.add_argument("--run", type=Path, nargs="*", default=[])
    parser.add_argument("--data", type=Path, default=Path())
    parser.add_argument("--dev", nargs="+", required=True, metavar="NAME=FILE")
    parser.add_argument("--train", nargs="+", required=True)
    parser.add_argument("--plots", type=Path)
    parser.add_argument("--speed-sentences", type=int, default=1000)
    arguments = parser.parse_args()
    known = known_words(e for path in arguments.train for e in read_examples(arguments.data / path))
    dev = {}
    for entry in arguments.dev:
        name, _, path = entry.partition("=")
        dev[name] = read_examples(arguments.data / path)
    scored: dict[str, dict[str, Scored]] = {}
    curves, bins, defaults = {}, {}, {}
    for folder in arguments.model:
        tagger = load_tagger(folder)
        scored[folder.name] = {name: score(tagger, examples) for name, examples in dev.items()}
        for name, found in scored[folder.name].items():
            both = f"{folder.name} {name}"
            curves[both] = multitag_curve(found, sorted({*TAG_BEAMS, tagger.beam}, reverse=True))
            bins[both], error = reliability(found)
            defaults[both] = tagger.beam
            console.print(f"{both}: expected calibration error {100 * error:.2f}%")
    accuracy_table(scored, known)
    curve_table(curves, defaults)
    for model, sets in scored.items():
        for name, found in sets.items():
            error_table(f"{model} on {name}", found)
    if arguments.plots:
        arguments.plots.mkdir(parents=True, exist_ok=True)
        (arguments.plots / "multitag.svg").write_text(multitag_plot(curves), "utf-8")
        (arguments.plots / "reliability.svg").write_text(reliability_plot(bins), "utf-8")
    last = list(dev.values())[-1]
    speed_table(arguments.model, arguments.run, [e.words for e in last[: arguments.speed_sentences]])


if __name__ == "__main__":
    main()
