"""A model from text to parse on one core: labelled F1 by source and by length, coverage, speed and where the time goes.

    python benchmarks/end_to_end.py --model en NAME=GOLD.auto...

The supertag-factored parser runs on the same tags: plain, and with its tie-breaks (unary cost 0.1, 1e-5 per word of
head distance). Prints Markdown, then a JSON line.
"""

from __future__ import annotations

import argparse
import json
import time

from starccg.evaluation import Analysis, compare, evaluate
from starccg.formats.auto import read_auto
from starccg.models import load
from starccg.outcome import Failed
from starccg.parser import NEED_NO_MODEL, Parser, default_options
from starccg.search.core import search_batch
from starccg.search.types import Decoder, Options, Outcome

LENGTHS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 250))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="+", metavar="NAME=GOLD.auto")
    arguments.add_argument("--model", default="en")
    options = arguments.parse_args()
    parser = load(options.model, threads=1)
    plain = Options(decoder=Decoder.SUPERTAG)
    ways = {
        "supertag-factored, plain": plain,
        "supertag-factored": default_options(Decoder.SUPERTAG),
        "global A*": default_options(parser.options.decoder),
    }
    found = {}
    for argument in options.files:
        name, _, path = argument.partition("=")
        found[name] = measure(parser, name, path, ways)
    print(json.dumps(found))


def measure(parser: Parser, name: str, path: str, ways: dict[str, Options]) -> dict[str, object]:
    sentences = list(read_auto(path))
    words = [tuple(sentence.derivation.words) for sentence in sentences]
    gold = [Analysis.of_derivation(sentence.derivation, sentence.id) for sentence in sentences]
    begin = time.process_time()
    tagged = parser.tag(words, Decoder.GLOBAL)
    tagging = time.process_time() - begin
    print(f"\n## {name}: {len(sentences)} sentences, {sum(map(len, words)) / len(words):.1f} words on average\n")
    print("| parser | labelled F1 | unlabelled F1 | supertags | parsed | optimal | explored | search, sentences/s |")
    print("|---|---|---|---|---|---|---|---|")
    scores, parses, report = {}, {}, {}
    for way, options in ways.items():
        begin = time.process_time()
        model = None if options.decoder in NEED_NO_MODEL else parser.tree_lstm
        outcomes = search_batch(parser.search_table, tagged, options, model, threads=1)
        searching = time.process_time() - begin
        predicted = [analysis(parser, one, outcome) for one, outcome in zip(words, outcomes, strict=True)]
        parses[way] = predicted
        scores[way] = evaluate(gold, predicted, resamples=1)
        certificates = [outcome.certificate for outcome in outcomes]
        row = {
            "labelled_f1": 100 * scores[way].labelled.f1,
            "unlabelled_f1": 100 * scores[way].unlabelled.f1,
            "supertag_accuracy": 100 * (scores[way].supertag_accuracy or 0),
            "parsed": 100 * sum(bool(outcome.parses) for outcome in outcomes) / len(outcomes),
            "optimal": 100 * sum(certificate.optimal for certificate in certificates) / len(outcomes),
            "explored": sum(certificate.explored for certificate in certificates) / len(outcomes),
            "sentences_per_second": len(outcomes) / searching,
        }
        report[way] = row
        print(
            f"| {way} | "
            + " | ".join(f"{value:.2f}" if value < 100 else f"{value:.1f}" for value in row.values())
            + " |"
        )
    tests = compare(scores["supertag-factored"], scores["global A*"])
    told = "; ".join(f"{test.figure} {100 * test.difference:+.2f}, p = {test.p_value:.4f}" for test in tests)
    print(f"\nGlobal against supertag-factored, paired test: {told}")
    total = tagging + len(sentences) / report["global A*"]["sentences_per_second"]
    print(
        f"\nText to parse on one core: {len(sentences) / total:.0f} sentences/s "
        f"(tagging {100 * tagging / total:.0f}%, search {100 - 100 * tagging / total:.0f}%), processor time"
    )
    print("\n| words | sentences | supertag-factored F1 | global F1 |\n|---|---|---|---|")
    for low, high in LENGTHS:
        chosen = [place for place, one in enumerate(words) if low <= len(one) <= high]
        if chosen:
            own = [gold[place] for place in chosen]
            both = (
                100 * evaluate(own, [parses[way][place] for place in chosen], resamples=1).labelled.f1
                for way in ("supertag-factored", "global A*")
            )
            print(f"| {low}-{high} | {len(chosen)} | {' | '.join(f'{f1:.2f}' for f1 in both)} |")
    return report


def analysis(parser: Parser, words: tuple[str, ...], outcome: Outcome) -> Analysis | None:
    result = parser.outcome(words, outcome)
    return None if isinstance(result, Failed) else Analysis.of_derivation(result.best.derivation, "")


if __name__ == "__main__":
    main()
