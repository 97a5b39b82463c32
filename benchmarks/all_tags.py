"""Proofs over all tags: how many sentences have one, and whether they hold against searches with all tags.

    python benchmarks/all_tags.py [--model en] [--longest 25] FILE.auto...

Prints first how many sentences are proved best over all tags with the model's tag beam, and with ``beam="proved"``.
Then the sentences of at most ``--longest`` words are searched with the tags that several beams and numbers of tags
keep, for one parse and for three, by the global model and by the tags alone, and with all tags. A claim is wrong if a
parse "proved over all tags" has another score than the one in its place among all tags, and a bound is wrong if a parse
with a dropped tag scores more. The exit code is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from dataclasses import replace
from pathlib import Path

from starccg.experiments.evaluation_set import read_words
from starccg.models import load
from starccg.parser import Parser
from starccg.search.options import Decoder, Options
from starccg.search.types import Parse, TaggedSentence
from starccg.tagger.pruning import Floats2d, prune

MOST = 3
KEPT = ((0.0012, 64), (0.05, 64), (0.3, 64), (1.0, 64), (1e-5, 64), (0.0, 64), (0.0, 3), (0.0, 1))
"""Tag beams and the maximum number of tags of a word."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="+", type=Path, metavar="FILE.auto")
    arguments.add_argument("--model", default="en", help="a model with a global model")
    arguments.add_argument("--longest", type=int, default=25, help="the longest sentences to search with all tags")
    options = arguments.parse_args()
    parser, words = load(options.model, threads=1), read_words(options.files)
    for beam, name in ((None, "the model's tag beam"), ("proved", "'proved'")):
        outcomes = parser.parse([list(own) for own in words], beam=beam)
        proved = sum(bool(it) and it.certificate is not None and it.certificate.over_all_tags for it in outcomes)
        print(f"{proved} of {len(words)} sentences proved best over all tags with {name}", flush=True)
    claims = dropped = wrong = unknown = 0
    short = [own for own in words if len(own) <= options.longest]
    for own in short:
        (rows,), (tagged,) = parser.tagger.log_probabilities([own]), parser.tag([own], Decoder.GLOBAL)
        for decoder in (Decoder.GLOBAL, Decoder.SUPERTAG):
            best = searched(parser, rows, tagged, decoder, MOST, 0.0, len(parser.tagger.categories))[1]
            if not all(parse.certificate.optimal for parse in best):
                unknown += 1
                continue
            for (beam, count), nbest in itertools.product(KEPT, (1, MOST)):
                kept, parses, bound = searched(parser, rows, tagged, decoder, nbest, beam, count)
                sure = [parse.certificate for parse in parses if parse.certificate.over_all_tags]
                without = [parse.certificate for parse in best if not is_made_of(parse, kept)]
                claims, dropped = claims + len(sure), dropped + len(without)
                wrong += sum(one.score != other.certificate.score for one, other in zip(sure, best, strict=False))
                wrong += sum(certificate.score > bound for certificate in without)
    print(
        f"{len(short)} sentences of at most {options.longest} words searched with all tags ({unknown} searches met a "
        f"limit): {claims} proofs over all tags and {dropped} bounds on parses with dropped tags, {wrong} wrong"
    )
    sys.exit(wrong > 0)


def searched(
    parser: Parser, rows: Floats2d, tagged: TaggedSentence, decoder: Decoder, nbest: int, beam: float, count: int
) -> tuple[TaggedSentence, tuple[Parse, ...], float]:
    """The tags that are kept, the parses made of them, and the bound on all others."""
    kept = replace(prune(rows, beam, count), states=tagged.states)
    result = parser.searcher.search(kept, Options(decoder=decoder, nbest=nbest))
    return kept, result.parses, result.pruned_bound


def is_made_of(parse: Parse, kept: TaggedSentence) -> bool:
    """Whether all tags of a parse are kept."""
    tags = [set(kept.tags[first:last]) for first, last in itertools.pairwise(kept.offsets)]
    return all(node.category in tags[node.start] for node in parse.nodes if node.left < 0)


if __name__ == "__main__":
    main()
