"""A model from text to parse on one core: labelled F1 by source and by length, coverage, speed and where the time goes.

    python benchmarks/end_to_end.py --model en NAME=GOLD.auto...

The supertag-factored parser runs on the same tags: plain, and with its tie-breaks (unary cost 0.1, 1e-5 per word of
head distance). Where the tags that the beam keeps allow no parse, the parser searches again with more. Prints Markdown,
then a JSON line.
"""

from __future__ import annotations

import argparse
import json
import time

from starccg.evaluation import Analysis, compare, evaluate
from starccg.formats.auto import read_auto
from starccg.model_folder.find import find
from starccg.model_folder.summary import write_figures
from starccg.models import load
from starccg.outcome import Failed
from starccg.parser import Parser
from starccg.search.options import Decoder, Options
from starccg.search.types import SearchResult
from starccg.sentence_input import Words

LENGTHS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 250))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="+", metavar="NAME=GOLD.auto")
    arguments.add_argument("--model", default="en")
    arguments.add_argument("--record", action="store_true", help="write F1 and speed into the model's manifest")
    options = arguments.parse_args()
    parser = load(options.model, threads=1)
    plain = Options(decoder=Decoder.SUPERTAG, unary_cost=0.0, distance_cost=0.0)
    ways = {
        "supertag-factored, plain": plain,
        "supertag-factored": Options(decoder=Decoder.SUPERTAG),
        "global A*": Options(decoder=parser.options.decoder),
    }
    found = {}
    for argument in options.files:
        name, _, path = argument.partition("=")
        found[name] = measure(parser, name, path, ways)
    print(json.dumps(found))
    if options.record:
        f1 = {name: report["global A*"]["labelled_f1"] for name, report in found.items()}
        write_figures(find(options.model), f1, next(iter(found.values()))["text to parse"]["sentences_per_second"])


def measure(parser: Parser, name: str, path: str, ways: dict[str, Options]) -> dict[str, dict[str, float]]:
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
        results = parser.search(words, tagged, options)
        searching = time.process_time() - begin
        predicted = [analysis(parser, one, result) for one, result in zip(words, results, strict=True)]
        parses[way] = predicted
        scores[way] = evaluate(gold, predicted, resamples=1)
        certificates = [result.certificate for result in results]
        row = {
            "labelled_f1": 100 * scores[way].labelled.f1,
            "unlabelled_f1": 100 * scores[way].unlabelled.f1,
            "supertag_accuracy": 100 * (scores[way].supertag_accuracy or 0),
            "parsed": 100 * sum(bool(result.parses) for result in results) / len(results),
            "optimal": 100 * sum(certificate.optimal for certificate in certificates) / len(results),
            "explored": sum(certificate.explored for certificate in certificates) / len(results),
            "sentences_per_second": len(results) / searching,
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
    report["text to parse"] = {"sentences_per_second": len(sentences) / total}
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


def analysis(parser: Parser, words: tuple[str, ...], result: SearchResult) -> Analysis | None:
    outcome = parser.outcome(Words(words), result)
    return None if isinstance(outcome, Failed) else Analysis.of_derivation(outcome.best, "")


if __name__ == "__main__":
    main()
