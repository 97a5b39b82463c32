"""Check that a change left every answer as it was: derivations, scores and certificates of all decoders.

    python benchmarks/same_answers.py write OUT.jsonl [--model FOLDER]     # before the change
    python benchmarks/same_answers.py compare BEFORE.jsonl AFTER.jsonl     # after it

The sentences are those of ``examples/look``, parsed with each decoder, five parses each; reranking reorders these five,
as it did before ``rerank_size`` was an option of its own. Time is left out of the comparison. Scores may differ by
``--tolerance``: the leaf states were computed by numpy once, and rounded differently. Give the same model folder to
both runs if the model in the package has changed between them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import starccg
from starccg.formats.auto import write_auto

try:
    from starccg.ccg.derivation import Sentence
    from starccg.search.options import Decoder, Options
except ImportError:  # a version before these modules
    from starccg.derivation import Sentence  # type: ignore[import-not-found, no-redef]

    from starccg.search.types import Decoder, Options  # type: ignore[attr-defined, no-redef]

FOLDER = Path(__file__).parent.parent / "examples" / "look"
NBEST = 5
SCORES = ("score", "upper_bound", "gap")
COMPARED = ("optimal", "score", "upper_bound", "gap", "explored", "agenda", "recursive_units", "decoder")
"""The fields of a certificate that must not change; fields that one side alone has are not compared."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = arguments.add_subparsers(dest="command", required=True)
    write = commands.add_parser("write")
    write.add_argument("out", type=Path)
    write.add_argument("--model", default="en")
    compare_ = commands.add_parser("compare")
    compare_.add_argument("before", type=Path)
    compare_.add_argument("after", type=Path)
    compare_.add_argument("--tolerance", type=float, default=0.0)
    options = arguments.parse_args()
    if options.command == "write":
        write_answers(options.out, options.model)
    else:
        sys.exit(compare(options.before, options.after, options.tolerance))


def sentences() -> list[str]:
    """The sentences of both files, without headings."""
    files = (FOLDER / "sentences.txt", FOLDER / "fresh.txt")
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line and not line.startswith("# ")]


def write_answers(out: Path, model: str) -> None:
    """One line for each sentence and decoder."""
    parser = starccg.load(model)
    texts = sentences()
    settings: dict[str, Any] = {"nbest": NBEST}
    if "rerank_size" in Options.__dataclass_fields__:
        settings["options"] = Options(rerank_size=NBEST)
    with out.open("w", encoding="utf-8") as file:
        for decoder in Decoder:
            for text, outcome in zip(texts, parser.parse(texts, decoder=decoder, **settings), strict=True):
                parses = getattr(outcome, "parses", ())
                answer = {
                    "decoder": decoder.value,
                    "text": text,
                    "outcome": type(outcome).__name__,
                    "parses": [_parse(parse) for parse in parses],
                }
                file.write(json.dumps(answer) + "\n")
    print(f"{len(texts)} sentences, {len(Decoder)} decoders: {out}")


def _parse(parse: Any) -> dict[str, Any]:
    derivation = getattr(parse, "derivation", parse)
    certificate = asdict(parse.certificate)
    certificate["decoder"] = str(getattr(certificate["decoder"], "value", certificate["decoder"]))
    kept = {name: value for name, value in certificate.items() if name in COMPARED}
    return {"auto": "\n".join(write_auto([Sentence("1", derivation)])), "certificate": kept}


def compare(before: Path, after: Path, tolerance: float) -> int:
    """Print every difference; returns 1 if there is one."""
    old, new = (_read(path) for path in (before, after))
    tally: Counter[str] = Counter()
    for key in old.keys() | new.keys():
        decoder = key[0]
        if key not in old or key not in new:
            tally[f"{decoder}: in one file only"] += 1
            continue
        kinds = _differences(old[key], new[key], tolerance)
        for kind in kinds:
            tally[f"{decoder}: {kind}"] += 1
            print(f"{decoder}: {kind}: {key[1]}")
        tally["same" if not kinds else "different"] += 1
    for kind, number in sorted(tally.items()):
        print(f"{number:6} {kind}")
    return int(any(kind != "same" for kind in tally))


def _read(path: Path) -> dict[tuple[str, str], dict[str, Any]]:
    answers = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {(answer["decoder"], answer["text"]): answer for answer in answers}


def _differences(old: dict[str, Any], new: dict[str, Any], tolerance: float) -> list[str]:
    kinds = [] if old["outcome"] == new["outcome"] else ["outcome"]
    if [parse["auto"] for parse in old["parses"]] != [parse["auto"] for parse in new["parses"]]:
        return [*kinds, "derivations"]
    pairs = zip(old["parses"], new["parses"], strict=True)
    changed = {
        name
        for one, other in pairs
        for name in one["certificate"].keys() & other["certificate"].keys()
        if not _same(name, one["certificate"][name], other["certificate"][name], tolerance)
    }
    return [*kinds, *sorted(changed)]


def _same(name: str, one: Any, other: Any, tolerance: float) -> bool:
    return bool(one == other or (name in SCORES and abs(one - other) <= tolerance))


if __name__ == "__main__":
    main()
