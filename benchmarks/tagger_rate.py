"""How fast the paper's tagger trains on the CPU, and how long 30 epochs of CCGbank would take at this rate.

    python benchmarks/tagger_rate.py ewt-dev.auto gum-dev.auto --epochs 4 --threads 2

The settings are those of ``starccg reproduce``, with 50-dimensional random word vectors and every category. The first
epoch is the warm-up.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from starccg.experiments.presets import PAPER
from starccg.training.checkpoint import METRICS
from starccg.training.data import read_treebank
from starccg.training.pipeline.sources import write_treebank
from starccg.training.pipeline.vectors import FILES, random_vectors, write_vectors
from starccg.training.tagger.run import run_training

CCGBANK_WORDS, DIMENSIONS = 929_552, 50
"""Words of sections 02-21; dimensions of the vectors of Turian et al."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", type=Path, help="AUTO files")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    with TemporaryDirectory() as name:
        folder = Path(name)
        sentences = [own for path in arguments.treebanks for own in read_treebank(path)]
        write_treebank(folder / "train.auto", sentences)
        write_treebank(folder / "dev.auto", sentences[:10])
        counts = Counter(word.lower() for own in sentences for word in own.derivation.words)
        write_vectors(folder / "vectors", *random_vectors(counts, DIMENSIONS))
        vectors, vocabulary = (f"vectors/{file}" for file in FILES)
        config = replace(
            PAPER.tagger,
            min_count=1,
            schedule=replace(PAPER.tagger.schedule, epochs=arguments.epochs),
            lstm=replace(PAPER.tagger.lstm, vectors=vectors, vocabulary=vocabulary),
        )
        run_training(config, folder, folder / "run", "cpu")
        lines = [json.loads(line) for line in (folder / "run" / METRICS).read_text("utf-8").splitlines()]
    words = counts.total()
    batches = -(-len(sentences) // config.schedule.sentences)
    seconds = sum(line["seconds"] for line in lines[1:]) / (len(lines) - 1)
    hours = PAPER.tagger.schedule.epochs * CCGBANK_WORDS / (words / seconds) / 3600
    print(
        f"{len(sentences)} sentences of {words / len(sentences):.1f} words, {arguments.threads} threads: "
        f"{batches / seconds:.1f} batches/s, {words / seconds:,.0f} words/s; 30 epochs of CCGbank: {hours:.1f} hours"
    )


if __name__ == "__main__":
    main()
