"""Whether the prover LangPro reads our Prolog, with lemmas and parts of speech, and reasons with it.

    python benchmarks/langpro.py --langpro CHECKOUT [--model en] [--keep FOLDER]

Needs SWI-Prolog (``swipl``) and a checkout of https://github.com/kovvalsky/LangPro with its WordNet. Prints each pair
with the right answer and LangPro's: whether the first sentence entails the second (yes), contradicts it (no), or
neither (unknown). The exit code is 1 if LangPro could not read a derivation.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from starccg.ccg.derivation import Sentence
from starccg.formats.files import write
from starccg.formats.prolog import quoted
from starccg.models import load


class Pair(NamedTuple):
    premise: str
    hypothesis: str
    answer: str


PAIRS = [
    Pair("Every dog barks.", "Every black dog barks.", "yes"),
    Pair("Every black dog barks.", "Every dog barks.", "unknown"),
    Pair("A black dog is barking.", "A dog is barking.", "yes"),
    Pair("A dog is barking.", "A black dog is barking.", "unknown"),
    Pair("A dog is barking.", "No dog is barking.", "no"),
    Pair("No animal sleeps.", "No dog sleeps.", "yes"),
    Pair("No dog sleeps.", "A black dog sleeps.", "no"),
    Pair("A man is playing a guitar.", "A man is playing an instrument.", "yes"),
    Pair("A man is playing an instrument.", "A man is playing a guitar.", "unknown"),
    Pair("A woman is singing and dancing.", "A woman is dancing.", "yes"),
    Pair("Every student read a book.", "Some student did not read a book.", "no"),
    Pair("The boy is running quickly.", "The boy is running.", "yes"),
    Pair("A child is not eating.", "A child is eating.", "unknown"),
    Pair("A girl who is smiling is reading a letter.", "A girl is reading a letter.", "yes"),
    Pair("There is no cat in the garden.", "There is a cat in the garden.", "no"),
    Pair("A letter was written by a nurse.", "A nurse wrote a letter.", "yes"),
    Pair("John loves Mary.", "Mary is loved by John.", "yes"),
    Pair("The man that Mary saw slept.", "Mary saw a man.", "yes"),
    Pair("John's dog barks.", "A dog barks.", "yes"),
    Pair("John likes and Mary hates the old song.", "Mary hates the song.", "yes"),
    Pair("The dog chased the cat and bit the boy.", "The dog bit the boy.", "yes"),
    Pair("Mary did not sing.", "Mary sang.", "no"),
    Pair("Each girl is dancing.", "A girl is not dancing.", "no"),
    Pair("Nobody is eating.", "A man is eating.", "no"),
]

RESULT = re.compile(r"^\s*(\d+):\s+\[\w+\],\s*(\w+),\s*(\w+),", re.MULTILINE)
"""A line of LangPro: number, right answer, its answer, and ``NA`` where it made nothing of a derivation."""


def facts(pairs: list[Pair]) -> Iterator[str]:
    """``sen_id(sentence, pair, role, answer, text)``: sentences are numbered from 1, as in the file of derivations."""
    for number, pair in enumerate(pairs, 1):
        for role, text, sentence in (("p", pair.premise, 2 * number - 1), ("h", pair.hypothesis, 2 * number)):
            yield f"sen_id({sentence}, {number}, {role}, {pair.answer}, {quoted(text)}).\n"


def answers(checkout: Path, folder: Path, pairs: list[Pair], model: str) -> tuple[dict[int, str], str]:
    """LangPro's answers by the number of the pair, without those that it could not read, and all that it printed."""
    outcomes = load(model).parse([text for pair in pairs for text in pair[:2]], annotate=True)
    sentences = [Sentence(str(number), outcome.parses[0]) for number, outcome in enumerate(outcomes, 1) if outcome]
    write(folder / "pairs_ccg.pl", sentences, "prolog")
    (folder / "pairs_sen.pl").write_text("".join(facts(pairs)), encoding="utf-8")
    files = [checkout.resolve() / "prolog" / "main.pl", folder / "pairs_ccg.pl", folder / "pairs_sen.pl"]
    command = ["swipl", "-q", "-g", "entail_all", "-t", "halt", *map(str, files)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    found = {int(number): answer for number, answer, closed in RESULT.findall(done.stdout) if closed != "NA"}
    return found, done.stdout + done.stderr


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--langpro", required=True, type=Path, metavar="CHECKOUT")
    arguments.add_argument("--model", default="en")
    arguments.add_argument("--keep", type=Path, metavar="FOLDER", help="Keep the files for LangPro in this folder.")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        found, printed = answers(options.langpro, folder.resolve(), PAIRS, options.model)
    print("right    LangPro  pair")
    for number, pair in enumerate(PAIRS, 1):
        print(f"{pair.answer:8} {found.get(number, 'failed'):8} {pair.premise} / {pair.hypothesis}")
    right = sum(found.get(number) == pair.answer for number, pair in enumerate(PAIRS, 1))
    print(f"{len(found)} of {len(PAIRS)} pairs read, {right} answers right")
    if len(found) < len(PAIRS):
        sys.exit(f"error: LangPro could not read all derivations; it printed:\n{printed}")


if __name__ == "__main__":
    main()
