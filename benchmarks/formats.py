"""How fast each format is written and read, on sentences made up here.

    python benchmarks/formats.py [SENTENCES]

Prints one JSON line a format: sentences and words a second.
"""

from __future__ import annotations

import json
import random
import sys
import time

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence, Unary
from starccg.ccg.licensing import annotate
from starccg.formats.registry import FORMATS

parse = Category.parse


def noun_phrase(rng: random.Random) -> Derivation:
    noun: Derivation = Leaf(parse("N"), f"noun{rng.randrange(999)}", "NN", "NN")
    for _ in range(rng.randrange(4)):
        noun = Binary(parse("N"), Leaf(parse("N/N"), f"adjective{rng.randrange(999)}", "JJ", "JJ"), noun, head=1)
    return Unary(parse("NP"), noun)


def sentence(rng: random.Random, number: int) -> Sentence:
    phrase = noun_phrase(rng)
    for _ in range(rng.randrange(5)):
        modifier = Binary(parse(r"NP\NP"), Leaf(parse(r"(NP\NP)/NP"), "of", "IN", "IN"), noun_phrase(rng))
        phrase = Binary(parse("NP"), phrase, modifier)
    verb = Binary(parse(r"S[dcl]\NP"), Leaf(parse(r"(S[dcl]\NP)/NP"), "sees", "VBZ", "VBZ"), phrase)
    clause = Binary(parse("S[dcl]"), noun_phrase(rng), verb, head=1)
    tree = annotate(Binary(parse("S[dcl]"), clause, Leaf(parse("."), ".", ".", ".")))
    return Sentence(f"made-up.{number}", tree, (("PARSER", "MADE-UP"),))


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = random.Random(1)
    sentences = [sentence(rng, number) for number in range(count)]
    words = sum(len(item.derivation) for item in sentences)
    for form in FORMATS.values():
        if form.writer is None:
            continue
        began = time.perf_counter()
        lines = list(form.write(sentences))
        took = {"write": time.perf_counter() - began}
        if form.reader is not None:
            began = time.perf_counter()
            read = sum(1 for _ in form.read(lines))
            took["read"] = time.perf_counter() - began
            assert read == count
        result: dict[str, object] = {"format": form.name, "sentences": count, "words": words}
        for what, seconds in took.items():
            result[what] = {"sentences_per_second": round(count / seconds), "words_per_second": round(words / seconds)}
        print(json.dumps(result))


if __name__ == "__main__":
    main()
