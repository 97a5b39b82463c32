"""What parts of speech and lemmas cost: the same sentences parsed with and without them, in turns, on one thread.

    python benchmarks/annotate.py [--model en] [--rounds 7] [FILE.conllu ...]

Prints the median time of a round of each kind, and the difference in per cent. Of files of Universal Dependencies it
prints instead how many parts of speech and lemmas are right: lemmas of all words, and of inflected ones.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import mean, median

from look import SENTENCES, read_sentences

from starccg.models import load
from starccg.parser import Parser
from starccg.treebanks.ud.conllu import read_conllu

INFLECTED = frozenset({"VBD", "VBN", "VBG", "VBZ", "NNS", "JJR", "JJS", "RBR", "RBS"})


def accuracy(parser: Parser, path: Path) -> str:
    """How many parts of speech and lemmas of a treebank are right."""
    trees = [*read_conllu(path)]
    found = parser.tagger.analyse([[word.form for word in tree.words] for tree in trees], annotate=True)
    words = [
        (word.xpos, word.xpos == pos, word.lemma == lemma)
        for tree, output in zip(trees, found, strict=True)
        for word, pos, lemma in zip(tree.words, output.pos or (), output.lemmas or (), strict=True)
        if word.lemma != "_"
    ]
    inflected = [lemma for pos, _, lemma in words if pos in INFLECTED]
    tags, lemmas = [right for _, right, _ in words], [right for _, _, right in words]
    shares = [f"{100 * mean(right):.1f}" for right in (tags, lemmas, inflected)]
    return f"parts of speech {shares[0]}, lemmas {shares[1]}, lemmas of {len(inflected)} inflected words {shares[2]}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--model", default="en")
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("treebanks", nargs="*", type=Path, metavar="FILE.conllu")
    options = arguments.parse_args()
    parser, sentences = load(options.model), [*read_sentences(SENTENCES).values()]
    for path in options.treebanks:
        print(f"{options.model}, {path.name}: {accuracy(parser, path)}")
    if options.treebanks:
        return
    seconds: dict[bool, list[float]] = {False: [], True: []}
    for number in range(options.rounds + 1):
        for annotate, taken in seconds.items():
            began = time.perf_counter()
            parser.parse(sentences, annotate=annotate)
            if number:  # the first round warms up
                taken.append(time.perf_counter() - began)
    plain, annotated = (median(taken) for taken in seconds.values())
    print(f"{options.model}: {len(sentences)} sentences, {plain:.3f} s without, {annotated:.3f} s with", end="")
    print(f" ({100 * (annotated / plain - 1):+.1f}%)")


if __name__ == "__main__":
    main()
