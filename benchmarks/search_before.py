"""Answers and speed of the search on treebanks, in another version and in this one, in one run.

    python benchmarks/search_before.py --before ../old-checkout [--model en] NAME=FILE.auto...

Both versions search with the same grammar and global model, and the same tags: those that this version's tagger gave.
``--before`` names a checkout with a built ``.venv``. Prints, for each file, how many sentences have a better and a
worse best parse than before (by its score under the model), how many are proved, and the milliseconds of processor
time a sentence (the least of several searches of the file in ``--repeat`` processes of each version in turn). The
exit code is 1 if an answer is worse, or if the searches of all files together take longer than before.
"""

from __future__ import annotations

import argparse
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from starccg.model_folder.find import find

TAG = """
import pickle, sys, starccg
from starccg.formats.auto import read_auto
model, source, out = sys.argv[1:]
parser = starccg.load(model, threads=1)
words = [tuple(sentence.derivation.words) for sentence in read_auto(source)]
tagged = parser.tag(words, parser.options.decoder)
with open(out, "wb") as file:
    categories = list(map(str, parser.tagger.categories))
    pickle.dump((categories, [(it.tags, it.log_probabilities, it.offsets, it.states) for it in tagged]), file)
"""
SEARCH = """
import pickle, sys, time
from pathlib import Path
from types import SimpleNamespace
from starccg.ccg.category import Category
from starccg.ccg.grammar import Grammar
from starccg.parser import Parser
from starccg.search.types import TaggedSentence
model, source, out = map(Path, sys.argv[1:])
categories, tagged = pickle.loads(source.read_bytes())
tagged = [TaggedSentence(*fields) for fields in tagged]
grammar = Grammar.loads((model / "grammar.json").read_text())
tagger = SimpleNamespace(categories=tuple(map(Category.parse, categories)))
try:
    from starccg.model_folder.global_model import load_global_model
    parser = Parser(tagger, grammar, load_global_model(model / "global"))
    search = lambda sentences: parser.searcher.search_batch(sentences, parser.options)
except ModuleNotFoundError:  # as it was at 3249e68
    from starccg.globalmodel.storage import load_global_model
    from starccg.search.core import search_batch
    parser = Parser(tagger, grammar, load_global_model(model / "global"))
    search = lambda sentences: search_batch(parser.search_table, sentences, parser.options, parser.tree_lstm)
found, times = search(tagged), []
while sum(times) < 3 and len(times) < 20:
    begin = time.process_time()
    search(tagged)
    times.append(time.process_time() - begin)
answers = [(it.certificate.score if it.parses else None, it.certificate.optimal) for it in found]
out.write_bytes(pickle.dumps((answers, min(times))))
"""
SAME = 1e-4
"""Scores that differ by less than this are the same: the units of another version may add in another order."""


class Answers(NamedTuple):
    answers: list[tuple[float | None, bool]]
    """For each sentence the score of its best parse, or None, and whether that is proved."""
    seconds: float


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="+", metavar="NAME=FILE.auto")
    arguments.add_argument("--before", type=Path, required=True, help="another checkout, with a built .venv")
    arguments.add_argument("--model", default="en", help="a model with a global model")
    arguments.add_argument("--repeat", type=int, default=3)
    options = arguments.parse_args()
    pythons = {"before": str(options.before.resolve() / ".venv" / "bin" / "python"), "now": sys.executable}
    model = find(options.model).resolve()
    print("| sentences | better | worse | proved before | proved now | ms before | ms now | times as fast |")
    print("|---|---|---|---|---|---|---|---|")
    worse, before, now = 0, 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        for argument in options.files:
            name, _, source = argument.partition("=")
            tags = str(Path(folder) / "tags")
            run(sys.executable, TAG, model, Path(source).resolve(), tags)
            found: dict[str, list[Answers]] = {version: [] for version in pythons}
            for _ in range(options.repeat):
                for version, python in pythons.items():
                    found[version].append(searched(python, model, tags))
            worse += report(name, found["before"], found["now"])
            before, now = before + least(found["before"]), now + least(found["now"])
    print(f"{worse} worse; all searches {before:.2f} s before, {now:.2f} s now: {before / now:.2f} times as fast")
    sys.exit(worse > 0 or now > before)


def searched(python: str, model: Path, tags: str) -> Answers:
    out = f"{tags}.answers"
    run(python, SEARCH, model, tags, out)
    return Answers(*pickle.loads(Path(out).read_bytes()))


def least(runs: list[Answers]) -> float:
    return min(run.seconds for run in runs)


def report(name: str, before: list[Answers], now: list[Answers]) -> int:
    """Print the row of a file; how many answers are worse."""
    pairs = [(old[0], new[0]) for old, new in zip(before[0].answers, now[0].answers, strict=True)]
    better, worse = sum(is_better(new, old) for old, new in pairs), sum(is_better(old, new) for old, new in pairs)
    proved = [sum(optimal for _, optimal in runs[0].answers) for runs in (before, now)]
    ms = [1000 * least(runs) / len(pairs) for runs in (before, now)]
    print(
        f"| {name}: {len(pairs)} | {better} | {worse} | {proved[0]} | {proved[1]} "
        f"| {ms[0]:.3f} | {ms[1]:.3f} | {ms[0] / ms[1]:.2f} |",
        flush=True,
    )
    return worse


def is_better(one: float | None, other: float | None) -> bool:
    return one is not None and (other is None or one > other + SAME)


def run(python: str, code: str, *arguments: str | Path) -> None:
    subprocess.run([python, "-c", code, *map(str, arguments)], check=True, cwd=tempfile.gettempdir())


if __name__ == "__main__":
    main()
