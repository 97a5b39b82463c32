"""The search of depccg and ours on the same sentences, with the same tags and rules: speed, and whether they agree.

    pip install tqdm && pip install --no-deps depccg==3.0.0
    python benchmarks/depccg_search.py [--model en] [--beam 1e-6] [--tags 50] [--join 1] [--repeat 9] [--sentences FILE]

Both search the grammar of the model, supertag-factored, on one thread: a parse scores the sum of its tags'
log-probabilities, minus 0.1 for each unary rule. Neither has a normal form, and no unary rule covers a whole sentence,
since depccg's search is so. Timed, in processor time, is all that a caller waits for: from arrays of tags to trees.
depccg parses the sentences twice and the second time counts, when its cache of rules is filled. Prints Markdown; the
exit code is 1 if two scores differ by more than 0.001.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
from collections import defaultdict
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from depccg import _parsing
from depccg.cat import Category
from depccg.types import CombinatorResult, ScoringResult, Token
from look import SENTENCES, read_sentences

from starccg import Decoder, Limits, Options, load, sentences
from starccg.ccg.table import RuleTable
from starccg.search.options import Bound
from starccg.search.searcher import Searcher
from starccg.search.types import TaggedSentence

EVERYTHING = 0xFFFFFFFF
UNARY_COST = 0.1
STEPS = 10**8


def without_normal_form(table: RuleTable) -> RuleTable:
    """The rules alone: every rule may build on every other, in chains too."""
    types = len(table.unary_allowed)
    return replace(
        table,
        allowed=((EVERYTHING,) * types,) * types,
        unary_allowed=(EVERYTHING,) * types,
        start_only=0,
        max_unary_chain=0,
        unary_at_root=False,
        root_scores=(),
    )


def ours(searcher: Searcher, tagged: list[TaggedSentence], bound: Bound, repeat: int) -> tuple[float, list[float]]:
    """Seconds, the median of several runs after one that does not count, and the score of each sentence."""
    limits = Limits(forest=STEPS, agenda=STEPS, words=4000)
    options = Options(decoder=Decoder.SUPERTAG, bound=bound, unary_cost=UNARY_COST, distance_cost=0.0, limits=limits)
    seconds = []
    for _ in range(repeat + 1):
        begin = time.process_time()
        results = searcher.search_batch(tagged, options)
        for result, sentence in zip(results, tagged, strict=True):
            for parse in result.parses:
                searcher.derivation(parse.nodes, ["w"] * sentence.words)
        seconds.append(time.process_time() - begin)
    return float(np.median(seconds[1:])), [result.certificate.score if result.parses else -np.inf for result in results]


def depccgs(table: RuleTable, tagged: list[TaggedSentence]) -> tuple[float, list[float]]:
    """Seconds of the second time that the sentences are parsed, and the score of each."""
    names = [Category.parse(f"C{number}") for number in range(len(table.categories))]
    number_of = {name: number for number, name in enumerate(names)}
    binary, unary = defaultdict(list), defaultdict(list)
    for left, right, result, _, _ in table.binary:
        binary[left, right].append(CombinatorResult(names[result], "fa", ">", head_is_left=True))
    for child, result, _ in table.unary:
        unary[child].append(CombinatorResult(names[result], "lex", "<un>", head_is_left=True))
    documents, scores = [], []
    for sentence in tagged:
        words = sentence.words
        matrix = np.full((words, table.lexical), -1e4, np.float32)
        rows = np.repeat(np.arange(words), np.diff(sentence.offsets))
        matrix[rows, sentence.tags] = sentence.log_probabilities
        documents.append([Token.of_word("w")] * words)
        scores.append(ScoringResult(matrix, np.zeros((words, words + 1), np.float32)))
    stamps: list[float] = []

    def stamped(pairs: Any, **_: Any) -> Any:
        for pair in pairs:
            stamps.append(time.process_time())
            yield pair

    _parsing.tqdm = stamped
    with contextlib.redirect_stderr(io.StringIO()):
        found = _parsing.run(
            documents * 2,
            scores * 2,
            names[: table.lexical],
            lambda left, right: binary[number_of[left], number_of[right]],
            lambda child: unary[number_of[child]],
            [names[root] for root in table.roots],
            num_tags=table.lexical,
            unary_penalty=UNARY_COST,
            use_beta=False,
            pruning_size=max(int(np.diff(sentence.offsets).max()) for sentence in tagged),
            max_step=STEPS,
        )
    seconds = time.process_time() - stamps[len(tagged)]
    return seconds, [float(trees[0].score) for trees in found[: len(tagged)]]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--model", default="en")
    arguments.add_argument("--beam", type=float, default=1e-6, help="share of the best tag's probability to keep a tag")
    arguments.add_argument("--tags", type=int, default=50, help="maximum number of tags a word")
    arguments.add_argument("--join", type=int, default=1, metavar="N", help="make one sentence of every N")
    arguments.add_argument("--repeat", type=int, default=9)
    arguments.add_argument("--sentences", type=Path, default=SENTENCES)
    options = arguments.parse_args()
    parser = load(options.model)
    texts = " ".join(read_sentences(options.sentences).values())
    split = [sentence.words for sentence in sentences(texts)]
    joined = [list(chain(*split[at : at + options.join])) for at in range(0, len(split), options.join)]
    tagged = parser.tagger.tag(joined, options.beam, options.tags)
    tagged = [replace(sentence, states=None, pruned=None) for sentence in tagged]
    table = without_normal_form(parser.searcher.table)
    words = sum(sentence.words for sentence in tagged)
    tags = sum(len(sentence.tags) for sentence in tagged)
    print(f"{len(tagged)} sentences of {words / len(tagged):.1f} words, {tags / words:.1f} tags a word\n")
    print("| search | seconds | sentences a second | parsed |\n|---|---:|---:|---:|")
    rows = {
        "starccg, the paper's bound": ours(Searcher(table), tagged, Bound.TAGS, options.repeat),
        "starccg, the parser's bound": ours(Searcher(table), tagged, Bound.GRAMMAR, options.repeat),
        "depccg": depccgs(table, tagged),
    }
    for name, (seconds, scores) in rows.items():
        print(f"| {name} | {seconds:.4f} | {len(tagged) / seconds:,.0f} | {np.isfinite(scores).sum()} |")
    best = np.array([scores for _, scores in rows.values()])
    parsed = np.isfinite(best).all(axis=0)
    apart = float(np.ptp(best[:, parsed], axis=0).max())
    same = bool((np.isfinite(best) == parsed).all())
    print(f"\nThe same sentences have a parse: {'yes' if same else 'no'}. The scores differ by at most {apart:.1g}.")
    sys.exit(not same or apart > 1e-3)


if __name__ == "__main__":
    main()
