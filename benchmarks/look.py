"""Parse the sentences of ``examples/look`` with a model and say which parses changed.

    python benchmarks/look.py --model en --against examples/look/before.auto --write after.auto [--sentences FILE]

A parse has changed if a supertag, the root or a bracket around words differs; brackets around marks are counted apart,
since they change no dependency. What changed is printed as old and new supertags, or drawn twice with ``--draw``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from starccg.ccg.derivation import Derivation, Leaf, Sentence
from starccg.formats.auto import read_auto, write_auto
from starccg.formats.deriv import draw
from starccg.models import load
from starccg.outcome import Failed

SENTENCES = Path(__file__).parent.parent / "examples" / "look" / "sentences.txt"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--model", default="en")
    arguments.add_argument("--sentences", type=Path, default=SENTENCES)
    arguments.add_argument("--against", type=Path, help="the parses to compare with")
    arguments.add_argument("--write", type=Path, help="where to write the parses")
    arguments.add_argument("--draw", action="store_true", help="draw what changed")
    options = arguments.parse_args()
    found = parse(read_sentences(options.sentences), options.model)
    if options.write:
        options.write.write_text("".join(f"{line}\n" for line in write_auto(found.values())), encoding="utf-8")
    at_root = sum(final_mark_at_root(sentence.derivation) for sentence in found.values())
    marked = sum(list(sentence.derivation.leaves())[-1].category.is_punctuation for sentence in found.values())
    print(f"{len(found)} parses; the final mark hangs from the root in {at_root} of {marked}")
    if options.against:
        compare({sentence.id: sentence for sentence in read_auto(options.against)}, found, options.draw)


def read_sentences(path: Path) -> dict[str, str]:
    """The sentences by name, ``news.1`` and so on; a line ``# news`` starts a part."""
    sentences: dict[str, str] = {}
    part, number = "", 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            part, number = line[2:], 0
        elif line:
            number += 1
            sentences[f"{part}.{number}"] = line
    return sentences


def parse(sentences: dict[str, str], model: str) -> dict[str, Sentence]:
    """The parses by name; what has none is reported."""
    found = {}
    for name, outcome in zip(sentences, load(model).parse(list(sentences.values())), strict=True):
        if isinstance(outcome, Failed):
            print(f"{name}: no parse: {outcome.reason}")
        else:
            found[name] = Sentence(name, outcome.parses[0])
    return found


def compare(before: dict[str, Sentence], after: dict[str, Sentence], drawn: bool) -> None:
    """Print what changed, and how many parses did."""
    tally: Counter[str] = Counter()
    for name in before.keys() | after.keys():
        if name not in before or name not in after:
            tally["in one file only"] += 1
    for name in [name for name in before if name in after]:
        old, new = before[name].derivation, after[name].derivation
        kind = change(old, new)
        tally[kind] += 1
        if kind in ("same", "marks"):
            continue
        print(f"\n{name}: {kind}; {old.category} -> {new.category}: {' '.join(new.words)}")
        if drawn:
            print(f"{draw(old)}\n{draw(new)}")
        elif old.words == new.words:
            for was, now in zip(old.leaves(), new.leaves(), strict=True):
                if was.category is not now.category:
                    print(f"  {was.word}: {was.category} -> {now.category}")
    print("\n" + ", ".join(f"{kind} {times}" for kind, times in tally.most_common()))


def change(old: Derivation, new: Derivation) -> str:
    """What kind of change lies between two derivations."""
    if old.words != new.words:
        return "words"
    if old.supertags != new.supertags:
        return "supertags"
    if brackets(old) != brackets(new) or old.category is not new.category:
        return "brackets"
    return "same" if brackets(old, marks=True) == brackets(new, marks=True) else "marks"


def brackets(derivation: Derivation, *, marks: bool = False) -> set[tuple[int, ...]]:
    """The words under each node, by position; those that are marks are left out unless asked for."""
    counted = [marks or not leaf.category.is_punctuation for leaf in derivation.leaves()]
    spans = (tuple(i for i in range(start, end) if counted[i]) for start, end, _ in derivation.spans())
    return {span for span in spans if len(span) > 1}


def final_mark_at_root(derivation: Derivation) -> bool:
    """Whether the last mark, if the sentence ends in one, is a child of the root."""
    last = derivation.children[-1] if derivation.children else derivation
    return isinstance(last, Leaf) and last.category.is_punctuation


if __name__ == "__main__":
    main()
