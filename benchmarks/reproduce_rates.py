"""Rates of ``starccg reproduce`` on this machine, and how long the same would take on CCGbank.

    python benchmarks/reproduce_rates.py ewt-dev.auto gum-dev.auto

The search for gold derivations, and the training of the paper's tagger with 50-dimensional random word vectors and
every category, on sentences about as long as CCGbank's. Rates are per second of processor time of one thread. The first
epoch of the tagger is the warm-up.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from starccg.ccg.derivation import Sentence
from starccg.ccg.induction import count
from starccg.experiments.presets import PAPER
from starccg.experiments.published import SENTENCES
from starccg.formats.auto import read_auto
from starccg.training.pipeline.sources import write_treebank
from starccg.training.pipeline.vectors import FILES, random_vectors, write_vectors
from starccg.training.progress import Progress
from starccg.training.tagger.run import run_training
from starccg.treebanks.gold_bank import gold_bank

CCGBANK_WORDS, DIMENSIONS = 929_552, 50
"""Words of sections 02-21; dimensions of the vectors of Turian et al."""
LENGTHS = range(16, 41)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", type=Path, help="AUTO files")
    parser.add_argument("--epochs", type=int, default=3, help="of the tagger")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    read = [own for path in arguments.treebanks for own in read_auto(path)]
    sentences = [own for own in read if len(own.derivation) in LENGTHS]
    words = sum(len(own.derivation) for own in sentences)
    print(f"{len(sentences)} sentences of {words / len(sentences):.1f} words")
    begin = time.process_time()
    grammar = PAPER.gold.seen.grammar(count(own.derivation for own in sentences), seen=False)
    outcomes = dict(gold_bank(sentences, grammar).outcomes)
    rate = len(sentences) / (time.process_time() - begin)
    minutes = SENTENCES["train"] / rate / 60
    print(f"gold derivations: {rate:.0f} sentences/s; CCGbank: {minutes:.1f} minutes; {outcomes}")
    rate = words / tagger_seconds(sentences, arguments.epochs)
    hours = PAPER.tagger.schedule.epochs * CCGBANK_WORDS / rate / 3600
    print(f"tagger: {rate:,.0f} words/s; {PAPER.tagger.schedule.epochs} epochs of CCGbank: {hours:.2f} hours")


def tagger_seconds(sentences: list[Sentence], epochs: int) -> float:
    """The mean processor time of an epoch."""
    ends: list[float] = []

    def watch(progress: Progress) -> None:
        if progress.line:
            ends.append(time.process_time())

    with TemporaryDirectory() as name:
        folder = Path(name)
        write_treebank(folder / "train.auto", sentences)
        write_treebank(folder / "dev.auto", sentences[:10])
        counts = Counter(word.lower() for own in sentences for word in own.derivation.words)
        write_vectors(folder / "vectors", *random_vectors(counts, DIMENSIONS))
        vectors, vocabulary = (f"vectors/{file}" for file in FILES)
        config = replace(
            PAPER.tagger,
            min_count=1,
            schedule=replace(PAPER.tagger.schedule, epochs=epochs),
            lstm=replace(PAPER.tagger.lstm, vectors=vectors, vocabulary=vocabulary),
        )
        run_training(config, folder, folder / "run", "cpu", watch=watch)
    return (ends[-1] - ends[0]) / (len(ends) - 1)


if __name__ == "__main__":
    main()
